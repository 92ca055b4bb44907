/** Proved and refuted guarantees about flows, influence and readers, with their evidence; runs agree. */
import { afterAll, describe, expect, test } from "vitest";
import type { Checked } from "../../src/ir/check/index.ts";
import { judge } from "../../src/ir/eval/formula.ts";
import { readDocument } from "../../src/ir/read.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove, type Verdict } from "../../src/prove/prove.ts";

const solver = z3Wasm({ engines: 1 });
afterAll(() => solver.close());

const tools = `
fluent note[string]: string = ""
tool inbox() -> list<record{from: string, text: string, to: list<string>}>
  reads untrusted stores "mail" labels "private"
  readers row.to ++ [row.from, "me"]
tool doc(name: string) -> record{text: string, owners: list<string>, owner: string}
  reads stores "drive"
  readers result.owners ++ [result.owner]
tool diary(of: string) -> string
  reads stores "diaries"
  readers [of]
tool save(name: string, text: string)
  stores "drive"
tool keep(text: string)
  stores none sets note["x"] = text
tool clean(text: string) -> string
  reads stores none endorses untrusted
tool send(to: string, body: string)
  stores "mail" labels "out"
`;

function documentOf(body: string, formula: string): Checked {
  const text = `effect-ir 1\n${tools}\nprogram (who: string, names: list<string>) {\n${body}\n}\nguarantee g(): ${formula}\n`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join("\n"));
  return read.value.checked;
}

async function verdictOf(
  body: string,
  formula: string,
): Promise<{ readonly checked: Checked; readonly verdict: Verdict; readonly safe: boolean | undefined }> {
  const checked = documentOf(body, formula);
  const { guarantees } = await prove(checked, {
    solver: async () => solver,
    limits: { timeoutMs: 20_000, resources: 5_000_000 },
  });
  const [found] = guarantees;
  if (found === undefined) throw new Error("there is no guarantee");
  return { checked, verdict: found.verdict, safe: found.interruption && found.interruption.kind === "safe" };
}

describe("what may flow is known from the program alone", () => {
  const noSpam = "forall s in send: not flows(s.to, untrusted)";
  test.each<[body: string, formula: string, kind: Verdict["kind"]]>([
    ['let l = call inbox()\ncall send(to: who, body: "x")', noSpam, "proved"],
    ["let l = call inbox()\nfor m in l { call send(to: m.from, body: who) }", noSpam, "refuted"],
    ["let l = call inbox()\nfor m in l { call send(to: who, body: m.text) }", noSpam, "proved"],
    [
      'let l = call inbox()\nfor m in l { call send(to: who, body: "x") when m.text == "please" }',
      "forall s in send: not influenced(s, untrusted)",
      "refuted",
    ],
    [
      'let l = call inbox()\nfor n in names { call send(to: n, body: "x") }',
      "forall s in send: not influenced(s, untrusted)",
      "proved",
    ],
    [
      'for n in names { call send(to: n, body: "x") }\nlet l = call inbox()',
      "forall s in send: not influenced(s, inputs)",
      "refuted",
    ],
    ['call send(to: who, body: "x")', 'forall s in label "out": not flows(s.to, input names)', "proved"],
    ['call send(to: who, body: "x")', 'forall s in label "out": not flows(s.to, input who)', "refuted"],
    [
      'let l = call inbox()\nlet t = call clean(text: joinText(map(l, m => m.text), ","))\ncall send(to: t, body: "x")',
      noSpam,
      "proved",
    ],
    // A loop that is never entered breaks nothing.
    [
      'let l = call inbox()\nfor n in [] { call send(to: joinText(map(l, m => m.from), ","), body: "x") }',
      noSpam,
      "proved",
    ],
    [
      'let l = call inbox()\ncall send(to: joinText(map(l, m => m.from), ","), body: "x") when false',
      noSpam,
      "proved",
    ],
    [
      'let l = call inbox()\ncall send(to: joinText(map(l, m => m.from), ","), body: "x") when who == "a" and who != "a"',
      noSpam,
      "proved",
    ],
    // It is said only of some calls.
    [
      'let l = call inbox()\nfor m in l { call send(to: m.from, body: "x") when m.from == "bob" }',
      'forall s in send where flows(s.to, untrusted): s.to == "bob"',
      "proved",
    ],
    [
      'let l = call inbox()\nfor m in l { call send(to: m.from, body: "x") }',
      'forall s in send: flows(s.to, untrusted) implies s.to == "bob"',
      "refuted",
    ],
    // Rows, results and cells.
    ["let l = call inbox()", "forall r in rows inbox: not flows(r.from, untrusted)", "refuted"],
    ["let l = call inbox()", "forall r in rows inbox: not flows(r.from, tool inbox field text)", "proved"],
    ["let d = call doc(name: who)", "forall d in doc: not flows(result(d), input who)", "refuted"],
    ['let d = call doc(name: "a")', "forall d in doc: not flows(result(d), input who)", "proved"],
    [
      'let l = call inbox()\ncall keep(text: joinText(map(l, m => m.text), ","))',
      "forall c in final note: not flows(c.value, untrusted)",
      "refuted",
    ],
    [
      "let l = call inbox()\ncall keep(text: who)",
      "forall c in final note: not flows(c.value, untrusted)",
      "proved",
    ],
    // Through a file.
    [
      'let l = call inbox()\ncall save(name: "n", text: joinText(map(l, m => m.text), ","))\nlet d = call doc(name: "n")\ncall send(to: d.text, body: "x")',
      noSpam,
      "refuted",
    ],
  ])("%s | %s is %s", async (body, formula, kind) => {
    const { checked, verdict, safe } = await verdictOf(body, formula);
    expect(verdict.kind).toBe(kind);
    if (verdict.kind === "proved") expect(safe).toBe(true);
    if (verdict.kind !== "refuted") return;
    const [guarantee] = checked.document.guarantees;
    expect(guarantee?.formula && judge(checked, guarantee.formula, verdict.run).kind).toBe("violated");
    expect(verdict.flow?.length).toBeGreaterThan(0);
  });

  test("no solver is asked where calls are made for certain", async () => {
    const checked = documentOf('let l = call inbox()\ncall send(to: who, body: "x")', noSpam);
    const { guarantees } = await prove(checked, {
      solver: () => Promise.reject(new Error("the solver was asked")),
      limits: { timeoutMs: 1, resources: 1 },
    });
    expect(guarantees[0]?.verdict).toEqual({ kind: "proved", by: "ground" });
  });

  test("the evidence is the way of the data, not only what it decides", async () => {
    const { verdict } = await verdictOf(
      'let l = call inbox()\nfor m in l carry all: string = "" { next all = all ++ m.from }\ncall send(to: all, body: "x")',
      noSpam,
    );
    expect(verdict.kind === "refuted" && verdict.flow?.map(({ what }) => what)).toEqual([
      "`inbox` returns it",
      "the loop goes through it",
      "a value is computed from it",
      "the loop carries it on",
      "it is passed to `send` as `to`",
    ]);
  });
});

