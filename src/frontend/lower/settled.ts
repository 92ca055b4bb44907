/** `Promise.allSettled`: whether each promise was fulfilled, and with which value. */
import type { Node } from "oxc-parser";
import { append, type Expr } from "../../ir/index.ts";
import { anyOf, choose, field, none, not, op, recordExpr, some, text, yes } from "../build.ts";
import { refuse } from "../refusal.ts";
import type { FunctionNode } from "../syntax.ts";
import { type EnumTy, isNothing, isOptional, optionTy, type SettledTy, settledTy, string } from "../ty.ts";
import { type DataVal, data, promiseOf, undefinedVal, type Val } from "../value.ts";
import { caughtIn, keptErrors, nameOf } from "./caught.ts";
import type { Exit, Lowering } from "./core.ts";
import { reify } from "./data.ts";
import { childNodes } from "./iterate.ts";
import { rejoin } from "./rejoin.ts";

type At = { readonly start: number; readonly end: number };

const statusTy: EnumTy = { kind: "enum", values: ["fulfilled", "rejected"] };

/** Compiles what gives a promise, and catches its rejection. */
export function settled(low: Lowering, node: At, body: () => Val): Val {
  const entry = low.path;
  const given: Val[] = [];
  let exits: readonly Exit[] = [];
  const { catching } = low;
  const kept = looksAtReasons(low) ? keptErrors(low) : undefined;
  low.tries++;
  low.catching = kept;
  try {
    exits = low.collectExits(() => {
      given.push(body());
    });
  } finally {
    low.tries--;
    low.catching = catching;
  }
  const [value = undefinedVal] = given;
  if (value.kind !== "promise") {
    append(low.exits, exits);
    return value;
  }
  const held = fulfilled(low, value.of(), node);
  const rejected = anyOf(exits.map(({ guard }) => guard));
  const errors = exits.map((exit) => [exit.guard, exit.value ?? caughtIn(kept, exit.state)] as const);
  const type: SettledTy = held.type.kind === "settled" ? held.type : settledTy(held.type, false);
  const outcome = outcomeOf(held.expr, type);
  const of = low.isReached ? choose(rejected, none, outcome) : none;
  rejoin(low, exits, entry, node);
  const reason = kept && reasonOf(errors);
  const made =
    reason === undefined
      ? data(low.named(of, "settled", node), settledTy(type.value, false))
      : data(low.named(settledRecord(of, reason), "settled", node), { ...type, hasReason: true });
  return { ...promiseOf(made), isSettled: true };
}

/** The option of the value: absent where it was rejected. */
export function outcomeOf(expr: Expr, { hasReason }: SettledTy): Expr {
  if (!hasReason) return expr;
  if (expr.kind !== "record") return field(expr, "value");
  return expr.fields.find(({ name }) => name === "value")?.value ?? none;
}

interface Reason {
  readonly name: Expr;
  readonly message: Expr;
}

function settledRecord(value: Expr, { name, message }: Reason): Expr {
  return recordExpr([
    { name: "message", value: message },
    { name: "name", value: name },
    { name: "value", value, optional: true },
  ]);
}

/** Programs that never say `reason` keep no errors. */
function looksAtReasons(low: Lowering): boolean {
  return /\breason\b/.test(low.module.source.text);
}

/** The error of the exit that was taken; undefined if that of one is not known. */
function reasonOf(errors: readonly (readonly [Expr, Val | undefined])[]): Reason | undefined {
  let found: Reason = { name: text(""), message: text("") };
  for (const [guard, error] of [...errors].reverse()) {
    if (
      error?.kind !== "error" ||
      error.of !== undefined ||
      error.message.kind !== "data" ||
      error.message.type.kind !== "string"
    )
      return undefined;
    found = {
      name: choose(guard, nameOf(error), found.name),
      message: choose(guard, error.message.expr, found.message),
    };
  }
  return found;
}

