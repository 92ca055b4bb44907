/** Traces that show how guarantees differ, for people and as JSON. */

import { SourceMap, stepsOf } from "../../app/index.ts";
import type { Answer, Witness } from "../../compare/index.ts";
import { encodeValue, type PlainJson, recordOf } from "../../ir/index.ts";
import { runLines } from "../prove/run-text.ts";
import type { Paint } from "../text/paint.ts";

/** Lines, without their ends. */
export function witnessLines({ checked, run }: Witness, width: number, paint: Paint): string[] {
  // Of no program, so nothing of it has a place.
  const document = { form: "text", checked, locate: () => undefined, file: "", text: "" } as const;
  return runLines(document, run, new SourceMap(document), width, paint);
}

export function answerToJson(answer: Answer): { readonly [key: string]: PlainJson } {
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
