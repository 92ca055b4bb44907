/** Parsed sources. */
import type {
  ArrowFunctionExpression,
  Expression,
  Function as FunctionSyntax,
  Node,
  Program,
} from "oxc-parser";
import type { FrontLimits } from "./codes.ts";
import { parseText } from "./parser.ts";
import { type Problems, refuse, type Spot } from "./refusal.ts";
import type { Getter, Scope } from "./scope.ts";

/** Help for an operator that the language lacks. */
export function insteadOf(operator: string): string {
  if (operator === "instanceof")
    return 'compare a field, such as `x.kind === "a"`, or ask `Array.isArray(x)`';
  if (operator === "&") return "for every second number write `x % 2 === 1`, and otherwise use arithmetic";
  return "for an integer write `Math.trunc(x)`, and otherwise use arithmetic";
}

export type FunctionNode = FunctionSyntax | ArrowFunctionExpression;

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly program: Program;
}

/** A module with its names. */
export interface Module {
  readonly source: Source;
  /** `bank`, the first part of the names of its tools. */
  readonly name: string;
  readonly trusted: boolean;
  readonly scope: Scope;
  /** Exports, by the exported name. */
  readonly exports: Map<string, Getter>;
  /** Types that it declares or imports. */
  readonly types: Map<string, TypeEntry>;
  /** `export * from`: modules whose exports are its own too. */
  readonly stars: Module[];
}

export type TypeEntry =
  | { readonly kind: "declared"; readonly node: Node; readonly module: Module }
  | { readonly kind: "imported"; readonly module: Module; readonly name: string }
  | { readonly kind: "package"; readonly name: string }
  | { readonly kind: "foreign"; readonly from: string };

export function parse(
  path: string,
  text: string,
  limits: FrontLimits,
  problems: Problems,
): Source | undefined {
  const whole: Spot = { file: path, start: 0, end: Math.min(1, text.length) };
  if (text.length > limits.fileLength) {
    return problems.attempt(
      () => refuse(whole, "FC2503", `the file is longer than ${limits.fileLength} characters`),
      undefined,
    );
  }
  const before = recent.get(path);
  // INVARIANT: nothing changes what was parsed, so the same text need not be parsed again.
  if (before?.text === text) return before;
  const result = parseText(path, text, { lang: "ts", sourceType: "module", preserveParens: false });
  if (result === undefined)
    return problems.attempt(() => refuse(whole, "FC2502", tooDeep, "write it in smaller steps"), undefined);
  for (const error of result.errors) {
    const label = error.labels[0];
    const span = { start: label?.start ?? 0, end: label?.end ?? 0 };
    const message = `this is not TypeScript: ${lowerFirst(error.message)}`;
    const help = error.helpMessage ?? "fix the syntax here";
    problems.add({ code: "FC2001", message, file: path, span, help });
  }
  if (result.errors.length > 0) return undefined;
  const source = { path, text, program: result.program };
  if (text.length <= mostKept) keep(source);
  return source;
}

/** LIMIT: of files whose syntax is kept, and of the length of each: tool modules are read for every program anew. */
const mostRecent = 64;
const mostKept = 100_000;
const recent = new Map<string, Source>();

function keep(source: Source): void {
  recent.delete(source.path);
  recent.set(source.path, source);
  const [oldest] = recent.keys();
  if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest);
}

export const tooDeep = "the file is nested deeper than can be read";

function lowerFirst(message: string): string {
  return message.slice(0, 1).toLowerCase() + message.slice(1).replace(/\.$/, "");
}

/** An expression without what only the type checker looks at. */
export function bare(node: Expression): Expression {
  let at = node;
  while (
    at.type === "TSAsExpression" ||
    at.type === "TSSatisfiesExpression" ||
    at.type === "TSTypeAssertion" ||
    at.type === "TSInstantiationExpression" ||
    at.type === "ParenthesizedExpression"
  )
    at = at.expression;
  return at;
}
