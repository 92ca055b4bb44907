/** The reference of the library names what is exported, all of it and nothing else. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/tools.mjs";
import { cliCodes } from "../../src/app/codes.ts";
import { kernelCodes, readyRules } from "../../src/kernel/index.ts";
import { pageNow } from "./pages.ts";

test("docs/reference/library.md names every export, and nothing else", () => {
  const page = pageNow("docs/reference/library.md").text;
  // The first table is that of the entries of the package.
  const tables = page.slice(page.indexOf("\n## "));
  const cells = Array.from(tables.matchAll(/^\| (.*?) \| /gm), ([, cell = ""]) => cell).join(" ");
  const named = Array.from(cells.matchAll(/`(\w+)/g), ([, name = ""]) => name);
  const exported = exportsOf("src/ir.ts");
  const nodes = exportsOf("src/ir/document.ts"); // the page names some of them
  const names = new Set(named);
  expect(exported.filter((name) => !names.has(name) && !nodes.includes(name))).toEqual([]);
  expect([...names].filter((name) => !exported.includes(name))).toEqual([]);
});

test("docs/reference/kernel.md names every export, code and rule, and nothing else", () => {
  const page = pageNow("docs/reference/kernel.md").text;
  const cells = Array.from(page.matchAll(/^\| (.*?) \| /gm), ([, cell = ""]) => cell);
  const named = cells.flatMap((cell) => Array.from(cell.matchAll(/`([\w-]+)/g), ([, name = ""]) => name));
  const exported = ["kernel", "testing", "telemetry"].flatMap((entry) => exportsOf(`src/${entry}.ts`));
  expect(exported.filter((name) => !named.includes(name))).toEqual([]);
  expect([...readyRules.keys()].filter((name) => !named.includes(name))).toEqual([]);
  const codeRows = Array.from(
    page.matchAll(/^\| `([a-z-]+)` \| ([^|`]+) \|$/gm),
    ([, code = "", why = ""]) => [code, why],
  );
  expect(codeRows.filter(([code = ""]) => Object.hasOwn(kernelCodes, code))).toEqual(
    Object.entries(kernelCodes),
  );
  const exports = page.slice(page.indexOf("## Exports"));
  const listed = Array.from(exports.matchAll(/^\| (.*?) \| /gm), ([, cell = ""]) => cell).flatMap((cell) =>
    Array.from(cell.matchAll(/`(\w+)(?:`|\()/g), ([, name = ""]) => name),
  );
  expect(listed.filter((name) => !exported.includes(name))).toEqual([]);
});

/** The names that a module exports, those of types included. `export *` is omitted. */
function exportsOf(path: string): string[] {
  const { module } = parseSync(path, readFileSync(join(ROOT, path), "utf8"));
  const entries = module.staticExports.flatMap((one) => one.entries);
  return entries.flatMap(({ exportName }) => exportName.name ?? []);
}

test("docs/reference/cli.md lists every code of the command line, with its meaning", () => {
  const page = pageNow("docs/reference/cli.md").text;
  const listed = Array.from(page.matchAll(/^\| (FC9\d{3}) \| (.*) \|$/gm), ([, code, meaning]) => [
    code,
    meaning,
  ]);
  expect(listed).toEqual(Object.entries(cliCodes));
});
