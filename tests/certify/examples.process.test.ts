/**
 * Every example through both opinions: what is proved is certified, or it is said why not yet, and its certificate is
 * valid; what is refuted is never certified. A solver of another make, where there is one, contradicts none of it.
 */
import { afterAll, describe, expect, it } from "vitest";
import { checkCertificate } from "../../src/certificate/index.ts";
import { compileProgram } from "../../src/frontend/index.ts";
import { check } from "../../src/ir/index.ts";
import { certify, Disagreement } from "../../src/prove/certify/certify.ts";
import { replayerOf } from "../../src/prove/certify/replayer.ts";
import { nativeSolver } from "../../src/prove/decide/solver/native.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { domains, examples, expectedOf, readFile } from "../examples/examples.ts";
import { installedCvc5 } from "../support/installed.ts";
import { seed as givenSeed } from "../support/runs.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const replayer = () => replayerOf(solver);
/** LIMIT: for what nobody can show, which would be tried for long. */
const few = { timeoutMs: 2_000, resources: 300_000 };
const hasty = () => replayerOf({ ...named, check: (script) => solver.check(script, few) });
const named = { name: solver.name, version: () => solver.version() };

const cvc5 = installedCvc5();
const second = cvc5 === undefined ? undefined : nativeSolver(cvc5, { engines: 1 });
afterAll(() => second?.close());

/** Half of what is proved and a quarter of what is not, in turns by the seed: nobody can show the latter, and each is tried for a while. */
const turn = givenSeed() ?? 0;
const notYet: string[] = [];
let certified = 0;
/** Verdicts that the second solver confirms, and those that it does not decide in its time here. */
const seconded = { agreed: 0, undecided: 0 };

describe.each(domains)("%s", (domain) => {
  const expected = expectedOf(domain);
  const verdictOf = ({ name }: { readonly name: string }) => expected[name]?.verdict;
  const here = examples
    .filter((one) => one.domain === domain && verdictOf(one) !== "invalid")
    .filter(
      (one, i) => i % (verdictOf(one) === "proved" ? 2 : 4) === turn % (verdictOf(one) === "proved" ? 2 : 4),
    );

  it.each(here.map((example) => [example.name, example] as const))("%s", async (name, { path }) => {
    const compiled = compileProgram(path, { readFile });
    if (!compiled.ok) throw new Error("it is expected to compile");
    const checked = check(compiled.value.document);
    if (!checked.ok) throw new TypeError("a compiled document does not check");
    if (expected[name]?.verdict !== "proved") {
      const found = await certify(checked.value, hasty).catch((thrown: unknown) => {
        expect(thrown).toBeInstanceOf(Disagreement);
        return { kind: "disagreement" };
      });
      if (expected[name]?.verdict === "refuted") expect(found.kind).not.toBe("certified");
      return;
    }
    const found = await certify(checked.value, replayer);
    if (found.kind === "notYet") {
      notYet.push(`${domain}/${name}: ${found.why}`);
      return;
    }
    certified++;
    const options = { solvers: async () => [await replayer()] };
    expect(await checkCertificate(found.text, options)).toMatchObject({ kind: "valid" });
    for (const { by, smtLib: text, verdict } of second === undefined ? [] : found.certificate.obligations) {
      if (by !== "solver") continue;
      const limits = { timeoutMs: 1_000, resources: 20_000_000 };
      const answer = await second?.check({ text, values: [] }, limits);
      if (answer?.kind === "unknown") {
        expect(answer.reason).toMatch(/^(timeout|resources|incomplete)$/);
        seconded.undecided++;
      } else {
        expect(answer?.kind).toBe(verdict);
        seconded.agreed++;
      }
    }
  });
});

it.runIf(second !== undefined)("a second solver agrees with almost all of it", () => {
  expect(seconded.agreed).toBeGreaterThan(50);
  expect(seconded.undecided).toBeLessThan(15);
});

it("certifies most of what is proved, and knows why not the rest", () => {
  const reasons =
    /^[^:]+: (a loop with an unknown number of iterations|its plain form says too little of|how many cells of `[^`]+` a loop changes$|`[^`]+` of a program with calls at the same time$|`[^`]+`, which calls at the same time touch$)/;
  expect(notYet.filter((why) => !reasons.test(why))).toEqual([]);
  expect(certified, notYet.join("\n")).toBeGreaterThan(4 * notYet.length);
});
