/** Solvers between proofs: kept, shared, given back, and never in the way of the next proof. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/app/files/node.ts";
import { load } from "../../src/app/load.ts";
import { SolverPool } from "../../src/app/prove/solver-pool.ts";
import { prove } from "../../src/app/prove.ts";
import { build, root } from "../cli/built.ts";
import { folder as examples } from "../examples/examples.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-pool-"));
beforeAll(async () => {
  await build();
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that is not decided without a solver. */
const asks = join(examples, "home/cool-down.ts");

async function proofWith(pool: SolverPool, timeoutMs = 20_000) {
  const loading = await load({ path: asks }, { fs: nodeFiles });
  if (loading.kind !== "loaded") throw new Error(loading.kind);
  const proved = await prove(loading.loaded, { pool, timeoutMs });
  if (!proved.ok) throw new Error(proved.problems[0]?.message);
  return proved.value.proof.guarantees.map(({ verdict }) => verdict);
}

describe("a pool of solvers", () => {
  it("keeps the solver that the first proof started, and answers the same", async () => {
    const pool = new SolverPool();
    const [first, second] = [await pool.take("z3"), await pool.take("z3")];
    if (!first.ok || !second.ok) throw new Error("z3 comes along");
    expect(await first.value.get()).toBe(await second.value.get());
    const alone = await proofWith(pool);
    expect(alone).toContainEqual(expect.objectContaining({ kind: "proved", by: "smt" }));
    const together = await Promise.all([proofWith(pool), proofWith(pool), proofWith(pool)]);
    expect(together).toEqual([alone, alone, alone]);
    await pool.close();
  });

  it("proves again after a question that took too long", async () => {
    const pool = new SolverPool();
    const hurried = await proofWith(pool, 1);
    expect(hurried.every(({ kind }) => kind === "proved" || kind === "unknown")).toBe(true);
    expect((await proofWith(pool)).map(({ kind }) => kind)).toEqual(
      (await proofWith(new SolverPool())).map(({ kind }) => kind),
    );
    await pool.close();
  });

  it("ends a solver after many proofs, once nobody uses it", async () => {
    const pool = new SolverPool();
    const first = await pool.take("z3");
    if (!first.ok) throw new Error("z3 comes along");
    const old = await first.value.get();
    for (let i = 1; i < 500; i++) {
      const taken = await pool.take("z3");
      if (taken.ok) await taken.value.release();
    }
    const next = await pool.take("z3");
    expect(next.ok && (await next.value.get()) !== old).toBe(true);
    const script = { text: "(assert false)", values: [] };
    const limits = { timeoutMs: 20_000, resources: 1_000_000 };
    // Still in use by the first.
    expect(await old.check(script, limits)).toEqual({ kind: "unsat" });
    await first.value.release();
    expect(await old.check(script, limits)).toMatchObject({ kind: "unknown", reason: "error" });
    await pool.close();
  });

  it("says which solver is not there, and looks again the next time", async () => {
    const pool = new SolverPool();
    const path = process.env.PATH;
    process.env.PATH = folder;
    const missing = await pool.take("native:cvc5").finally(() => {
      process.env.PATH = path;
    });
    expect(missing).toMatchObject({ ok: false, problems: [{ code: "FC9005" }] });
    await pool.close();
    await expect(pool.take("z3")).rejects.toThrow("the pool of solvers is closed");
  });
});

describe("the library", () => {
  it("keeps its solver between calls, says nothing, and lets the process end", () => {
    const script = `import { prove } from ${JSON.stringify(join(root, "dist/index.js"))};
const started = [];
const emit = process.emit;
process.emit = function (event, ...args) { if (event === "worker") started.push(args[0]); return emit.call(this, event, ...args); };
const asks = ${JSON.stringify(asks)};
const verdicts = [];
for (let i = 0; i < 3; i++) verdicts.push((await prove(asks)).verdict);
const before = started.length;
verdicts.push(...(await Promise.all([prove(asks), prove(asks)])).map(({ verdict }) => verdict));
process.on("exit", () => console.log(JSON.stringify({ verdicts, before })));`;
    writeFileSync(join(folder, "script.mjs"), script);
    const { stdout, stderr, status } = spawnSync(process.execPath, ["script.mjs"], {
      cwd: folder,
      encoding: "utf8",
      timeout: 60_000,
    });
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    const verdict = "proved";
    expect(JSON.parse(stdout)).toEqual({
      verdicts: [verdict, verdict, verdict, verdict, verdict],
      // One engine did for three proofs, one after the other.
      before: 1,
    });
  });
});
