/**
 * Lists of tools of real servers, if they are there: `FORECLAIM_MCP_LISTS` names a folder of `*.json`, each an answer to
 * `tools/list`. Every tool must compile.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadToolModules, nodeFiles } from "../../src/app/index.ts";
import { generateModule, readToolsList } from "../../src/mcp/index.ts";

const lists = process.env.FORECLAIM_MCP_LISTS;

test.skipIf(lists === undefined)("every tool of every saved list compiles", async () => {
  const folder = mkdtempSync(join(tmpdir(), "foreclaim-lists-"));
  const open = new Map<string, number>();
  let [tools, ignored] = [0, 0];
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
      for (const why of made.open) open.set(why, (open.get(why) ?? 0) + 1);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const values = open.get("values") ?? 0;
  const places = [...open.values()].reduce((sum, one) => sum + one, 0) - values;
  const counts = JSON.stringify(Object.fromEntries(open));
  process.stdout.write(
    `${tools} tools; ${places} places of any JSON value besides ${values} values of open objects ${counts}; ${ignored} conditions ignored\n`,
  );
  expect(places).toBeLessThanOrEqual(15);
});
