/** The types of operators applied to operands, functions among them. Part of what must be trusted. */
import type { Trail } from "../diagnostic.ts";
import type { LambdaExpr, OpExpr } from "../document.ts";
import { operatorNamed, operators, type TypePattern, type Written } from "../operators/index.ts";
import { printType } from "../text/printer.ts";
import { enumHas, hasNoValue, isSubtype, join, never, type Type } from "../type.ts";
import { infer, type Place } from "./expr.ts";
import {
  type Bindings,
  instantiate,
  matches,
  matchSignature,
  paramAt,
  signatureText,
  takes,
} from "./signature.ts";
import { checkType } from "./types.ts";

export function inferOperator(place: Place, expr: OpExpr, trail: Trail): Type | undefined {
  const { context } = place;
  const operator = operatorNamed(expr.op);
  const operands = expr.args.map((arg, i) =>
    arg.kind === "lambda" ? undefined : infer(place, arg, trail.at("args", i)),
  );
  if (operator === undefined) {
    const usual = usualNames.get(expr.op.toLowerCase());
    const help = usual === undefined ? undefined : `it is called \`${usual}\` here`;
    context.unknown("FC1210", "operator", expr.op, operators.keys(), trail.at("op"), help);
    return undefined;
  }
  if (!operator.signatures.some((signature) => takes(signature, expr.args.length))) {
    const forms = operator.signatures.map(signatureText).join(" or ");
    context.problem(
      "FC1303",
      trail,
      `\`${expr.op}\` does not take ${count(expr.args.length)}`,
      `it takes ${forms}`,
    );
    return undefined;
  }
  if (expr.args.some((arg, i) => arg.kind !== "lambda" && operands[i] === undefined)) return undefined;
  const match = matchSignature(operator.signatures, operands);
  if (match === undefined) {
    const given = operands
      .map((type) => (type === undefined ? "a function" : `\`${printType(type)}\``))
      .join(", ");
    const forms = `it takes ${operator.signatures.map(signatureText).join(" or ")}`;
    const help = [forms, ...hints(expr.op, operands)].join("; ");
    context.problem("FC1302", trail, `\`${expr.op}\` does not take ${given}`, help);
    return undefined;
  }
  if (expr.op === "==" || expr.op === "!=") checkEnumLiteral(place, expr, operands, trail);
  if (operator.written !== undefined && !isWell(place, expr, operator.written, trail)) return undefined;
  const lambdasFit = expr.args.every((arg, i) => {
    const pattern = paramAt(match.signature, i);
    return (
      arg.kind !== "lambda" ||
      (pattern !== undefined && fitsLambda(place, arg, pattern, match.bindings, trail.at("args", i)))
    );
  });
  if (!lambdasFit) return undefined;
  const result = operator.resultOf
    ? operator.resultOf(expr.args)
    : instantiate(match.signature.result, match.bindings);
  if (result === undefined) {
    const help = "write them out, between quotes, each once";
    context.problem("FC1305", trail, `the words of \`${expr.op}\` must be string literals`, help);
    return undefined;
  }
  if (!hasNoValue(result) || operands.some((type) => type !== undefined && hasNoValue(type))) return result;
  context.problem("FC1313", trail, `\`${expr.op}\` gives nothing here, because its operand has no values`);
  return undefined;
}

/** Reports what is wrong with an operand that must be written out. */
function isWell(place: Place, expr: OpExpr, { operand, problem }: Written, trail: Trail): boolean {
  const { context } = place;
  const at = trail.at("args", operand);
  const arg = expr.args[operand];
  if (arg?.kind !== "string") {
    const help = "write it out, between quotes";
    context.problem("FC1305", at, `the pattern of \`${expr.op}\` must be a string literal`, help);
    return false;
  }
  const found = problem(arg.value, context.limits);
  if (found !== undefined) context.problem(found.code, at, found.message, found.help);
  return found === undefined;
}

/** Guesses the intended expression, for help texts. */
function hints(op: string, operands: readonly (Type | undefined)[]): string[] {
  const kinds = operands.map((type) => type?.kind);
  const found: string[] = [];
  if (op === "+" && (kinds.includes("string") || kinds.includes("list")))
    found.push("`++` joins strings and lists");
  if (kinds.includes("option")) found.push("take an option's value with `value(…)` or `orElse(…)`");
  return found;
}

