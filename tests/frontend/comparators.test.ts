/** The function of `sort`: what is shown to be an order sorts as Node does, and what is not is refused. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { atLeast, runs } from "../support/runs.ts";
import { compileLab, runAsIr, runAsJavaScript, sourceOf } from "./lab.ts";

const show = "for (const x of xs) await lab.row({ row: x });";
const ofRows = (compare: string) => `const xs = (await lab.rows()).toSorted(${compare}); ${show}`;
const ofNumbers = (compare: string) =>
  `const xs = (await lab.rows()).map((r) => r.n).toSorted(${compare}); await lab.nums({ items: xs });`;
const ofTexts = (compare: string) =>
  `const xs = (await lab.rows()).map((r) => r.id).toSorted(${compare}); await lab.list({ items: xs });`;

const orders: Readonly<Record<string, string>> = {
  numbers: ofNumbers("(a, b) => a - b"),
  "numbers, the greatest first": ofNumbers("(a, b) => b - a"),
  "a difference negated": ofNumbers("(a, b) => -(a - b)"),
  "the sign of a difference": ofNumbers("(a, b) => Math.sign(a - b)"),
  "texts in three cases": ofTexts("(a, b) => (a < b ? -1 : a > b ? 1 : 0)"),
  "texts in two cases, since equal texts cannot be told apart": ofTexts("(a, b) => (a < b ? -1 : 1)"),
  "texts, the last first": ofTexts("(a, b) => (a === b ? 0 : a < b ? 1 : -1)"),
  "one comparison less the other": ofNumbers("(a, b) => Number(a > b) - Number(a < b)"),
  "a field": ofRows("(a, b) => a.n - b.n"),
  "two keys with ||": ofRows("(a, b) => b.n - a.n || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)"),
  "three keys with ||": ofRows(
    "(a, b) => a.tags.length - b.tags.length || b.n - a.n || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)",
  ),
  "two keys with if": ofRows(
    "(a, b) => { if (a.n !== b.n) return a.n < b.n ? -1 : 1; return a.id < b.id ? -1 : a.id > b.id ? 1 : 0; }",
  ),
  "a boolean first": ofRows(
    "(a, b) => { if (a.ok && !b.ok) return -1; if (!a.ok && b.ok) return 1; return a.n - b.n; }",
  ),
  "a boolean where it differs": ofRows("(a, b) => (a.ok === b.ok ? a.n - b.n : a.ok ? -1 : 1)"),
  "a boolean as a number": ofRows("(a, b) => Number(b.ok) - Number(a.ok) || a.n - b.n"),
  "another order in each group": ofRows(
    "(a, b) => (a.ok !== b.ok ? (a.ok ? -1 : 1) : a.ok ? a.n - b.n : b.n - a.n)",
  ),
  "places in a list": ofRows(
    '(a, b) => ["c", "a", "d", "b"].indexOf(a.id) - ["c", "a", "d", "b"].indexOf(b.id)',
  ),
  "a field that may be absent": ofRows(
    '(a, b) => (a.note ?? "").length - (b.note ?? "").length || a.n - b.n',
  ),
  "how far it is from a number of the run": `const t = await lab.read({ key: "t" }); ${ofRows("(a, b) => Math.abs(a.n - t) - Math.abs(b.n - t)")}`,
  "a direction of the run": `const up = await lab.test({ key: "t" }); ${ofRows("(a, b) => (up ? a.n - b.n : b.n - a.n)")}`,
  "a factor of the run": `const by = await lab.read({ key: "t" }); ${ofRows("(a, b) => (a.n - b.n) * by")}`,
  "sums of fields": ofRows("(a, b) => a.n * 10 + a.tags.length - b.n * 10 - b.tags.length"),
  "no case for equal keys": ofRows("(a, b) => (a.id < b.id ? -1 : 1)"),
  "no case for equal second keys": ofRows("(a, b) => b.n - a.n || (a.id < b.id ? -1 : 1)"),
  "at least": ofRows("(a, b) => (a.n >= b.n ? 1 : -1)"),
  "always the first": ofRows("() => -1"),
  "always the second": ofRows("() => 1"),
  "one kind first, without a look at the other": ofRows("(a, b) => (a.ok ? -1 : 1)"),
  "one name first, twice": ofRows('(a, b) => (a.id === "a" ? -1 : b.id === "a" ? 1 : 0)'),
  "a number of the run": `const k = await lab.read({ key: "k" }); ${ofNumbers("() => k")}`,
  "all equal": ofRows("() => 0"),
  "a helper for keys": `const by = (key: (r: lab.Row) => number) => (a: lab.Row, b: lab.Row) => key(a) - key(b); ${ofRows("by((r) => r.n)")}`,
  "a helper for texts": `const cmp = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0); ${ofRows("(a, b) => cmp(b.id, a.id) || a.n - b.n")}`,
  "destructured fields": ofRows("({ n: a }, { n: b }) => b - a"),
  "known elements that all differ": `const xs = [{ k: 2, t: "a" }, { k: 1, t: "b" }].sort((a, b) => (a.k < b.k ? -1 : 1)); await lab.list({ items: xs.map((x) => x.t) });`,
  "known elements with unknown keys": `const n = await lab.read({ key: "k" }); const xs = [{ k: n, t: "a" }, { k: 1, t: "b" }, { k: 2, t: "c" }].sort((a, b) => a.k - b.k); await lab.list({ items: xs.map((x) => x.t) });`,
};

describe("a function that is an order sorts as in JavaScript", () => {
  it.each(Object.entries(orders))("%s", async (_, body) => {
    const source = sourceOf({ body });
    const compiled = compileLab(source);
    if (!("document" in compiled)) throw new Error(JSON.stringify(compiled.problems, null, 1));
    for (let seed = 0; seed < 40; seed++) {
      const inIr = await runAsIr(compiled.document, undefined, seed);
      expect(inIr.end, source).toBe("done");
      expect(inIr.calls, source).toEqual((await runAsJavaScript(source, undefined, seed)).calls);
    }
  });
});

const others: Readonly<Record<string, string>> = {
  "one or nothing": ofTexts("(a, b) => (a > b ? 1 : 0)"),
  "one or nothing, as a number": ofNumbers("(a, b) => Number(a > b)"),
  "less or nothing": ofNumbers("(a, b) => (a < b ? -1 : 0)"),
  "one element only": ofRows("(a) => a.n"),
  "a sum": ofNumbers("(a, b) => a + b"),
  "different keys": ofRows("(a, b) => a.n - b.tags.length"),
  "a constant more": ofNumbers("(a, b) => a - b + 1"),
  "a square": ofNumbers("(a, b) => (a - b) * (a - b)"),
  "a remainder": ofNumbers("(a, b) => (a - b) % 3"),
  "the greater of the two": ofNumbers("(a, b) => Math.max(a, b)"),
  "an order that one of the two chooses": ofRows("(a, b) => (a.ok ? a.n - b.n : b.n - a.n)"),
  "two keys at once": ofRows("(a, b) => (a.n > b.n ? 1 : a.id > b.id ? 1 : -1)"),
  "a majority of three keys": ofRows(
    "(a, b) => Math.sign(a.n - b.n) + Math.sign(a.id.length - b.id.length) + Math.sign(a.tags.length - b.tags.length)",
  ),
  "a circle": ofNumbers("(a, b) => (a === b ? 0 : (a + 1) % 3 === b ? -1 : 1)"),
  "known numbers, one or nothing":
    "const xs = [3, 1, 2].sort((a, b) => (a > b ? 1 : 0)); await lab.nums({ items: xs });",
  "a known circle":
    "const xs = [0, 1, 2].sort((a, b) => (a === b ? 0 : (a + 1) % 3 === b ? -1 : 1)); await lab.nums({ items: xs });",
  "known elements with equal keys": `const xs = [{ k: 1, t: "a" }, { k: 1, t: "b" }].sort((a, b) => (a.k < b.k ? -1 : 1)); await lab.list({ items: xs.map((x) => x.t) });`,
};

describe("a function that is not shown to be an order is refused", () => {
  it.each(Object.entries(others))("%s", (_, body) => {
    const compiled = compileLab(sourceOf({ body }));
    const problems = "problems" in compiled ? compiled.problems : [];
    expect(problems.map(({ code }) => code)).toEqual(["FC2325"]);
  });

  it("or gives something else than a number", () => {
    const compiled = compileLab(sourceOf({ body: ofNumbers("(a, b) => a > b") }));
    expect("problems" in compiled && compiled.problems.map(({ code }) => code)).toEqual(["FC2108"]);
  });
});

// ── random functions ─────────────────────────────────────────────────────────────────────────────────────

const key = fc.constantFrom(
  "#.n",
  "#.id",
  "#.tags.length",
  "#.ok",
  "(#.n * 2 + #.tags.length)",
  "Math.abs(#.n - 1)",
);
const of = (name: string) => (text: string) => text.replaceAll("#", name);
const isNumber = (text: string) => !["#.id", "#.ok"].includes(text);
const operator = fc.constantFrom("<", "<=", ">", ">=", "===", "!==");

const test = fc
  .tuple(key, operator, fc.constantFrom("a", "b"), fc.boolean())
  .map(([text, sign, first, isOne]) => {
    const second = first === "a" ? "b" : "a";
    if (text === "#.ok") return isOne ? of(first)(text) : `${of(first)(text)} !== ${of(second)(text)}`;
    return `${of(first)(text)} ${sign} ${of(second)(text)}`;
  });
const { compare } = fc.letrec<{ compare: string }>((tie) => ({
  compare: fc.oneof(
    { maxDepth: 3, depthIdentifier: "compare" },
    fc.constantFrom("0", "0", "1", "-1"),
    key.filter(isNumber).map((text) => `${of("a")(text)} - ${of("b")(text)}`),
    key.filter(isNumber).map((text) => `${of("b")(text)} - ${of("a")(text)}`),
    key
      .filter((text) => text !== "#.ok")
      .map(
        (text) => `(${of("a")(text)} < ${of("b")(text)} ? -1 : ${of("a")(text)} > ${of("b")(text)} ? 1 : 0)`,
      ),
    fc.tuple(tie("compare"), tie("compare")).map(([a, b]) => `((${a}) || (${b}))`),
    fc.tuple(test, tie("compare"), tie("compare")).map(([when, a, b]) => `(${when} ? ${a} : ${b})`),
    tie("compare").map((a) => `-(${a})`),
  ),
}));

interface Row {
  readonly id: string;
  readonly n: number;
  readonly ok: boolean;
  readonly tags: readonly string[];
}

const rows: readonly Row[] = [0, 1, 2].flatMap((n) =>
  ["a", "b"].flatMap((id) =>
    [true, false].flatMap((ok) => [[], ["x"]].map((tags) => ({ id, n: n - 1, ok, tags }))),
  ),
);

/**
 * Returns true if it is an order of these rows: antisymmetric and transitive. Rows of which each is to come first, or
 * each last, count as equal.
 */
