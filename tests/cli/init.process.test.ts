/** `foreclaim init`: what it makes is proved, type-checks, and what its guide says is so. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentGuide } from "../../src/app/init/agent-guide.ts";
import { build, foreclaim, root } from "./built.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-init-"));
const project = join(folder, "My Agent");
const inFolder = { cwd: folder };

/** The programs of the guide, with what is said of each. */
const examples = Array.from(agentGuide.matchAll(/^```ts ?(\w*)\n([\s\S]*?)^```$/gm), ([, word, text]) => ({
  verdict: word === "" ? "proved" : word,
  text: text ?? "",
}));

beforeAll(async () => {
  await build();
  const { code, out, err } = await foreclaim(["init", "My Agent"], inFolder);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("made in My Agent\n  AGENTS.md       how agents write programs here\n");
  mkdirSync(join(project, "node_modules"));
  symlinkSync(root, join(project, "node_modules/foreclaim"), "junction");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a new project", () => {
  it("has a program that is proved, with nothing left open", async () => {
    const { code, out } = await foreclaim(["prove", "pay-power.ts", "--json"], { cwd: project });
    expect(code).toBe(0);
    const told = JSON.parse(out);
    expect(told.verdict).toBe("proved");
    expect(told.guarantees.map((one: { interruption: unknown }) => one.interruption)).toEqual([
      { safe: true },
      { safe: true },
    ]);
  });

  it("has a package of its own, named after the folder", () => {
    expect(JSON.parse(readFileSync(join(project, "package.json"), "utf8"))).toMatchObject({
      name: "my-agent",
      private: true,
      dependencies: { foreclaim: expect.stringMatching(/^\^\d/) },
    });
  });

  it("lists its tools", async () => {
    const { code, out } = await foreclaim(["tools", "My Agent"], inFolder);
    expect(code).toBe(0);
    expect(out).toContain('import * as bank from "./tools/bank";');
    expect(out).toContain(
      "tool bank.pay({ to: string; amount: number }): Promise<void>\n    Pays someone.\n",
    );
  });

  it("has a guide whose programs are what it says of them", async () => {
    expect(examples.map(({ verdict }) => verdict)).toEqual(["proved", "proved", "refuted"]);
    const names = examples.map(({ text }, i) => {
      writeFileSync(join(project, `guide-${i}.ts`), text);
      return `guide-${i}.ts`;
    });
    const { out } = await foreclaim(["prove", ...names, "--json"], { cwd: project });
    const verdicts = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).verdict);
    expect(verdicts).toEqual(examples.map(({ verdict }) => verdict));
  });

  it("type-checks with the package's own types, the programs of the guide too", () => {
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout, status } = spawnSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" });
    expect(stdout).toBe("");
    expect(status).toBe(0);
  });
});

describe("what is there already", () => {
  const all = (path: string) =>
    Object.fromEntries(
      readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => [
          join(entry.parentPath, entry.name),
          readFileSync(join(entry.parentPath, entry.name), "utf8"),
        ]),
    );

  it("is listed and left alone, and nothing else is made", async () => {
    const there = join(folder, "there");
    mkdirSync(join(there, "tools"), { recursive: true });
    writeFileSync(join(there, "AGENTS.md"), "mine");
    writeFileSync(join(there, "tools/bank.ts"), "mine");
    const before = all(there);
    const { code, out, err } = await foreclaim(["init", "there"], inFolder);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toBe(
      "error FC9004: `there/AGENTS.md` and `there/tools/bank.ts` are already in `there`\n" +
        "  help: move these files away, or choose another folder; nothing was changed\n",
    );
    expect(all(there)).toEqual(before);
  });

  it("may be a package, which stays as it is", async () => {
    const own = join(folder, "own");
    mkdirSync(own);
    writeFileSync(join(own, "package.json"), "{}");
    const { code, out } = await foreclaim(["init", "--json"], { cwd: own });
    expect(code).toBe(0);
    expect(JSON.parse(out).created).not.toContain("package.json");
    expect(readFileSync(join(own, "package.json"), "utf8")).toBe("{}");
  });

  it("may be a link that leads nowhere, which is not written through", async () => {
    const linked = join(folder, "linked");
    mkdirSync(linked);
    symlinkSync("../outside", join(linked, "AGENTS.md"));
    expect((await foreclaim(["init", "linked"], inFolder)).code).toBe(2);
    expect(existsSync(join(folder, "outside"))).toBe(false);
    expect(readdirSync(linked)).toEqual(["AGENTS.md"]);
  });

  it("may be a file where a folder is needed: nothing is left behind", async () => {
    const half = join(folder, "half");
    mkdirSync(half);
    writeFileSync(join(half, "tools"), "a file");
    const { code, err } = await foreclaim(["init", "half"], inFolder);
    expect(code).toBe(2);
    expect(err).toContain("cannot write `half/tools/bank.ts`: a part of its path is not a folder");
    expect(readdirSync(half)).toEqual(["tools"]);
    expect((await foreclaim(["init", "half/tools/deeper"], inFolder)).code).toBe(2);
  });
});
