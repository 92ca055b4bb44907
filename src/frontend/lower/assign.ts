/** Assignments. */
import type { AssignmentExpression, AssignmentTarget, Expression, Node, UpdateExpression } from "oxc-parser";
import { num } from "../build.ts";
import type { Scope } from "../scope.ts";
import { bare } from "../syntax.ts";
import { bigint, int, isMaybeNaN } from "../ty.ts";
import { type DataVal, data, undefinedVal, type Val } from "../value.ts";
import { indexed, memberOf, setElement, setMember } from "./access.ts";
import { type ArithmeticSign, arithmetic } from "./arithmetic.ts";
import { isPresent, truthy, withoutAbsent } from "./coerce.ts";
import { amongFields, lookedUp, readField, setField } from "./computed-field.ts";
import { isAtom, type Lowering } from "./core.ts";
import { hinted, present, reify } from "./data.ts";
import { dictGet, dictSet, keyText, mapOfVal } from "./dict.ts";
import { expression, number } from "./expression.ts";
import { lookUp, narrowed } from "./lookup.ts";
import { branch } from "./merge.ts";
import { isMutable } from "./own.ts";
import { assignPattern } from "./pattern.ts";
import { placing } from "./placed.ts";

/** Something that can be read and set, with its parts evaluated once. */
interface Place {
  readonly get: () => Val;
  /** @param literal the literal that the value was written as, if nobody gets to know it by another name */
  readonly set: (value: Val, literal?: Node) => void;
}

export function assignment(low: Lowering, scope: Scope, node: AssignmentExpression): Val {
  const isUnused = low.unused === node;
  const { operator, left, right } = node;
  const kept = operator === "=" ? keptOr(low, left, right) : undefined;
  if (kept !== undefined) {
    const target = place(low, scope, left, node);
    return logicalAssignment(low, scope, kept.operator, target, target.get(), kept.right, node, isUnused);
  }
  if (operator === "=") {
    if (left.type === "ArrayPattern" || left.type === "ObjectPattern") {
      const value = expression(low, scope, right);
      assignTo(low, scope, left, value, node);
      return value;
    }
    const target = place(low, scope, left, node);
    const value = expression(low, scope, right);
    target.set(value, isUnused ? bare(right) : undefined);
    return value;
  }
  const target = place(low, scope, left, node);
  const before = target.get();
  if (operator === "&&=" || operator === "||=" || operator === "??=")
    return logicalAssignment(low, scope, operator, target, before, right, node, isUnused);
  const sign = operator.slice(0, -1);
  if (!isArithmetic(sign))
    return low.refuse(node, "FC2317", `\`${operator}\` is not part of the language`, "use arithmetic");
  const value = arithmetic(low, sign, before, expression(low, scope, right), node, left, right);
  target.set(value);
  return value;
}

/** `a[k] = a[k] || x`, which is `a[k] ||= x`: where it holds something, it stays the same object. */
function keptOr(
  low: Lowering,
  left: AssignmentTarget,
  right: Expression,
): { readonly operator: "||=" | "??="; readonly right: Expression } | undefined {
  const choice = bare(right);
  if (left.type !== "MemberExpression" || choice.type !== "LogicalExpression" || choice.operator === "&&")
    return undefined;
  const before = bare(choice.left);
  if (!isPath(left) || low.sourceOf(left) !== low.sourceOf(before)) return undefined;
  return { operator: choice.operator === "||" ? "||=" : "??=", right: choice.right };
}

/** Names and keys, none of which does anything when it is looked at twice. */
function isPath(node: Node): boolean {
  if (node.type === "Identifier" || node.type === "Literal" || node.type === "ThisExpression") return true;
  if (node.type !== "MemberExpression") return false;
  return isPath(node.object) && (!node.computed || isPath(node.property));
}

function isArithmetic(sign: string): sign is ArithmeticSign {
  return ["+", "-", "*", "/", "%", "**"].includes(sign);
}

function logicalAssignment(
  low: Lowering,
  scope: Scope,
  operator: "&&=" | "||=" | "??=",
  target: Place,
  before: Val,
  right: Expression,
  node: Node,
  isUnused: boolean,
): Val {
  const holds =
    operator === "??="
      ? before.kind === "data"
        ? isPresent(before)
        : { kind: "bool" as const, value: true }
      : truthy(low, before, node);
  const keep = () => (before.kind === "data" && operator !== "&&=" ? withoutAbsent(before) : before);
  const isReadAgain = before.kind === "data" && isMutable(before.type) && before.place !== undefined;
  const change = () => {
    const value = expression(low, scope, right);
    target.set(value, isUnused || isReadAgain ? bare(right) : undefined);
    return value;
  };
  if (operator === "&&=") return branch(low, holds, node, "holds", change, keep);
  if (!isReadAgain) return branch(low, holds, node, "holds", keep, change);
  // What is there afterwards can be changed there.
  branch(
    low,
    holds,
    node,
    "holds",
    () => undefinedVal,
    () => {
      change();
      return undefinedVal;
    },
  );
  const after = target.get();
  return after.kind === "data" ? present(low, after, node, "this") : after;
}

