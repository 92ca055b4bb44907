/** Documents as deep as they may be go through everything, and one level more is refused by every reader. */
import { describe, expect, test } from "vitest";
import { check } from "../../src/ir/check/index.ts";
import type { Code } from "../../src/ir/diagnostic.ts";
import type { Document } from "../../src/ir/document.ts";
import { judge } from "../../src/ir/eval/formula.ts";
import { hashDocument } from "../../src/ir/hash.ts";
import { documentToJson } from "../../src/ir/json/encode.ts";
import { readJson } from "../../src/ir/json/reader.ts";
import { defaultLimits } from "../../src/ir/limits.ts";
import { readDocument } from "../../src/ir/read.ts";
import { readInputs, run } from "../../src/ir/run/interpret.ts";
import { recordedRunFromJson, recordedRunToJson } from "../../src/ir/run/recorded.ts";
import { printDocument } from "../../src/ir/text/printer.ts";
import { record } from "../../src/ir/value.ts";

const { depth } = defaultLimits;
const letOf = (expr: string) => `effect-ir 1\nprogram (xs: list<int>) {\n  let a = ${expr}\n}\n`;
const guaranteeOf = (expr: string) =>
  `effect-ir 1\nfluent f[string]: bool = true\ntool t(a: int)\nprogram (xs: list<int>) {\n  call t(a: 1)\n}\nguarantee g(): ${expr}\n`;

