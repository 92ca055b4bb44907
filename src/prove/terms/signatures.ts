/** Resolves operator overloads by the sorts of the operands. Part of what must be trusted. */
import type { Operator, Signature, TypePattern } from "../../ir/index.ts";
import { type Sort, sortOfKind, type Term } from "./term.ts";

/** Sorts of the converted operands and of the result. */
export interface Fit {
  readonly params: readonly Sort[];
  readonly result: Sort;
  /** True if the operands need no conversion. */
  readonly isSame: boolean;
}

/** LIMIT: of operands for which it is kept; there are few operators with more, and many ways to give them some. */
const mostKept = 4;
/** By the operator's name, then by the sorts of the operands; null where none fits. */
const kept = new Map<string, (Fit | null | undefined)[]>();
const digits: Readonly<Record<Sort, number>> = { Bool: 1, Int: 2, Real: 3, String: 4 };

/** Undefined if no signature is for scalars of these sorts. */
export function fitSignature(operator: Operator, args: readonly Term[]): Fit | undefined {
  if (args.length > mostKept) return fitAnew(operator, args);
  let key = 0;
  for (const { sort } of args) key = key * 5 + digits[sort];
  let known = kept.get(operator.name);
  if (known === undefined) {
    known = [];
    kept.set(operator.name, known);
  }
  let fit = known[key];
  if (fit === undefined) {
    fit = fitAnew(operator, args) ?? null;
    known[key] = fit;
  }
  return fit ?? undefined;
}

function fitAnew({ signatures }: Operator, args: readonly Term[]): Fit | undefined {
  for (const signature of signatures) {
    const fit = fitOne(signature, args);
    if (fit !== undefined) return fit;
  }
  return undefined;
}

function fitOne(signature: Signature, args: readonly Term[]): Fit | undefined {
  const { params, variadic } = signature;
  if (variadic ? args.length < params.length : args.length !== params.length) return undefined;
  const variable = variableSort(signature, args);
  const sortOf = ({ kind }: TypePattern) => (kind === "variable" ? variable : sortOfKind(kind));
  const sorts: Sort[] = [];
  let isSame = true;
  for (let i = 0; i < args.length; i++) {
    const [arg, pattern] = [args[i], params[i] ?? params.at(-1)];
    const sort = pattern && sortOf(pattern);
    if (arg === undefined || sort === undefined) return undefined;
    if (arg.sort !== sort && !(arg.sort === "Int" && sort === "Real")) return undefined;
    if (arg.sort !== sort) isSame = false;
    sorts.push(sort);
  }
  const result = sortOf(signature.result);
  return result === undefined ? undefined : { params: sorts, result, isSame };
}

/** The one sort that all operands of a type variable can have. */
function variableSort({ params }: Signature, args: readonly Term[]): Sort | undefined {
  let common: Sort | undefined;
  for (let i = 0; i < args.length; i++) {
    const [arg, pattern] = [args[i], params[i] ?? params.at(-1)];
    if (arg === undefined || pattern?.kind !== "variable") continue;
    const { sort } = arg;
    if (common === undefined || common === sort) common = sort;
    else if (isNumeric(common) && isNumeric(sort)) common = "Real";
    else return undefined;
  }
  return common;
}

function isNumeric(sort: Sort): boolean {
  return sort === "Int" || sort === "Real";
}
