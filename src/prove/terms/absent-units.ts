/**
 * Code units that a text certainly does not have, by how it was made: where every `@` was replaced there is none, and
 * none in what is cut from it or put together of such texts. No solver is needed for that.
 * SOUNDNESS: whatever the unknowns in the term stand for. Part of what must be trusted.
 */
import type { Terms } from "./factory.ts";
import type { Term } from "./term.ts";

/** Facts about an unknown text. */
export interface Absent {
  /** Units that it does not have. */
  readonly none: readonly string[];
  /** It has no unit that none of these texts has. Undefined parts are texts of which nothing is known. */
  readonly within: readonly (Term | undefined)[] | (() => readonly (Term | undefined)[]);
}

/** LIMIT: of texts in texts that are looked into. */
const deepest = 100;

/** The facts of the terms of one factory. */
export class AbsentUnits {
  readonly #noted = new Map<number, Absent>();
  readonly #known = new Map<string, boolean>();
  #depth = 0;

  note({ id }: Term, absent: Absent): void {
    if (!this.#noted.has(id)) this.#noted.set(id, absent);
  }

  /** Returns true if no value of the text has the code unit. */
  lacks(text: Term, unit: string): boolean {
    if (text.kind === "literal") return typeof text.value === "string" && !text.value.includes(unit);
    const key = `${text.id} ${unit}`;
    const known = this.#known.get(key);
    if (known !== undefined || this.#depth >= deepest) return known ?? false;
    this.#depth++;
    const found = text.kind === "constant" ? this.#isNoted(text, unit) : this.#isMade(text, unit);
    this.#depth--;
    this.#known.set(key, found);
    return found;
  }

  #isNoted({ id }: Term, unit: string): boolean {
    const noted = this.#noted.get(id);
    if (noted === undefined) return false;
    if (noted.none.includes(unit)) return true;
    const { within } = noted;
    const texts = typeof within === "function" ? within() : within;
    if (typeof within === "function") this.#noted.set(id, { ...noted, within: texts });
    return texts.length > 0 && texts.every((text) => text !== undefined && this.lacks(text, unit));
  }

  #isMade(text: Term & { kind: "apply" }, unit: string): boolean {
    const [a, b, c] = text.args;
    const all = (...texts: readonly (Term | undefined)[]) =>
      texts.every((one) => one !== undefined && this.lacks(one, unit));
    switch (text.op) {
      case "++":
        return all(...text.args);
      case "if":
        return all(b, c);
      case "slice":
      case "trim":
      case "trimStart":
      case "trimEnd":
      case "repeatText":
        return all(a);
      case "padStart":
      case "padEnd":
        return all(a, c);
      case "toLowerCase":
      case "toUpperCase":
        // A letter becomes letters and marks, never another sign of ASCII.
        return isPlainSign(unit) && all(a);
      case "replaceFirst":
        return all(a, c);
      case "replaceAll":
        return all(c) && (isUnit(b, unit) || all(a));
      case "substituteAll":
        return isPlain(c) && all(c) && (isUnit(b, unit) || all(a));
      case "substituteFirst":
        return isPlain(c) && all(a, c);
      case "replaceMatch":
        return isPlain(c) && all(c) && (isReplaced(b, unit) || all(a));
      case "textOf":
        return !/[-+0-9.e/]/.test(unit);
      case "timeText":
        return !/[-+0-9.:TZ]/.test(unit);
      default:
        return false;
    }
  }
}

function isPlainSign(unit: string): boolean {
  return unit < "\u0080" && !/[a-z]/i.test(unit);
}

function isUnit(term: Term | undefined, unit: string): boolean {
  return term?.kind === "literal" && term.value === unit;
}

/** A sign or a class of signs, perhaps several at once, everywhere. */
const everySign =
  /^\/((?:[^\\[\](){}.*+?^$|/]|\\[^\w]|\\[dsw]|\[\^?(?:[^\\[\]]|\\[^\w]|\\[dsw])+\]))\+?\/([gimsu]*)$/;

/**
 * Returns true if the regular expression finds the sign wherever it stands.
 * SOUNDNESS: where every match is of one class of signs, and all matches are replaced, none of the class is left.
 */
function isReplaced(term: Term | undefined, unit: string): boolean {
  const written =
    term?.kind === "literal" && typeof term.value === "string" ? everySign.exec(term.value) : null;
  const [, sign = "", flags = ""] = written ?? [];
  if (written === null || !flags.includes("g") || unit >= "\u0080") return false;
  return new RegExp(`^(?:${sign})$`, flags.replace(/[gm]/g, "")).test(unit);
}

/** Returns true for a replacement in which nothing stands for a part of the text. */
function isPlain(term: Term | undefined): boolean {
  return term?.kind === "literal" && typeof term.value === "string" && !term.value.includes("$");
}

export function noteAbsent(terms: Terms, text: Term, absent: Absent): void {
  if (text.kind === "constant") terms.absent.note(text, absent);
}
