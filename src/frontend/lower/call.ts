/** Calls of tools, contracts, helper functions and what JavaScript provides. */
import type { Node } from "oxc-parser";
import { not, op, variable } from "../build.ts";
import { type DataVal, data, promiseOf, type ToolInfo, undefinedVal, type Val } from "../value.ts";
import { newObject } from "./access.ts";
import { callBuiltin } from "./builtin.ts";
import { errorOf, throwing } from "./caught.ts";
import { plainFields } from "./class.ts";
import { byParameter, contractFormula, packageCall } from "./contract.ts";
import type { Lowering } from "./core.ts";
import { argumentsFor, convert, describe, usePoison } from "./data.ts";
import { callFunction } from "./function.ts";
import { branch } from "./merge.ts";
import { isMutable } from "./own.ts";
import { settled } from "./settled.ts";

export function callValue(low: Lowering, callee: Val, args: readonly Val[], node: Node): Val {
  if (args.some((arg) => arg.kind === "items") && callee.kind !== "builtin")
    return low.refuse(
      node,
      "FC2314",
      "a list of unknown length cannot be spread into arguments",
      "pass the list itself",
    );
  switch (callee.kind) {
    case "function":
      return callFunction(low, callee, args, node);
    case "tool":
      return callTool(low, callee.tool, args, node);
    case "choice":
      return branch(
        low,
        callee.condition,
        node,
        "chosen",
        () => callValue(low, callee.yes, args, node),
        () => callValue(low, callee.no, args, node),
      );
    case "contract":
      if (low.mode.kind !== "formula" || low.mode.view !== "trace")
        return low.refuse(
          node,
          "FC2208",
          `\`${callee.contract.name}\` is a contract, which is not called in a program`,
          "state it in `guarantees`",
        );
      return contractFormula(low, callee.contract, byParameter(low, callee.contract, args), node);
    case "builtin":
      return packageCall(low, callee.name, args, node) ?? callBuiltin(low, callee.name, args, node);
    case "poison":
      return usePoison(low, callee, node);
    default:
      return low.refuse(
        node,
        "FC2308",
        `${describe(callee)} cannot be called`,
        "call a tool, or a function declared in this file",
      );
  }
}

function callTool(low: Lowering, info: ToolInfo, args: readonly Val[], node: Node): Val {
  const { tool, params } = info;
  if (low.mode.kind === "formula")
    return low.refuse(
      node,
      "FC2209",
      `\`${tool.name}\` cannot be called here`,
      "a contract describes calls with `.all`, `.some`, `.count` …",
    );
  if (args.length > 1)
    return low.refuse(
      node,
      "FC2314",
      `\`${tool.name}\` takes one object with its arguments`,
      `write \`${tool.name}({ … })\``,
    );
  const given = byName(low, info, args[0] ?? newObject(low, []), node);
  const record = convert(low, given, params, node, `the argument of \`${tool.name}\``);
  // These objects were made for this call alone; keeping them would make every branch after it dearer.
  if (given !== args[0]) forget(low, given);
  if (isWrittenOut(node)) forget(low, args[0] ?? undefinedVal);
  const call = () => promiseOf(emitCall(low, info, record, node));
  if (low.atOnce.has(node)) {
    const { path } = low;
    const made = call();
    low.tasks.waited(low, path);
    return made;
  }
  return low.tasks.start(low, node, (isSettled) => (isSettled ? settled(low, node, call) : call()));
}

function forget(low: Lowering, val: Val): void {
  if (val.kind !== "ref" || val.shape.kind !== "object") return;
  for (const slot of val.shape.fields.values()) low.state.delete(slot);
}

function isWrittenOut(node: Node): boolean {
  if (node.type !== "CallExpression" || node.arguments.length !== 1) return false;
  return node.arguments[0]?.type === "ObjectExpression";
}

/** Converts arguments one by one, so that a message names the one that is missing, unknown or of another type. */
function byName(low: Lowering, { tool, params }: ToolInfo, given: Val, node: Node): Val {
  if (given.kind !== "ref" || given.shape.kind !== "object") return given;
  const fields: [string, Val][] = [];
  const known = params.fields.map((one) => one.name);
  for (const name of plainFields(low, given.shape, node).keys()) {
    if (known.includes(name)) continue;
    const takes =
      known.length === 0 ? "it takes none" : `it takes ${known.map((one) => `\`${one}\``).join(", ")}`;
    low.refuse(node, "FC2314", `\`${tool.name}\` takes no argument \`${name}\``, takes);
  }
  for (const { name, type } of params.fields) {
    const slot = given.shape.fields.get(name);
    if (slot === undefined) {
      if (type.kind === "option" && type.absent === "undefined") continue;
      low.refuse(node, "FC2314", `\`${tool.name}\` needs the argument \`${name}\``, `add \`${name}: …\``);
    }
    fields.push([
      name,
      convert(low, low.read(slot), type, node, `the argument \`${name}\` of \`${tool.name}\``),
    ]);
  }
  return newObject(low, fields);
}

function emitCall(low: Lowering, info: ToolInfo, record: DataVal, node: Node): Val {
  const { tool, result } = info;
  low.usedTools.set(tool.name, info);
  if (!low.isReached) return result === undefined ? undefinedVal : { kind: "poison" };
  low.tasks.called(low);
  const short = tool.name.split(".").at(-1) ?? tool.name;
  const bind =
    result === undefined
      ? undefined
      : low.names.fresh(low.resultName?.node === node ? low.resultName.name : short);
  const failed = low.tries > 0 ? low.names.fresh(`${short}_failed`) : undefined;
  const reason = failed !== undefined && low.catching ? low.names.fresh(`${short}_reason`) : undefined;
  const guarded = low.path.kind !== "bool";
  low.emit(
    {
      kind: "call",
      id: "",
      tool: tool.name,
      args: argumentsFor(info.params, record),
      ...(bind === undefined ? {} : { bind }),
      ...(guarded ? { when: low.path } : {}),
      ...(failed === undefined ? {} : { catch: failed }),
      ...(reason === undefined ? {} : { reason }),
    },
    node,
  );
  if (failed !== undefined) afterFailure(low, failed, reason, node);
  if (bind === undefined || result === undefined) return undefinedVal;
  const maybe = guarded || failed !== undefined;
  const given = data(maybe ? op("value", variable(bind)) : variable(bind), result);
  return isMutable(result) ? { ...given, hold: "own" } : given;
}

/** A failed call goes on in the `catch`; what follows it does not happen. */
function afterFailure(low: Lowering, failed: string, reason: string | undefined, node: Node): void {
  const before = low.path;
  low.path = low.narrowed(variable(failed), failed, node);
  throwing(low, reason === undefined ? undefined : errorOf(variable(reason)), node);
  low.path = before;
  low.path = low.narrowed(not(variable(failed)), "going", node);
}
