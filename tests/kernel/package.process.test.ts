/** The entries of the package as users install it, and their dependencies. */

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, root } from "../cli/built.ts";

let folder: string;
beforeAll(async () => {
  await build();
  // The package where none of its dependencies can be found.
  folder = mkdtempSync(join(tmpdir(), "foreclaim-package-"));
  const home = join(folder, "node_modules/foreclaim");
  for (const room of ["ir", "kernel", "ledger", "sql", "kernel.js", "testing.js", "telemetry.js", "approve"])
    cpSync(join(root, "dist", room), join(home, "dist", room), { recursive: true });
  cpSync(join(root, "package.json"), join(home, "package.json"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** True if this Node has a built-in SQLite that ledgers accept. */
const hasBuiltin =
  isBuiltin("node:sqlite") && !/^3\.(\d|[1-4]\d|50|51\.[0-2])(\.|$)/.test(process.versions.sqlite ?? "");

function run(script: string, name: string, files: Readonly<Record<string, string>> = {}): string {
  const path = join(folder, `${name}.mjs`);
  for (const [file, text] of Object.entries({ ...files, [`${name}.mjs`]: script }))
    writeFileSync(join(folder, file), text);
  const { stdout, stderr, status } = spawnSync(process.execPath, [path], { encoding: "utf8", cwd: folder });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout;
}

describe("foreclaim/kernel", () => {
  const useKernel = `import { Kernel, openLedger } from "foreclaim/kernel";
    import { expectAllowed } from "foreclaim/testing";
    import "foreclaim/telemetry";
    const ledger = await openLedger("memory:");
    const opened = await Kernel.open({ ledger, policy: { budgets: { usd: 1 } }, clock: Date.now });
    await expectAllowed(opened.value, { id: "a", effects: [], cost: 1 });
    console.log(opened.value.status().budgets.usd.left);`;

  it("loads no engine until a ledger of its kind is opened", () => {
    const list = join(folder, "loaded.txt");
    // Notes every module that is imported from here on, before anything else is.
    const hooks = `import { appendFileSync } from "node:fs";
      export async function resolve(specifier, context, next) {
        const found = await next(specifier, context);
        appendFileSync(${JSON.stringify(list)}, found.url + "\\n");
        return found;
      }`;
    const said = run(
      `import { register } from "node:module";
       register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hooks)}));
       await import("./used.mjs");
       console.log(process.moduleLoadList.filter((name) => /sqlite/i.test(name)).join() || "no SQLite");`,
      "loads",
      { "used.mjs": useKernel },
    );
    expect(said).toBe("0\nno SQLite\n");
    const loaded = readFileSync(list, "utf8").trim().split("\n");
    const outside = loaded.filter((url) => !url.includes("/foreclaim/dist/") && !url.endsWith("used.mjs"));
    expect(loaded.length).toBeGreaterThan(20);
    expect(outside.filter((url) => !url.startsWith("node:"))).toEqual([]);
    expect(
      loaded.filter((url) => /sqlite|postgres/.test(url)).map((url) => url.split("/").at(-1)),
    ).not.toContain("connections.js");
  });

  it("says which engine is missing", () => {
    const said = run(
      `${useKernel}
       for (const url of ["sqlite:a.db", "postgres://nobody@127.0.0.1:1/none"])
         await openLedger(url).then(
           (ledger) => ledger.close(),
           (error) => console.log(error.name, error.message),
         );`,
      "missing",
    );
    const missing = (engine: string) =>
      `LedgerUnavailable the engine for ${engine} could not be loaded on this machine\n`;
    // Newer versions of Node bring SQLite along.
    expect(said).toBe(`0\n${hasBuiltin ? "" : missing("SQLite")}${missing("PostgreSQL")}`);
  });

  it("has types for each entry that is exported", () => {
    const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    for (const entry of ["./kernel", "./testing", "./telemetry"]) {
      const text = readFileSync(join(root, exports[entry].types), "utf8");
      expect(text).toContain("export");
    }
  });
});
