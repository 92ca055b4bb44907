/** The tool modules of the examples have no findings but those that are right. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { compileTools } from "../../src/frontend/index.ts";
import { lintModules } from "../../src/lint/index.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());
const options = {
  solver: async () => solver,
  limits: { timeoutMs: 5_000, resources: 5_000_000 },
  quick: true,
};

/** Findings that are intended. */
const right: Readonly<Record<string, readonly string[]>> = {
  // It says that it looks at the start of an address, and `https://api.` is that of many hosts.
  http: ["FC5204 http.secretOnlyTo"],
  // Contracts that say too little, beside those that say enough.
  policies: ["FC5204 files.startsWithFolder", "FC5204 web.startsWithOrigin"],
  // A scale whose readings contradict themselves, for the example of a proof that says nothing.
  laboratory: ["FC5212 broken-scale.weigh"],
};

const folders = readdirSync("examples", { withFileTypes: true }).filter((entry) => entry.isDirectory());

describe("lint finds in the examples", () => {
  it.each(folders.map(({ name }) => name))("%s", async (name) => {
    const root = `examples/${name}/tools`;
    const files = readdirSync(root).filter((file) => file.endsWith(".ts"));
    const compiled = compileTools(
      files.map((file) => `${root}/${file}`),
      { readFile: read, tools: [root] },
    );
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems[0]));
    const { findings } = await lintModules(compiled.value, () => true, options);
    const found = findings.map(({ code, about }) => `${code} ${"name" in about ? about.name : ""}`);
    expect(found).toEqual(right[name] ?? []);
  });
});

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