export function update(low: Lowering, scope: Scope, node: UpdateExpression): Val {
  const target = place(low, scope, node.argument, node);
  const before = number(low, target.get(), node.argument);
  const one = data(num(1n), before.type.kind === "bigint" ? bigint : int);
  const after = arithmetic(low, node.operator === "++" ? "+" : "-", before, one, node, node.argument, node);
  target.set(after);
  return node.prefix ? after : before;
}

export function assignTo(
  low: Lowering,
  scope: Scope,
  target: AssignmentTarget,
  value: Val,
  node: Node,
): void {
  if (target.type === "ArrayPattern" || target.type === "ObjectPattern") {
    assignPattern(low, scope, target, value, (inner, part) => assignTo(low, scope, inner, part, node));
  } else place(low, scope, target, node).set(value);
}

function place(low: Lowering, scope: Scope, target: AssignmentTarget, node: Node): Place {
  // SAFETY: patterns were taken apart by the caller; what is left is an expression that can be assigned to.
  const inner = bare(target as Expression);
  if (inner.type === "TSNonNullExpression")
    return place(low, scope, inner.expression as AssignmentTarget, node); // SAFETY: as above
  if (inner.type === "Identifier") return variablePlace(low, scope, inner, node);
  if (inner.type === "MemberExpression") {
    if (inner.object.type === "Super")
      return low.refuse(node, "FC2304", "`super` is not part of the language");
    const { object } = inner;
    const of = placing(low, object, true, () => expression(low, scope, object));
    if (!inner.computed) {
      const isPrivate = inner.property.type === "PrivateIdentifier";
      const name = isPrivate ? `#${inner.property.name}` : inner.property.name;
      return {
        get: () => memberOf(low, of, name, inner),
        set: (value, literal) => setMember(low, of, name, value, node, literal),
      };
    }
    const word = reify(low, expression(low, scope, inner.property), inner.property);
    const raw = isMaybeNaN(word.type) ? present(low, word, inner.property, "a position") : word;
    const key = isAtom(raw.expr) ? raw : data(low.named(raw.expr, "key", inner), raw.type);
    const map = () => mapOfVal(low, of.kind === "data" ? present(low, of, inner, "what is changed") : of);
    if (map() !== undefined) return keyPlace(low, map, key, inner, node);
    if (key.expr.kind === "string") {
      const name = key.expr.value;
      return {
        get: () => memberOf(low, of, name, inner),
        set: (value, literal) => setMember(low, of, name, value, node, literal),
      };
    }
    if (key.type.kind !== "int" && key.type.kind !== "real") {
      const unknown = (): never =>
        low.refuse(inner.property, "FC2320", "the name of a field must be known here", "use a `Map`");
      return {
        get: () => readField(low, of, key, inner) ?? lookedUp(low, of, key, inner) ?? unknown(),
        set: (value) =>
          void (setField(low, of, amongFields(low, of, key, inner) ?? key, value, node) || unknown()),
      };
    }
    return {
      get: () => indexed(low, of, key.expr, inner),
      set: (value) => setElement(low, of, key.expr, value, node),
    };
  }
  return low.refuse(node, "FC2301", "this cannot be assigned to");
}

/** A key of an object that is a map. */
function keyPlace(
  low: Lowering,
  map: () => ReturnType<typeof mapOfVal>,
  key: DataVal,
  inner: Node,
  node: Node,
): Place {
  const word = keyText(low, key, inner);
  const known = () => map() ?? low.refuse(inner, "FC2312", "this cannot be changed here");
  return {
    get: () => narrowed(low, dictGet(low, known(), word, inner, true)),
    set: (value, literal) => dictSet(low, known(), word, value, node, false, literal),
  };
}

function variablePlace(
  low: Lowering,
  scope: Scope,
  node: { name: string; start: number; end: number },
  at: Node,
): Place {
  const { name } = node;
  const binding = scope.get(name);
  return {
    get: () => lookUp(low, scope, node),
    set: (value) => {
      if (binding?.kind === "let" && !binding.isConstant)
        return low.write(binding.slot, named(low, hinted(low, value, binding.type, at), name, at), at);
      if ((binding?.kind === "const" || binding?.kind === "lazy") && binding.imported)
        low.refuse(at, "FC2405", `\`${name}\` is imported and cannot be assigned to`, "use another name");
      if (binding === undefined)
        low.refuse(at, "FC2401", `there is no \`${name}\` to assign to`, `declare it with \`let ${name}\``);
      if (binding.kind === "later")
        low.refuse(at, "FC2402", `\`${name}\` is assigned to before it is declared`);
      low.refuse(at, "FC2403", `\`${name}\` is a constant`, `declare it with \`let ${name}\``);
    },
  };
}

/** A value under the name of the variable that holds it, so that the document reads like the source. */
export function named(low: Lowering, value: Val, name: string, node: Node): Val {
  if (value.kind === "data") return low.namedData(value, name, node);
  if (value.kind === "ref" && value.shape.kind !== "object") {
    const { slot } = value.shape;
    if (!low.slotNames.has(slot)) low.slotNames.set(slot, name);
    const held = low.read(slot);
    if (held.kind === "data" && held.hold === undefined && low.state.has(slot))
      low.state.set(slot, data(low.named(held.expr, name, node), held.type));
  }
  return value;
}
