// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the programs have templates of their own
/** Dates, numbers in texts, JSON, key order and patterns: each built-in on many values of the run, under Node, QuickJS and compiled. */
import { describe, expect, it } from "vitest";
import { seed } from "../../support/runs.ts";
import { compileLab, runAsIr, runAsJavaScript, sourceOf } from "../lab.ts";
import { runInQuickJs } from "./quickjs.ts";

const turn = seed() ?? Math.floor(Math.random() * 1_000);

/** Runs one program with each input: the trace is that of both engines, or the run stops at what engines or numbers leave open. */
async function sameEverywhere(
  input: string,
  body: string,
  values: readonly unknown[],
  stops: RegExp,
): Promise<void> {
  const source = sourceOf({ body, input });
  const compiled = compileLab(source);
  if (!("document" in compiled)) throw new Error(`${JSON.stringify(compiled.problems)}\n${source}`);
  for (const [i, given] of values.entries()) {
    const run = await runAsIr(compiled.document, given, 1);
    const node = await runAsJavaScript(source, given, 1);
    if (stops.test(run.end)) {
      expect(node.calls.slice(0, run.calls.length), JSON.stringify(given)).toEqual(run.calls);
      continue;
    }
    expect({ calls: run.calls, result: run.result, end: run.end }, JSON.stringify(given)).toEqual({
      calls: node.calls,
      result: node.result,
      end: "done",
    });
    // The second engine takes every eighth value.
    if (i % 8 !== turn % 8) continue;
    const [quick] = await runInQuickJs(source, given, [1]);
    expect(quick?.calls, JSON.stringify(given)).toEqual(node.calls);
  }
}

const texts = (...all: readonly string[]) => all.map((text) => ({ text }));
const product = (...parts: readonly (readonly string[])[]) =>
  parts.reduce<readonly string[]>((all, part) => all.flatMap((one) => part.map((more) => one + more)), [""]);
/** Every `parts`-th, by turn. */
const inTurn = <T>(all: readonly T[], parts: number) => all.filter((_, i) => i % parts === turn % parts);

describe("dates", () => {
  const days = product(
    [
      "0000",
      "0001",
      "0099",
      "1582",
      "1969",
      "1970",
      "1999",
      "2000",
      "2023",
      "2024",
      "2100",
      "9999",
      "+000000",
      "-000000",
      "-000001",
      "+010000",
      "+275760",
      "-271821",
      "+275761",
    ],
    ["", "-00", "-01", "-02", "-09", "-12", "-13"],
    ["", "-00", "-01", "-13", "-19", "-20", "-28", "-29", "-30", "-31", "-32"],
  ).filter((text) => !/^.\d+-?$/.test(text) || text.length >= 4);
  const times = product(
    ["2024-02-29T", "1969-12-31T", "2023-02-29T"],
    ["00", "23", "24", "25", "9"],
    [":00", ":59", ":60", ""],
    ["", ":00", ":59", ":60", ":00.1", ":00.123", ":00.1234567", ":00."],
    ["", "Z", "+00:00", "-00:00", "+02:00", "-12:30", "+24:00", "+2:00", "z"],
  );
  const odd = [
    "",
    " ",
    "2024",
    "2024-1-1",
    "2024-01-01 ",
    " 2024-01-01",
    "2024-01-01T",
    "2024-01-01 00:00",
    "20240101",
    "x",
    "1",
    "NaN",
    "null",
    "T00:00Z",
    "2024-01-01T00:00:00Zx",
  ];

  it("read from texts", { timeout: 120_000 }, async () => {
    const body = `const d = new Date(input.text);
      if (Number.isNaN(d.getTime())) { await lab.say({ text: "none" }); return String(Date.parse(input.text) > 0); }
      await lab.say({ text: d.toISOString() });
      await lab.nums({ items: [d.getTime(), d.getUTCFullYear(), d.getUTCMonth(), d.getUTCDate(), d.getUTCDay(), d.getUTCHours(), d.getUTCMinutes(), d.getUTCSeconds(), d.getUTCMilliseconds()] });
      await lab.say({ text: JSON.stringify({ d }) });`;
    await sameEverywhere(
      "{ text: string }",
      body,
      texts(...inTurn(days, 5), ...inTurn(times, 10), ...odd),
      /^FC1524/,
    );
  });

  it("made of parts and changed", { timeout: 120_000 }, async () => {
    const body = `const d = new Date(Date.UTC(input.y, input.m, input.d, input.h));
      if (Number.isNaN(d.getTime())) { await lab.say({ text: "none" }); return; }
      await lab.say({ text: d.toISOString() });
      d.setUTCDate(d.getUTCDate() + input.d); await lab.say({ text: d.toISOString() });
      d.setUTCMonth(d.getUTCMonth() + input.m); await lab.say({ text: d.toISOString() });
      d.setUTCHours(input.h, 61, 61, 1001); await lab.say({ text: d.toISOString() });
      d.setUTCFullYear(input.y); await lab.say({ text: d.toISOString() });`;
    const values = [-1, 0, 1, 12, 29, 31, 99, 100, 1999, 2024, 1.9, -0.5, -13].flatMap((y, i) =>
      [-13, -1, 0, 1, 11, 12, 25, 1.5].flatMap((m, j) => [
        {
          y,
          m,
          d: [0, 1, 29, 31, 32, -1, 366][(i + j) % 7] ?? 0,
          h: [0, 23, 24, -1, 100][(i * 3 + j) % 5] ?? 0,
        },
      ]),
    );
    await sameEverywhere("{ y: number; m: number; d: number; h: number }", body, values, /^FC1503/);
  });
});

