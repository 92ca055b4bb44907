/** Problems as JSON. */
import type { PlainJson } from "../../ir/index.ts";
import type { Failure } from "../failure.ts";
import { Lines } from "../files/lines.ts";

/** Lines and columns from 1, columns in UTF-16 code units; the end is exclusive. */
export function problemsToJson({ file, source, problems }: Failure): PlainJson[] {
  const lines = source === undefined ? undefined : new Lines(source);
  return problems.map(({ code, message, path, span, help }) => {
    const place = lines && span && placeToJson(lines, span);
    return {
      code,
      message,
      path,
      ...(file === undefined ? {} : { file }),
      ...place,
      ...(help === undefined ? {} : { help }),
    };
  });
}

function placeToJson(lines: Lines, { start, end }: { readonly start: number; readonly end: number }) {
  const from = lines.positionOf(start);
  const to = lines.positionOf(Math.max(start, end));
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}
