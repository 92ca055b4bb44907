/** The compile cache of the command between starts: used if it matches exactly, and otherwise ignored. */
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { build, foreclaim, root } from "./built.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-start-"));
const cli = join(folder, "dist/cli");
const compiled = join(cli, ".compiled");

beforeAll(async () => {
  await build();
  for (const name of ["package.json", "dist"])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
});
beforeEach(() => rmSync(compiled, { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(cli, "main.js"), ...args],
      { cwd: root, env: { PATH: process.env.PATH, ...env } },
      (_, out, err) => resolve(out + err),
    );
  });
}

const proof = ["prove", "examples/bank/pay-card.ts"];

/** Location of the cache for the current Node. */
const keptIn = () => join(compiled, ...readdirSync(compiled));
const keptAt = (name: string) => join(keptIn(), name);

describe("what is kept", () => {
  it("is written by the first start and used by the next, with the same answer", async () => {
    const first = await start(proof);
    expect(first).toMatch(/^proved {2}\d+ guarantees/m);
    const files = readdirSync(keptIn());
    expect(files).toContain("command.js");
    const times = files.map((name) => statSync(keptAt(name)).mtimeMs);
    expect(await start(proof)).toBe(first);
    expect(files.map((name) => statSync(keptAt(name)).mtimeMs)).toEqual(times);
    expect(readdirSync(keptIn())).toEqual(files);
  });

  it("is not used for a file that has changed, even to a text of the same length", async () => {
    await start(["--help"]);
    const file = join(cli, "command.js");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace("Proves what an agent", "Shouts what an agent"));
    try {
      expect(await start(["--help"])).toContain("Shouts what an agent");
    } finally {
      writeFileSync(file, text);
    }
    expect(await start(["--help"])).toContain("Proves what an agent");
  });

  it.each([
    ["shorter", (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ["empty", () => Buffer.alloc(0)],
    ["of another file", () => readFileSync(keptAt("failure.js"))],
    [
      "with a bit that flipped",
      (bytes: Buffer) => bytes.map((byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte)),
    ],
  ])("is not used when it is %s, and is mended", async (_, damaged) => {
    const first = await start(proof);
    const good = readFileSync(keptAt("command.js"));
    cpSync(
      keptAt(readdirSync(keptIn()).find((name) => name.startsWith("failure")) ?? ""),
      keptAt("failure.js"),
    );
    const bad = damaged(good);
    writeFileSync(keptAt("command.js"), bad);
    expect(await start(proof)).toBe(first);
    expect(readFileSync(keptAt("command.js")).equals(bad)).toBe(false);
  });

  it("can be changed by nobody who could not change the command", async () => {
    const { mode } = statSync(join(cli, "main.js"));
    const before = process.umask(0);
    await start(proof);
    process.umask(before);
    expect(mode & 0o022).toBe(0);
    for (const path of [compiled, keptIn(), keptAt("command.js")])
      expect(statSync(path).mode & 0o022).toBe(0);
  });
});

describe("nothing is kept", () => {
  it("where it cannot be written", async () => {
    writeFileSync(compiled, "a file where the folder should be");
    expect(await start(proof)).toMatch(/^proved {2}\d+ guarantees/m);
    expect(statSync(compiled).isFile()).toBe(true);
  });

  it("of a command that did not come to its end", async () => {
    expect(await start(["prove", "examples/bank/no-such-program.ts"])).toContain("there is no such file");
    expect(existsSync(compiled)).toBe(false);
  });

  it("when Node is told to keep nothing", async () => {
    expect(await start(proof, { NODE_DISABLE_COMPILE_CACHE: "1" })).toMatch(/^proved {2}\d+ guarantees/m);
    expect(existsSync(compiled)).toBe(false);
  });
});

test("an older Node is told in one sentence, before anything else is loaded", async () => {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.4" } })`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(pretend)}` };
  expect(await foreclaim(["prove", "examples/bank/pay-card.ts"], { env })).toEqual({
    code: 2,
    out: "",
    err: "foreclaim needs Node 20 or newer, and this is Node 18.20.4\n",
  });
});