it("numbers in texts", { timeout: 120_000 }, async () => {
  const body = `const t = input.text; const all = [Number(t), parseFloat(t), parseInt(t, 10), parseInt(t), parseInt(t, 16), parseInt(t, 2), parseInt(t, 32), +t];
    for (const one of all) await lab.say({ text: String(one) });
    for (const one of all) await lab.flag({ on: one > 0 }); for (const one of all) await lab.put({ n: one || 0 });`;
  const spaces = ["", " ", "\t", "\u00a0", "\ufeff", "\u2003", "\u2028", "\u200b", "\u180e"];
  const signs = ["", "+", "-", "--", "+-", "- "];
  const bodies = [
    "",
    "0",
    "00",
    "007",
    "1",
    "12",
    "1.",
    ".5",
    ".",
    "1.5.2",
    "1e3",
    "1e",
    "1e+",
    "1E-2",
    "1e-7",
    "1e21",
    "0x1F",
    "0X1f",
    "0x",
    "0b101",
    "0B2",
    "0o17",
    "0o8",
    "1_000",
    "1,000",
    "12abc",
    "z",
    "Zz",
    "5e-324",
    "1e-400",
    "9007199254740993",
    "0.1",
    "123456789012345680000",
    "1n",
    "١",
    "１",
    "NaN",
    "null",
    "true",
    "0x1.8",
    "1e1000",
    "Infinity",
    "infinity",
  ];
  const values = product(spaces.slice(0, 3), signs, bodies).concat(product(spaces, ["7"], spaces));
  await sameEverywhere("{ text: string }", body, texts(...inTurn(values, 3)), /^FC1525/);
});

it("JSON", { timeout: 120_000 }, async () => {
  const body = `try { const j = JSON.parse(input.text); await lab.keep({ value: j }); await lab.say({ text: JSON.stringify(j) }); await lab.say({ text: JSON.stringify(j, null, 2) }); await lab.say({ text: typeof j }); }
    catch (e) { await lab.say({ text: (e as Error).name }); }`;
  const good = [
    "null",
    "true",
    "0",
    "-0",
    "1",
    "-1.5",
    "1e2",
    "1E+2",
    "1e-2",
    "0.1",
    "123456789012345678",
    "1e308",
    '""',
    '"a"',
    '"\\u0041"',
    '"\\ud83d\\ude00"',
    '"\\ud800"',
    '"\\n\\t\\b\\f\\r\\/\\\\\\""',
    '"\u2028"',
    '"é😀"',
    "[]",
    "[1]",
    "[1,2,[3]]",
    "{}",
    '{"a":1}',
    '{"b":1,"a":2}',
    '{"2":1,"1":2,"b":0}',
    '{"a":1,"a":2}',
    '{"":1}',
    '{"constructor":1}',
    '{"toString":1}',
    '{"length":1}',
    '{"a":{"b":[null,{"c":"d"}]}}',
    " [ 1 , 2 ] ",
    '\n{"a"\t:\r1}\n',
  ];
  const bad = [
    "",
    " ",
    "nul",
    "True",
    "01",
    "+1",
    "1.",
    ".5",
    "1e",
    "0x1",
    "NaN",
    "Infinity",
    "'a'",
    '"a',
    'a"',
    '"\\x41"',
    '"\\u12"',
    '"\n"',
    '"\u0000"',
    "[",
    "]",
    "[1,]",
    "[,1]",
    "[1 2]",
    "{",
    "}",
    "{a:1}",
    "{'a':1}",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{"a":1 "b":2}',
    "[1]]",
    "1 2",
    "undefined",
    "//",
    "/**/1",
    "\u00a01",
    "\ufeff1",
  ];
  await sameEverywhere(
    "{ text: string }",
    body,
    texts(...good, ...bad, ...good.map((one) => `[${one},${one}]`), ...good.map((one) => `{"k":${one}}`)),
    /^FC1525/,
  );
});

