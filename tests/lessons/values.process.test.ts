/** Values are what a run has: any answer of a tool, state that a loop carries, numbers and texts as JavaScript has them. */
import { describe } from "vitest";
import { type Case, lesson } from "./workbench.ts";

const evil = 'await t.send({ to: "evil", body: "" });';
const when = (condition: string): Case => ({ body: `if (${condition}) ${evil}` });

describe("what tools return", () => {
  lesson("a result is any value of its type, and never a constant", [
    ["a boolean", when("await t.asked()"), "refuted"],
    ["not a boolean", when("!(await t.asked())"), "refuted"],
    ["a list", when("(await t.names()).length > 2"), "refuted"],
    ["an element", when('(await t.names())[0] === "x"'), "refuted"],
    ["an absent one", when("(await t.maybe()) === undefined"), "refuted"],
    ["a present one", when('(await t.maybe()) === "x"'), "refuted"],
    ["an unknown one as a condition", when("await t.anything()"), "refuted"],
    ["an unknown one that is falsy", when("!(await t.anything())"), "refuted"],
    [
      "an unknown one compared",
      { body: `const a = await t.anything(); const b = await t.anything(); if (a === b) ${evil}` },
      "FC2106",
    ],
    ["outside what is ensured", when('(await t.owed({ id: "a" })) > 100'), "proved"],
    ["inside what is ensured", when('(await t.owed({ id: "a" })) > 99'), "refuted"],
  ]);

  lesson("two calls of one tool are two results", [
    ["numbers", when("(await t.number()) !== (await t.number())"), "refuted"],
    [
      "booleans",
      { body: `const a = await t.asked(); const b = await t.asked(); if (a && !b) ${evil}` },
      "refuted",
    ],
    [
      "in a helper",
      { top: "const f = async () => await t.number();", body: `if ((await f()) !== (await f())) ${evil}` },
      "refuted",
    ],
    [
      "in a loop",
      {
        body: `let last = await t.number(); for (const x of [1, 2]) { const now = await t.number(); if (now !== last) ${evil} last = now; }`,
      },
      "refuted",
    ],
    ["lists", when("(await t.names()).length !== (await t.names()).length"), "refuted"],
    ["one result twice", { body: `const a = await t.number(); if (a !== a) ${evil}` }, "proved"],
  ]);
});

describe("loops", () => {
  lesson("state is carried from turn to turn", [
    ["a sum", { body: `let n = 0; for (const x of [1, 2, 3]) n += x; if (n === 6) ${evil}` }, "refuted"],
    [
      "a flag",
      { body: `let seen = false; for (const x of [1, 2]) { if (seen) ${evil} seen = true; }` },
      "refuted",
    ],
    [
      "an array",
      { body: `const l: number[] = []; for (const x of [1, 2]) l.push(x); if (l.length === 2) ${evil}` },
      "refuted",
    ],
    [
      "an object",
      { body: `const o = { n: 0 }; for (const x of [1, 2]) o.n += x; if (o.n === 3) ${evil}` },
      "refuted",
    ],
    [
      "a variable of a helper",
      { body: `let n = 0; const up = () => { n += 1; }; for (const x of [1, 2]) up(); if (n === 2) ${evil}` },
      "refuted",
    ],
    [
      "a budget",
      {
        body: 'let left = 500; for (const x of ["a", "b", "c"]) { const n = await t.owed({ id: x }); if (n > left) break; left -= n; await t.pay({ n }); }',
        guarantees: "t.spend(300)",
      },
      "proved",
    ],
    [
      "a budget that is forgotten",
      {
        body: 'for (const x of ["a", "b", "c"]) { let left = 100; const n = await t.owed({ id: x }); if (n > left) break; left -= n; await t.pay({ n }); }',
        guarantees: "t.spend(299)",
      },
      "refuted",
    ],
    [
      "a condition that changes",
      { body: `let n = 0; while (n < 3) { n += 1; if (n === 3) ${evil} }` },
      "refuted",
    ],
  ]);

  lesson("a loop may not turn at all", [
    ["an empty list", { body: `for (const x of []) ${evil}`, guarantees: "t.some()" }, "refuted"],
    [
      "a list of a tool",
      {
        body: 'for (const x of await t.names()) await t.send({ to: "a", body: x });',
        guarantees: "t.some()",
      },
      "refuted",
    ],
    [
      "a bound",
      {
        body: 'const n = Math.min(2, 0); for (let i = 0; i < n; i++) await t.send({ to: "a", body: "" });',
        guarantees: "t.some()",
      },
      "refuted",
    ],
    [
      "while",
      {
        body: 'let go = await t.asked(); let i = 0; while (go && i < 2) { i++; await t.send({ to: "a", body: "" }); go = await t.asked(); }',
        guarantees: "t.some()",
      },
      "refuted",
    ],
    [
      "do",
      {
        body: 'let i = 0; do { i++; await t.send({ to: "a", body: "" }); } while (i < 2 && (await t.asked()));',
        guarantees: "t.some()",
      },
      "proved",
    ],
  ]);

  lesson("no bound is guessed", [
    ["while true", { body: `while (true) ${evil}` }, "unknown"],
    ["until a tool says so", { body: `while (await t.asked()) ${evil}` }, "refuted"],
    ["for ever", { body: `for (;;) { if (await t.asked()) break; ${evil} }` }, "refuted"],
  ]);
});

