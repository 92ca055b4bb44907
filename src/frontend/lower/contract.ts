/** Contracts with their arguments, and what the package provides for them. */
import type { Node } from "oxc-parser";
import { labelRowType, type Type } from "../../ir/index.ts";
import { op } from "../build.ts";
import { asOptional, bool, fieldTy, isText, listTy, mapTy, type Ty, tyText } from "../ty.ts";
import { type ContractInfo, data, undefinedVal, type Val } from "../value.ts";
import { newArray } from "./access.ts";
import { automaton } from "./automaton.ts";
import { resultOfCall } from "./call-result.ts";
import { withoutThrow } from "./callback.ts";
import { statementOf } from "./coerce.ts";
import type { Lowering } from "./core.ts";
import { convert, present, reify } from "./data.ts";
import { callFunction } from "./function.ts";
import { inputSource, provenance } from "./provenance.ts";
import { inTrace } from "./relation.ts";

/** The formula of a contract with these arguments in the place of its parameters. */
export function contractFormula(
  low: Lowering,
  contract: ContractInfo,
  args: readonly Val[],
  node: Node,
): Val {
  const { params, name } = contract;
  if (args.length > params.length)
    return low.refuse(
      node,
      "FC2213",
      `\`${name}\` takes ${count(params.length)} and is given ${args.length}`,
    );
  const values = params.map((param, i): Val => {
    const arg = args[i];
    if (arg === undefined) {
      if (param.optional) return undefinedVal;
      return low.refuse(
        node,
        "FC2213",
        `\`${name}\` needs the argument \`${param.name}\``,
        `it takes ${params.map((one) => `\`${one.name}: ${tyText(one.type)}\``).join(", ")}`,
      );
    }
    return convert(
      low,
      arg,
      param.optional ? asOptional(param.type) : param.type,
      node,
      `the argument \`${param.name}\` of \`${name}\``,
    );
  });
  const said = withoutThrow(low, node, () => callFunction(low, contract.formula, values, node));
  return data(statementOf(low, said, node, `what \`${contract.name}\` states`), bool);
}

/** The arguments of a call by parameter: those of a rest parameter are one list. */
export function byParameter(low: Lowering, contract: ContractInfo, args: readonly Val[]): readonly Val[] {
  if (!contract.isRest) return args;
  const before = contract.params.length - 1;
  const fixed = contract.params.slice(0, before).map((_, i) => args[i] ?? undefinedVal);
  return [...fixed, newArray(low, args.slice(before))];
}

export function count(n: number): string {
  return n === 0 ? "no arguments" : n === 1 ? "one argument" : `${n} arguments`;
}

/** `foreclaim:` marks what was imported from the package. */
export function packageCall(low: Lowering, name: string, args: readonly Val[], node: Node): Val | undefined {
  if (!name.startsWith("foreclaim:")) return undefined;
  const word = name.slice("foreclaim:".length);
  switch (word) {
    case "labelled":
      return labelledRelation(low, args[0], node);
    case "flowsFrom":
    case "influencedBy":
    case "untrusted":
    case "mayRead":
      return provenance(low, word, args, node);
    case "input":
      return inputSource(low, args, node);
    case "automaton":
      return automaton(low, args, node);
    case "resultOf":
      return resultOfCall(low, args, node);
    case "invariant":
      return invariant(low, args, node);
    case "pathInside":
    case "urlInside":
      return inside(low, word, args, node);
    default:
      return low.refuse(
        node,
        "FC2201",
        `\`${word}(…)\` can only stand at the top level of a tool module`,
        `write \`export const name = ${word}({ … })\``,
      );
  }
}

/** Never believed: it becomes a condition that the prover must show and a run is stopped by. */
function invariant(low: Lowering, args: readonly Val[], node: Node): Val {
  const [said] = args;
  if (said === undefined || args.length > 1)
    return low.refuse(node, "FC2314", "`invariant` takes one condition", "write `invariant(total <= 500)`");
  if (low.mode.kind !== "program")
    return low.refuse(node, "FC2209", "`invariant` is not allowed here", "only programs have them");
  low.require(statementOf(low, said, node, "an invariant"), "the invariant does not hold", node);
  return undefinedVal;
}

function inside(low: Lowering, word: "pathInside" | "urlInside", args: readonly Val[], node: Node): Val {
  const [of, root] = word === "pathInside" ? ["path", "root"] : ["url", "origin"];
  const [first, second] = args;
  if (first === undefined || second === undefined || args.length > 2)
    return low.refuse(node, "FC2314", `\`${word}\` takes two strings`, `write \`${word}(${of}, ${root})\``);
  const exprs = [first, second].map((val, i) => {
    const found = present(low, reify(low, val, node), node, `the ${i === 0 ? of : root} of \`${word}\``);
    if (isText(found.type)) return found.expr;
    return low.refuse(node, "FC2108", `\`${word}\` takes strings and not \`${tyText(found.type)}\``);
  });
  return data(op(word, ...exprs), bool);
}

function labelledRelation(low: Lowering, label: Val | undefined, node: Node): Val {
  if (!low.namesSources) inTrace(low, node);
  const word = label?.kind === "data" && label.expr.kind === "string" ? label.expr.value : undefined;
  if (word === undefined)
    return low.refuse(node, "FC2204", "the label must be a constant string", 'write `labelled("message")`');
  if (low.namesSources) return { kind: "source", source: { kind: "label", label: word } };
  const tools = low.labelled(word);
  if (tools.length === 0)
    return low.refuse(
      node,
      "FC2207",
      `no tool has the label \`${word}\``,
      "add it to the `labels` of a tool",
    );
  for (const tool of tools) low.usedTools.set(tool.tool.name, tool);
  const common = labelRowType(tools.map((one) => one.tool));
  const fields = common.fields.map(({ name, optional, type }) => {
    const own = tools[0] && fieldTy(tools[0].params, name);
    return { name, type: tools.length === 1 && own ? own : fromIr(type, optional === true) };
  });
  return {
    kind: "relation",
    relation: { kind: "label", label: word },
    row: { kind: "record", fields },
    where: [],
    hint: "call",
  };
}

function fromIr(type: Type, optional: boolean): Ty {
  const plain = ((): Ty => {
    switch (type.kind) {
      case "list":
        return listTy(fromIr(type.element, false));
      case "option":
        return { kind: "option", value: fromIr(type.value, false), absent: "null" };
      case "record":
        return {
          kind: "record",
          fields: type.fields.map((one) => ({
            name: one.name,
            type: fromIr(one.type, one.optional === true),
          })),
        };
      case "map":
        return mapTy(fromIr(type.value, false));
      case "enum":
        return { kind: "enum", values: type.values };
      default:
        return { kind: type.kind };
    }
  })();
  return optional ? asOptional(plain) : plain;
}
