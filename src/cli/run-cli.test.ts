import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FakeOptions, fakeHost } from "../../tests/cli/fake-host.ts";
import { hashDocument, readDocument } from "../ir/index.ts";
import { runCli } from "./run-cli.ts";

const example = (name: string) => readFileSync(new URL(`../../examples/${name}`, import.meta.url), "utf8");
const payCard = example("pay-card.eir");

const files = {
  "pay.eir": payCard,
  "in.json": '{ "budget": 300 }',
  "mocks.json": example("pay-card.mocks.json"),
  "bad.eir": "effect-ir 1\nprogram () {\n  call nothing()\n  call void()\n}\n",
  "broken.json": '{ "budget": }',
};

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly files: ReadonlyMap<string, string | Uint8Array>;
}

async function foreclaim(args: readonly string[], options: FakeOptions = {}): Promise<Said> {
  const host = fakeHost({ ...options, files: { ...files, ...options.files } });
  const code = await runCli(args, host, "1.2.3");
  return { code, out: host.out(), err: host.err(), files: host.files };
}

const kernelCommands = ["init", "status", "exec", "eval", "rollback", "resolve"]
  .map((name) => `kernel ${name}`)
  .concat(
    ["show", "verify", "export", "checkpoint"].map((name) => `trace ${name}`),
    "kernel",
    "trace",
  );

const words = (line: string) => line.split(" ");

function payHash(): string {
  const read = readDocument(payCard);
  if (!read.ok) throw new Error("unreadable");
  return hashDocument(read.value.checked.document);
}

