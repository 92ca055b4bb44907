/** Names of the document: those of the source, with a number where one is taken. */

export class Names {
  #taken: Map<string, number>;

  readonly #made: (name: string) => void;

  /** @param made is told of every name that is given, since names of what was tried out are given again */
  constructor(made: (name: string) => void = () => {}, taken: ReadonlyMap<string, number> = new Map()) {
    this.#made = made;
    this.#taken = new Map(taken);
  }

  fresh(hint: string): string {
    const base =
      hint
        .replace(/[^A-Za-z0-9_$]/g, "_")
        .replace(/^(?=[0-9])/, "_")
        .slice(0, 60) || "it";
    for (let n = this.#taken.get(base) ?? 1; ; n++) {
      const name = n === 1 ? base : `${base}_${n}`;
      if (this.#taken.has(name) && n !== 1) continue;
      if (n === 1 && this.#taken.has(base)) continue;
      this.#taken.set(base, n + 1);
      if (n !== 1) this.#taken.set(name, 2);
      this.#made(name);
      return name;
    }
  }

  take(name: string): void {
    this.#taken.set(name, 2);
  }

  /** To try something out and take its names back. */
  copy(): Names {
    return new Names(this.#made, this.#taken);
  }
}

const words: readonly (readonly [RegExp, string])[] = [
  [/===?/g, " is "],
  [/!==?/g, " isNot "],
  [/>=/g, " atLeast "],
  [/<=/g, " atMost "],
  [/=>/g, " "],
  [/>/g, " over "],
  [/</g, " under "],
  [/&&/g, " and "],
  [/\|\|/g, " or "],
  [/!/g, " not "],
  [/\bawait\b/g, " "],
];

/** A readable name for what a piece of source says: `owed > 500` gives `owed_over_500`. */
export function slug(source: string, otherwise: string): string {
  let plain = source.length > 80 ? source.slice(0, 80) : source;
  plain = plain.replace(/!==?/g, " isNot ");
  for (const [sign, word] of words) plain = plain.replace(sign, word);
  const parts = plain.split(/[^A-Za-z0-9]+/).filter((part) => part !== "");
  const name = parts.slice(0, 5).join("_").slice(0, 40).replace(/_+$/, "");
  return /^[A-Za-z]/.test(name) ? name : otherwise;
}
