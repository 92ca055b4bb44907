/** Tool layers that were saved: the same as the folders they were built from, and nothing in them can be changed. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/app/files/node.ts";
import { SolverPool } from "../../src/app/prove/solver-pool.ts";
import { proveJob } from "../../src/app/service/prove-job.ts";
import { readToolFiles } from "../../src/app/service/tool-files.ts";
import { load, type Proof, prove } from "../../src/index.ts";
import { layerLimits, readLayer } from "../../src/link/index.ts";
import { command } from "../cli/in-process.ts";
import { folder as examples } from "../examples/examples.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-layer-"));
const at = (path: string) => join(folder, path);

/** Programs in a folder without tools, and the layer of those tools. */
const domains = ["bank", "home", "email", "database"];

beforeAll(async () => {
  for (const domain of domains) {
    cpSync(join(examples, domain), at(`with/${domain}`), { recursive: true });
    cpSync(join(examples, domain), at(`without/${domain}`), { recursive: true });
    rmSync(at(`without/${domain}/tools`), { recursive: true });
    const { code, err } = await command(["build", at(`with/${domain}/tools`), "-o", at(`${domain}.json`)]);
    expect(err + code).toBe("0");
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const timeless = ({ ms: _, file: __, ...proof }: Proof) => {
  // Whose line it is, is another path where the folder is not there.
  return JSON.parse(JSON.stringify(proof).replace(/"file":"[^"]*"/g, '"file":""'));
};

describe("a saved layer is the folder that it was built from", () => {
  it.each([
    "bank/pay-card.ts",
    "bank/pay-card.eir",
    "bank/tenths.ts",
    "bank/off-by-one.ts",
    "home/good-night.ts",
    "home/early-return.eir",
    "email/welcome.ts",
    "email/spoofed-contract.ts",
    "database/two-messages.ts",
  ])("%s", async (name) => {
    const [domain = ""] = name.split("/");
    const there = await prove(at(`with/${name}`));
    const here = await prove(at(`without/${name}`), { tools: at(`${domain}.json`) });
    expect(timeless(here)).toEqual(timeless(there));
    const isValid = there.verdict !== "invalid";
    expect(here.hash?.startsWith("eir1-") ?? false).toBe(isValid);
  });

  it("wherever a program expects the folder", async () => {
    mkdirSync(at("without/bank/deep"));
    const text = readFileSync(at("without/bank/pay-card.ts"), "utf8").replace("./tools", "../tools");
    writeFileSync(at("without/bank/deep/pay.ts"), text);
    const here = await prove(at("without/bank/deep/pay.ts"), { tools: at("bank.json") });
    expect(here.hash).toBe((await prove(at("with/bank/pay-card.ts"))).hash);
  });

  it("also where another folder lies in its place", async () => {
    mkdirSync(at("decoy/tools"), { recursive: true });
    cpSync(at("with/bank/pay-card.ts"), at("decoy/pay-card.ts"));
    const real = readFileSync(at("with/bank/tools/bank.ts"), "utf8");
    writeFileSync(at("decoy/tools/bank.ts"), real.replace("amount >= 0", "true"));
    writeFileSync(at("decoy/tools/more.ts"), "this is not TypeScript");
    const here = await prove(at("decoy/pay-card.ts"), { tools: at("bank.json") });
    expect(here.hash).toBe((await prove(at("with/bank/pay-card.ts"))).hash);
  });

  it("for `load`, `tools`, `compare`, `policy check` and plans", async () => {
    const saved = await load(at("bank.json"));
    const built = await load(at("with/bank/tools"));
    expect(saved).toEqual(built);
    const tools = ["--tools", at("bank.json")];
    expect((await command(["tools", at("without/bank"), ...tools])).out).toContain("maxSpend");
    expect((await command(["compare", "bank.maxSpend(1)", "bank.maxSpend(2)", ...tools])).out).toContain(
      "implies",
    );
    const plan = [
      "prove",
      at("without/bank/rent.json"),
      "--guarantee",
      "bank.maxSpend(850)",
      ...tools,
      "--json",
    ];
    expect((await command(plan)).json()).toMatchObject({ relativeTo: expect.stringContaining("fcm1-") });
    writeFileSync(at("policy.json"), JSON.stringify({ version: 1, rules: [] }));
    const checked = await command([
      "policy",
      "check",
      at("policy.json"),
      at("without/bank/pay-card.eir"),
      ...tools,
    ]);
    expect(checked.err).toBe("");
  });
});

describe("the service", () => {
  it("proves with a saved layer, and binds what it proves to the same modules", async () => {
    const tools = await readToolFiles(nodeFiles, at("without/bank"), [at("bank.json")]);
    if (!tools.ok) throw new Error(tools.problems[0]?.message);
    const how = { pool: new SolverPool(), timeoutMs: 1 };
    const context = { tools: tools.value, policy: undefined, how, nowMs: () => 0 };
    for (const name of ["pay-card.ts", "pay-card.eir"]) {
      const text = readFileSync(at(`without/bank/${name}`), "utf8");
      const { found } = await proveJob(context, { text, inputs: {} }, () => {});
      const { hash } = await prove(at(`with/bank/${name}`));
      expect(found).toMatchObject({ kind: "proof", view: { verdict: "proved" }, binding: { program: hash } });
    }
  });
});

describe("what is refused", () => {
  it("to run: the tools themselves are not there", async () => {
    const { err, code } = await command([
      "run",
      at("with/bank/pay-card.ts"),
      "--tools",
      at("bank.json"),
      "--yes",
    ]);
    expect(err).toMatch(/FC9002.*it is not a folder/);
    expect(code).toBe(2);
  });

  it("with folders beside it, or twice", async () => {
    const program = at("without/bank/pay-card.eir");
    for (const tools of [
      [at("bank.json"), at("with/bank/tools")],
      [at("bank.json"), at("bank.json")],
    ])
      expect((await prove(program, { tools })).errors).toMatchObject([{ code: "FC9001" }]);
  });

  it("to build what is not there, declares nothing or does not compile", async () => {
    mkdirSync(at("empty"));
    mkdirSync(at("broken"));
    writeFileSync(at("broken/a.ts"), "export const a = tool(;");
    for (const [path, code] of [
      ["nowhere", "FC9002"],
      ["empty", "FC9001"],
      ["broken", "FC2001"],
    ] as const)
      expect((await command(["build", at(path), "-o", at("x.json")])).err).toContain(code);
    expect((await command(["build", at("with/bank/tools"), "-o", at("no/x.json")])).err).toContain("FC9004");
  });

  const text = () => readFileSync(at("bank.json"), "utf8");
  const codeOf = (said: string) => {
    const read = readLayer(said);
    return read.ok ? "fine" : read.problem.code;
  };

  /** Files that are not a layer, and damaged layers. */
  it.each<[name: string, change: (layer: Layer) => unknown, code: string]>([
    ["nothing", (layer) => layer, "fine"],
    ["another version", (layer) => ({ ...layer, foreclaimTools: 2 }), "FC2611"],
    ["no version", ({ foreclaimTools: _, ...layer }) => layer, "FC2611"],
    ["a field more", (layer) => ({ ...layer, more: 1 }), "FC2611"],
    ["no files", ({ files: _, ...layer }) => layer, "FC2611"],
    ["a list", (layer) => [layer], "FC2611"],
    ["a name that leads out", (layer) => ({ ...layer, name: ".." }), "FC2611"],
    ["an absolute path", (layer) => withPath(layer, "/etc/bank.ts"), "FC2611"],
    ["a path that is not plain", (layer) => withPath(layer, "a/../bank.ts"), "FC2611"],
    ["a path with a line end", (layer) => withPath(layer, "bank\n.ts"), "FC2611"],
    ["a path too far above", (layer) => withPath(layer, `${"../".repeat(11)}bank.ts`), "FC2611"],
    ["a long path", (layer) => withPath(layer, `${"a".repeat(layerLimits.pathLength)}.ts`), "FC2611"],
    ["a file twice", (layer) => ({ ...layer, files: [...layer.files, ...layer.files] }), "FC2611"],
    [
      "a file with a field more",
      (layer) => ({ ...layer, files: [{ ...layer.files[0], more: 1 }] }),
      "FC2611",
    ],
    ["half a character", (layer) => withText(layer, (one) => `${one}// \ud800`), "FC2611"],
    ["too many files", (layer) => ({ ...layer, files: manyFiles(layerLimits.files + 1) }), "FC2611"],
    ["a file too long", (layer) => withText(layer, () => "/".repeat(layerLimits.fileLength + 1)), "FC2611"],
    [
      "as many files as there may be",
      (layer) => ({ ...layer, files: manyFiles(layerLimits.files) }),
      "FC2612",
    ],
    [
      "a file as long as it may be",
      (layer) => withText(layer, () => "/".repeat(layerLimits.fileLength)),
      "FC2612",
    ],
    ["another name", (layer) => ({ ...layer, name: "other" }), "FC2612"],
    ["another hash", (layer) => ({ ...layer, hash: layer.hash.replace(/.$/, "z") }), "FC2612"],
    [
      "another hash of modules",
      (layer) => ({ ...layer, modules: layer.modules.replace(/.$/, "z") }),
      "FC2612",
    ],
    ["a weaker requires", (layer) => withText(layer, (one) => one.replace("amount >= 0", "true")), "FC2612"],
    ["a comment", (layer) => withText(layer, (one) => `${one}// more`), "FC2612"],
    ["a module that does not compile", (layer) => withText(layer, (one) => `${one}(`), "FC2612"],
    [
      "a file that nobody needs",
      (layer) => ({ ...layer, files: [...layer.files, { path: "notes.md", text: "" }] }),
      "FC2612",
    ],
    [
      "a module more",
      (layer) => ({ ...layer, files: [...layer.files, { path: "more.ts", text: "" }] }),
      "FC2612",
    ],
    ["another formula", (layer) => JSON.parse(JSON.stringify(layer).replace('"<="', '"<"')), "FC2612"],
    ["nothing declared", (layer) => ({ ...layer, declared: {} }), "FC2612"],
  ])("%s", (_, change, code) => {
    expect(codeOf(JSON.stringify(change(JSON.parse(text()))))).toBe(code);
  });

  it("what is no JSON, cut off, or says a thing twice", () => {
    const said = text();
    for (const wrong of [
      "",
      "{",
      said.slice(0, -3),
      said.replace("{", '{"name":"tools",'),
      `${said}{}`,
      "null",
    ])
      expect(codeOf(wrong)).toBe("FC2611");
    expect(codeOf(" ".repeat(layerLimits.textLength + 1))).toBe("FC2611");
  });

  it("told with its file", async () => {
    writeFileSync(at("changed.json"), text().replace("amount >= 0", "amount >= 1"));
    const { errors } = await prove(at("without/bank/pay-card.ts"), { tools: at("changed.json") });
    expect(errors).toMatchObject([{ code: "FC2612", message: expect.stringContaining("changed.json") }]);
  });
});

interface Layer {
  readonly foreclaimTools: number;
  readonly name: string;
  readonly hash: string;
  readonly modules: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

function withPath(layer: Layer, path: string): Layer {
  return { ...layer, files: layer.files.map((file) => ({ ...file, path })) };
}

function withText(layer: Layer, change: (text: string) => string): Layer {
  return { ...layer, files: layer.files.map((file) => ({ ...file, text: change(file.text) })) };
}

function manyFiles(count: number): Layer["files"] {
  return Array.from({ length: count }, (_, i) => ({ path: `f${i}.md`, text: "" }));
}