describe("help and version", () => {
  it("prints the version", async () => {
    expect(await foreclaim(["--version"])).toMatchObject({ code: 0, out: "1.2.3\n", err: "" });
    expect(await foreclaim(["-V"])).toMatchObject({ code: 0, out: "1.2.3\n" });
  });

  it.each([
    "",
    "demo",
    "ir",
    "ir check",
    "ir print",
    "ir json",
    "ir hash",
    "ir run",
    "ir eval",
    ...kernelCommands,
  ])("of `%s`: a purpose, options and two or three examples, on 80 columns", async (command) => {
    const { code, out, err } = await foreclaim([...words(command).filter(Boolean), "--help"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const [usage = "", blank, purpose = ""] = out.split("\n");
    expect(usage).toMatch(new RegExp(`^Usage: foreclaim ${command}`.trimEnd()));
    expect(blank).toBe("");
    expect(purpose).toMatch(/^[A-Z].*\.$/);
    expect(out).toContain("\nOptions:\n");
    const examples = out.slice(out.indexOf("\nExamples:\n")).match(/^ {2}\$ .*foreclaim .*/gm) ?? [];
    expect(examples.length).toBeGreaterThanOrEqual(2);
    expect(examples.length).toBeLessThanOrEqual(3);
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("is said, with exit code 2, when no command is given", async () => {
    for (const args of [[], ["ir"]]) {
      const { code, out, err } = await foreclaim(args);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toContain("Commands:");
    }
  });
});

describe("wrong use", () => {
  it.each<[line: string, message: string, help: string]>([
    ["frob", "unknown command `frob`", "see `foreclaim --help`"],
    ["ir chek pay.eir", "unknown command `chek`", "did you mean `check`?"],
    ["ir check", "missing required argument `file`", "see `foreclaim ir check --help`"],
    [
      "ir check a b",
      "too many arguments for `check`: expected 1 argument but got 2",
      "see `foreclaim ir check --help`",
    ],
    ["ir check pay.eir --jsn", "unknown option `--jsn`", "did you mean `--json`?"],
    [
      "ir run pay.eir --input",
      "option `-i, --input <file>` argument missing",
      "see `foreclaim ir run --help`",
    ],
    [
      "ir run pay.eir --seed x",
      "option `-s, --seed <n>` argument `x` is invalid: expected a whole number from 0 to 999999999999999",
      "see `foreclaim ir run --help`",
    ],
    [
      "ir run pay.eir -i in.json --resume r.json",
      "option `-i, --input <file>` cannot be used with option `-r, --resume <file>`",
      "see `foreclaim ir run --help`",
    ],
    ["ir run - -i -", "standard input can be read only once", "give the others as files"],
    ["ir run pay.eir -i in.json -o -", "`-o -` is not a file", "use --json to print the run"],
    ["ir run pay.eir -i in.json -o pay.eir", "`-o pay.eir` would overwrite an input", "choose another name"],
    ["ir run pay.eir -i in.json -o in.json", "`-o in.json` would overwrite an input", "choose another name"],
    ["ir eval - -t -", "standard input can be read only once", "give the others as files"],
    [
      "ir eval pay.eir",
      "there is nothing to evaluate",
      "give a recorded run with --trace, inputs with --input, or an expression with --expr",
    ],
  ])("`%s`", async (line, message, help) => {
    const plain = await foreclaim(words(line));
    expect(plain).toMatchObject({ code: 2, out: "" });
    expect(plain.err).toBe(`error FC9001: ${message}\n  help: ${help}\n`);
    const json = await foreclaim([...words(line), "--json"]);
    if (message.includes("argument missing")) return; // `--json` is then taken for the argument
    expect(json).toMatchObject({ code: 2, err: "" });
    expect(JSON.parse(json.out)).toEqual({
      ok: false,
      problems: [{ code: "FC9001", message, path: [], help }],
    });
    expect(json.files).toEqual(new Map(Object.entries(files)));
  });
});

describe("files that cannot be read", () => {
  it.each<[path: string, options: FakeOptions, message: string]>([
    ["none.eir", {}, "error FC9002: cannot read `none.eir`: there is no such file\n"],
    ["d", { failing: { d: "EISDIR" } }, "error FC9002: cannot read `d`: it is a directory\n"],
    ["d", { failing: { d: "EACCES" } }, "error FC9002: cannot read `d`: permission denied\n"],
    ["d", { failing: { d: "EWEIRD" } }, "error FC9002: cannot read `d`: the system says EWEIRD\n"],
    [
      "d",
      { files: { d: new Uint8Array(128 * 1024 * 1024 + 1) } },
      "error FC9002: cannot read `d`: it is larger than 128 MiB\n",
    ],
    [
      "d",
      { files: { d: Uint8Array.of(0x65, 0xc3) } },
      "error FC9003: cannot read `d`: its bytes are not UTF-8\n  help: save it as UTF-8\n",
    ],
    [
      "d",
      { files: { d: Uint8Array.of(0xff, 0xfe, 0x65, 0) } },
      "error FC9003: cannot read `d`: its bytes are not UTF-8\n  help: it looks like UTF-16; save it as UTF-8\n",
    ],
  ])("%s %#", async (path, options, message) => {
    for (const command of ["check", "print", "json", "hash", "run"]) {
      expect(await foreclaim(["ir", command, path], options)).toMatchObject({
        code: 2,
        out: "",
        err: message,
      });
    }
    const { code, out } = await foreclaim(["ir", "check", path, "--json"], options);
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ ok: false, problems: [{ code: message.slice(6, 12) }] });
  });
});

describe("ir check", () => {
  it("says in one line that a document is fine", async () => {
    expect(await foreclaim(["ir", "check", "pay.eir"])).toMatchObject({
      code: 0,
      out: `ok  ${payHash()}  4 tools, 1 fluent, 4 calls, 2 guarantees\n`,
      err: "",
    });
  });

  it("says so as data", async () => {
    const { code, out } = await foreclaim(["ir", "check", "pay.eir", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      ok: true,
      hash: payHash(),
      tools: 4,
      fluents: 1,
      calls: 4,
      guarantees: 2,
    });
  });

  it("reads standard input", async () => {
    expect((await foreclaim(["ir", "check", "-"], { stdin: payCard })).code).toBe(0);
    const { err } = await foreclaim(["ir", "check", "-"], { stdin: "what" });
    expect(err).toContain("<stdin>:1:1");
  });

  it("shows every problem in its place", async () => {
    expect(await foreclaim(["ir", "check", "bad.eir"])).toMatchObject({
      code: 2,
      out: "",
      err: `error FC1203: there is no tool \`nothing\` here
 --> bad.eir:3:8
  |
3 |   call nothing()
  |        ^^^^^^^

error FC1203: there is no tool \`void\` here
 --> bad.eir:4:8
  |
4 |   call void()
  |        ^^^^
`,
    });
  });

  it("gives problems as data, with lines and columns", async () => {
    const { code, out, err } = await foreclaim(["ir", "check", "bad.eir", "--json"]);
    expect({ code, err }).toEqual({ code: 2, err: "" });
    const { ok, problems } = JSON.parse(out);
    expect(ok).toBe(false);
    expect(problems[0]).toEqual({
      code: "FC1203",
      message: "there is no tool `nothing` here",
      path: ["program", "body", 0, "tool"],
      file: "bad.eir",
      line: 3,
      column: 8,
      endLine: 3,
      endColumn: 15,
    });
  });

  it("counts columns in code units, and shows colours when there are some", async () => {
    const stdin = 'effect-ir 1 program () { let x = "\u{1f600}" ++ y }';
    const { out } = await foreclaim(["ir", "check", "-", "--json"], { stdin });
    expect(JSON.parse(out).problems[0]).toMatchObject({ line: 1, column: stdin.indexOf("y") + 1 });
    const { err } = await foreclaim(["ir", "check", "-"], {
      stdin,
      colour: true,
      unicode: true,
      columns: 60,
    });
    expect(err).toContain("\u001b[31m^\u001b[39m");
    expect(err).toContain("│");
  });
});

describe("ir print, json and hash", () => {
  it("turn one form into the other, with one hash", async () => {
    const { out: json } = await foreclaim(["ir", "json", "pay.eir"]);
    const { out: text } = await foreclaim(["ir", "print", "-"], { stdin: json });
    const { out: again } = await foreclaim(["ir", "json", "-"], { stdin: text });
    expect(again).toBe(json);
    for (const stdin of [json, text, payCard]) {
      expect((await foreclaim(["ir", "hash", "-"], { stdin })).out).toBe(`${payHash()}\n`);
    }
    expect(json.startsWith('{\n  "effectIr": 1,')).toBe(true);
    expect(json.endsWith("}\n")).toBe(true);
  });

  it("print the bytes that are hashed", async () => {
    const { out } = await foreclaim(["ir", "json", "pay.eir", "--canonical"]);
    const { createHash } = await import("node:crypto");
    expect(`eir1-${createHash("sha256").update(out).digest("hex")}`).toBe(payHash());
  });

  it("answer as data", async () => {
    const say = async (command: string) =>
      JSON.parse((await foreclaim(["ir", command, "pay.eir", "--json"])).out);
    const { out: text } = await foreclaim(["ir", "print", "pay.eir"]);
    const { out: json } = await foreclaim(["ir", "json", "pay.eir"]);
    expect(await say("print")).toEqual({ ok: true, hash: payHash(), text });
    expect(await say("json")).toEqual({ ok: true, hash: payHash(), document: JSON.parse(json) });
    expect(await say("hash")).toEqual({ ok: true, hash: payHash() });
  });

  it("keep a source map beside the document, and out of the hash", async () => {
    const sourceMap = { files: ["pay.ts"], places: { "/program": [0, 1, 1, 2, 1] } };
    const { out: json } = await foreclaim(["ir", "json", "pay.eir"]);
    const stdin = JSON.stringify({ ...JSON.parse(json), sourceMap });
    expect(JSON.parse((await foreclaim(["ir", "json", "-"], { stdin })).out).sourceMap).toEqual(sourceMap);
    expect((await foreclaim(["ir", "hash", "-"], { stdin })).out).toBe(`${payHash()}\n`);
    expect((await foreclaim(["ir", "json", "-", "--canonical"], { stdin })).out).not.toContain("pay.ts");
  });
});

describe("ir run", () => {
  const run = (more: string, options: FakeOptions = {}) => foreclaim(["ir", "run", ...words(more)], options);

  it("shows the trace and the verdicts", async () => {
    const { code, out, err } = await run("pay.eir -i in.json -m mocks.json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(`pay.eir  ${payHash().slice(0, 21)}...
one run with mock tools; it proves nothing about other runs

  #  call    tool           arguments                  outcome
  0  c1      bills.due                                 -> [{ to: "power", amount: 84.5 }, { to:
                                                       "rent", amount: 950 }, { to: "phone", amount:
                                                       29.9 }]
  1  c2      card.unfreeze  card: "visa"               returned
  2  pay[0]  card.pay       to: "power", amount: 84.5  returned
  3  pay[2]  card.pay       to: "phone", amount: 29.9  returned
  4  c4      card.freeze    card: "visa"               returned

completed after 5 calls

  holds     card.maxSpend(500)
  holds     card.frozenAtEnd("visa")
`);
  });

  it("uses signs where they can be seen", async () => {
    const { out } = await run("pay.eir -i in.json", { columns: 80, unicode: true });
    expect(out).toContain("✓ holds     card.maxSpend(500)");
  });

  it("gives the run as data that it can go on from", async () => {
    const { code, out } = await run("pay.eir -i in.json -m mocks.json --json");
    expect(code).toBe(0);
    const report = JSON.parse(out);
    expect(report).toMatchObject({
      ok: true,
      outcome: { kind: "completed" },
      guarantees: [
        { name: "card.maxSpend", args: ["500"], verdict: "holds" },
        { name: "card.frozenAtEnd", args: ['"visa"'], verdict: "holds" },
      ],
      final: [{ fluent: "card.frozen", key: "visa", value: true }],
      document: payHash(),
      inputs: { budget: "300" },
      initial: [],
    });
    expect(report.steps).toBeGreaterThan(10);
    expect(report.trace).toHaveLength(5);
    expect(report.trace[2]).toEqual({
      position: 2,
      id: "pay",
      indices: [0],
      tool: "card.pay",
      args: { to: "power", amount: "169/2" },
    });
    for (const made of [0, 1, 3, 5]) {
      const part = JSON.stringify({ ...report, trace: report.trace.slice(0, made) });
      const resumed = await run("pay.eir --resume part.json -m mocks.json --json", {
        files: { "part.json": part },
      });
      expect({ ...JSON.parse(resumed.out), steps: 0 }).toEqual({ ...report, steps: 0 });
    }
  });

  it("writes the run to a file, also over the one that it went on from", async () => {
    const { code, out, files: after } = await run("pay.eir -i in.json -m mocks.json -o run.json");
    expect(code).toBe(0);
    expect(out).toContain("completed after 5 calls");
    const written = String(after.get("run.json"));
    expect((await run("pay.eir -i in.json -m mocks.json --json")).out).toBe(written);
    const again = await run("pay.eir --resume run.json -m mocks.json -o run.json", {
      files: { "run.json": written },
    });
    expect(again.code).toBe(0);
    const withoutSteps = (text: string) => ({ ...JSON.parse(text), steps: 0 });
    expect(withoutSteps(String(again.files.get("run.json")))).toEqual(withoutSteps(written));
  });

  it("says when the file cannot be written", async () => {
    const failing = { "run.json": "EACCES" };
    expect(await run("pay.eir -i in.json -o run.json", { failing })).toMatchObject({
      code: 2,
      out: "",
      err: "error FC9004: cannot write `run.json`: permission denied\n",
    });
  });

  it("exits with 1 when the run stops, and says where", async () => {
    const mocks = '{"card.freeze": {"fails": "no\\u001b answer"}}';
    const said = await run("pay.eir -i in.json -m m.json", { files: { "m.json": mocks } });
    expect(said).toMatchObject({ code: 1, err: "" });
    expect(said.out).toContain(`stopped FC1504: \`card.freeze\` failed: no\\u001b answer
  --> pay.eir:27:3
   |
27 |   call card.freeze(card: "visa")
   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

  holds     card.maxSpend(500)
  unknown   card.frozenAtEnd("visa")
            a call that sets \`card.frozen\` failed
`);
    const { out } = await run("pay.eir -i in.json -m m.json --json", { files: { "m.json": mocks } });
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      outcome: { kind: "stopped", problem: { code: "FC1504", file: "pay.eir", line: 27, column: 3 } },
      guarantees: [
        { verdict: "holds" },
        { verdict: "unknown", why: "a call that sets `card.frozen` failed" },
      ],
      final: [{ fluent: "card.frozen", key: "visa", unknown: "a call that sets `card.frozen` failed" }],
    });
  });

  it("exits with 1 when a guarantee is violated or has no formula", async () => {
    const stdin =
      "effect-ir 1 tool t() program () { call t() } guarantee a(): count(x in t) == 0 guarantee b()";
    const { code, out } = await run("-", { stdin });
    expect(code).toBe(1);
    expect(out).toContain(
      "  violated  a()\n  unknown   b()\n            its formula is the trusted contract's\n",
    );
  });

  it("asks for the inputs that are missing", async () => {
    expect(await run("pay.eir")).toMatchObject({
      code: 2,
      out: "",
      err: `error FC1513: the program needs the input \`budget: real\`
  --> pay.eir:18:10
   |
18 | program (budget: real) {
   |          ^^^^^^^^^^^^
   help: give a JSON file with --input, for example:
         {"budget": 1}
`,
    });
  });

  it("asks for a mock when it finds no result", async () => {
    const stdin = "effect-ir 1 tool t() -> int ensures result > result program () { call t() }";
    const said = await run("-", { stdin });
    expect(said.code).toBe(2);
    expect(said.out).toContain("no generated result of `t` meets its `ensures`");
    expect(said.out).toContain('{"t": {"returns": 1}}');
    const { code, out } = await run("- --json", { stdin });
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ ok: false, problems: [{ code: "FC1509" }], trace: [] });
  });

  it.each<[files: Readonly<Record<string, string>>, more: string, place: string]>([
    [{}, "-i broken.json", "broken.json:1:13"],
    [{ "i.json": '{\n  "budget": "x"\n}' }, "-i i.json", "i.json:2:13"],
    [{ "i.json": '{ "budget": 1, "more": 2 }' }, "-i i.json", "i.json:1:24"],
    [{ "m.json": '{ "card.pya": {} }' }, "-i in.json -m m.json", "m.json:1:15"],
    [{ "m.json": '{ "card.pay": { "retruns": 1 } }' }, "-i in.json -m m.json", "m.json:1:28"],
    [{ "r.json": '{ "document": "eir1-0" }' }, "--resume r.json", "r.json:1:15"],
    [{ "r.json": "5" }, "--resume r.json", "r.json:1:1"],
  ])("refuses bad files, with the place: %j", async (more, line, place) => {
    const said = await run(`pay.eir ${line} -o out.json`, { files: more });
    expect(said).toMatchObject({ code: 2, out: "" });
    expect(said.err).toContain(` ${place}\n`);
    expect(said.files.has("out.json")).toBe(false);
  });

  it("refuses a record that is not of this program, with the call that does not fit", async () => {
    const report = JSON.parse((await run("pay.eir -i in.json -m mocks.json --json")).out);
    report.trace[2].args.to = "me";
    const files = { "r.json": JSON.stringify(report, null, 2) };
    const said = await run("pay.eir --resume r.json -o out.json", { files });
    expect(said).toMatchObject({ code: 2, out: "" });
    expect(said.err).toContain("call 2 of the recorded run does not fit");
    expect(said.err).toMatch(/r\.json:\d\d+:\d+/);
    expect(said.files.has("out.json")).toBe(false);
  });

  it("shows the beginning and the end of a long trace, and says so", async () => {
    const stdin = "effect-ir 1 tool t(n: int) program () { for i in range(250) max 250 { call t(n: i) } }";
    const { out } = await run("-", { stdin });
    expect(out.match(/^ +\d+ {2}c1\[/gm)).toHaveLength(100);
    expect(out).toContain("\n  150 calls not shown; --json has them all\n");
    const { trace } = JSON.parse((await run("- --json", { stdin })).out);
    expect(trace).toHaveLength(250);
  });
});

