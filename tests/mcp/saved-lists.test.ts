/**
 * Lists of tools of real servers, if they are there: `FORECLAIM_MCP_LISTS` names a folder of `*.json`, each an answer to
 * `tools/list`. Every tool must compile.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadToolModules, nodeFiles } from "../../src/app/index.ts";
import type { Type } from "../../src/ir/index.ts";
import { generateModule, readToolsList } from "../../src/mcp/index.ts";

const lists = process.env.FORECLAIM_MCP_LISTS;

test.skipIf(lists === undefined)("every tool of every saved list compiles", async () => {
  const folder = mkdtempSync(join(tmpdir(), "foreclaim-lists-"));
  const open = new Map<string, number>();
  let [tools, ignored] = [0, 0];
  const [args, results] = [new Share(), new Share()];
  try {
    const files = readdirSync(lists ?? "").filter((name) => name.endsWith(".json"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const name = file.replace(/\.json$/, "").replaceAll("-", "_");
      const read = readToolsList(file, readFileSync(join(lists ?? "", file), "utf8"));
      if (!read.ok) throw new Error(read.problems[0]?.message);
      const made = generateModule(read.value, { name, trustHints: false });
      const own = join(folder, name, "tools");
      mkdirSync(own, { recursive: true });
      writeFileSync(join(own, `${name}.ts`), made.text);
      const compiled = await loadToolModules(nodeFiles, own);
      if (!compiled.ok) throw new Error(`${file}: ${compiled.problems[0]?.message}`);
      expect(compiled.value.tools).toHaveLength(read.value.length);
      tools += read.value.length;
      ignored += made.ignored.length;
      for (const tool of compiled.value.tools) {
        for (const { type } of tool.params) args.add(type);
        if (tool.result !== undefined) results.add(tool.result);
      }
      for (const why of made.open) open.set(why, (open.get(why) ?? 0) + 1);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const of = (...reasons: readonly string[]) => reasons.reduce((sum, one) => sum + (open.get(one) ?? 0), 0);
  process.stdout.write(
    `${tools} tools; the schema allows anything in ${of("anything")} places and in the values of ${of("values")} objects; in ${of("cycle", "union", "map", "schema")} it says more than the module; ${ignored} conditions ignored\narguments: ${args.text()}; results: ${results.text()}\n`,
  );
  // The module says of each place what its schema says, and few places are open besides the values of open objects.
  expect(of("cycle", "union", "map", "schema")).toBe(0);
  expect(of("anything")).toBeLessThanOrEqual(15);
});

/** The number of types that are JSON in the IR: as a whole, as unions are with a condition, or in some part. */
class Share {
  #all = 0;
  #json = 0;
  #parts = 0;

  add(type: Type): void {
    this.#all++;
    if (type.kind === "json") this.#json++;
    else if (hasJson(type)) this.#parts++;
  }

  text(): string {
    return `${this.#json} of ${this.#all} are JSON or unions, ${this.#parts} more in a part`;
  }
}

function hasJson(type: Type): boolean {
  switch (type.kind) {
    case "json":
      return true;
    case "list":
      return hasJson(type.element);
    case "map":
    case "option":
      return hasJson(type.value);
    case "record":
      return type.fields.some((one) => hasJson(one.type));
    default:
      return false;
  }
}
