/**
 * Documents that must be refused. In a text, the line of a problem says so: `//! FC1203 8` is a problem of that code
 * which starts at column 8 of the line. Where that cannot be said in the file, `expected.json` says it.
 * Exactly these problems are reported, and no others.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { check } from "../../src/ir/check/index.ts";
import { type Code, codes } from "../../src/ir/diagnostic.ts";
import type { Document, Expr } from "../../src/ir/document.ts";
import { judge } from "../../src/ir/eval/formula.ts";
import { documentToJson } from "../../src/ir/json/encode.ts";
import { jsonSchema } from "../../src/ir/json/schema.ts";
import { defaultLimits, type Limits } from "../../src/ir/limits.ts";
import { readDocument } from "../../src/ir/read.ts";
import { record } from "../../src/ir/value.ts";
import { filesIn, type Located, located, readText } from "../support/spec-files.ts";

const folder = "spec/effect-ir/malformed";
const table: Readonly<Record<string, readonly Located[]>> = JSON.parse(readText(`${folder}/expected.json`));
const texts = filesIn(folder, ".eir");
const jsons = filesIn(folder, ".json").filter((name) => name !== "expected.json");

test("there are enough of them", () => {
  expect(texts.length).toBeGreaterThan(90);
  expect(jsons.length).toBeGreaterThan(40);
  expect(Object.keys(table).filter((name) => ![...texts, ...jsons].includes(name))).toEqual([]);
});

describe("text", () => {
  test.each(texts)("%s", (name) => {
    const text = readText(`${folder}/${name}`);
    expect(text).toMatch(/^\/\/ /);
    const expected = table[name] ?? marked(text);
    expect(expected.length).toBeGreaterThan(0);
    expect(problemsOf(text)).toEqual(expected);
  });
});

describe("JSON", () => {
  const validate = new Ajv2020({ allErrors: false }).compile(jsonSchema() as object);
  const shape: readonly string[] = ["FC1006", "FC1102", "FC1103", "FC1104", "FC1105"];

  test.each(jsons)("%s", (name) => {
    const text = readText(`${folder}/${name}`);
    const expected = table[name] ?? [];
    expect(expected.length).toBeGreaterThan(0);
    expect(problemsOf(text)).toEqual(expected);
    // The published schema refuses what has the wrong shape, and only that.
    if (expected.some(({ code }) => code === "FC1101" || code === "FC1106")) return;
    const isShape = expected.some(({ code }) => shape.includes(code));
    const isNumber = expected.some(({ code }) => code === "FC1004" || code === "FC1409");
    expect(validate(JSON.parse(text))).toBe(!isShape && !isNumber);
  });
});

test("every problem is told in one sentence, in lower case, without a full stop", () => {
  for (const name of [...texts, ...jsons]) {
    const read = readDocument(readText(`${folder}/${name}`));
    for (const { message, help } of read.ok ? [] : read.problems) {
      expect(message, name).toMatch(/^(?:JSON|[a-z`]).*[^.\s]$/);
      if (help !== undefined) expect(help, name).toMatch(/^(?:JSON|[a-z`]).*[^.\s]$/);
    }
  }
});

// ── limits: at the limit accepted, one beyond it refused ─────────────────────────────────────────────────

interface LimitCase {
  readonly what: string;
  readonly code: Code;
  readonly limits: (n: number) => Partial<Limits>;
  /** A document that reaches `n`. */
  readonly document: (n: number) => string;
}

const wrap = (value: string) => `effect-ir 1\nprogram () {\n  let a = ${value}\n}\n`;
const jsonOf = (text: string) => {
  const read = readDocument(text);
  if (!read.ok) throw new Error(`${text} is no document`);
  return JSON.stringify(documentToJson(read.value.checked.document));
};