/** Returns the value if it is not a promise, or one that cannot be rejected. */
export function fulfilled(low: Lowering, val: Val, node: At): DataVal {
  const value = val.kind === "promise" ? fulfilled(low, val.of(), node) : reify(low, val, node, true);
  if (val.kind === "promise") return value;
  const expr = some(isNothing(value.type) ? yes : value.expr);
  const type = settledTy(value.type, false);
  if (!looksAtReasons(low)) return data(expr, type);
  return data(settledRecord(expr, { name: text(""), message: text("") }), { ...type, hasReason: true });
}

/** `status`, `value` or `reason`. */
export function settledMember(low: Lowering, of: DataVal, type: SettledTy, name: string, node: At): Val {
  const { value, isFulfilled } = type;
  const outcome = outcomeOf(of.expr, type);
  switch (name) {
    case "status":
      return data(
        isFulfilled ? text("fulfilled") : choose(op("isSome", outcome), text("fulfilled"), text("rejected")),
        statusTy,
      );
    case "value":
      if (isNothing(value)) return undefinedVal;
      if (isFulfilled) return data(of.expr, value);
      // Absent where it was rejected, and where it was fulfilled with nothing.
      if (isOptional(value)) return data(choose(op("isSome", outcome), op("value", outcome), none), value);
      return data(outcome, optionTy(value, "undefined"));
    case "reason":
      if (isFulfilled) return undefinedVal;
      if (type.hasReason) {
        const isRejected = not(op("isSome", outcome));
        if (!low.isKnown(isRejected))
          low.require(isRejected, `\`${low.sourceOf(node)}\` may be \`undefined\``, node);
        const message = data(field(of.expr, "message"), string);
        return { kind: "error", name: field(of.expr, "name"), message };
      }
      return {
        kind: "poison",
        why: (spot) =>
          refuse(
            spot,
            "FC2318",
            "what was thrown is not known here, because a tool may have thrown it",
            "decide by `status`, and say that it failed without the reason",
          ),
      };
    default:
      return low.refuse(
        node,
        "FC2310",
        `there is no field \`${name}\` here`,
        "it has `status`, `value` and `reason`",
      );
  }
}

/** Returns whether the status is this word, where one of them is a status. */
export function isStatus(a: DataVal, b: DataVal): Expr | undefined {
  const [status, word] = a.type === statusTy ? [a.expr, b.expr] : [b.expr, a.expr];
  if ((a.type !== statusTy && b.type !== statusTy) || word.kind !== "string") return undefined;
  if (status.kind !== "op" || status.op !== "if") return undefined;
  const [condition, yesWord, noWord] = status.args;
  if (condition === undefined || yesWord?.kind !== "string" || noWord?.kind !== "string") return undefined;
  return choose(
    condition,
    { kind: "bool", value: yesWord.value === word.value },
    { kind: "bool", value: noWord.value === word.value },
  );
}

const awaitedNames = new WeakMap<FunctionNode, ReadonlySet<string>>();

/** Returns whether `Promise.allSettled` of the function takes the variable, or a list of it. A wrong guess is refused later. */
export function isForSettled(low: Lowering, name: string): boolean {
  const code = low.stack.at(-1)?.node;
  if (code === undefined || name === "") return false;
  let names = awaitedNames.get(code);
  if (names === undefined) {
    names = new Set(settledNames(code));
    awaitedNames.set(code, names);
  }
  return names.has(name);
}

function settledNames(code: FunctionNode): string[] {
  const names: string[] = [];
  const pending: Node[] = [code];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    append(pending, childNodes(node));
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") continue;
    const { object, property } = node.callee;
    if (object.type !== "Identifier" || object.name !== "Promise") continue;
    if (property.type !== "Identifier" || property.name !== "allSettled") continue;
    const [list] = node.arguments;
    const given = list?.type === "ArrayExpression" ? list.elements : [list];
    for (const one of given) if (one?.type === "Identifier") names.push(one.name);
  }
  return names;
}
