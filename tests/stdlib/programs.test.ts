/** Programs over the modules of the standard library: each contract is proved of one and refuted of another. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { moduleFiles, standardModules } from "../../src/app/init/std-modules.ts";
import { standardModules as offered } from "../../src/cli/commands/init/definition.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { type Expected, find } from "../examples/examples.ts";

const folder = join(import.meta.dirname, "project");
const solver = z3Wasm();
afterAll(() => solver.close());

async function found(name: string): Promise<Expected> {
  const path = join(folder, `${name}.ts`);
  const result = await find({ domain: "std", name, path, text: readFileSync(path, "utf8") }, solver);
  return result.expected;
}

/** Programs of which every guarantee is proved, and programs of which every one is refuted, with their number. */
const proved = [
  "digest",
  "look",
  "report-score",
  "overdue",
  "count-orders",
  "tidy-up",
  "look-back",
  "count-lines",
  "mail-report",
  "quiet",
  "ticket",
  "consult",
  "read-bill",
];
const refuted: readonly (readonly [string, number])[] = [
  ["careless", 7],
  ["leaks", 5],
  ["concatenates", 7],
  ["pushes-all", 7],
  ["runs-answers", 4],
  ["forwards", 8],
  ["gambles", 5],
  ["nags", 3],
  ["tells-all", 3],
];

describe("guarantees", () => {
  it.each(proved)("%s is proved", async (name) => {
    const { verdict, guarantees = [] } = await found(name);
    expect(guarantees.filter((one) => one.verdict !== "proved")).toEqual([]);
    expect(verdict).toBe("proved");
  });

  it.each(refuted)("%s breaks every guarantee", async (name, count) => {
    const { guarantees = [], obligations = [] } = await found(name);
    expect(guarantees.map((one) => one.verdict)).toEqual(Array.from({ length: count }, () => "refuted"));
    expect(obligations).toEqual([]);
  });

  it.each([
    ["unread", ["fs.replace"]],
    ["hidden", ["fs.read", "fs.read", "fs.read"]],
    ["elsewhere", ["http.get"]],
    ["any-table", ["sql.query", "sql.change", "sql.change"]],
    ["pushes-main", ["git.commit", "git.push"]],
    ["runs-any", ["shell.run"]],
    ["mails-anyone", ["mail.send"]],
    ["unbounded", ["time.now", "random.integer"]],
  ])("%s calls a tool without what it requires", async (name, tools) => {
    const { obligations = [] } = await found(name);
    expect(obligations).toEqual(
      tools.map((tool) => expect.objectContaining({ kind: "requires", tool, verdict: "refuted" })),
    );
  });

  it.each(standardModules)(
    "every contract of %s is in a program that is proved and in one that is refuted",
    (module) => {
      const stated = (names: readonly string[]) =>
        names.map((name) => readFileSync(join(folder, `${name}.ts`), "utf8")).join("\n");
      const text = readFileSync(join(folder, `tools/${module}.ts`), "utf8");
      const contracts = [...text.matchAll(/export const (\w+) = contract\(/g)].map(
        ([, name]) => `${module}.${name}(`,
      );
      expect(contracts.length).toBeGreaterThan(1);
      for (const contract of contracts) {
        expect(stated(proved)).toContain(contract);
        expect(stated(refuted.map(([name]) => name))).toContain(contract);
      }
    },
  );
});

it("`init --with` writes these modules", () => {
  expect(offered).toEqual(standardModules);
  for (const { path, text } of moduleFiles(standardModules)) {
    if (path.startsWith("tools/")) expect(text).toBe(readFileSync(join(folder, path), "utf8"));
  }
});
