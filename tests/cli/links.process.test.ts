/**
 * Symbolic links in tools folders: those that lead out of it are refused by every command that reads tool modules, and those
 * that stay inside are proved and run as the files that the front end read.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { load, prove } from "../../src/library.ts";
import { build, foreclaim } from "./built.ts";
import { command } from "./in-process.ts";

const bank = `import { contract, tool } from "foreclaim";
import { limit } from "./limit.ts";
export const pay = tool({ run: async ({ n }: { n: number }): Promise<void> => { console.log("pays with", limit); } });
export const atMost = contract(() => pay.all((p) => p.n <= limit));
`;
const limit = (n: number) => `export const limit = ${n};\n`;
const program = (from: string) => `import { program } from "foreclaim";
import * as bank from "${from}";
export default program({ guarantees: [bank.atMost()], async run() { await bank.pay({ n: 5 }); } });
`;

let folder = "";
const at = (path: string) => join(folder, path);
const write = (path: string, text: string) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};

/** A link from a path to what stands in it, as it is. */
const link = (path: string, to: string) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  symlinkSync(to, at(path));
};

beforeAll(() => build());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-links-"));
  write("tools/bank.ts", bank);
  write("tools/limit.ts", limit(5));
  write("outside/bank.ts", bank);
  write("outside/limit.ts", limit(5));
  write("pay.ts", program("./tools/bank.ts"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the output of each way to read tool modules. */
async function everywhere(file: string): Promise<readonly string[]> {
  const tools = at("tools");
  const named = ["--tools", tools];
  const said = [
    await command(["prove", at(file)]),
    await command(["prove", at(file), ...named]),
    await command(["build", tools, "-o", at("layer.json")]),
    await command(["tools", ...named]),
    await command(["certify", at(file), ...named]),
    await command(["run", at(file), ...named, "--yes"]),
    await command(["lint", folder]),
  ].map(({ out, err }) => out + err);
  const loaded = await load(tools);
  const proved = await prove(at(file), { tools });
  const serve = await foreclaim(["serve", "--port", "0"], { cwd: folder });
  return [
    ...said,
    serve.err,
    JSON.stringify(proved.errors),
    JSON.stringify(loaded.kind === "invalid" ? loaded.errors : loaded),
  ];
}

const out = "is a link that leads out of its tools folder";

describe("a link in a tools folder", () => {
  it.each<[what: string, make: () => void, says: string, file?: string]>([
    ["to a file outside", () => link("tools/more.ts", at("outside/bank.ts")), out],
    ["to a file outside, by `..`", () => link("tools/more.ts", "../outside/bank.ts"), out],
    ["to a folder outside", () => link("tools/more", "../outside"), out],
    ["to the folder above", () => link("tools/more", ".."), out],
    [
      "to a link that leads outside",
      () => {
        link("tools/a.ts", "b.ts");
        link("tools/b.ts", "inner/../../outside/bank.ts");
        mkdirSync(at("tools/inner"));
      },
      out,
    ],
    ["to a folder whose name begins alike", () => link("tools/more", "../tools2"), out],
    ["that leads to itself", () => link("tools/more.ts", "more.ts"), "is a link that leads to no file"],
    ["that leads nowhere", () => link("tools/more.ts", "nothing.ts"), "is a link that leads to no file"],
    ["to its own folder", () => link("tools/more", "."), "is a link to a folder that contains it"],
    [
      "round in a circle",
      () => {
        link("tools/a/on", "../b");
        link("tools/b/on", "../a");
      },
      "is a link to a folder that contains it",
    ],
  ])("%s is refused", async (_, make, says) => {
    mkdirSync(at("tools2"));
    write("tools2/x.ts", bank);
    make();
    // Coverage policies may stand in any module, so all of them are looked at.
    for (const text of await everywhere("pay.ts")) expect(text).toContain(says);
  });

  it("is refused also where only an import leads to it", async () => {
    link("tools/.hidden", "../outside");
    write("tools/bank.ts", bank.replace("./limit.ts", "./.hidden/limit.ts"));
    for (const text of await everywhere("pay.ts")) expect(text).toContain(out);
    write("hidden.ts", program("./tools/.hidden/bank.ts"));
    expect((await command(["prove", at("hidden.ts")])).err).toContain(out);
  });

  it("may have many names for few folders, and is not followed for ever", async () => {
    for (let i = 0; i < 19; i++) for (const name of ["a", "b"]) link(`tools/f${i}/${name}`, `../f${i + 1}`);
    write("tools/f19/x.ts", bank.replace("./limit.ts", "../limit.ts"));
    expect((await command(["prove", at("pay.ts")])).err).toMatch(/has more than 2000 folders/);
  });

  it("may stay inside, and then what is proved is what is run", async () => {
    link("tools/other/bank.ts", "../bank.ts");
    // Beside the link lies another file than beside what it leads to.
    write("tools/other/limit.ts", limit(4));
    write("other.ts", program("./tools/other/bank.ts"));
    expect((await command(["prove", at("pay.ts")])).code).toBe(0);
    expect((await command(["prove", at("other.ts")])).out).toContain("refuted");
    write("tools/other/limit.ts", limit(6));
    await foreclaim(["kernel", "init", "ledger.db"], { cwd: folder });
    const run = await foreclaim(["run", "other.ts", "--yes", "--ledger", "ledger.db"], { cwd: folder });
    expect(run.out + run.err).toContain("pays with 6");
  });

  it("may be the tools folder itself", async () => {
    mkdirSync(at("elsewhere"));
    symlinkSync("../tools", at("elsewhere/tools"));
    write("elsewhere/pay.ts", program("./tools/bank.ts"));
    expect((await command(["prove", at("elsewhere/pay.ts")])).code).toBe(0);
  });
});
