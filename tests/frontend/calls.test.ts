/** Tools that the text of a program calls: at least those of its document, and in plain programs no others. */
import { describe, expect, it } from "vitest";
import { calledInText } from "../../src/frontend/calls.ts";
import { defaultFrontLimits } from "../../src/frontend/codes.ts";
import { compileBody } from "../../src/frontend/program.ts";
import { declareAll } from "../../src/frontend/read/declare-all.ts";
import { World } from "../../src/frontend/read/modules.ts";
import { Problems } from "../../src/frontend/refusal.ts";
import { commandsIn } from "../../src/ir/index.ts";
import { atLeast, runs } from "../support/runs.ts";
import { Source } from "./arbitrary-source.ts";
import { labModule, sourceOf } from "./lab.ts";
import { officeModules } from "./natural/office.ts";
import { naturalPrograms } from "./natural/programs.ts";
import { programs } from "./programs.ts";

/** Undefined if it does not compile. */
function calls(files: Readonly<Record<string, string>>) {
  const world = new World({ readFile: (path) => files[path] }, defaultFrontLimits, new Problems(), ["tools"]);
  const module = world.load("program.ts", false, { file: "program.ts", start: 0, end: 0 });
  if (module === undefined) return undefined;
  declareAll(world);
  const program = world.problems.attempt(() => compileBody(world, module), undefined);
  if (program === undefined || world.problems.all.length > 0) return undefined;
  const compiled = new Set<string>();
  for (const command of commandsIn(program.body)) if (command.kind === "call") compiled.add(command.tool);
  return { compiled: [...compiled].sort(), text: [...calledInText(world, module)].sort() };
}

const inLab = (source: string) => calls({ "program.ts": source, "tools/lab.ts": labModule });

describe("the calls in a text", () => {
  const put = "await lab.put({ n: 1 });";
  it.each([
    ["a dead note", "if (false) console.log(1);", ["foreclaim.note"]],
    ["a note in a helper that nobody calls", "const f = () => { console.warn(1); };", ["foreclaim.note"]],
    ["a console of the program", "const console = { log: (n: number) => n }; console.log(1);", []],
    ["an answer", "return 1;", ["foreclaim.answer"]],
    ["a dead answer", "if (false) return 1;", ["foreclaim.answer"]],
    ["an answer behind a return", "return; return 1;", ["foreclaim.answer"]],
    [
      "an answer in a loop and a `try`",
      "for (const n of [1]) { try { return n; } catch {} }",
      ["foreclaim.answer"],
    ],
    ["a return of nothing", 'if (await lab.test({ key: "a" })) return undefined; return;', ["lab.test"]],
    ["a return of a helper", "const f = () => { return 1; }; f();", []],
    ["a return of a method", "class A { f() { return 1; } } new A().f();", []],
    ["a method", `class A { async f() { ${put} } } await new A().f();`, ["lab.put"]],
    ["a method that nobody calls", `class A { async f() { ${put} } }`, ["lab.put"]],
    ["a getter that nobody reads", "class A { get f() { console.log(1); return 1; } }", ["foreclaim.note"]],
    ["a static method that nobody calls", `class A { static async f() { ${put} } }`, ["lab.put"]],
    ["a tool that is a field", "class A { f = lab.put; } await new A().f({ n: 1 });", ["lab.put"]],
    [
      "a default of a parameter that is a field",
      "class A { constructor(private f = lab.put) {} }",
      ["lab.put"],
    ],
    [
      "a parameter that is a field, named like a tool",
      "const put = lab.put; class A { constructor(private put: number) {} f() { return this.put; } } new A(1).f();",
      [],
    ],
    ["a method named like a tool", "const put = lab.put; class A { put() { return 1; } } new A().put();", []],
    ["a label named like a tool", "const put = lab.put; put: for (const n of [1, 2]) { continue put; }", []],
    ["a loop without a bound", `while (await lab.test({ key: "a" })) { ${put} }`, ["lab.put", "lab.test"]],
    ["a handler", `try { await lab.risky({ key: "a" }); } catch (e) { ${put} }`, ["lab.put", "lab.risky"]],
  ])("are found: %s", (_, body, expected) => {
    expect(inLab(sourceOf({ body }))?.text).toEqual(expected);
  });

  it("are those of every program in the subset, dead ones besides", () => {
    const more: string[] = [];
    for (const [name, program] of Object.entries(programs)) {
      const found = inLab(sourceOf(program));
      expect(found?.text, name).toEqual(expect.arrayContaining(found?.compiled ?? []));
      if (found?.text.length !== found?.compiled.length) more.push(name);
    }
    // Programs with a dead branch are few.
    expect(more.length).toBeLessThan(Object.keys(programs).length / 4);
  });

  it("are those of programs as agents write them", () => {
    let exact = 0;
    for (const { name, source } of naturalPrograms) {
      const found = calls({ ...officeModules, "program.ts": source });
      expect(found?.text, name).toEqual(expect.arrayContaining(found?.compiled ?? []));
      if (found?.text.length === found?.compiled.length) exact++;
    }
    expect(exact).toBeGreaterThan(0.9 * naturalPrograms.length);
  });

  it("are those of random programs", () => {
    let seen = 0;
    for (let seed = 1; seed <= runs(60); seed++) {
      const source = sourceOf(new Source(seed).program());
      const found = inLab(source);
      if (found === undefined) continue;
      seen++;
      expect(found.text, source).toEqual(expect.arrayContaining(found.compiled));
    }
    expect(seen).toBeGreaterThan(atLeast(30));
  });

  it("can be told of any program that compiles, however odd", () => {
    const sources = Object.values(programs).map(sourceOf);
    let state = 99;
    const dice = (sides: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % sides;
    };
    let seen = 0;
    for (let i = 0; i < runs(300); i++) {
      const tokens = (sources[dice(sources.length)] ?? "").split(/\b/);
      const [at, to] = [dice(tokens.length), dice(tokens.length)];
      tokens.splice(to, 0, ...tokens.slice(at, at + 1 + dice(4)));
      const found = inLab(tokens.join(""));
      if (found === undefined) continue;
      seen++;
      expect(found.text, tokens.join("")).toEqual(expect.arrayContaining(found.compiled));
    }
    expect(seen).toBeGreaterThan(atLeast(10));
  });
});
