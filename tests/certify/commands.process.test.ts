/** `certify` and `check` as a person uses them: what they say, and their exit codes. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { command } from "../cli/in-process.ts";
import { installedCvc5 } from "../support/installed.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-certify-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bank = `effect-ir 1
tool bank.withdraw(amount: real)
`;
const guarantee = `guarantee bank.maxSpend(500):
  sum(w in bank.withdraw: w.amount) <= 500
`;
const files = {
  "good.eir": `${bank}program (limit: real) { call bank.withdraw(amount: min(limit, 500)) }\n${guarantee}`,
  "ground.eir": `${bank}program () { call bank.withdraw(amount: 500) }\n${guarantee}`,
  "bad.eir": `${bank}program (limit: real) { call bank.withdraw(amount: limit) }\n${guarantee}`,
  "loop.eir": `${bank}program (all: list<real>) {
  for x in all carry left: real = 500 {
    let pays = x >= 0 and x <= left
    call bank.withdraw(amount: x) when pays
    next left = if pays then left - x else left
  }
}\n${guarantee}`,
  "cells.eir": `effect-ir 1
fluent home.lit[string]: bool = false
tool home.off(lamp: string)
  sets home.lit[lamp] = false
program (lamps: list<string>) { for lamp in lamps { call home.off(lamp: lamp) } }
guarantee home.dark():
  count(l in final home.lit where l.value) == 0
`,
  "broken.eir": "effect-ir 1\nprogram",
};
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) writeFileSync(at(name), text);
  for (const name of ["good", "ground", "loop"])
    expect((await command(["certify", at(`${name}.eir`), "-o", at(`${name}.json`)])).code).toBe(0);
});

describe("certify", () => {
  test("writes what was asked for, or says it all", async () => {
    const said = await command(["certify", at("good.eir"), "-o", at("again.json"), "--json"]);
    expect(said.json()).toMatchObject({ ok: true, guarantees: 1, obligations: 1 });
    const printed = await command(["certify", at("good.eir")]);
    expect(printed.out).toBe(readFileSync(at("good.json"), "utf8"));
    expect(readFileSync(at("again.json"), "utf8")).toBe(printed.out);
  });

  test.each([
    ["bad.eir", 1, "FC5301"],
    ["cells.eir", 1, "FC5302"],
    ["broken.eir", 2, "FC1005"],
    ["missing.eir", 2, "FC9002"],
  ])("%s exits with %i", async (name, code, said) => {
    const found = await command(["certify", at(name), "-o", at("none.json")]);
    expect(found.err).toContain(said);
    expect(found.code).toBe(code);
  });
});

describe("check", () => {
  test("says what is shown, how, and what that rests on", async () => {
    const found = await command(["check", at("good.json")]);
    expect(found.code).toBe(0);
    expect(found.out).toMatch(/valid {2}.*good\.json/);
    expect(found.out).toContain("bank.maxSpend(500)");
    expect(found.out).toContain("1 by z3-wasm");
    expect(found.out).toMatch(/the checker has \d,\d{3} lines/);
    const data = await command(["check", at("ground.json"), "--json"]);
    expect(data.json()).toMatchObject({ ok: true, byEvaluation: 1, bySolver: 0, solvers: [] });
  });

  test("gives a third opinion where its proof applies, and says where it does not", async () => {
    const good = await command(["check", at("good.json"), "--verified"]);
    expect(good.code).toBe(0);
    expect(good.out).toContain(
      "third opinion, by obligations that are proved to be enough\n  bank.maxSpend(500): valid\n",
    );
    const loop = await command(["check", at("loop.json"), "--verified"]);
    expect(loop.code).toBe(0);
    expect(loop.out).toContain("  does not apply: the document has a loop over a list\n");
    const json = await command(["check", at("good.json"), "--verified", "--json"]);
    expect(json.json()).toMatchObject({
      verified: {
        applies: true,
        guarantees: ["valid"],
        requirements: "valid",
      },
    });
  });

  test("reads standard input", async () => {
    const stdin = readFileSync(at("ground.json"), "utf8");
    expect((await command(["check", "-"], { stdin })).code).toBe(0);
  });

  test("exits with 1 for what is not valid, and 2 for what cannot be read", async () => {
    const text = readFileSync(at("good.json"), "utf8");
    writeFileSync(at("changed.json"), text.replace("500", "501"));
    writeFileSync(at("torn.json"), text.slice(0, -20));
    expect((await command(["check", at("changed.json")])).code).toBe(1);
    expect((await command(["check", at("torn.json")])).code).toBe(2);
    expect((await command(["check", at("missing.json")])).code).toBe(2);
    const known = `eir1-${"0".repeat(64)}`;
    const other = await command(["check", at("ground.json"), "--document", known]);
    expect(other.err).toContain("FC5307");
    expect(other.code).toBe(1);
  });

  // It is looked for on the path alone.
  const isThere = installedCvc5() === "cvc5";
  test.runIf(isThere)("a second solver agrees", async () => {
    const found = await command(["check", at("good.json"), "--solvers", "2"]);
    expect(found.err).toBe("");
    expect(found.out).toMatch(/by z3-wasm .* and cvc5 \d+\.\d+/);
    expect(found.code).toBe(0);
    const data = await command(["check", at("good.json"), "--solvers", "2", "--json"]);
    const solvers = [{ name: "z3-wasm" }, { name: "cvc5" }];
    expect(data.json()).toMatchObject({ ok: true, bySolver: 1, solvers });
  });

  test("where there is no second solver, that is said", async () => {
    const found = await withPath("", ["check", at("good.json"), "--solvers", "2"]);
    expect(found.err).toContain("FC9005");
    expect(found.err).toContain("there is no second solver to ask");
    expect(found.code).toBe(2);
  });
});

describe("a solver on the path", () => {
  const bin = at("bin");
  beforeAll(() => {
    mkdirSync(bin);
    const versions = { z3: "Z3 version 4.8.12 - 64 bit", cvc5: "This is cvc5 version 1.0.2" };
    for (const [name, version] of Object.entries(versions)) {
      // If it were asked anything, it would agree to all.
      writeFileSync(join(bin, name), `#!/bin/sh\n[ "$1" = --version ] && echo "${version}" || yes unsat\n`);
      chmodSync(join(bin, name), 0o755);
    }
  });

  test.each([
    ["z3", "4.8.12", "4.12.0"],
    ["cvc5", "1.0.2", "1.0.3"],
  ])("%s %s is refused, since it is too old", async (name, version, least) => {
    for (const does of ["prove", "certify"]) {
      const found = await withPath(bin, [does, at("good.eir"), "--solver", `native:${name}`]);
      expect(found.err).toContain("FC9005");
      expect(found.err).toContain(`the solver \`${name}\` is version ${version}, which is too old`);
      expect(found.err).toContain(`version ${least} or newer is needed`);
      expect(found.code).toBe(2);
    }
  });

  test("is no second opinion if it is too old", async () => {
    const found = await withPath(bin, ["check", at("good.json"), "--solvers", "2"]);
    expect(found.err).toContain("there is no second solver to ask");
    expect(found.code).toBe(2);
  });
});

async function withPath(path: string, args: readonly string[]) {
  const { PATH } = process.env;
  try {
    process.env.PATH = path;
    return await command([...args]);
  } finally {
    process.env.PATH = PATH;
  }
}
