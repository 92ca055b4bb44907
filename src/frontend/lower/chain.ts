/** Member access and calls, with `?.`: where the chain breaks off, the whole of it is `undefined`. */
import type { Argument, CallExpression, Expression, MemberExpression, Node } from "oxc-parser";
import type { Scope } from "../scope.ts";
import { bare } from "../syntax.ts";
import { isText } from "../ty.ts";
import { type DataVal, undefinedVal, type Val } from "../value.ts";
import { indexed, memberOf } from "./access.ts";
import { callValue } from "./call.ts";
import { isPresent, withoutAbsent } from "./coerce.ts";
import { lookedUp, readField } from "./computed-field.ts";
import type { Lowering } from "./core.ts";
import { present, reify } from "./data.ts";
import { dictGet, keyText, mapOfVal } from "./dict.ts";
import { expression } from "./expression.ts";
import { isJsonVal, jsonElement } from "./json.ts";
import { hasMember } from "./json-method.ts";
import { narrowed } from "./lookup.ts";
import { branch } from "./merge.ts";
import { callMethod, isMethod } from "./method.ts";
import { collected } from "./object.ts";
import { isChange, placing } from "./placed.ts";
import { promiseMethod } from "./promise-method.ts";
import { relationMember } from "./relation.ts";
import { isForSettled } from "./settled.ts";

type Link = CallExpression | MemberExpression;
type Continue = (val: Val) => Val;

export function chain(low: Lowering, scope: Scope, node: Expression): Val {
  return link(low, scope, node, (val) => val);
}

function link(low: Lowering, scope: Scope, node: Expression, go: Continue): Val {
  const inner = bare(node);
  if (inner.type === "CallExpression") return callLink(low, scope, inner, go);
  if (inner.type === "MemberExpression") return memberLink(low, scope, inner, go);
  if (inner.type === "TSNonNullExpression")
    return link(low, scope, inner.expression, (val) =>
      go(val.kind === "data" ? present(low, val, inner, `\`${low.sourceOf(inner)}\``) : val),
    );
  return go(expression(low, scope, inner));
}

/** Goes on only where the value is there. */
function optional(low: Lowering, val: Val, node: Link, go: Continue): Val {
  if (!node.optional || val.kind !== "data") return go(val);
  return branch(
    low,
    isPresent(val),
    node,
    "given",
    () => go(withoutAbsent(val)),
    () => undefinedVal,
  );
}

function memberLink(low: Lowering, scope: Scope, node: MemberExpression, go: Continue): Val {
  if (node.object.type === "Super") return low.refuse(node, "FC2304", "`super` is not part of the language");
  return link(low, scope, node.object, (of) =>
    optional(low, of, node, (val) => go(member(low, scope, val, node))),
  );
}

function member(low: Lowering, scope: Scope, of: Val, node: MemberExpression): Val {
  if (!node.computed) {
    const { name } = node.property;
    return namedMember(low, of, node.property.type === "PrivateIdentifier" ? `#${name}` : name, node);
  }
  const key = reify(low, expression(low, scope, node.property), node.property);
  if (isJsonVal(of)) return narrowed(low, jsonElement(low, of, key, node));
  const map = mapOfVal(low, of.kind === "data" ? present(low, of, node, "what is indexed") : of);
  if (map !== undefined) return narrowed(low, dictGet(low, map, keyText(low, key, node.property), node));
  // A word in quotes is a name like any other; one that is computed may name nothing.
  if (key.expr.kind === "string" && (node.property.type === "Literal" || !isObject(of)))
    return namedMember(low, of, key.expr.value, node);
  const field = readField(low, of, key, node);
  if (field !== undefined) return narrowed(low, field);
  const found = lookedUp(low, of, key, node);
  if (found !== undefined) return narrowed(low, found);
  return indexed(low, of, position(low, key, node.property), node);
}