describe("ir eval", () => {
  const evaluate = (args: readonly string[], options: FakeOptions = {}) =>
    foreclaim(["ir", "eval", ...args], options);

  async function recorded(mocks: string): Promise<string> {
    const args = words("ir run pay.eir -i in.json -m m.json --json");
    return (await foreclaim(args, { files: { "m.json": mocks } })).out;
  }

  it("judges every guarantee on a recorded run", async () => {
    const run = await recorded(files["mocks.json"]);
    const said = await evaluate(["pay.eir", "--trace", "r.json"], { files: { "r.json": run } });
    expect(said).toMatchObject({ code: 0, err: "" });
    expect(said.out).toBe(
      'pay.eir  2 guarantees on a run of 5 calls\n\n  holds     card.maxSpend(500)\n  holds     card.frozenAtEnd("visa")\n',
    );
  });

  it("exits with 1 unless all hold", async () => {
    const run = await recorded('{"card.freeze": {"fails": "x"}}');
    const { code, out } = await evaluate(["pay.eir", "-t", "r.json", "--json"], { files: { "r.json": run } });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      ok: false,
      hash: payHash(),
      guarantees: [
        { name: "card.maxSpend", args: ["500"], verdict: "holds" },
        {
          name: "card.frozenAtEnd",
          args: ['"visa"'],
          verdict: "unknown",
          why: "a call that sets `card.frozen` failed",
        },
      ],
    });
  });

  it("judges a run without calls", async () => {
    const said = await evaluate(["pay.eir", "-i", "in.json"]);
    expect(said.code).toBe(0);
    expect(said.out).toContain("2 guarantees on a run without calls");
  });

  it.each<[expression: string, text: string]>([
    ["budget / 7", "ratio(300, 7): real"],
    ["count(p in card.pay)", "2: int"],
    ["sum(p in card.pay: p.amount)", "114.4: real"],
    ['final card.frozen["visa"]', "true: bool"],
    ['[some("a"), none]', '[some("a"), none]: list<option<string>>'],
    ["{ a: 1, b: budget > 3 }", "{ a: 1, b: true }: record{a: int, b: bool}"],
  ])("evaluates `%s`", async (expression, text) => {
    const run = await recorded(files["mocks.json"]);
    const said = await evaluate(["pay.eir", "-t", "r.json", "-e", expression], { files: { "r.json": run } });
    expect(said).toMatchObject({ code: 0, out: `${text}\n`, err: "" });
  });

  it("evaluates over a state that the fields of records decide", async () => {
    const stdin = `effect-ir 1
fluent seen[string]: bool = false
tool mark(u: record{id: string})
  sets seen[u.id] = true
program () { call mark(u: { id: "a" }) }`;
    const { out: run } = await foreclaim(["ir", "run", "-", "--json"], { stdin });
    const said = await evaluate(["-", "-t", "r.json", "-e", 'final seen["a"]'], {
      stdin,
      files: { "r.json": run },
    });
    expect(said).toMatchObject({ code: 0, out: "true: bool\n" });
  });

  it("gives the value as data", async () => {
    const { code, out } = await evaluate(["pay.eir", "-i", "in.json", "-e", "budget / 7", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ ok: true, type: "real", text: "ratio(300, 7)", value: "300/7" });
  });

  it("says what is not known, with exit code 1", async () => {
    const run = await recorded(
      `{"bills.due": {"returns": [{"to": "a", "amount": 5}]}, "card.pay": {"fails": "x"}}`,
    );
    const given = { files: { "r.json": run } };
    const sum = ["pay.eir", "-t", "r.json", "-e", "sum(p in card.pay: p.amount)"];
    expect(await evaluate(sum, given)).toMatchObject({
      code: 1,
      out: "unknown: real\nit is from 0 to 5, because a call failed\n",
    });
    const { code, out } = await evaluate([...sum, "--json"], given);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      ok: false,
      type: "real",
      why: "it is from 0 to 5, because a call failed",
    });
    const endless = await evaluate(["pay.eir", "-i", "in.json", "-e", "count(c in final card.frozen)"]);
    expect(endless).toMatchObject({ code: 1, out: "unknown: int\nit is greater than every number\n" });
  });

  it("shows problems of the expression in the expression", async () => {
    const said = await evaluate(["pay.eir", "-i", "in.json", "-e", "budget + bugdet"]);
    expect(said.code).toBe(2);
    expect(said.err).toContain("--> --expr:1:10\n");
    expect(said.err).toContain("  |          ^^^^^^");
    expect((await evaluate(["pay.eir", "-i", "in.json", "-e", "1 +"])).code).toBe(2);
  });

  it("asks for inputs that the program needs", async () => {
    const said = await evaluate(["pay.eir", "-e", "1 + 1"]);
    expect(said.code).toBe(2);
    expect(said.err).toContain("the program needs the input `budget: real`");
    expect((await evaluate(["-", "-e", "1 + 1"], { stdin: "effect-ir 1" })).out).toBe("2: int\n");
  });
});
