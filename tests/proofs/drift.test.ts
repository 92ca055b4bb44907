/** Fails when the kernel changes and the model does not, when a model is not that of its sources, and when a proof is open. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADVICE, currentRecord, declarationsOf, driftOf, RECORD } from "../../scripts/modelled.mjs";
import {
  bannerOf,
  MODEL_LIMIT,
  THEORIES,
  theoremsOf,
  theoryFiles,
  unproved,
  withoutComments,
} from "../../scripts/proofs.mjs";
import { ROOT } from "../../scripts/tools.mjs";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("the model", () => {
  test("follows the functions of the kernel as they are", () => {
    const drift = driftOf(JSON.parse(read(RECORD)), currentRecord());
    expect(drift.length === 0 ? [] : [...drift, ADVICE]).toEqual([]);
  });

  test("notices a function that changed, came or went, and no comment", () => {
    const files = (text: string) => ({
      files: { "src/kernel/core/step.ts": declarationsOf("step.ts", text) },
    });
    const before = files("export function a(): number {\n  return 1;\n}\nconst b = 2;\ninterface C { x: 1 }");
    expect(
      driftOf(
        before,
        files("/** Why. */ export function a(): number { return 1; } const b = 2; interface C { x: 1 }"),
      ),
    ).toEqual([]);
    const after = files(
      "export function a(): number {\n  return 2;\n}\nfunction d() {}\ninterface C { x: 1; y: 2 }",
    );
    expect(driftOf(before, after)).toEqual([
      "`a` of src/kernel/core/step.ts changed; its model is in proofs/kernel/Kernel.v",
      "`b` of src/kernel/core/step.ts is gone; its model is in proofs/kernel/Kernel.v",
      "`C` of src/kernel/core/step.ts changed; its model is in proofs/kernel/Kernel.v",
      "`d` of src/kernel/core/step.ts is new; its model is in proofs/kernel/Kernel.v",
    ]);
  });
});

describe.each(THEORIES)("$folder", ({ folder, main, model }) => {
  test("has nothing unproved", () => {
    expect(unproved(folder)).toEqual([]);
  });

  test("has the extracted model of its sources, within its size", () => {
    const text = read(model);
    expect(text.slice(0, text.indexOf("\n"))).toBe(bannerOf(folder));
    expect(text.length).toBeLessThan(MODEL_LIMIT);
  });

  test("has main theorems, and the README and the claims name them", () => {
    const names = theoremsOf(folder)
      .map(({ name }) => name)
      .filter((name) => main.test(name));
    const pages = read("proofs/README.md") + read("docs/claims.md");
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !pages.includes(`\`${name}\``))).toEqual([]);
  });
});

test("the statements on pages are those of the proofs", () => {
  const plain = (text: string) => text.replace(/\s+/g, " ").trim();
  const proofs = THEORIES.flatMap(({ folder }) =>
    theoryFiles(folder).map((file) => plain(read(`${folder}/${file}`))),
  ).join("\n");
  for (const page of ["docs/claims.md", "proofs/README.md"]) {
    const quoted = [...read(page).matchAll(/```coq\n([\s\S]*?)```/g)].map(([, text = ""]) => plain(text));
    expect(quoted.length).toBeGreaterThan(2);
    expect(quoted.filter((text) => !proofs.includes(text))).toEqual([]);
  }
});

test("every claim T1 to T8 has a theorem", () => {
  const names = theoremsOf("proofs/kernel").map(({ name }) => name);
  for (const claim of ["T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8"]) {
    expect([claim, names.some((name) => name.startsWith(`${claim}_`))]).toEqual([claim, true]);
  }
});

test("comments of Coq nest", () => {
  expect(withoutComments("a (* Axiom (* x *) *) b")).toBe("a  b");
  expect(existsSync(join(ROOT, "proofs/ledger"))).toBe(true);
});
