/** The OWL API, which others read ontologies with, reads the three notations, finds OWL 2 DL in them, and the same axioms. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import { check } from "../../src/ir/index.ts";
import { ontologyOf, printFunctional, printTurtle, printXml, viewOf } from "../../src/view/index.ts";
import { examples, expectedOf, readFile } from "../examples/examples.ts";
import { installedOwlApi } from "../support/installed.ts";

const jars = installedOwlApi();
const folder = mkdtempSync(join(tmpdir(), "foreclaim-owl-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every so many of the examples; each is read three times. */
const step = 6;
const notations = { ofn: printFunctional, ttl: printTurtle, owx: printXml };

test.runIf(jars !== undefined)("examples in every notation", () => {
  const compiling = examples.filter(({ domain, name }) => expectedOf(domain)[name]?.verdict !== "invalid");
  const rows = compiling
    .filter((_, i) => i % step === 0)
    .map(({ path }, i) => {
      const compiled = compileProgram(path, { readFile });
      const checked = compiled.ok ? check(compiled.value.document) : compiled;
      if (!checked.ok) throw new Error(`${path} is expected to compile`);
      const ontology = ontologyOf(viewOf(checked.value));
      return Object.entries(notations).map(([extension, print]) => {
        const file = join(folder, `${i}.${extension}`);
        writeFileSync(file, print(ontology));
        return file;
      });
    });
  const reader = join(import.meta.dirname, "ReadOntologies.java");
  const args = ["-cp", jars ?? "", reader, ...rows.map((files) => files.join(","))];
  const { stdout, stderr, status } = spawnSync("java", args, { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  const read = stdout
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));
  const syntaxes = ["OWL Functional Syntax", "Turtle", "OWL/XML Syntax"];
  expect(read.map(([syntax, , isDl, isSame]) => [syntax, isDl, isSame])).toEqual(
    rows.flatMap(() => syntaxes.map((syntax) => [syntax, "true", "true"])),
  );
  expect(rows.length).toBeGreaterThan(50);
  for (const [, axioms] of read) expect(Number(axioms)).toBeGreaterThan(10);
});
