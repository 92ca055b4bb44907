/** A guarantee of a program on a page has the verdict that stands beside it. */

import { afterAll, describe, expect, test } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import { check } from "../../src/ir/index.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { type GuaranteeProof, prove } from "../../src/prove/prove.ts";
import { blocksOf, pages, placeOf } from "./pages.ts";
import { type SourceExample, sourcesOf } from "./sources.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const limits = { timeoutMs: 20_000, resources: 20_000_000 };
const verdict = /\/\/ ((?:proved|refuted|unknown)(?:, open)?)$/gm;

const examples = pages
  .flatMap((page) => sourcesOf(blocksOf(page)))
  .filter(({ block }) => block.words.has("ok") && block.text.search(verdict) >= 0);

describe("the guarantees on the pages", () => {
  test.each(examples.map((example) => [placeOf(example.block), example] as const))(
    "%s",
    async (_, example) => {
      const said = Array.from(example.block.text.matchAll(verdict), ([, words = ""]) => words);
      const found = (await proofsOf(example)).map(
        (proof, i) => [proof.guarantee.name, wordsFor(proof), said[i]] as const,
      );
      expect(found.map(([name, words]) => `${name} ${words}`)).toEqual(
        found.map(([name, , words]) => `${name} ${words}`),
      );
      expect(found.length).toBe(said.length);
    },
  );
});

async function proofsOf({ path, files }: SourceExample): Promise<readonly GuaranteeProof[]> {
  const compiled = compileProgram(path, { readFile: (one) => files[one] });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const checked = check(compiled.value.document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return (await prove(checked.value, { solver: async () => solver, limits })).guarantees;
}

/** `proved, open` if it may not hold when the run stops early. */
function wordsFor({ verdict: { kind }, interruption }: GuaranteeProof): string {
  return interruption?.kind === "open" ? `${kind}, open` : kind;
}
