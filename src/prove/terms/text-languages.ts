/**
 * Decides the consistency of facts about one text (patterns, prefixes, suffixes, substrings) by regular languages,
 * exactly. SOUNDNESS: a fact that is not a regular language, or too large, is ignored. Part of what must be trusted.
 */
import {
  Automaton,
  anything,
  defaultLimits,
  exactly,
  haveCommonText,
  type Language,
  type Member,
  readPattern,
  sequence,
  sizeOf,
} from "../../ir/index.ts";
import type { Effort } from "./effort.ts";
import type { ApplyTerm, Scalar, Term } from "./term.ts";

/** LIMIT: of places that are looked at in all languages together. */
const mostPlaces = 1_000;
/** LIMIT: of the languages together; a larger one is left to the solver. */
const mostSize = 600;
/** LIMIT: of what is said of one text. */
const mostSaid = 8;

/** A text's membership in a language, or its negation. */
interface Said {
  readonly text: Term;
  readonly language: Language;
  readonly truth: boolean;
}

/** Facts about texts; a later layer extends an earlier one without changing it. */
export class Texts {
  readonly #effort: Effort;
  readonly #below: Texts | undefined;
  readonly #said: Said[] = [];

  constructor(effort: Effort, below: Texts | undefined) {
    this.#effort = effort;
    this.#below = below;
  }

  /** @returns whether some text can be all that is said of it */
  learn(term: ApplyTerm, truth: boolean): boolean {
    const said = saidBy(term, truth);
    if (said === undefined) return true;
    this.#said.push(said);
    return !isContradiction(this.#knownOf(said.text));
  }

  /** Returns the truth value if the facts about the text leave only one. */
  truthOf(term: Term): boolean | undefined {
    const said = term.kind === "apply" ? saidBy(term, true) : undefined;
    const known = said === undefined ? [] : this.#knownOf(said.text);
    if (said === undefined || known.length === 0) return undefined;
    if (isContradiction([...known, { ...said, truth: false }])) return true;
    return isContradiction([...known, said]) ? false : undefined;
  }

  /** Returns the facts about the text itself, and those that follow from its parts. */
  #knownOf(text: Term): readonly Pick<Said, "language" | "truth">[] {
    this.#effort.spend(1);
    const made = madeOf(text, (part) => this.#learntOf(part));
    const learnt = this.#learntOf(text);
    return made === undefined ? learnt : [...learnt, { language: made, truth: true }];
  }

  #learntOf(text: Term): readonly Said[] {
    const here = this.#said.filter((one) => one.text === text);
    return this.#below === undefined ? here : [...this.#below.#learntOf(text), ...here];
  }
}

/** Returns the language fact of a term, if it is about a text. */
function saidBy({ op, args }: ApplyTerm, truth: boolean): Said | undefined {
  const [first, second] = args;
  if (first === undefined || second === undefined) return undefined;
  const isTurned = op === "==" && first.kind === "literal";
  const [text, known] = isTurned ? [second, first] : [first, second];
  if (text.sort !== "String" || text.kind === "literal") return undefined;
  const language = known.kind === "literal" && isShort(known.value) ? languageOf(op, known.value) : undefined;
  return language && { text, language, truth };
}

function languageOf(op: string, known: string): Language | undefined {
  switch (op) {
    case "matches": {
      const read = readPattern(known, { most: defaultLimits.patternSize });
      return read.ok ? read.value : undefined;
    }
    case "==":
      return exactly(known);
    case "startsWith":
      return sequence(exactly(known), anything);
    case "endsWith":
      return sequence(anything, exactly(known));
    case "contains":
      return sequence(anything, exactly(known), anything);
    default:
      return undefined;
  }
}

/** Returns the language of a concatenation, as far as its parts are known. */
function madeOf(text: Term, known: (part: Term) => readonly Said[]): Language | undefined {
  if (text.kind !== "apply" || text.op !== "++" || text.args.length > mostSize) return undefined;
  return sequence(
    ...text.args.map((part) => {
      if (part.kind === "literal") return isShort(part.value) ? exactly(part.value) : anything;
      return known(part).find(({ truth }) => truth)?.language ?? anything;
    }),
  );
}

/** Returns true if the language of a text is small enough. */
function isShort(value: Scalar): value is string {
  return typeof value === "string" && value.length <= mostSize;
}

/** Returns true if no text satisfies all facts. */
function isContradiction(said: readonly Pick<Said, "language" | "truth">[]): boolean {
  if (said.length < 2 || said.length > mostSaid) return false;
  if (said.reduce((sum, { language }) => sum + sizeOf(language), 0) > mostSize) return false;
  const members = said.map(({ language, truth }): Member => ({ automaton: automatonOf(language), truth }));
  return haveCommonText(members, mostPlaces) === false;
}

const automata = new WeakMap<Language, Automaton>();

function automatonOf(language: Language): Automaton {
  const known = automata.get(language) ?? new Automaton(language);
  automata.set(language, known);
  return known;
}