function isOrderOf(given: (a: Row, b: Row) => number): boolean {
  const sign = rows.map((a) => rows.map((b) => Math.sign(given(a, b)) + 0));
  const asked = (i: number, j: number): number => sign[i]?.[j] ?? 0;
  const at = (i: number, j: number): number => (asked(i, j) === asked(j, i) ? 0 : asked(i, j));
  const all = rows.map((_, i) => i);
  return all.every((i) =>
    all.every(
      (j) =>
        at(i, j) === -at(j, i) + 0 &&
        all.every((k) => at(i, j) > 0 || at(j, k) > 0 || at(i, k) === Math.min(at(i, j), at(j, k))),
    ),
  );
}

describe("a function that says of equal elements that one comes first", () => {
  const comparators: Readonly<Record<string, (a: Numbered, b: Numbered) => number>> = {
    "greater first": (a, b) => (a.n < b.n ? 1 : -1),
    "smaller first": (a, b) => (a.n < b.n ? -1 : 1),
    "smaller last": (a, b) => (a.n > b.n ? 1 : -1),
    "at most": (a, b) => (a.n <= b.n ? -1 : 1),
    "a second key": (a, b) => a.n - b.n || (a.m < b.m ? 1 : -1),
  };
  interface Numbered {
    readonly n: number;
    readonly m: number;
    readonly place: number;
  }

  /** Puts each element before those of which the function says so when it is asked about the later one first. */
  function inserted(list: readonly Numbered[], compare: (a: Numbered, b: Numbered) => number): Numbered[] {
    return list.reduce<Numbered[]>(
      (held, item) => [
        ...held.filter((other) => !(compare(item, other) < 0)),
        item,
        ...held.filter((other) => compare(item, other) < 0),
      ],
      [],
    );
  }

  it.each(Object.entries(comparators))(
    "sorts long lists in Node as the compiler takes it to: %s",
    (_, compare) => {
      const numbers = fc.record({ n: fc.integer({ min: 0, max: 6 }), m: fc.integer({ min: 0, max: 2 }) });
      const lists = fc.array(numbers, { maxLength: 100, size: "max" });
      fc.assert(
        fc.property(lists, fc.boolean(), (list, isSorted) => {
          const ordered = isSorted ? list.toSorted((a, b) => a.n - b.n) : list;
          const given = ordered.map((one, place) => ({ ...one, place }));
          const places = (all: readonly Numbered[]) => all.map(({ place }) => place);
          expect(places(given.toSorted(compare))).toEqual(places(inserted(given, compare)));
        }),
        { numRuns: runs(20) },
      );
    },
  );
});