describe("numbers and texts", () => {
  lesson("a number keeps its fraction", [
    ["half", when("0.5 > 0"), "refuted"],
    ["between two integers", { body: `const n = await t.number(); if (n > 0 && n < 1) ${evil}` }, "refuted"],
    // Exact arithmetic breaks it, and no number that a tool can return does.
    ["a third", { body: `const n = await t.number(); if (n * 3 === 1) ${evil}` }, "unknown"],
    ["a quotient", when("7 / 2 !== 3"), "refuted"],
    ["exact tenths", when("0.1 + 0.2 !== 0.3"), "proved"],
    ["beyond the safe integers", when("9007199254740992 + 1 === 9007199254740992"), "proved"],
    ["a remainder of a negative", when("-7 % 3 === 2"), "proved"],
    ["a remainder with its sign", when("-7 % 3 === -1"), "refuted"],
    [
      "division by zero",
      { body: "const n = await t.number(); await t.pay({ n: Math.abs(1 / n) });", guarantees: "t.nothing()" },
      "refuted",
    ],
    ["rounding of halves", when("Math.round(-2.5) === -2"), "refuted"],
    ["a bit operation", when("(5 | 0) === 5"), "FC2317"],
    ["a shift", when("1 << 31 < 0"), "FC2317"],
    ["not a number", when("NaN !== NaN"), "refuted"],
    ["infinity", when("Infinity > 1"), "refuted"],
    ["too big to be one", when("1e999 > 1"), "FC2108"],
    ["a text as a number", when('+"5" === 5'), "refuted"],
  ]);

  lesson("a text is its code units", [
    ["an escape", when('"\\u{62}" === "b"'), "refuted"],
    ["what looks like an escape", when('"\\\\u{62}" === "b"'), "proved"],
    [
      "what looks like one, from a tool",
      { body: `const w = await t.word(); if (w === "\\\\u{62}" && w.length === 6) ${evil}` },
      "refuted",
    ],
    [
      "what looks like one is not short",
      { body: `const w = await t.word(); if (w === "\\\\u{62}" && w.length === 1) ${evil}` },
      "proved",
    ],
    [
      "a lone surrogate",
      { body: `const w = await t.word(); if (w === "\\ud800" && w.length === 1) ${evil}` },
      "refuted",
    ],
    [
      "beyond the first plane",
      { body: `const w = await t.word(); if (w === "😀" && w.length === 2) ${evil}` },
      "refuted",
    ],
    ["a negative number", when('String(-5) === "-5"'), "refuted"],
    ["a number in a template", when('`\u0024{1.5}` === "1.5"'), "refuted"],
    ["a negative position", when('"abc".slice(-1) === "c"'), "refuted"],
    ["a negative index", when('"abc"[-1] === undefined'), "refuted"],
    ["the last", when('["a", "b"].at(-1) === "b"'), "refuted"],
    ["beyond the end", when('["a"][1] === undefined'), "refuted"],
    ["order", when('"Z" < "a"'), "refuted"],
  ]);

  const word = (condition: string): Case => ({ body: `const w = await t.word(); if (${condition}) ${evil}` });
  lesson("a regular expression is what JavaScript reads", [
    ["found anywhere", when('/b/.test("abc")'), "refuted"],
    ["anchored", when('/^b$/.test("abc")'), "proved"],
    ["a range of signs", when('/^[A-z]$/.test("_")'), "refuted"],
    ["a class in a class", when('/^[\\w-]$/.test("-")'), "refuted"],
    ["what is no line end", when('/^.$/.test("\\n")'), "proved"],
    ["no end before the last line end", when('/a$/.test("a\\n")'), "proved"],
    ["a code unit", when('/^.$/.test("😀")'), "proved"],
    ["an escape that is none", when('/^\\u{2}$/.test("uu")'), "refuted"],
    ["case", when('/^k$/i.test("K")'), "refuted"],
    ["case beyond the alphabet", when('/^k$/i.test("\\u212a")'), "proved"],
    ["what it leaves out", word("/^[a-z]+$/.test(w) && w.includes(' ')"), "proved"],
    ["what it leaves in", word("/[a-z]+/.test(w) && w.includes(' ')"), "refuted"],
    ["a match leaves out the same", word("w.match(/^[a-z]+$/) !== null && w.includes(' ')"), "proved"],
    ["a match leaves in the same", word("w.match(/[a-z]+/) !== null && w.includes(' ')"), "refuted"],
    ["a group that is always there", when('"ab".match(/(a)(x)?/)?.[1] === undefined'), "proved"],
    ["a group that may hold nothing", when('"ab".match(/(a)(x)?/)?.[2] === undefined'), "refuted"],
    ["a number in a text is one", word("Number(w) > 1 && Number.isNaN(Number(w))"), "proved"],
    ["a text that is no number", word("!(Number(w) > 1) && !(Number(w) <= 1)"), "refuted"],
    ["a date that is none is not later", word("Date.parse(w) > 0 && Number.isNaN(Date.parse(w))"), "proved"],
    ["one that remembers", when('/a/g.test("a")'), "FC2321"],
    ["one that looks back", when('/(a)\\1/.test("aa")'), "FC2321"],
    ["one that is put together of what is known", when('new RegExp("a").test("a")'), "refuted"],
  ]);

  lesson("or and and give their operands", [
    ["a text", when('("" || "x") === "x"'), "refuted"],
    ["a number", when("(0 || 7) === 7"), "refuted"],
    ["not nullish", when('("" ?? "x") === ""'), "refuted"],
    [
      "the left",
      {
        body: 'const to = (await t.maybe()) || "a"; await t.send({ to, body: "" });',
        guarantees: 't.only("a")',
      },
      "refuted",
    ],
    [
      "absent",
      {
        body: 'const to = (await t.maybe()) ?? "a"; await t.send({ to, body: "" });',
        guarantees: "t.nothing()",
      },
      "refuted",
    ],
    [
      "present",
      {
        body: 'const to = (await t.maybe()) || "a"; await t.send({ to, body: "" });',
        guarantees: "t.nothing()",
      },
      "proved",
    ],
    ["an empty list is true", when("[]"), "refuted"],
  ]);
});
