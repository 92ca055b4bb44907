/** The types of operators applied to operands, functions among them. Part of what must be trusted. */
import type { Trail } from "../diagnostic.ts";
import type { LambdaExpr, OpExpr } from "../document.ts";
import { operatorNamed, operators, type TypePattern } from "../operators/index.ts";
import { printType } from "../text/printer.ts";
import { enumHas, isSubtype, never, real, type Type } from "../type.ts";
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

export function inferOperator(place: Place, expr: OpExpr, trail: Trail): Type | undefined {
  const { context } = place;
  const operator = operatorNamed(expr.op);
  const operands = expr.args.map((arg, i) =>
    arg.kind === "lambda" ? undefined : infer(place, arg, trail.at("args", i)),
  );
  if (operator === undefined) {
    context.unknown("FC1210", "operator", expr.op, operators.keys(), trail.at("op"));
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
    const forms = operator.signatures.map(signatureText).join(" or ");
    context.problem("FC1302", trail, `\`${expr.op}\` does not take ${given}`, `it takes ${forms}`);
    return undefined;
  }
  if (expr.op === "==" || expr.op === "!=") checkEnumLiteral(place, expr, operands, trail);
  const lambdasFit = expr.args.every((arg, i) => {
    const pattern = paramAt(match.signature, i);
    return (
      arg.kind !== "lambda" ||
      (pattern !== undefined && checkLambda(place, arg, pattern, match.bindings, trail.at("args", i)))
    );
  });
  if (!lambdasFit) return undefined;
  const result = instantiate(match.signature.result, match.bindings);
  if (result.kind !== "never" || operands.some((type) => type?.kind === "never")) return result;
  context.problem("FC1313", trail, `\`${expr.op}\` gives nothing here, because its operand has no values`);
  return undefined;
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
    context.problem(
      "FC1311",
      trail,
      `the parameter \`${name}\` needs a type`,
      `write \`(${name}: ${printType(given.kind === "never" ? real : given)}, …) => …\``,
    );
    return undefined;
  }
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