it("the order of keys", { timeout: 120_000 }, async () => {
  const body = `const m: Record<string, number> = {}; const k = new Map<string, number>();
    for (const [i, key] of input.keys.entries()) { if (key.startsWith("!")) { delete m[key.slice(1)]; k.delete(key.slice(1)); } else { m[key] = i; k.set(key, i); } }
    await lab.list({ items: Object.keys(m) }); await lab.list({ items: [...k.keys()] }); await lab.nums({ items: Object.values(m) });
    await lab.say({ text: JSON.stringify(m) }); await lab.list({ items: Object.keys({ ...m, z: 1, "5": 2 } as Record<string, number>) });
    for (const key in m) await lab.say({ text: key }); await lab.list({ items: Object.entries(Object.fromEntries(k)).map(([a, b]) => a + b) });`;
  const pool = [
    "b",
    "a",
    "10",
    "9",
    "1",
    "0",
    "-1",
    "01",
    "1.5",
    "",
    " 1",
    "4294967294",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "1e3",
    "é",
    "length",
    "!a",
    "!1",
    "!10",
    "!b",
  ];
  let state = turn + 1;
  const dice = (sides: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % sides;
  };
  const values = Array.from({ length: 60 }, () => ({
    keys: Array.from({ length: 1 + dice(9) }, () => pool[dice(pool.length)] ?? "a"),
  }));
  await sameEverywhere("{ keys: string[] }", body, values, /^FC1411/);
});

describe("patterns", () => {
  const patterns = [
    "a",
    "^a",
    "a$",
    "^a$",
    "a|b",
    "(a)|(b)",
    "a*",
    "a+?",
    "a{2}",
    "a{1,2}?b",
    "(a*)*",
    "(a+)+$",
    "(?:a|b)+",
    "(a)(b)?",
    "[a-c]+",
    "[^a-c]",
    "\\d+",
    "\\D",
    "\\w+",
    "\\W",
    "\\s",
    "\\S+",
    "\\b\\w",
    "a\\b",
    "\\Bb",
    ".",
    "^.",
    "(z)((a+)?(b+)?(c))*",
    "(?=a)\\w",
    "(?!a)\\w",
    "(?<x>a)(?<y>b)?",
    "[\\]a-]",
    "[\\d-]",
    "\\u0061",
    "\\x61",
    "\\.",
    "a|",
    "|a",
    "()",
    "(?:)",
    "\\n",
    "^$",
    "[é😀]",
    "(a|ab)(c|bcd)(d*)",
  ];
  const samples = [
    "",
    "a",
    "b",
    "ab",
    "aab",
    "abcd",
    "zaacbbbcac",
    "A",
    "a\nb\n",
    "x1-y22",
    "é😀",
    "aaaa",
    " a b ",
    "foo.bar",
    "abab",
    "]-5",
  ];
  it.each(
    inTurn(
      patterns.flatMap((one) => ["", "i", "m", "s", "u"].map((flags) => [one, flags] as const)),
      11,
    ),
  )("/%s/%s", { timeout: 120_000 }, async (pattern, flags) => {
    const [one, all] = [`/${pattern}/${flags}`, `/${pattern}/g${flags}`];
    const body = `const t = input.text; const m = t.match(${one});
      await lab.flag({ on: ${one}.test(t) }); if (m === null) await lab.say({ text: "none" }); else { await lab.put({ n: m.index ?? -1 }); await lab.list({ items: [...m].map((part) => part ?? "-") }); }
      await lab.list({ items: t.match(${all}) ?? ["none"] }); await lab.list({ items: [...t.matchAll(${all})].map((x) => x.index + ":" + x[0]) });
      await lab.say({ text: t.replace(${all}, "<$&>") }); await lab.say({ text: t.replace(${one}, (x) => x.length + "!") }); await lab.list({ items: t.split(${one}).map((part) => part ?? "-") }); await lab.put({ n: t.search(${one}) });`;
    const compiled = compileLab(sourceOf({ body, input: "{ text: string }" }));
    if (!("document" in compiled)) {
      expect(
        compiled.problems.every(({ code }) => code === "FC2321"),
        JSON.stringify(compiled.problems),
      ).toBe(true);
      return;
    }
    await sameEverywhere("{ text: string }", body, texts(...samples), /^$/);
  });
});
