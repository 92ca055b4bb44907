/**
 * Descriptions of tool modules for authors of programs: types as TypeScript, and the comments before declarations.
 */
import { describe, expect, it } from "vitest";
import { docBefore } from "../../src/frontend/describe.ts";
import { compileTools } from "../../src/frontend/index.ts";

describe("the comment before a declaration", () => {
  it.each<[text: string, doc: string | undefined]>([
    ["/** One line. */\n", "One line."],
    ["/**\n * Two\n * lines.\n */\n", "Two\nlines."],
    ["/**\r\n * With other line ends.\r\n */\r\n", "With other line ends."],
    ["/** First. */ /** Second. */\n\n", "Second."],
    ["", undefined],
    ["// a line comment\n", undefined],
    ["/* not for readers */\n", undefined],
    ["/** */", undefined],
    ["/**/", undefined],
    ["/** of something else */\nconst x = 1;\n", undefined],
  ])("%j says %j", (text, doc) => {
    expect(docBefore(`${text}export const a = 1;`, text.length)).toBe(doc);
  });
});

describe("declarations", () => {
  it("have types as TypeScript writes them", () => {
    const text = `import { contract, fluent, type Int, tool } from "foreclaim";
export interface Row { name: string; tags: ("a" | "b")[]; age?: Int }
/** Rows. */
export const query = tool({
  run: async ({ table, limit }: { table: string; limit?: Int }): Promise<Row[]> => [],
});
export const ping = tool({ run: async (): Promise<void> => {} });
export const find = tool({ run: async ({ id }: { id: bigint }): Promise<string | null> => null });
/** Stock. */
export const stock = fluent<string, Int>({ initial: 0 });
/** At most so many. */
export const atMost = contract((n: number, tables: string[] = []) => query.count() <= n || tables.length > 9);
`;
    const compiled = compileTools(["/p/tools/db.ts"], {
      readFile: (path) => (path === "/p/tools/db.ts" ? text : undefined),
    });
    if (!compiled.ok) throw new Error(compiled.problems[0]?.message);
    const told = compiled.value.declarations.map(({ file, span, ...rest }) => rest);
    const param = (name: string, type: string, optional = false) => ({ name, type, optional });
    expect(told).toEqual([
      {
        kind: "tool",
        name: "db.query",
        doc: "Rows.",
        params: [param("table", "string"), param("limit", "Int", true)],
        result: '{ name: string; tags: ("a" | "b")[]; age?: Int }[]',
      },
      { kind: "tool", name: "db.ping", params: [], result: "void" },
      { kind: "tool", name: "db.find", params: [param("id", "bigint")], result: "string | null" },
      { kind: "fluent", name: "db.stock", doc: "Stock.", key: "string", value: "Int" },
      {
        kind: "contract",
        name: "db.atMost",
        doc: "At most so many.",
        params: [param("n", "number"), param("tables", "string[]", true)],
      },
    ]);
  });
});
