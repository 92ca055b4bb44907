/** The package as users get it: its contents, its entries and types, and the command from a tarball in an empty folder. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
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
import { contentProblems, type Packed, pack, publintProblems, typeProblems } from "../../scripts/package.mjs";
import { versionProblems } from "../../scripts/release.mjs";
import { ROOT } from "../../scripts/tools.mjs";
import { build } from "../cli/built.ts";
import { inTurns } from "../support/runs.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-package-"));
/** Holds the package and nothing that it depends on. */
const bare = join(folder, "bare");
/** Holds the package and what npm would install with it. */
const whole = join(folder, "whole");
let packed: Packed;

const manifest: {
  version: string;
  exports: Record<string, string | object>;
  repository: { url: string };
  homepage: string;
  bugs: { url: string };
} = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const entries = Object.keys(manifest.exports).filter((name) => typeof manifest.exports[name] === "object");

beforeAll(async () => {
  await build();
  packed = pack(folder);
  for (const place of [bare, whole]) {
    const modules = join(place, "node_modules");
    mkdirSync(modules, { recursive: true });
    execFileSync("tar", ["-xzf", packed.tarball, "-C", modules]);
    cpSync(join(modules, "package"), join(modules, "foreclaim"), { recursive: true });
    rmSync(join(modules, "package"), { recursive: true });
    writeFileSync(join(place, "package.json"), '{ "private": true, "type": "module" }');
  }
  linkDependencies(join(whole, "node_modules"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Everything that the lock file installs for users, and no tool of developers. */
function linkDependencies(modules: string): void {
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
    readFileSync(join(ROOT, "package-lock.json"), "utf8"),
  );
  const present = new Set(Object.keys(installed().packages));
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    if (name === undefined || dev || !present.has(path)) continue;
    mkdirSync(join(modules, name, ".."), { recursive: true });
    symlinkSync(join(ROOT, path), join(modules, name), "junction");
  }
}

function installed(): { packages: Record<string, unknown> } {
  return JSON.parse(readFileSync(join(ROOT, "node_modules/.package-lock.json"), "utf8"));
}

function node(cwd: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: folder },
  });
  return { status, out: stdout, err: stderr };
}

const command = ["node_modules/foreclaim/dist/cli/main.js"];

describe("the tarball", () => {
  it("has what users need, no source maps, and at most 6 MB without the playground", () => {
    expect(contentProblems(packed)).toEqual([]);
  });

  it("is judged by its size and by what it holds", () => {
    const files = [
      { path: "dist/ir.js.map", size: 1 },
      { path: "dist/playground/prover.js", size: 2_000_001 },
    ];
    expect(contentProblems({ tarball: "", unpackedSize: 8_000_002, files })).toEqual([
      "6000001 bytes unpacked are more than 6000000",
      "2000001 bytes of the playground are more than 2000000",
      "dist/ir.js.map is not for users",
      "LICENSE is missing",
      "README.md is missing",
      "CHANGELOG.md is missing",
      "dist/cli/main.js is missing",
    ]);
  });

  it("leaves trusted rooms to be read, with their comments", () => {
    for (const room of ["ir", "kernel", "certificate"]) {
      const built = packed.files.filter(
        ({ path }) => path.startsWith(`dist/${room}/`) && path.endsWith(".js"),
      );
      const sources = readdirSync(join(ROOT, "src", room), { recursive: true, encoding: "utf8" });
      expect(built).toHaveLength(sources.filter((name) => /(?<!\.test|\.soak)\.ts$/.test(name)).length);
    }
    const text = readFileSync(join(bare, "node_modules/foreclaim/dist/ir/run/interpret.js"), "utf8");
    expect(text.split("\n").length).toBeGreaterThan(40);
    expect(text).toMatch(/^\/\*\*/m);
  });

  it("pleases publint", async () => {
    expect(await publintProblems(packed.tarball)).toEqual([]);
  });

  it("has types that resolve wherever ES modules do", async () => {
    expect(await typeProblems(packed.tarball, inTurns(entries, 9))).toEqual([]);
  });

  it("says where it comes from", () => {
    expect(manifest.repository.url).toBe("git+https://github.com/foreclaim/foreclaim.git");
    expect([manifest.homepage, manifest.bugs.url].every((url) => url.startsWith("https://"))).toBe(true);
  });

  it("names the same version everywhere", () => {
    const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
    expect(versionProblems(manifest.version, read)).toEqual([]);
    expect(versionProblems("9.9.9", read)).toHaveLength(4);
  });
});

describe("without its dependencies", () => {
  const program = `
import { Kernel, MemoryLog } from "foreclaim/kernel";
const { value: kernel } = await Kernel.open({ ledger: new MemoryLog(), policy: { budgets: { usd: "3" } }, clock: () => 0 });
for (const key of ["a", "b"]) {
  const { verdict } = await kernel.reserve({ id: key, effects: [{ key: "paid", op: "set", value: true }], cost: "2" }, key);
  console.log(key, verdict);
}
console.log(kernel.status().budgets.usd.left);
`;

  it("has a kernel that decides: no solver, no database, nothing from npm", () => {
    writeFileSync(join(bare, "kernel.mjs"), program);
    expect(node(bare, ["kernel.mjs"])).toEqual({ status: 0, out: "a allowed\nb refused\n1\n", err: "" });
  });

  it("loads every entry with what npm installs", () => {
    const names = entries.map((name) => `foreclaim${name.slice(1)}`);
    const text = `const counts = {};
for (const name of ${JSON.stringify(names)}) counts[name] = Object.keys(await import(name)).length;
console.log(JSON.stringify(counts));`;
    const { status, out, err } = node(whole, ["--input-type=module", "-e", text]);
    expect({ status, err }).toEqual({ status: 0, err: "" });
    expect(Object.values(JSON.parse(out)).filter((count) => count === 0)).toEqual([]);
  });
});

describe("from the tarball in an empty folder", () => {
  it("makes a project whose one program is proved", () => {
    const made = node(whole, [...command, "init", "demo"]);
    expect({ status: made.status, err: made.err }).toEqual({ status: 0, err: "" });
    const programs = readdirSync(join(whole, "demo")).filter((name) => name.endsWith(".ts"));
    expect(programs).toHaveLength(1);
    const { status, out } = node(join(whole, "demo"), [
      join(whole, ...command),
      "prove",
      ...programs,
      "--json",
    ]);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ verdict: "proved" });
  });

  it("names its version", () => {
    expect(node(whole, [...command, "--version"]).out.trim()).toBe(manifest.version);
  });
});