describe("random functions", () => {
  it("are orders and sort as in JavaScript, or are refused", async () => {
    const seen = { accepted: 0, refused: 0, orders: 0 };
    await fc.assert(
      fc.asyncProperty(compare, async (text) => {
        const source = sourceOf({ body: ofRows(`(a, b) => ${text}`) });
        const compiled = compileLab(source);
        // The test's own functions, never a user's.
        const given = new Function("a", "b", `return ${text}`) as (a: Row, b: Row) => number; // SAFETY: it computes a number of two rows.
        const isOrder = isOrderOf(given);
        if (isOrder) seen.orders += 1;
        if ("problems" in compiled) {
          seen.refused += 1;
          for (const { code } of compiled.problems) expect(code, source).toBe("FC2325");
          return;
        }
        seen.accepted += 1;
        expect(isOrder, source).toBe(true);
        for (const seed of [3, 8, 15]) {
          const inJavaScript = await runAsJavaScript(source, undefined, seed);
          expect((await runAsIr(compiled.document, undefined, seed)).calls, source).toEqual(
            inJavaScript.calls,
          );
        }
      }),
      { numRuns: runs(300) },
    );
    expect(seen.refused).toBeGreaterThan(atLeast(30));
    // Nearly all that are orders of these rows are seen to be.
    expect(seen.accepted).toBeGreaterThan(atLeast(1) < 0 ? -1 : seen.orders * 0.8);
  }, 120_000);
});
