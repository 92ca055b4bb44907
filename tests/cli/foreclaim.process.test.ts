/** The command as users start it: processes, pipes, files, exit codes. What it says is tested in src/cli. */
import {
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
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build, foreclaim, root, shell } from "./built.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-"));
const inFolder = { cwd: folder };
const payCard = readFileSync(join(root, "examples/pay-card.eir"), "utf8");

beforeAll(async () => {
  await build();
  writeFileSync(join(folder, "pay.eir"), payCard);
  writeFileSync(join(folder, "in.json"), '{ "budget": 300 }');
  writeFileSync(join(folder, "mocks.json"), readFileSync(join(root, "examples/pay-card.mocks.json")));
  writeFileSync(join(folder, "fails.json"), '{ "card.freeze": { "fails": "no answer" } }');
  writeFileSync(
    join(folder, "fine.eir"),
    "effect-ir 1\ntool pay.send(amount: real)\n  requires amount >= 0\nprogram (n: real) {\n  call pay.send(amount: n) when n > 1 and n < 5\n}\nguarantee pay.max(5): sum(p in pay.send: p.amount) < 5\n",
  );
  writeFileSync(
    join(folder, "sure.eir"),
    "effect-ir 1\ntool pay.send(amount: real)\nprogram () {\n  call pay.send(amount: 3)\n}\nguarantee pay.max(5): sum(p in pay.send: p.amount) < 5\n",
  );
  writeFileSync(join(folder, "bad.eir"), "effect-ir 1\nprogram () {\n  call nothing()\n}\n");
  writeFileSync(join(folder, "latin1.eir"), Buffer.from([0x65, 0xe9, 0x0a]));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("exit codes", () => {
  it.each<[line: string, code: number]>([
    ["--version", 0],
    ["--help", 0],
    ["ir run --help", 0],
    ["ir check pay.eir", 0],
    ["prove --help", 0],
    ["prove fine.eir", 0],
    ["prove pay.eir", 1],
    ["prove fine.eir --timeout 0", 2],
    ["prove fine.eir --timeout 3601", 2],
    ["prove fine.eir --timeout 1e3", 2],
    ["prove fine.eir --solver yices", 2],
    ["prove fine.eir --show everything", 2],
    ["prove none.eir", 2],
    ["prove .", 2],
    ["prove latin1.eir", 2],
    ["prove", 2],
    ["prove program.js", 2],
    ["prove - -", 2],
    ["tools none", 2],
    ["tools pay.eir", 2],
    ["init pay.eir", 2],
    ["init a b", 2],
    ["ir print pay.eir", 0],
    ["ir json pay.eir", 0],
    ["ir hash pay.eir", 0],
    ["ir run pay.eir -i in.json -m mocks.json", 0],
    ["ir eval pay.eir -i in.json", 0],
    ["ir eval pay.eir -i in.json -e budget", 0],
    ["ir run pay.eir -i in.json -m fails.json", 1],
    ["", 2],
    ["frob", 2],
    ["ir check", 2],
    ["ir check bad.eir", 2],
    ["ir check none.eir", 2],
    ["ir check .", 2],
    ["ir check latin1.eir", 2],
    ["ir run pay.eir", 2],
    ["ir run pay.eir -i bad.eir", 2],
    ["ir eval pay.eir", 2],
  ])("`foreclaim %s` exits with %d", async (line, code) => {
    const said = await foreclaim(line.split(" ").filter(Boolean), inFolder);
    expect(said.code).toBe(code);
    if (code === 2) expect(said).toMatchObject({ out: "", err: expect.stringMatching(/./) });
    else expect(said.err).toBe("");
    expect(said.out + said.err).not.toContain("a fault of foreclaim");
  });

  it("with --json, everything is one object on standard output", async () => {
    for (const line of ["check bad.eir", "check none.eir", "run pay.eir", "hash pay.eir", "check x --frob"]) {
      const { code, out, err } = await foreclaim(["ir", ...line.split(" "), "--json"], inFolder);
      expect(err).toBe("");
      expect(JSON.parse(out).ok).toBe(code === 0);
    }
  });
});

describe("files", () => {
  it("are refused with one clear line", async () => {
    const said = async (path: string) => (await foreclaim(["ir", "check", path], inFolder)).err;
    expect(await said("none.eir")).toBe("error FC9002: cannot read `none.eir`: there is no such file\n");
    expect(await said(".")).toBe("error FC9002: cannot read `.`: it is a directory\n");
    expect(await said("pay.eir/x")).toContain("a part of its path is not a directory");
    expect(await said("latin1.eir")).toContain("its bytes are not UTF-8");
    expect(await said("/dev/zero")).toContain("it is larger than 128 MiB");
    symlinkSync("loop", join(folder, "loop"));
    expect(await said("loop")).toContain("its links go round in a circle");
  });

  it("are written whole or not at all", async () => {
    const write = (to: string) => foreclaim(["ir", "run", "pay.eir", "-i", "in.json", "-o", to], inFolder);
    expect((await write("run.json")).code).toBe(0);
    const first = readFileSync(join(folder, "run.json"), "utf8");
    expect(JSON.parse(first).outcome).toEqual({ kind: "completed" });
    expect(await write("no/such/run.json")).toMatchObject({
      code: 2,
      out: "",
      err: "error FC9004: cannot write `no/such/run.json`: there is no such folder\n",
    });
    expect((await write(".")).err).toContain("it is a directory");
    expect((await write("/dev/null")).code).toBe(0);
    expect(readdirSync(folder).filter((name) => name.includes("tmp"))).toEqual([]);
    symlinkSync("run.json", join(folder, "link.json"));
    expect((await write("link.json")).code).toBe(0);
    expect(readFileSync(join(folder, "run.json"), "utf8")).toBe(first);
  });

  it("that are read are never overwritten, also by another name", async () => {
    const args = ["ir", "run", "pay.eir", "-i", "in.json", "-o", `../${folder.split("/").at(-1)}/pay.eir`];
    expect((await foreclaim(args, inFolder)).code).toBe(2);
    expect(readFileSync(join(folder, "pay.eir"), "utf8")).toBe(payCard);
  });
});

describe("a run", () => {
  it("can be stopped short and resumed", async () => {
    const needy = `effect-ir 1
tool a() -> int
tool b() -> int
  ensures result * result == 15241578750190521
program () { let x = call a() let y = call b() require y == 123456789: "so it is" }
`;
    writeFileSync(join(folder, "needy.eir"), needy);
    const first = await foreclaim(["ir", "run", "needy.eir", "-o", "needy.json", "--seed", "3"], inFolder);
    expect(first.code).toBe(2);
    expect(first.out).toContain("no generated result of `b` meets its `ensures`");
    expect(JSON.parse(readFileSync(join(folder, "needy.json"), "utf8")).trace).toHaveLength(1);
    writeFileSync(join(folder, "b.json"), '{ "b": { "returns": 123456789 } }');
    const rest = ["ir", "run", "needy.eir", "--resume", "needy.json", "-m", "b.json", "--json"];
    const second = await foreclaim(rest, inFolder);
    expect(second.code).toBe(0);
    expect(JSON.parse(second.out).trace).toHaveLength(2);
  });

  it("is repeated by its seed, in every process", async () => {
    const document = `effect-ir 1
tool pick() -> int
  ensures result > 3 and result < 100000
program () { call pick() call pick() call pick() }
`;
    const trace = async (seed: string) => {
      const { out } = await foreclaim(["ir", "run", "-", "--json", "--seed", seed], { stdin: document });
      return JSON.stringify(JSON.parse(out).trace);
    };
    expect(await trace("7")).toBe(await trace("7"));
    expect(new Set([await trace("1"), await trace("2"), await trace("3")]).size).toBeGreaterThan(1);
  });
});

describe("pipes", () => {
  it("join commands", async () => {
    const line = "foreclaim ir json pay.eir | foreclaim ir print - | foreclaim ir hash -";
    const [piped, direct] = [
      await shell(line, inFolder),
      await foreclaim(["ir", "hash", "pay.eir"], inFolder),
    ];
    expect(piped).toMatchObject({ code: 0, out: direct.out, err: "" });
  });

  it("give the hash by other means", async () => {
    const { out } = await shell("foreclaim ir json pay.eir --canonical | sha256sum | cut -c1-64", inFolder);
    expect(`eir1-${out}`).toBe((await foreclaim(["ir", "hash", "pay.eir"], inFolder)).out);
  });

  it("take ten megabytes to the end, and may be closed early", async () => {
    const calls = Array.from({ length: 40_000 }, (_, i) => `  call t(text: "${i}")`);
    const text = `effect-ir 1\ntool t(text: string)\nprogram () {\n${calls.join("\n")}\n}\n`;
    writeFileSync(join(folder, "big.eir"), text);
    const whole = await shell("foreclaim ir json big.eir | tee big.json | wc -c", inFolder);
    expect(Number(whole.out)).toBeGreaterThan(10_000_000);
    expect(JSON.parse(readFileSync(join(folder, "big.json"), "utf8")).program.body).toHaveLength(40_000);
    const slow = await shell("foreclaim ir json big.eir | (sleep 1; cat) | wc -c", inFolder);
    expect(slow.out).toBe(whole.out);
    const cut = await shell("set -o pipefail; foreclaim ir json big.eir | head -c 20", inFolder);
    expect(cut.err).toBe("");
    expect(cut.out).toHaveLength(20);
    const closed = await shell(
      "foreclaim ir check bad.eir 2>&1 | true; foreclaim ir json big.eir | true",
      inFolder,
    );
    expect(closed.err).toBe("");
    const shut = await shell("foreclaim ir hash pay.eir >&-; foreclaim ir check bad.eir 2>&-", inFolder);
    expect(shut.err).not.toContain("at ");
  });

  it.skipIf(!existsSync("/dev/full"))("that lose something are not taken for success", async () => {
    const said = await shell("foreclaim ir hash pay.eir > /dev/full", inFolder);
    expect(said).toMatchObject({
      code: 2,
      err: "error FC9004: cannot write to standard output: there is no space left\n",
    });
  });

  it("have no colours or signs, unless asked for", async () => {
    const run = ["ir", "run", "pay.eir", "-i", "in.json", "-m", "fails.json"];
    const plain = await foreclaim(run, { ...inFolder, env: { LANG: "C.UTF-8", TERM: "xterm" } });
    expect(plain.out).toMatch(/^[\n -~]*$/);
    const forced = await foreclaim(run, { ...inFolder, env: { FORCE_COLOR: "1" } });
    expect(forced.out).toContain("\u001b[");
    const never = await foreclaim(run, { ...inFolder, env: { FORCE_COLOR: "1", NO_COLOR: "1" } });
    expect(never.out).toBe(plain.out);
    const help = await foreclaim(["--help"], { env: { FORCE_COLOR: "1" } });
    expect(help.out).toContain("\u001b[1mOptions:\u001b[22m");
  });
});

describe("starting", () => {
  it("loads nothing for help and version but the commands themselves", async () => {
    const line = `NODE_DISABLE_COMPILE_CACHE=1 NODE_DEBUG=module "${process.execPath}" dist/cli/main.js --version 2>&1 >/dev/null || true`;
    const { err, out } = await shell(line);
    // The debug output names every module that is loaded.
    const loaded = new Set(Array.from((out + err).matchAll(/dist\/[\w/.-]+\.js/g), ([path]) => path));
    const [main, command, ...others] = loaded;
    expect([main, command]).toEqual(["dist/cli/main.js", "dist/cli/command.js"]);
    // The library shares a few small functions with them.
    const bytes = others.map((path) => statSync(join(root, path)).size);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(10_000);
  });

  it("loads no solver for what is decided without one", async () => {
    const line = `NODE_DISABLE_COMPILE_CACHE=1 NODE_DEBUG=module,esm "${process.execPath}" dist/cli/main.js prove ${join(folder, "sure.eir")} 2>&1`;
    const { out } = await shell(line);
    expect(out).toContain("1 guarantee proved");
    expect(out).toMatch(/dist\/cli\/prove/);
    expect(out).not.toMatch(/z3|wasm|solver\/(pool|native)/);
  });
});
