/** Laws of sentences, on random guarantees. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sentence } from "../../src/explain/english.ts";
import { mostCharacters } from "../../src/explain/text.ts";
import { checkExpr, type Expr, judge, printExpr, run } from "../../src/ir/index.ts";
import { anyProgram, type ProgramCase, toolsOf } from "../support/arbitrary-program.ts";
import { atLeast, runs } from "../support/runs.ts";
import { timeout } from "../support/timeout.ts";
import { changedFormulas } from "./changed-formulas.ts";

const options = { timeout: timeout(60) };

const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

test(
  "every guarantee has a sentence, always the same, not too long, with nothing in it that cannot be seen",
  options,
  () => {
    fc.assert(
      fc.property(anyProgram(), ({ checked }: ProgramCase) => {
        for (const formula of formulasOf(checked.document.guarantees)) {
          const said = sentence(formula, checked);
          expect(said).not.toBe("");
          expect(sentence(formula, checked)).toBe(said);
          expect(said.length).toBeLessThanOrEqual(mostCharacters);
          const full = sentence(formula, checked, { full: true });
          for (const text of [said, full]) {
            expect(text).not.toMatch(unseen);
            expect(text).not.toMatch(/undefined|\[object|\bNaN\b| {2}/);
          }
          if (!said.includes("…")) expect(full).toBe(said);
        }
      }),
      { numRuns: runs(150) },
    );
  },
);

test("formulas that differ have sentences that differ", options, () => {
  let compared = 0;
  fc.assert(
    fc.property(anyProgram(), ({ checked }: ProgramCase) => {
      for (const formula of formulasOf(checked.document.guarantees)) {
        const said = sentence(formula, checked, { full: true });
        for (const other of changedFormulas(formula, checked.document).slice(0, 60)) {
          const judged = checkExpr(checked, other, "trace");
          if (!judged.ok) continue;
          compared++;
          if (sentence(other, judged.value, { full: true }) !== said) continue;
          expect.fail(`${printExpr(formula)}\n${printExpr(other)}\nare both: ${said}`);
        }
      }
    }),
    { numRuns: runs(60) },
  );
  expect(compared).toBeGreaterThan(atLeast(300));
});

test("formulas with the same sentence are judged alike", options, async () => {
  let shared = 0;
  await fc.assert(
    fc.asyncProperty(anyProgram({ failing: 0 }), async (program: ProgramCase) => {
      const { checked, inputs, initial } = program;
      const { trace } = await run(checked, { inputs, initial, tools: toolsOf(program) });
      for (const formula of formulasOf(checked.document.guarantees)) {
        const once = changedFormulas(formula, checked.document).slice(0, 12);
        const twice = once.flatMap((one) => changedFormulas(one, checked.document).slice(0, 12));
        const verdicts = new Map<string, { readonly text: string; readonly verdict: string }>();
        for (const one of [formula, ...once, ...twice]) {
          const judged = checkExpr(checked, one, "trace");
          if (!judged.ok) continue;
          const said = sentence(one, judged.value, { full: true });
          const text = printExpr(one);
          const before = verdicts.get(said);
          if (before?.text === text) continue;
          const verdict = judge(judged.value, one, { inputs, trace, initial }).kind;
          if (before === undefined) verdicts.set(said, { text, verdict });
          else if (before.verdict === "unknown" || verdict === "unknown") continue;
          else {
            shared++;
            expect(`${verdict}: ${text}`, `${said}\n${before.text}`).toBe(`${before.verdict}: ${text}`);
          }
        }
      }
    }),
    { numRuns: runs(20) },
  );
  expect(shared).toBeGreaterThan(atLeast(10));
});

function formulasOf(guarantees: readonly { readonly formula?: Expr }[]): Expr[] {
  return guarantees.flatMap(({ formula }) => formula ?? []);
}