test.each<[when: string, kind: Verdict["kind"]]>([
  ["true", "refuted"],
  // No list that is tried is so long.
  ["i >= 30", "unknown"],
])("one may not read one page of an inner loop, and the other not another, when %s", async (when, kind) => {
  const { verdict } = await verdictOf(
    `for m in names {
      for n, i in names carry all: string = "" {
        let page = call diary(of: n) when (n == "ann" or n == "bob") and ${when}
        next all = all ++ orElse(page, "")
      }
      call send(to: who, body: all)
    }`,
    'forall s in send: mayRead(s.body, "ann") or mayRead(s.body, "bob")',
  );
  expect(verdict.kind).toBe(kind);
});

describe("who may read what is sent", () => {
  const onlyReaders = "forall s in send: mayRead(s.body, s.to)";
  test.each<[body: string, formula: string, kind: Verdict["kind"]]>([
    ['call send(to: who, body: "x")', onlyReaders, "proved"],
    ["call send(to: who, body: who)", onlyReaders, "proved"],
    ['let d = call doc(name: "a")\ncall send(to: d.owner, body: d.text)', onlyReaders, "proved"],
    ['let d = call doc(name: "a")\ncall send(to: who, body: d.text)', onlyReaders, "refuted"],
    [
      'let d = call doc(name: "a")\ncall send(to: who, body: d.text) when contains(d.owners, who)',
      onlyReaders,
      "proved",
    ],
    [
      'let d = call doc(name: "a")\nfor o in d.owners { call send(to: o, body: d.text) }',
      onlyReaders,
      "proved",
    ],
    [
      'let d = call doc(name: "a")\nfor n in names { call send(to: n, body: d.text) }',
      onlyReaders,
      "refuted",
    ],
    [
      'let d = call doc(name: "a")\nlet e = call doc(name: "b")\ncall send(to: d.owner, body: d.text ++ e.text)',
      onlyReaders,
      "refuted",
    ],
    [
      'let d = call doc(name: "a")\nlet e = call doc(name: "b")\ncall send(to: d.owner, body: d.text ++ e.text) when d.owner == e.owner',
      onlyReaders,
      "proved",
    ],
    // One document for each iteration.
    [
      "for n in names { let d = call doc(name: n)\ncall send(to: d.owner, body: d.text) }",
      onlyReaders,
      "proved",
    ],
    [
      "for n in names { let d = call doc(name: n)\ncall send(to: who, body: d.text) }",
      onlyReaders,
      "refuted",
    ],
    // What was collected is everyone's of whom it is.
    [
      'for n in names carry all: string = "" { let d = call doc(name: n)\ncall send(to: d.owner, body: all)\nnext all = all ++ d.text }',
      onlyReaders,
      "refuted",
    ],
    // The element itself.
    ["let l = call inbox()\nfor m in l { call send(to: m.from, body: m.text) }", onlyReaders, "proved"],
    [
      "let l = call inbox()\nfor m in l { for t in m.to { call send(to: t, body: m.text) } }",
      onlyReaders,
      "proved",
    ],
    ["let l = call inbox()\nfor m in l { call send(to: who, body: m.text) }", onlyReaders, "refuted"],
    ['let l = call inbox()\nfor m in l { call send(to: "me", body: m.text) }', onlyReaders, "proved"],
    [
      'let l = call inbox()\ncall send(to: "me", body: joinText(map(l, m => m.text), ","))',
      onlyReaders,
      "proved",
    ],
    [
      "let l = call inbox()\nfor m in l { for o in l { call send(to: m.from, body: o.text) } }",
      onlyReaders,
      "refuted",
    ],
    // A call that may fail has returned nothing then.
    [
      'let d = call doc(name: "a") catch failed\ncall send(to: value(d).owner, body: value(d).text) when not failed',
      onlyReaders,
      "proved",
    ],
  ])("%s | %s is %s", async (body, formula, kind) => {
    const { checked, verdict } = await verdictOf(body, formula);
    expect(verdict.kind === "unknown" ? verdict.why : verdict.kind).toBe(kind);
    if (verdict.kind !== "refuted") return;
    const [guarantee] = checked.document.guarantees;
    expect(guarantee?.formula && judge(checked, guarantee.formula, verdict.run).kind).toBe("violated");
    expect(verdict.flow?.length).toBeGreaterThan(0);
  });
});
