/** Names in a generated module. A server chooses its own, and none of them may become code. */

const reserved = new Set(
  [
    "abstract any arguments as async await boolean break case catch class const continue debugger declare default delete",
    "do else enum eval export extends false finally for from function get if implements import in instanceof interface",
    "is keyof let module namespace never new null number object of package private protected public readonly require",
    "return set static string super switch symbol this throw true try type typeof undefined unique unknown var void",
    "while with yield",
    // Names that the module imports and declares itself.
    "contract coverage Int labelled pathInside tool urlInside upstream server args call value values program result",
    "readOnly neverCalls callsAtMost noGuarantees",
  ]
    .join(" ")
    .split(" "),
);

export function isReserved(name: string): boolean {
  return reserved.has(name);
}

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

export function isIdentifier(name: string): boolean {
  return identifier.test(name);
}

/** Gives each name out once; a second use gets a number. */
export class Names {
  readonly #taken = new Set<string>();

  /** An identifier for a name that a server chose: it stays as it is where it can. */
  take(name: string): string {
    const plain = name.replace(/[^A-Za-z0-9_$]/g, "_").replace(/^(?=[0-9])/, "_");
    const base = plain === "" ? "_" : plain;
    const start = reserved.has(base) ? `${base}_` : base;
    let found = start;
    for (let i = 2; this.#taken.has(found); i++) found = `${start}${i}`;
    this.#taken.add(found);
    return found;
  }
}

/** `create_issue` as the name of a type: `CreateIssue`. */
export function typeName(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((one) => one !== "");
  const joined = words.map((one) => `${one.slice(0, 1).toUpperCase()}${one.slice(1)}`).join("");
  return joined === "" || /^[0-9]/.test(joined) ? `T${joined}` : joined;
}

/** A text that a server chose, as one line of a comment: nothing in it ends the comment or is hidden from a reader. */
export function commentText(text: string, mostLength: number): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, "\u{fffd}")
    .replaceAll("*/", "*\u{2215}")
    .trim();
  return line.length <= mostLength ? line : `${line.slice(0, mostLength).trimEnd()} …`;
}

/** A text that a server chose, as a literal: what nobody could see in it is escaped. */
export function literalText(text: string): string {
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, (char) =>
    Array.from(
      { length: char.length },
      (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
