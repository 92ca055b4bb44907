/**
 * Two opinions on one document: the prover's and that of the plain translation, which shares nothing with it but the
 * Effect IR. Where both decide, they must agree.
 */

import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { goalScript, translate } from "../../src/certificate/obligations.ts";
import type { Checked } from "../../src/ir/check/index.ts";
import { readDocument } from "../../src/ir/read.ts";
import { printDocument } from "../../src/ir/text/printer.ts";
import { certify } from "../../src/prove/certify/certify.ts";
import { replayerOf } from "../../src/prove/certify/replayer.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { type Proof, prove } from "../../src/prove/prove.ts";
import { anyProgram } from "../support/arbitrary-program.ts";
import { atLeast, runs } from "../support/runs.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const limits = { timeoutMs: 1_000, resources: 200_000 };
const somePrograms = fc.oneof(
  {
    weight: 3,
    arbitrary: anyProgram({
      failing: 10,
      fluents: 2,
      tools: 2,
      commands: 4,
      guarantees: 2,
      fuel: 2,
      readings: 6,
    }),
  },
  { weight: 1, arbitrary: anyProgram({ failing: 10, readings: 6 }) },
);

const tally = new Map<string, number>();
function count(kind: string): void {
  tally.set(kind, (tally.get(kind) ?? 0) + 1);
}

test("the prover and the plain translation agree on random programs", { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(somePrograms, ({ checked }) => expectAgreement(checked)),
    {
      numRuns: runs(120),
    },
  );
  // Two that never meet agree on nothing.
  for (const kind of ["proved and unsat", "refuted only and sat"])
    expect(tally.get(kind) ?? 0, JSON.stringify([...tally])).toBeGreaterThan(atLeast(6));
});

/** Cases in which a slip of either would show, and which random programs seldom hit. */
const tool =
  'effect-ir 1\nfluent a.on[string]: bool = false\ntool a.f(x: int) -> int\n  ensures result >= 0\n  sets a.on["k"] = x > 0\n';
test.each([
  [
    "a failed call may have had its effect",
    "call a.f(x: 1) catch e  call a.f(x: 2) when e",
    "count(c in a.f) <= 1",
    "refuted",
  ],
  ["a failed call may have had none", "call a.f(x: 1) catch e", "count(c in a.f) >= 1", "refuted"],
  ["one that is not caught has its effect", "call a.f(x: 1)", "count(c in a.f) == 1", "proved"],
  ["a failed call leaves any value", "call a.f(x: 1) catch e", 'final a.on["k"]', "refuted"],
  ["until it is written again", "call a.f(x: 0) catch e  call a.f(x: 1)", 'final a.on["k"]', "proved"],
  [
    "what is ensured is known of the result",
    "let r = call a.f(x: 1)  call a.f(x: r)",
    "forall c in a.f: c.x >= 0",
    "proved",
  ],
  ["and no more", "let r = call a.f(x: 1)  call a.f(x: r)", "forall c in a.f: c.x >= 1", "refuted"],
  [
    "a guard keeps a call away",
    "let r = call a.f(x: 1)  call a.f(x: r) when r > 3",
    "forall c in a.f: c.x == 1 or c.x > 3",
    "proved",
  ],
  ["in every state", "call a.f(x: 1)  call a.f(x: 0)", 'always(not now a.on["k"])', "refuted"],
  [
    "every other cell is as it was",
    "call a.f(x: 1)",
    'forall d in final a.on: d.value implies d.key == "k"',
    "proved",
  ],
])("%s", { timeout: 60_000 }, async (_, body, formula, expected) => {
  const read = readDocument(
    `${tool}program () { ${body.replaceAll("  ", "\n")} }\nguarantee g():\n  ${formula}\n`,
  );
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { checked } = read.value;
  const proof = await prove(checked, { solver: async () => solver, limits, stops: "omitted" });
  expect(proof.guarantees[0]?.verdict.kind).toBe(expected);
  const found = await certify(checked, () => replayerOf(solver)).catch((thrown: unknown) => thrown);
  if (expected === "proved") expect(found).toMatchObject({ kind: "certified" });
  else expect(found).not.toMatchObject({ kind: "certified" });
});

async function expectAgreement(checked: Checked): Promise<void> {
  const plain = translate(checked);
  if (plain.kind === "notPlain") return count("not plain");
  const proof = await prove(checked, { solver: async () => solver, limits, stops: "omitted" });
  if (proof.walk === undefined) return count("not followed");
  const verdicts = verdictsOf(proof);
  const refuted = new Map<string, string>();
  for (const claim of plain.obligations) {
    if (claim.kind === "answer") continue;
    const place = `${claim.kind} ${claim.path.join(".")}`;
    const verdict = verdicts.get(place) ?? "proved";
    const script = goalScript(plain.terms, claim, [...claim.assumptions.keys()]);
    const answer =
      claim.goal.value === true
        ? ({ kind: "unsat" } as const)
        : await solver.check({ text: script.text, values: [] }, limits);
    if (answer.kind === "unknown")
      expect(answer.reason, `${answer.detail}\n${script.text}`).not.toBe("error");
    const isInDoubt = script.doubts.length > 0;
    count(`${verdict} and ${answer.kind}${isInDoubt ? " in doubt" : ""}`);
    const about = `${place}: ${verdict} and ${answer.kind}\n${printDocument(checked.document)}\n${script.text}`;
    if (verdict === "proved" && !isInDoubt) expect(answer.kind, about).not.toBe("sat");
    // One place is gone through several times in a loop, and what was met the first time is assumed the next.
    if (verdict === "refuted only" && refuted.get(place) !== "")
      refuted.set(place, answer.kind === "unsat" ? about : "");
  }
  // Counterexample was made, so no translation may say that there is none.
  for (const about of refuted.values()) expect(about).toBe("");
}

/** Returns the verdicts of all obligations of one kind at one place: unreached iterations may be omitted. */
function verdictsOf({ guarantees, obligations }: Proof): ReadonlyMap<string, string> {
  const found = new Map<string, string[]>();
  const note = (place: string, verdict: string) => found.set(place, [...(found.get(place) ?? []), verdict]);
  guarantees.forEach(({ verdict }, i) => {
    note(`guarantee guarantees.${i}`, verdict.kind);
  });
  for (const { obligation, verdict } of obligations)
    note(`${obligation.kind} ${obligation.path.join(".")}`, verdict.kind);
  return new Map(
    [...found].map(([place, kinds]) => {
      if (kinds.every((kind) => kind === "proved")) return [place, "proved"] as const;
      if (kinds.length === 1 && kinds[0] === "refuted") return [place, "refuted only"] as const;
      return [place, kinds.includes("refuted") ? "refuted" : "unknown"] as const;
    }),
  );
}
