/**
 * Problems with tool modules and programs, as data. The set of codes is closed: 20xx modules and imports,
 * 21xx types, 22xx tool modules and contracts, 23xx programs, 24xx names and scope, 25xx limits.
 */
import type { Diagnostic } from "../ir/index.ts";

export const frontCodes = {
  // modules and imports
  FC2001: "not TypeScript",
  FC2002: "file not found",
  FC2003: "import that is not allowed",
  FC2004: "not exported",
  FC2005: "no program",
  FC2006: "form of import or export that is not known",
  FC2007: "top-level statement with an effect",
  FC2008: "two modules with one name",
  FC2009: "declaration that a program may not make",
  FC2010: "used outside `run` and `undo`",
  FC2011: "no such option",
  // types
  FC2101: "type that cannot be modelled",
  FC2102: "missing type annotation",
  FC2103: "unknown type",
  FC2104: "recursive type",
  FC2105: "value of another type",
  FC2106: "comparison of different types",
  FC2107: "no common type",
  FC2108: "operands of the wrong type",
  FC2109: "value that may be absent",
  // tool modules and contracts
  FC2201: "declaration is not written out",
  FC2202: "tool, fluent or contract is not exported",
  FC2203: "missing `run`",
  FC2204: "not a constant",
  FC2205: "unknown method of a relation",
  FC2206: "unknown method of a fluent",
  FC2207: "unknown label",
  FC2208: "only in a contract",
  FC2209: "effect in a pure place",
  FC2210: "an aggregate for each key can only be compared",
  FC2211: "not a contract",
  FC2212: "no guarantees",
  FC2213: "wrong arguments of a contract",
  FC2214: "division in a formula",
  FC2215: "no formula for this",
  FC2216: "these rows have no order",
  FC2217: "no effects of a tool",
  FC2218: "name clashes with `result`",
  FC2219: "state cannot be read here",
  FC2220: "required contract without its arguments",
  FC2221: "listed twice in a coverage policy",
  FC2222: "coverage policy that would not be seen",
  FC2223: "not a source of data",
  FC2224: "transition looks beyond its call",
  FC2225: "states of an automaton",
  FC2226: "rests on what may be",
  FC2227: "no value of a call",
  FC2228: "no such input of the program",
  // programs
  FC2301: "construct outside the subset",
  FC2302: "`var`",
  FC2303: "loose equality",
  FC2304: "class, `this` or `new`",
  FC2305: "generator or iteration protocol",
  FC2306: "label",
  FC2307: "recursion at the same time",
  FC2308: "call of something unknown",
  FC2309: "unknown method",
  FC2310: "unknown field",
  FC2311: "promise that is not awaited",
  FC2312: "change of a value that is shared",
  FC2313: "loop without a known bound",
  FC2314: "wrong arguments of a call",
  FC2315: "not something to loop over",
  FC2316: "time, chance or the outside world",
  FC2317: "operator outside the subset",
  FC2318: "what was thrown cannot be looked at",
  FC2319: "a function where a value is needed",
  FC2320: "getter, setter or computed name",
  FC2321: "regular expression",
  FC2323: "pattern outside the subset",
  FC2324: "calls at the same time",
  FC2325: "not an order to sort by",
  // names and scope
  FC2401: "unknown name",
  FC2402: "name used before it has a value",
  FC2403: "assignment to a constant",
  FC2404: "name declared twice",
  FC2405: "import assigned to",
  FC2406: "constant that depends on itself",
  // limits
  FC2501: "too many iterations",
  FC2502: "nested too deep",
  FC2503: "program too big",
  FC2504: "too many modules",
  FC2599: "compiled to something that does not check",
} as const;

export type FrontCode = keyof typeof frontCodes;

export type SourceDiagnostic = Diagnostic<FrontCode, "file" | "span">;

/** LIMIT: what a hostile or careless source may cost. */
export interface FrontLimits {
  /** Iterations of loops that are written out, all together. */
  readonly unrolled: number;
  /** Commands of the compiled program. */
  readonly commands: number;
  /** Calls of helper functions inside one another, and nesting of expressions. */
  readonly depth: number;
  /** Modules that a program imports, directly or through one another, and what they import. */
  readonly modules: number;
  /** Syntax nodes looked at, counting each time a helper is written out. */
  readonly work: number;
  /** Code units of one file. */
  readonly fileLength: number;
}

export const defaultFrontLimits: FrontLimits = {
  unrolled: 10_000,
  commands: 100_000,
  depth: 150,
  modules: 200,
  work: 2_000_000,
  fileLength: 2_000_000,
};