/** Each: a text of `n` levels. A command, and a clause of a declaration, is a level of its own. */
const shapes: readonly (readonly [what: string, text: (n: number) => string])[] = [
  ["lists", (n) => letOf("[".repeat(n - 1) + "]".repeat(n - 1))],
  ["records", (n) => letOf(`${"{ a: ".repeat(n - 2)}1${" }".repeat(n - 2)}`)],
  ["options", (n) => letOf(`${"some(".repeat(n - 2)}1${")".repeat(n - 2)}`)],
  ["operators on the left", (n) => letOf(`${"(".repeat(n - 2)}1${" + 1)".repeat(n - 2)}`)],
  ["operators on the right", (n) => letOf(`${"1 - (".repeat(n - 2)}1${")".repeat(n - 2)}`)],
  ["differences without parentheses", (n) => letOf(`1${" - 1".repeat(n - 2)}`)],
  ["negations", (n) => letOf(`${"not ".repeat(n - 2)}true`)],
  ["implications", (n) => letOf(`${"true implies ".repeat(n - 2)}true`)],
  ["choices", (n) => letOf(`${"if true then 1 else ".repeat(n - 2)}2`)],
  ["names", (n) => letOf(`${Array.from({ length: n - 2 }, (_, i) => `let x${i} = 1 in `).join("")}2`)],
  [
    "names in names",
    (n) =>
      letOf(
        `${Array.from({ length: n - 2 }, (_, i) => `let x${i} = `).join("")}1${Array.from({ length: n - 2 }, () => " in 2").join("")}`,
      ),
  ],
  // As many records as fields of them.
  ["fields", (n) => letOf(`${"{ a: ".repeat(n / 2 - 1)}1${" }".repeat(n / 2 - 1)}${".a".repeat(n / 2 - 1)}`)],
  // A function is a level too.
  [
    "functions",
    (n) =>
      letOf(
        `${Array.from({ length: (n - 2) / 2 }, (_, i) => `map(xs, x${i} => `).join("")}1${")".repeat((n - 2) / 2)}`,
      ),
  ],
  [
    "quantifiers",
    (n) => guaranteeOf(`${Array.from({ length: n - 1 }, (_, i) => `forall x${i} in t: `).join("")}true`),
  ],
  [
    "conditions of quantifiers",
    (n) =>
      guaranteeOf(
        `${Array.from({ length: n - 1 }, (_, i) => `forall x${i} in t where `).join("")}true${": true".repeat(n - 1)}`,
      ),
  ],
  ["cells", (n) => guaranteeOf(`${"not ".repeat(n - 2)}final f["a"]`)],
];

describe("as deep as may be", () => {
  test.each(shapes)("%s", async (_, textOf) => {
    const text = textOf(depth);
    const read = readDocument(text);
    expect(read.ok ? [] : read.problems.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
    if (!read.ok) return;
    await throughEverything(read.value.checked.document);
  });

  test("loops", async () => {
    const loops = (n: number) => {
      const heads = Array.from({ length: n - 1 }, (_, i) => `for x${i} in xs carry a${i}: int = 0 {`);
      const ends = heads.map((_, i) => `next a${heads.length - 1 - i} = 1 }`);
      return `effect-ir 1\ntool t(a: int)\nprogram (xs: list<int>) {\n${heads.join("\n")}\ncall t(a: 1)\n${ends.join("\n")}\n}\n`;
    };
    const read = readDocument(loops(depth - 1));
    if (!read.ok) throw new Error(read.problems[0]?.message);
    const done = await throughEverything(read.value.checked.document);
    expect(done[0]?.indices.length).toBe(depth - 2);
    expectTooDeep(loops(depth + 1));
  });

  test("types", async () => {
    const types = (n: number) =>
      `effect-ir 1\nprogram (a: ${"option<list<".repeat((n - 2) / 2)}list<int>${">>".repeat((n - 2) / 2)}) {}\n`;
    const read = readDocument(types(depth));
    if (!read.ok) throw new Error(read.problems[0]?.message);
    const { checked } = read.value;
    expect(readDocument(printDocument(checked.document)).ok).toBe(true);
    expectTooDeep(types(depth + 2));
  });
});

describe("one level more is refused", () => {
  test.each(shapes)("%s", (what, textOf) => {
    expectTooDeep(textOf(isEven(what) ? depth + 2 : depth + 1));
  });
});

test("much deeper is refused as well, quickly and without an overflow", () => {
  for (const [, textOf] of shapes) expect(codesOf(readDocument(textOf(20_000)))).toEqual(["FC1402"]);
  // No document: readers that only count what they understand would go on.
  for (const open of ["[", "(", "{ a: ", "not ", "-", "some(", "if ", "let x = ", "x => ", "forall x in "]) {
    const read = readDocument(letOf(open.repeat(100_000)));
    expect(read.ok).toBe(false);
  }
  for (const open of ["[", '{"a":', '{"effectIr":1,"program":']) {
    expect(codesOf(readDocument(`{"effectIr":1,"program":${open.repeat(100_000)}`))).toEqual(["FC1402"]);
  }
});

describe("values as deep as may be", () => {
  const nested = (n: number) => `effect-ir 1
fluent f[string]: json = unknown
tool t(a: json) -> json
  ensures jsonKind(result) == jsonKind(a)
  sets f["a"] = a
program () {
  for i in range(${n}) carry j: json = json(1) {
    next j = json([j])
  }
  let answer = call t(a: j)
  let same = answer == j and contains([answer], j) and length(unique([answer, j])) == 1
  require same: "what was passed comes back"
}
guarantee g(): forall w in t: final f["a"] == w.a and result(w) == some(w.a)
`;

  test("go through everything", async () => {
    const { outcome, trace, verdict } = await runNested(nested(depth - 10));
    expect([outcome.kind, trace.length, verdict]).toEqual(["completed", 1, "holds"]);
  });

  test.each([depth + 1, 1000, 4000, 9000])("and %i levels stop the run", async (n) => {
    const { outcome, trace } = await runNested(nested(n));
    expect(outcome.kind === "stopped" && ["FC1402", "FC1407", "FC1507"]).toContain(
      outcome.kind === "stopped" && outcome.problem.code,
    );
    expect(trace).toEqual([]);
  });

  async function runNested(text: string) {
    const read = readDocument(text);
    if (!read.ok) throw new Error(read.problems[0]?.message);
    const { checked } = read.value;
    const inputs = record([]);
    const tools = new Map([["t", { run: (args: unknown) => (args as { a: unknown }).a }]]);
    const done = await run(checked, { inputs, tools });
    const { formula } = checked.document.guarantees[0]!;
    return { ...done, verdict: judge(checked, formula!, { inputs, trace: done.trace }).kind };
  }
});

async function throughEverything(document: Document): ReturnType<typeof traceOf> {
  const text = printDocument(document);
  const again = readDocument(text);
  expect(again.ok && again.value.checked.document).toEqual(document);
  const json = readDocument(JSON.stringify(documentToJson(document)));
  expect(json.ok && json.value.checked.document).toEqual(document);
  if (!json.ok) throw new Error("unreachable");
  expect(hashDocument(json.value.checked.document)).toBe(hashDocument(document));
  expect(check(document).ok).toBe(true);
  return traceOf(json.value.checked);
}

async function traceOf(checked: Parameters<typeof run>[0]) {
  const inputs = readInputs(checked, { xs: [7] });
  if (!inputs.ok) throw new Error(inputs.problems[0]?.message);
  const tools = new Map([["t", { run: () => undefined }]]);
  const { outcome, trace } = await run(checked, { inputs: inputs.value, tools });
  expect(outcome).toEqual({ kind: "completed" });
  for (const { formula } of checked.document.guarantees) {
    if (formula !== undefined)
      expect(judge(checked, formula, { inputs: inputs.value, trace }).kind).not.toBe("unknown");
  }
  const written = readJson(JSON.stringify(recordedRunToJson(checked, { inputs: inputs.value, trace })));
  expect(written.ok && recordedRunFromJson(checked, written.value.value).ok).toBe(true);
  return trace;
}

/** Those whose levels come in twos. */
function isEven(what: string): boolean {
  return what === "functions" || what === "fields";
}

function expectTooDeep(text: string): void {
  expect(codesOf(readDocument(text))).toEqual(["FC1402"]);
  const loose = readDocument(text, { ...defaultLimits, depth: depth + 10 });
  if (!loose.ok) throw new Error(loose.problems[0]?.message);
  const { document } = loose.value.checked;
  expect(codesOf(readDocument(JSON.stringify(documentToJson(document))))).toEqual(["FC1402"]);
  expect(codesOf(check(document))).toEqual(["FC1402"]);
}

function codesOf(result: {
  readonly ok: boolean;
  readonly problems?: readonly { readonly code: Code }[];
}): Code[] {
  return [...new Set(result.problems?.map(({ code }) => code) ?? [])];
}