const limitCases: readonly LimitCase[] = [
  {
    what: "the length of a text",
    code: "FC1401",
    limits: (textLength) => ({ textLength }),
    document: (n) => "effect-ir 1\nprogram () {}".padEnd(n, " "),
  },
  {
    what: "the length of a JSON text",
    code: "FC1401",
    limits: (textLength) => ({ textLength }),
    document: (n) => '{"effectIr":1,"program":{}}'.padEnd(n, " "),
  },
  ...["", "json "].flatMap((form): LimitCase[] => {
    const written = (text: string) => (form === "" ? text : jsonOf(text));
    return [
      {
        what: `${form}the depth of lists`,
        code: "FC1402",
        limits: (depth) => ({ depth }),
        // The command is the first level.
        document: (n) => written(wrap("[".repeat(n - 1) + "]".repeat(n - 1))),
      },
      {
        what: `${form}the depth of operators`,
        code: "FC1402",
        limits: (depth) => ({ depth }),
        document: (n) => written(wrap(`${"not ".repeat(n - 2)}true`)),
      },
      {
        what: `${form}the depth of loops`,
        code: "FC1402",
        limits: (depth) => ({ depth }),
        document: (n) => {
          const heads = Array.from({ length: n - 1 }, (_, i) => `for x${i} in [] {`);
          return written(`effect-ir 1\nprogram () {${heads.join("\n")}${"}".repeat(n - 1)}}`);
        },
      },
      {
        what: `${form}the depth of types`,
        code: "FC1402",
        limits: (depth) => ({ depth }),
        document: (n) =>
          written(`effect-ir 1\nprogram (a: ${"list<".repeat(n - 1)}int${">".repeat(n - 1)}) {}`),
      },
      {
        what: `${form}the length of a string`,
        code: "FC1404",
        limits: (stringLength) => ({ stringLength }),
        document: (n) => written(wrap(`"${"x".repeat(n)}"`)),
      },
      {
        what: `${form}the places of a pattern`,
        code: "FC1410",
        limits: (patternSize) => ({ patternSize }),
        // Anything before and after it, two places each, and each of the three parts of a sequence.
        document: (n) => written(wrap(`matches("x", "a{${n - 6}}")`)),
      },
      {
        what: `${form}the length of a name`,
        code: "FC1408",
        limits: (nameLength) => ({ nameLength }),
        document: (n) => written(`effect-ir 1\nprogram (${"x".repeat(n)}: int) {}`),
      },
      {
        what: `${form}the length of a dotted name`,
        code: "FC1408",
        limits: (nameLength) => ({ nameLength }),
        document: (n) => written(`effect-ir 1\ntool a.${"x".repeat(n - 2)}()\nprogram () {}`),
      },
      {
        what: `${form}the length of a list`,
        code: "FC1409",
        limits: (listLength) => ({ listLength }),
        document: (n) => written(`effect-ir 1\nprogram () {\n  for x in [] max ${n} {}\n}`),
      },
    ];
  }),
  {
    what: "the length of an array of JSON",
    code: "FC1405",
    limits: (listLength) => ({ listLength }),
    document: (n) => jsonOf(wrap(`[${Array.from({ length: n }, () => "1").join(", ")}]`)),
  },
];

