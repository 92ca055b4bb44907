/** Random functions that call themselves and random generators: no run does what was proved not to happen. */
import { afterAll, describe, expect, it } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import { check } from "../../src/ir/index.ts";
import type { Solver } from "../../src/prove/decide/solver/port.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";
import { runs, seed as seedAsked } from "../support/runs.ts";
import { labModule, runAsJavaScript, sourceOf, type Trace } from "./lab.ts";
import { RecursiveSource } from "./recursive-source.ts";

const contracts = `${labModule.replace("import { contract,", "import { contract,")}
export const putsAtMost = contract((n: number) => put.count() <= n);
export const putsBelow = contract((n: number) => put.all((p) => p.n < n));
export const putsAreNotNegative = contract(() => put.all((p) => p.n >= 0));
export const neverCounts = contract(() => count.none());
export const neverSays = contract((text: string) => say.none((s) => s.text === text));
`;

const statements: Readonly<Record<string, (trace: Trace) => boolean>> = {
  "lab.putsAtMost(2)": ({ calls }) => calls.filter(({ tool }) => tool === "put").length <= 2,
  "lab.putsBelow(3)": (trace) => putsOf(trace).every((n) => n < 3),
  "lab.putsAreNotNegative()": (trace) => putsOf(trace).every((n) => n >= 0),
  "lab.neverCounts()": ({ calls }) => calls.every(({ tool }) => tool !== "count"),
  'lab.neverSays("a")': ({ calls }) =>
    calls.every(({ tool, args }) => tool !== "say" || JSON.stringify(args) !== '{"text":"a"}'),
};

function putsOf({ calls }: Trace): number[] {
  return calls.flatMap(({ tool, args }) => {
    const n = tool === "put" && typeof args === "object" && args !== null && "n" in args ? args.n : undefined;
    return typeof n === "number" ? [n] : [];
  });
}

let solver: Solver | undefined;
afterAll(() => solver?.close());

describe("what is proved of a random program that calls itself", () => {
  it("holds in every run of it as JavaScript", async () => {
    const first = (seedAsked() ?? 0) * 1000 + 5000;
    for (let seed = first; seed < first + runs(4); seed++) {
      const plain = sourceOf(new RecursiveSource(seed).program());
      const source = plain.replace("lab.nothing()", Object.keys(statements).join(", "));
      const files: Record<string, string> = { "program.ts": source, "tools/lab.ts": contracts };
      const compiled = compileProgram("program.ts", { readFile: (path) => files[path] });
      if (!compiled.ok) throw new Error(`seed ${seed}\n${JSON.stringify(compiled.problems)}\n${source}`);
      const checked = check(compiled.value.document);
      if (!checked.ok) throw new Error(`seed ${seed}\n${JSON.stringify(checked.problems)}`);
      const proof = await prove(checked.value, {
        solver: async () => {
          solver ??= z3Wasm();
          return solver;
        },
        limits: { timeoutMs: 10_000, resources: 2_000_000 },
      });
      const proved = Object.entries(statements).filter(
        (_, i) => proof.guarantees[i]?.verdict.kind === "proved",
      );
      for (const scenario of [1, 2, 3, 4, 5, 6, 7, 8]) {
        const trace = await runAsJavaScript(plain, undefined, scenario);
        for (const [name, holds] of proved)
          expect(holds(trace), `seed ${seed}, scenario ${scenario}: ${name}\n${source}`).toBe(true);
      }
    }
  }, 300_000);
});
