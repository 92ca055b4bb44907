/** What users get: the entries of the package, and what they bring along. */

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  const service = "approve/service/trial.js";
  for (const room of ["ir", "kernel", "ledger", "kernel.js", "testing.js", "telemetry.js", service])
    cpSync(join(root, "dist", room), join(home, "dist", room), { recursive: true });
  cpSync(join(root, "package.json"), join(home, "package.json"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(script: string, name: string): string {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(path, script);
  const { stdout, stderr, status } = spawnSync(process.execPath, [path], { encoding: "utf8", cwd: folder });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout;
}

describe("foreclaim/kernel", () => {
  it("loads no engine until a ledger of its kind is opened", () => {
    const said = run(
      `import { Kernel, openLedger } from "foreclaim/kernel";
       import { expectAllowed } from "foreclaim/testing";
       import "foreclaim/telemetry";
       const ledger = await openLedger("memory:");
       const opened = await Kernel.open({ ledger, policy: { budgets: { usd: 1 } }, clock: Date.now });
       await expectAllowed(opened.value, { id: "a", effects: [], cost: 1 });
       console.log(opened.value.status().budgets.usd.left);
       for (const url of ["sqlite:a.db", "postgres://nobody@127.0.0.1:1/none"])
         await openLedger(url).catch((error) => console.log(error.name, error.message));`,
      "lazy",
    );
    expect(said).toBe(
      "0\nLedgerUnavailable the engine for SQLite could not be loaded on this machine\n" +
        "LedgerUnavailable the engine for PostgreSQL could not be loaded on this machine\n",
    );
  });

  it("has types for each entry that is exported", () => {
    const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    for (const entry of ["./kernel", "./testing", "./telemetry"]) {
      const text = readFileSync(join(root, exports[entry].types), "utf8");
      expect(text).toContain("export");
    }
  });
});
