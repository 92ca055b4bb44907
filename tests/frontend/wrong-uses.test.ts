/** A type error in an editor is a coded error of the front end too, in the same line. */
import { describe, expect, it } from "vitest";
import { compileProgram, compileTools } from "../../src/frontend/index.ts";
import { exampleFiles } from "./examples.ts";
import { wrongLine, wrongUses } from "./wrong-uses.ts";

describe("wrong use is refused", () => {
  it.each(wrongUses.map((use) => [use.name, use] as const))("%s", (_, use) => {
    const files: Record<string, string> = { ...exampleFiles, [use.path]: use.source };
    const host = { readFile: (path: string) => files[path] };
    const result = use.path.startsWith("tools/")
      ? compileTools([use.path], host)
      : compileProgram(use.path, host);
    const found = result.ok
      ? []
      : result.problems.map(({ code, file, span }) => [code, file, lineOf(files[file] ?? "", span.start)]);
    expect(found, result.ok ? "" : JSON.stringify(result.problems)).toEqual([
      [use.code, use.path, wrongLine(use)],
    ]);
  });
});

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}