function isObject(of: Val): boolean {
  return (
    (of.kind === "ref" && of.shape.kind === "object") ||
    (of.kind === "data" && of.type.kind === "record" && !of.type.match)
  );
}

function namedMember(low: Lowering, of: Val, name: string, node: Node): Val {
  return relationMember(low, of, name, node) ?? narrowed(low, memberOf(low, of, name, node));
}

function position(low: Lowering, key: DataVal, node: Node): DataVal["expr"] {
  const value = present(low, key, node, "a position");
  if (value.type.kind === "int" || value.type.kind === "real") return value.expr;
  if (isText(value.type))
    return low.refuse(
      node,
      "FC2320",
      "the name of a field must be known here",
      "use a `Map`, or a list of `{ key, value }` and `find`",
    );
  return low.refuse(node, "FC2108", "a position is a number");
}

function callLink(low: Lowering, scope: Scope, node: CallExpression, go: Continue): Val {
  const callee = bare(node.callee);
  if (callee.type === "MemberExpression" && callee.object.type !== "Super") {
    const awaited = promiseMethod(low, scope, node, callee);
    if (awaited !== undefined) return go(awaited);
    const { object } = callee;
    return placing(low, object, isChange(callee), () =>
      link(low, scope, object, (of) =>
        optional(low, of, callee, (val) => {
          const name = methodName(callee);
          if (name !== "" && isMethod(low, val, name)) {
            const called = (): Val => {
              const given = low.tasks.settling(takesSettled(low, val, name, callee), () =>
                args(low, scope, node.arguments, node),
              );
              return go(callMethod(low, val, name, given, node));
            };
            if (!node.optional || !isJsonVal(val)) return called();
            return branch(low, hasMember(low, val, name, node), node, "given", called, () => undefinedVal);
          }
          const called = member(low, scope, val, callee);
          return callOn(low, scope, withSelf(called, val), node, go);
        }),
      ),
    );
  }
  return link(low, scope, callee, (val) => callOn(low, scope, val, node, go));
}

/** A function that is called on an object or a class has it as `this`. */
function withSelf(called: Val, of: Val): Val {
  const isObject = of.kind === "class" || (of.kind === "ref" && of.shape.kind === "object");
  return called.kind === "function" && isObject ? { ...called, self: of } : called;
}

/** Returns whether the calls in its arguments are for `Promise.allSettled`. */
function takesSettled(low: Lowering, of: Val, name: string, { object }: MemberExpression): boolean {
  if (of.kind === "builtin") return of.name === "Promise" && name === "allSettled";
  return name === "push" && object.type === "Identifier" && isForSettled(low, object.name);
}

function callOn(low: Lowering, scope: Scope, val: Val, node: CallExpression, go: Continue): Val {
  if (node.optional && val.kind === "data" && !present1(val)) return undefinedVal;
  const given = low.tasks.settling(false, () => args(low, scope, node.arguments, node));
  return go(callValue(low, val, given, node));
}

function present1(val: DataVal): boolean {
  return val.type.kind !== "option" || val.type.value.kind !== "never";
}

function methodName(callee: MemberExpression): string {
  if (!callee.computed) return callee.property.type === "PrivateIdentifier" ? "" : callee.property.name;
  const { property } = callee;
  return property.type === "Literal" && typeof property.value === "string" ? property.value : "";
}

/** The arguments, in order. A list of unknown length cannot be spread here. */
export function args(low: Lowering, scope: Scope, nodes: readonly Argument[], node: Node): readonly Val[] {
  if (!nodes.some((one) => one.type === "SpreadElement"))
    return nodes.map((one) => (one.type === "SpreadElement" ? undefinedVal : expression(low, scope, one)));
  const all = collected(low, scope, nodes, node);
  const held = all.kind === "ref" && all.shape.kind === "array" ? low.read(all.shape.slot) : all;
  if (held.kind === "items") return held.items;
  // Marked as a list to be taken apart; only `Math.min`, `Math.max` and `push` know how.
  return [{ kind: "items", items: [held] }];
}