describe("limits", () => {
  describe.each(limitCases)("$what", ({ code, limits, document }) => {
    test.each([30, 31, 60])("%i", (n) => {
      const custom = { ...defaultLimits, ...limits(n) };
      expect(codesOf(readDocument(document(n), custom))).toEqual([]);
      expect(codesOf(readDocument(document(n + 1), custom))).toEqual([code]);
    });
  });

  test("the parts of a document are counted in both forms", () => {
    const text = wrap(`[${Array.from({ length: 50 }, () => "1").join(", ")}]`);
    const codesAt = (written: string, nodes: number) =>
      codesOf(readDocument(written, { ...defaultLimits, nodes }));
    for (const written of [text, jsonOf(text)]) {
      const enough = Array.from({ length: 400 }, (_, i) => i).findIndex(
        (nodes) => codesAt(written, nodes).length === 0,
      );
      expect(enough).toBeGreaterThan(50);
      for (let nodes = 0; nodes < enough; nodes++) expect(codesAt(written, nodes)).toEqual(["FC1403"]);
      for (let nodes = enough; nodes < enough + 20; nodes++) expect(codesAt(written, nodes)).toEqual([]);
    }
  });

  test.each(["text", "json"])("the bits of a number in a %s", (form) => {
    const codesAt = (bits: number, numberBits: number) => {
      const text = wrap(`${2n ** BigInt(bits) - 1n}`);
      return codesOf(readDocument(form === "text" ? text : jsonOf(text), { ...defaultLimits, numberBits }));
    };
    for (const limit of [128, 256, 1024]) {
      expect(codesAt(limit, limit)).toEqual([]);
      expect(codesAt(limit + 1, limit)).toEqual(["FC1406"]);
      expect(codesAt(4 * limit, limit)).toEqual(["FC1406"]);
    }
  });

  test("the work of an evaluation", () => {
    const read = readDocument("effect-ir 1\nprogram () {}\nguarantee g(): length(range(1000)) > 5\n");
    if (!read.ok) throw new Error("a document was refused");
    const { formula } = read.value.checked.document.guarantees[0]!;
    const judged = (steps: number) =>
      judge(read.value.checked, formula!, { inputs: record([]), trace: [] }, { ...defaultLimits, steps });
    expect(judged(100)).toMatchObject({ kind: "unknown", why: expect.stringContaining("100 steps") });
    expect(judged(10_000)).toEqual({ kind: "holds" });
  });

  test("names that every object inherits", () => {
    // The keys of a map are known in a run only, so no document is refused for them.
    const judged = (key: string) => {
      const found = `mapGet(mapOf([{ key: "a", value: 1 }]), "${key}")`;
      const read = readDocument(`effect-ir 1\nprogram () {}\nguarantee g(): ${found} == none\n`);
      if (!read.ok) throw new Error("a document was refused");
      const { formula } = read.value.checked.document.guarantees[0]!;
      return judge(read.value.checked, formula!, { inputs: record([]), trace: [] });
    };
    expect(judged("constructor")).toMatchObject({
      kind: "unknown",
      why: expect.stringContaining("every object has `constructor`"),
    });
    expect(judged("b")).toEqual({ kind: "holds" });
  });
});

test("one expression object in two places with two types is refused", () => {
  // Only data can say this; both forms of a document write it out twice.
  const shared: Expr = { kind: "list", items: [] };
  const document: Document = {
    effectIr: 1,
    fluents: [],
    tools: [
      {
        name: "t",
        params: [
          { name: "a", type: { kind: "list", element: { kind: "int" } } },
          { name: "b", type: { kind: "list", element: { kind: "string" } } },
        ],
        labels: [],
        requires: [],
        ensures: [],
        sets: [],
      },
    ],
    program: {
      inputs: [],
      body: [
        {
          kind: "call",
          id: "c1",
          tool: "t",
          args: [
            { name: "a", value: shared },
            { name: "b", value: shared },
          ],
        },
      ],
    },
    guarantees: [],
  };
  expect(codesOf(check(document))).toEqual(["FC1316"]);
  expect(codesOf(readDocument(JSON.stringify(documentToJson(document))))).toEqual([]);
});

test("every code for what is read and checked is among the cases", () => {
  const seen = new Set<string>([
    "FC1316",
    "FC1403",
    "FC1406",
    "FC1407",
    "FC1411",
    ...limitCases.map(({ code }) => code),
  ]);
  for (const name of texts)
    for (const { code } of table[name] ?? marked(readText(`${folder}/${name}`))) seen.add(code);
  for (const name of jsons) for (const { code } of table[name] ?? []) seen.add(code);
  expect(Object.keys(codes).filter((code) => code < "FC1500" && !seen.has(code))).toEqual([]);
});

/** Returns the expected problems that the text itself marks. */
function marked(text: string): Located[] {
  return text.split("\n").flatMap((line, i) => {
    const [, marks] = line.split("//! ");
    if (marks === undefined) return [];
    return marks.split(", ").map((mark) => {
      const [code = "", column = ""] = mark.split(" ");
      return { code, line: i + 1, column: Number(column) };
    });
  });
}

function problemsOf(text: string): Located[] {
  const read = readDocument(text);
  return read.ok ? [] : located(text, read.problems);
}

function codesOf(result: {
  readonly ok: boolean;
  readonly problems?: readonly { readonly code: Code }[];
}): Code[] {
  return [...new Set(result.problems?.map(({ code }) => code) ?? [])];
}
