/** The tools that Foreclaim itself has, as the front end knows tools. */
import { type Argument, answerTool, builtinTools, type Expr, noteTool } from "../../ir/index.ts";
import type { Spot } from "../refusal.ts";
import { int, json, type RecordTy, real, type Ty } from "../ty.ts";
import type { ToolInfo } from "../value.ts";
import type { Lowering } from "./core.ts";

type At = { readonly start: number; readonly end: number };

const nowhere: Spot = { file: "", start: 0, end: 0 };
const types: ReadonlyMap<string, Ty> = new Map<string, Ty>([
  ["int", int],
  ["real", real],
  ["json", json],
]);

/** By the names of the tools. */
export const ownTools: ReadonlyMap<string, ToolInfo> = new Map(
  Array.from(builtinTools, ([name, tool]) => {
    const fields = tool.params.map((param) => ({
      name: param.name,
      type: types.get(param.type.kind) ?? json,
    }));
    const params: RecordTy = { kind: "record", fields };
    return [name, { tool, params, result: tool.result && types.get(tool.result.kind), spot: nowhere }];
  }),
);

/** The tools of both answers and notes. */
export const answerTools: readonly ToolInfo[] = [answerTool, noteTool].flatMap(
  ({ name }) => ownTools.get(name) ?? [],
);

/** Makes a call of one of them, guarded where there is a guard. */
export function emitOwn(
  low: Lowering,
  tool: string,
  args: readonly Argument[],
  when: Expr,
  node: At,
  bind?: string,
): void {
  const info = ownTools.get(tool);
  if (info === undefined) throw new TypeError(`there is no \`${tool}\``);
  low.usedTools.set(tool, info);
  const guard = when.kind === "bool" ? {} : { when };
  low.emit({ kind: "call", id: "", tool, args, ...(bind !== undefined && { bind }), ...guard }, node);
}
