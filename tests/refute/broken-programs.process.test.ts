/** Each mistake of the table is found; some of it in turns by the seed, the whole in the soak. */
import { afterAll, describe, expect, it } from "vitest";
import { seed } from "../support/runs.ts";
import { brokenPrograms } from "./broken-programs.ts";
import { projectOfTable, proofOf } from "./verdict-of.ts";

const project = projectOfTable();
afterAll(project.remove);

const turns = 8;
const turn = (seed() ?? Date.now()) % turns;
const some = brokenPrograms.filter((_, i) => i % turns === turn);

describe(`a run that breaks the guarantee is found (turn ${turn} of ${turns})`, () => {
  it.each(some.map((program) => ({ name: program[0], program })))("$name", async ({ program }) => {
    const { errors, guarantees } = await proofOf(program, project.folder);
    expect(errors).toEqual([]);
    expect(guarantees.map(({ verdict }) => verdict)).toEqual(["refuted"]);
  });
});

it("names each program once", () => {
  expect(new Set(brokenPrograms.map(([name]) => name)).size).toBe(brokenPrograms.length);
  expect(brokenPrograms.length).toBeGreaterThanOrEqual(60);
});
