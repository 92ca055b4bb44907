/** The solvers that can be piped to, and how each is spoken to. */
import { type Script, type SolverLimits, SolverUnavailable } from "./port.ts";
import { setsLogic } from "./script.ts";
import { z3Parameters } from "./z3-parameters.ts";

export interface Dialect {
  readonly name: "z3" | "cvc5";
  readonly arguments: readonly string[];
  /** Commands that forget the last script and set up for this one; nothing is said to them. */
  readonly begin: (script: Script, limits: SolverLimits) => string;
}

const z3: Dialect = {
  name: "z3",
  arguments: ["-in", "-smt2"],
  begin: (script, limits) => {
    const set = ([name, value]: readonly [string, string]) =>
      `(set-option :${name} ${/^\w+$/.test(value) ? value : `"${value}"`})`;
    return ["(reset)", ...z3Parameters(script, limits).map(set)].join("\n");
  },
};

/** LIMIT: it cannot limit its memory. */
const cvc5: Dialect = {
  name: "cvc5",
  // Strings of UTF-16 code units, and all that there is for strings.
  arguments: ["--lang=smt2", "--quiet", "--strings-exp", "--strings-alpha-card=65536"],
  begin: (script, limits) => `
(reset)
(set-option :produce-models true)
(set-option :reproducible-resource-limit ${limits.resources})
${setsLogic(script) ? "" : "(set-logic ALL)"}`,
};

const known: readonly {
  readonly banner: RegExp;
  readonly least: readonly number[];
  readonly dialect: Dialect;
}[] = [
  // Older ones read strings in another way, and take minutes where this one takes none.
  { banner: /^Z3 version (\d+)\.(\d+)\.(\d+)/, least: [4, 12, 0], dialect: z3 },
  { banner: /^This is cvc5 version (\d+)\.(\d+)\.(\d+)/m, least: [1, 0, 3], dialect: cvc5 },
];

/** Recognizes a solver by what it prints for `--version`. */
export function recognise(command: string, printed: string): { dialect: Dialect; version: string } {
  for (const { banner, least, dialect } of known) {
    const match = banner.exec(printed.trim());
    if (match === null) continue;
    const numbers = match.slice(1).map(Number);
    const version = numbers.join(".");
    if (isBelow(numbers, least)) {
      throw new SolverUnavailable(
        `the solver \`${command}\` is version ${version}, which is too old`,
        `version ${least.join(".")} or newer is needed`,
      );
    }
    return { dialect, version };
  }
  throw new SolverUnavailable(`\`${command}\` is not a known solver`, "it must be a z3 or a cvc5");
}

function isBelow(version: readonly number[], least: readonly number[]): boolean {
  const at = least.findIndex((number, i) => number !== version[i]);
  return at >= 0 && (version[at] ?? 0) < (least[at] ?? 0);
}