/** Names that other languages have for operators of the table. */
const usualNames: ReadonlyMap<string, string> = new Map([
  ["len", "length"],
  ["size", "length"],
  ["concat", "++"],
  ["push", "++"],
  ["sum", "total"],
  ["includes", "contains"],
  ["has", "contains"],
  ["all", "every"],
  ["exists", "any"],
  ["reduce", "fold"],
  ["substring", "slice"],
  ["tostring", "textOf"],
  ["string", "textOf"],
  ["trunc", "truncate"],
  ["mod", "remainder"],
  ["join", "joinText"],
  ["replace", "replaceFirst"],
  ["get", "at"],
  ["unwrap", "value"],
  ["match", "matches"],
  ["test", "matches"],
]);

/** Counts as a node of its own, as it does when a text is read. */
function fitsLambda(
  place: Place,
  lambda: LambdaExpr,
  pattern: TypePattern,
  bindings: Bindings,
  trail: Trail,
): boolean {
  return place.context.node(trail, () => checkLambda(place, lambda, pattern, bindings, trail)) === true;
}

function checkLambda(
  place: Place,
  lambda: LambdaExpr,
  pattern: TypePattern,
  bindings: Bindings,
  trail: Trail,
): boolean {
  if (pattern.kind !== "function") return false;
  const { context, scope } = place;
  if (lambda.params.length !== pattern.params.length) {
    context.problem(
      "FC1303",
      trail,
      `this function must take ${count(pattern.params.length)} and takes ${lambda.params.length}`,
    );
    return false;
  }
  return scope.inside(() => {
    const known = lambda.params.every((param, i) => {
      const type = paramType(place, lambda, pattern, i, bindings, trail.at("params", i));
      if (type !== undefined) context.declare(scope, param.name, { type }, trail.at("params", i, "name"));
      return type !== undefined;
    });
    const body = known ? infer(place, lambda.body, trail.at("body")) : undefined;
    if (body === undefined || matches(pattern.result, body, bindings)) return body !== undefined;
    const wanted = printType(instantiate(pattern.result, bindings));
    context.problem(
      "FC1301",
      trail.at("body"),
      `this function must give \`${wanted}\` and gives \`${printType(body)}\``,
    );
    return false;
  });
}

function paramType(
  place: Place,
  lambda: LambdaExpr,
  pattern: TypePattern & { readonly kind: "function" },
  i: number,
  bindings: Bindings,
  trail: Trail,
): Type | undefined {
  const { context } = place;
  const written = lambda.params[i]?.type;
  const slot = pattern.params[i] ?? never;
  const given = instantiate(slot, bindings);
  if (written === undefined) {
    if (!pattern.annotated?.includes(i)) return given;
    const name = lambda.params[i]?.name ?? "";
    // What is held usually grows by what the list holds, so a type that takes both is the better suggestion.
    const other = pattern.params[1 - i];
    const wider = (other && join(given, instantiate(other, bindings))) ?? given;
    const help = `write the type of what is held, such as \`(${name}: ${printType(wider)}, …) => …\``;
    context.problem("FC1311", trail, `the parameter \`${name}\` needs a type`, help);
    return undefined;
  }
  const before = context.problems.length;
  checkType(context, written, trail.at("type"), false);
  if (context.problems.length > before) return undefined;
  if (!isSubtype(given, written)) {
    context.problem(
      "FC1301",
      trail,
      `the parameter receives \`${printType(given)}\` and is declared \`${printType(written)}\``,
    );
    return undefined;
  }
  if (slot.kind === "variable" && pattern.annotated?.includes(i)) {
    bindings.types.set(slot.name, written);
    bindings.fixed.add(slot.name);
  }
  return written;
}

/** A comparison with a word that is not in the enum is always false, and nobody means that. */
function checkEnumLiteral(
  place: Place,
  expr: OpExpr,
  types: readonly (Type | undefined)[],
  trail: Trail,
): void {
  expr.args.forEach((arg, i) => {
    const other = types[1 - i];
    if (arg.kind !== "string" || other?.kind !== "enum" || enumHas(other, arg.value)) return;
    place.context.unknown("FC1310", "enum value", arg.value, other.values, trail.at("args", i));
  });
}

function count(n: number): string {
  return n === 1 ? "one operand" : `${n} operands`;
}
