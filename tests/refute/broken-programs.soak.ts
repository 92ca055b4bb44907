/** The whole table of broken programs: each is refuted, twice with the same run. */
import { afterAll, expect, it } from "vitest";
import { brokenPrograms } from "./broken-programs.ts";
import { projectOfTable, proofOf } from "./verdict-of.ts";

const project = projectOfTable();
afterAll(project.remove);

it.each(brokenPrograms.map((program) => ({ name: program[0], program })))("$name", async ({ program }) => {
  const [first, second] = [await proofOf(program, project.folder), await proofOf(program, project.folder)];
  expect(first.guarantees.map(({ verdict }) => verdict)).toEqual(["refuted"]);
  expect(second.guarantees).toEqual(first.guarantees);
});
