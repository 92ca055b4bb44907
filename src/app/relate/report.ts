/** Relations of guarantees and differences of programs, as data. */
import {
  type Answer,
  type Difference,
  isSame,
  type NewCall,
  type NewValue,
  type Relation,
  type Witness,
} from "../../compare/index.ts";
import {
  encodeValue,
  numText,
  type PlainJson,
  printExpr,
  printName,
  printValue,
  recordOf,
} from "../../ir/index.ts";
import { stepsOf } from "../report/steps.ts";
import { argumentsText } from "../report/wording.ts";
import type { Side } from "./side.ts";

type JsonObject = { readonly [key: string]: PlainJson };

export function relationReport(first: Side, second: Side, relation: Relation): JsonObject {
  return {
    first: first.text,
    second: second.text,
    relation: relation.kind,
    forward: answerToJson(relation.forward),
    backward: answerToJson(relation.backward),
    apart: relation.apart === undefined ? null : answerToJson(relation.apart),
  };
}

export function differenceReport(first: Side, second: Side, difference: Difference): JsonObject {
  const { calls, bounds, guarantees, unproved, stops } = difference;
  const statedJson = (one: Difference["stops"][number]) => ({
    side: one.side,
    stated: `${printName(one.stated.name)}(${one.stated.args.map(printExpr).join(", ")})`,
  });
  return {
    first: first.text,
    second: second.text,
    same: isSame(difference) && unproved.length === 0,
    calls: { added: toolsOf(calls.added), removed: toolsOf(calls.removed) },
    mayCall: [
      ...calls.added.map((one) => newToJson("added", one)),
      ...calls.removed.map((one) => newToJson("removed", one)),
    ],
    bounds: bounds.map(({ of, words, before, after, change }) => ({
      change,
      of: printExpr(of.number),
      text: words,
      tool: of.tool ?? null,
      before: before === undefined ? null : numText(before),
      after: after === undefined ? null : numText(after),
    })),
    guarantees: guarantees.map(({ side, change, stated, other, answer, there, thereEverywhere }) => ({
      side,
      change,
      stated: `${printName(stated.name)}(${stated.args.map(printExpr).join(", ")})`,
      other: other === undefined ? null : `${printName(other.name)}(${other.args.map(printExpr).join(", ")})`,
      implied: answerToJson(answer),
      there: there.kind,
      thereEverywhere,
    })),
    unproved: unproved.map(statedJson),
    stops: stops.map(statedJson),
  };
}

function toolsOf(calls: readonly NewCall[]): string[] {
  return calls.flatMap(({ tool, given }) => (given === undefined ? [tool] : []));
}

function newToJson(change: "added" | "removed", { tool, given, call }: NewCall): JsonObject {
  return {
    change,
    tool,
    argument: given?.argument ?? null,
    values: given === undefined || given.values.length === 0 ? null : given.values.map(possibleText),
    not: given === undefined || given.values.length > 0 ? null : given.not.map(possibleText),
    call: call === undefined ? null : `${printName(tool)}(${argumentsText(call.args)})`,
  };
}

/** Null for an argument that is not given. */
function possibleText(one: NewValue["values"][number]): string | null {
  return one.kind === "absent" ? null : printValue(one.value);
}

function answerToJson(answer: Answer): JsonObject {
  switch (answer.kind) {
    case "yes":
      return { answer: "yes", by: answer.by };
    case "unknown":
      return { answer: "unknown", why: answer.why };
    case "no":
      return { answer: "no", trace: traceToJson(answer.witness) };
  }
}

function traceToJson({ checked, run }: Witness): PlainJson {
  return stepsOf(checked, run).steps.map(({ entry: { tool: name, args, outcome }, took }) => {
    const tool = checked.tools.get(name);
    if (tool === undefined) throw new TypeError(`there is no tool \`${name}\``);
    const call = { tool: name, args: encodeValue(args, recordOf(tool.params)) };
    if (outcome.kind !== "returned") return { ...call, failed: true, tookEffect: took ?? null };
    const hasResult = outcome.result !== undefined && tool.result !== undefined;
    return hasResult ? { ...call, result: encodeValue(outcome.result, tool.result) } : call;
  });
}
