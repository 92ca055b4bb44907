/**
 * The catalogue: each contract is proved of a benign program and refuted of a hostile one, in a module that was made from
 * definitions. These are as small as the catalogue needs them; where `FORECLAIM_MCP_LISTS` names a folder with saved lists
 * of the real servers, those are tried too.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { prove } from "../../src/index.ts";
import {
  type CatalogueServer,
  catalogue,
  generateModule,
  readToolsList,
  withTools,
} from "../../src/mcp/index.ts";

const lists = process.env.FORECLAIM_MCP_LISTS;
const folder = mkdtempSync(join(tmpdir(), "foreclaim-catalogue-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Fields of the real tools that the programs give and no contract looks at. */
const more: Readonly<Record<string, object>> = {
  add_issue_comment: { issue_number: { type: "number" }, body: { type: "string" } },
  get_issue: { issue_number: { type: "number" } },
  merge_pull_request: { pull_number: { type: "number" } },
  push_files: {
    files: {
      type: "array",
      items: {
        type: "object",
        properties: { path: { type: "string" }, content: { type: "string" } },
        required: ["path", "content"],
      },
    },
    message: { type: "string" },
  },
  bulk_insert: {
    data: { type: "array", items: { type: "object", additionalProperties: { type: ["string", "number"] } } },
  },
  browser_run_code_unsafe: { code: { type: "string" } },
  create_dsn: { projectSlug: { type: "string" }, name: { type: "string" } },
};

function smallList({ tools, others }: CatalogueServer): string {
  const known = Object.entries(tools).map(([name, fields]) => {
    const properties = Object.fromEntries(
      Object.entries(fields).map(([field, type]) => {
        const plain = type.replace("?", "");
        return [field, plain === "string[]" ? { type: "array", items: { type: "string" } } : { type: plain }];
      }),
    );
    const required = Object.entries(fields).flatMap(([field, type]) => (type.endsWith("?") ? [] : [field]));
    const added = more[name] ?? {};
    return {
      name,
      inputSchema: {
        type: "object",
        properties: { ...properties, ...added },
        required: [...required, ...Object.keys(added).filter((one) => one !== "code")],
      },
    };
  });
  const rest = others.map((name) => ({ name, inputSchema: { type: "object", properties: {} } }));
  return JSON.stringify({ tools: [...known, ...rest] });
}

const cases = catalogue.flatMap((server) => {
  const saved = lists === undefined ? undefined : join(lists, `${server.name}.json`);
  const isSaved = saved !== undefined && existsSync(saved);
  return [
    { server, from: "small", text: () => smallList(server) },
    ...(isSaved ? [{ server, from: "saved", text: () => readFileSync(saved, "utf8") }] : []),
  ];
});

describe.each(cases)("$server.name, from a $from list", ({ server, from, text }) => {
  const own = join(folder, `${server.name}-${from}`);
  const read = readToolsList(server.name, text());
  if (!read.ok) throw new Error(read.problems[0]?.message);
  const made = generateModule(read.value, { name: "it", trustHints: false });
  mkdirSync(join(own, "tools"), { recursive: true });
  writeFileSync(join(own, "tools/it.ts"), made.text);
  const as = (tool: string) => `it.${made.tools.get(tool) ?? tool}`;

  test("is recognized, and every tool of it is known", () => {
    expect(made.recognized).toBe(server.name);
    expect(made.text).not.toContain("does not know");
  });

  test.each(server.contracts.map((one) => [one.name, one] as const))("%s", async (name, { example }) => {
    const verdicts: string[] = [];
    for (const [kind, body] of Object.entries({ benign: example.benign, hostile: example.hostile })) {
      const file = join(own, `${name}-${kind}.ts`);
      const program = `import { program } from "foreclaim";
import * as it from "./tools/it";
export default program({ guarantees: [it.${name}(${example.args})], async run() { ${withTools(body, as)} } });
`;
      writeFileSync(file, program);
      const { verdict, errors } = await prove(file);
      expect(errors).toEqual([]);
      verdicts.push(verdict);
    }
    expect(verdicts).toEqual(["proved", "refuted"]);
  });
});

test("a tool that the catalogue does not know is called under none of its contracts", async () => {
  const [server] = catalogue;
  if (server === undefined) throw new Error("there is no catalogue");
  const list = JSON.parse(smallList(server));
  list.tools.push({
    name: "delete_file",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  });
  const read = readToolsList("x", JSON.stringify(list));
  if (!read.ok) throw new Error(read.problems[0]?.message);
  const { text, recognized } = generateModule(read.value, { name: "it", trustHints: false });
  expect(recognized).toBe("filesystem");
  expect(text.split("delete_file.none()")).toHaveLength(server.contracts.length + 2);
});

test("a server whose fields are of other types is not recognized", () => {
  const list = JSON.parse(smallList(catalogue[0] as CatalogueServer));
  list.tools[0].inputSchema.required = [];
  const read = readToolsList("x", JSON.stringify(list));
  if (!read.ok) throw new Error(read.problems[0]?.message);
  expect(generateModule(read.value, { name: "it", trustHints: false }).recognized).toBeUndefined();
});
