/** Calls are where the program makes them: in helpers, loops, callbacks, branches, and behind exits. */
import { describe } from "vitest";
import { lesson } from "./workbench.ts";

const evil = 'await t.send({ to: "evil", body: "" });';

describe("what a helper does", () => {
  lesson("an unsupported construct in a helper is told, and what comes after it", [
    [
      "a class that extends another",
      { top: "const f = async () => { class B {} class A extends B {} };", body: "await f();" },
      "FC2304",
    ],
    ["a plain class", { top: "const f = async () => { class A {} };", body: "await f();" }, "proved"],
    [
      "a method of a class",
      {
        top: `const f = async () => { class A { async go() { ${evil} } } await new A().go(); };`,
        body: "await f();",
      },
      "refuted",
    ],
    ["the clock", { top: `const f = async () => { Date.now(); ${evil} };`, body: "await f();" }, "refuted"],
    [
      "a random number",
      { top: `const f = async () => { if (Math.random() > 0.9) ${evil} };`, body: "await f();" },
      "refuted",
    ],
    [
      "a random number that is never reached",
      { top: `const f = async () => { if (Math.random() >= 1) ${evil} };`, body: "await f();" },
      "proved",
    ],
    [
      "a helper of a helper",
      { top: `const g = () => { eval("1"); }; const f = async () => { g(); ${evil} };`, body: "await f();" },
      "FC2316",
    ],
    [
      "an unknown method",
      { top: `const f = async (x: string) => { x.normalize(); ${evil} };`, body: 'await f("a");' },
      "FC2309",
    ],
    ["in a callback", { body: `[1].forEach(() => { fetch("x"); }); ${evil}` }, "FC2316"],
    ["after a note in a callback", { body: `[1].forEach((x) => { console.log(x); }); ${evil}` }, "refuted"],
    ["only a note in a callback", { body: "[1].forEach((x) => { console.log(x); });" }, "proved"],
    ["none of that", { top: "const f = async () => {};", body: "await f();" }, "proved"],
  ]);

  lesson("what a helper needs is checked where it is called", [
    [
      "a precondition",
      {
        top: 'const f = async (to: string) => { await t.send({ to, body: "" }); };',
        body: 'await f("");',
        guarantees: "t.nothing()",
      },
      "refuted",
    ],
    [
      "a precondition in a loop",
      {
        top: "const f = async (n: number) => { await t.pay({ n }); };",
        body: "for (const n of [1, 2, -1]) await f(n);",
        guarantees: "t.nothing()",
      },
      "refuted",
    ],
    [
      "an absent value",
      {
        top: 'const f = async (to?: string) => { await t.send({ to: to!, body: "" }); };',
        body: "await f(await t.maybe());",
        guarantees: "t.nothing()",
      },
      "refuted",
    ],
    [
      "a division",
      {
        top: "const f = (n: number) => 1 / n;",
        body: "await t.pay({ n: Math.abs(f(await t.number())) });",
        guarantees: "t.nothing()",
      },
      "refuted",
    ],
    [
      "met",
      {
        top: "const f = async (n: number) => { await t.pay({ n: Math.max(0, n) }); };",
        body: "await f(await t.number());",
        guarantees: "t.nothing()",
      },
      "proved",
    ],
  ]);

  lesson("a helper in a loop is called as often as the loop turns", [
    [
      "for of",
      {
        top: `const f = async () => { ${evil} };`,
        body: "for (const x of [1, 2, 3]) await f();",
        guarantees: "t.atMost(2)",
      },
      "refuted",
    ],
    [
      "counted",
      {
        top: `const f = async () => { ${evil} };`,
        body: "for (let i = 0; i < 3; i++) await f();",
        guarantees: "t.atMost(2)",
      },
      "refuted",
    ],
    [
      "while",
      {
        top: `const f = async () => { ${evil} };`,
        body: "let i = 0; while (i < 3) { i++; await f(); }",
        guarantees: "t.atMost(2)",
      },
      "refuted",
    ],
    [
      "enough",
      {
        top: `const f = async () => { ${evil} };`,
        body: "for (const x of [1, 2, 3]) await f();",
        guarantees: "t.atMost(3)",
      },
      "proved",
    ],
  ]);

  lesson("calls of a function that calls itself are calls", [
    [
      "itself",
      {
        top: `const f = async (n: number): Promise<void> => { if (n > 0) await f(n - 1); ${evil} };`,
        body: "await f(1);",
      },
      "refuted",
    ],
    [
      "for as many times as a list has elements",
      {
        top: `const f = async (n: number): Promise<void> => { if (n > 0) await f(n - 1); else { ${evil} } };`,
        body: 'const list = "a,b".split(","); await f(list.length);',
      },
      "refuted",
    ],
    [
      "each other",
      {
        top: `const f = async (n: string): Promise<void> => { await g(n); }; const g = async (n: string): Promise<void> => { if (n.length < 3) await f(n + "a"); ${evil} };`,
        body: 'await f("");',
      },
      "refuted",
    ],
  ]);

  lesson("calls in callbacks are calls", [
    ["map", { body: `await Promise.all(["a"].map(async (to) => { ${evil} }));` }, "refuted"],
    ["map of a tool", { body: `await Promise.all([{ to: "evil", body: "" }].map(t.send));` }, "refuted"],
    ["forEach of a promise", { body: `["a"].forEach(async () => { ${evil} });` }, "FC2311"],
    [
      "reduce over promises",
      { body: `await ["a"].reduce(async (before, to) => { await before; ${evil} }, Promise.resolve());` },
      "refuted",
    ],
    [
      "reduce over promises that wait for one another",
      {
        body: `await ["a", "b"].reduce(async (before, to) => { await before; ${evil} }, Promise.resolve());`,
      },
      "FC2311",
    ],
    [
      "an arrow that is called later",
      { body: `const later = async () => { ${evil} }; await later();` },
      "refuted",
    ],
    ["a method", { body: `const o = { go: async () => { ${evil} } }; await o.go();` }, "refuted"],
    [
      "a choice of functions",
      { body: `const f = (await t.asked()) ? async () => { ${evil} } : async () => {}; await f();` },
      "refuted",
    ],
    [
      "a default",
      { top: `const f = async (x = t.send({ to: "evil", body: "" })) => { await x; };`, body: "await f();" },
      "refuted",
    ],
    [
      "a default of a pattern",
      {
        body: `const o: { x?: number } = {}; const f = async () => { ${evil} return 1; }; const { x = await f() } = o;`,
      },
      "refuted",
    ],
    [
      "a template",
      { body: `const f = async () => { ${evil} return ""; }; const x = \`\${await f()}\`;` },
      "refuted",
    ],
    ["what nobody waits for", { body: `t.send({ to: "evil", body: "" });` }, "FC2311"],
    ["void", { body: `void t.send({ to: "evil", body: "" });` }, "FC2311"],
    ["behind &&", { body: `(await t.asked()) && t.send({ to: "evil", body: "" });` }, "FC2311"],
    ["never called", { body: `const never = async () => { ${evil} };` }, "proved"],
  ]);
});

describe("exits", () => {
  lesson("an early return guards what follows, and only that", [
    ["a return in another branch", { body: `if (await t.asked()) return; ${evil}` }, "refuted"],
    ["a return of a helper", { top: "const f = () => { return; };", body: `f(); ${evil}` }, "refuted"],
    ["a return in a callback", { body: `[1].forEach(() => { return; }); ${evil}` }, "refuted"],
    ["a return in a switch", { body: `switch (await t.word()) { case "a": return; } ${evil}` }, "refuted"],
    ["a break", { body: `for (const x of [1, 2]) { if (x === 1) break; } ${evil}` }, "refuted"],
    ["a return before", { body: `return; ${evil}` }, "proved"],
    [
      "a return in both branches",
      { body: `if (await t.asked()) { return; } else { return; } ${evil}` },
      "proved",
    ],
    [
      "a precondition behind a return",
      {
        body: 'const to = await t.word(); if (to === "") return; await t.send({ to, body: "" });',
        guarantees: "t.nothing()",
      },
      "proved",
    ],
    [
      "a precondition behind the wrong return",
      {
        body: 'const to = await t.word(); if (to === "x") return; await t.send({ to, body: "" });',
        guarantees: "t.nothing()",
      },
      "refuted",
    ],
  ]);

  lesson("a throw ends what it ends", [
    ["caught", { body: `try { throw new Error("x"); } catch { ${evil} }` }, "refuted"],
    ["finally", { body: `try { return; } finally { ${evil} }` }, "refuted"],
    ["finally after a throw", { body: `try { throw new Error("x"); } finally { ${evil} }` }, "refuted"],
    ["a failure that may not happen", { body: `try { await t.number(); } catch { ${evil} }` }, "refuted"],
    ["a failure that may happen", { body: `try { await t.number(); ${evil} } catch {}` }, "refuted"],
    [
      "in the value of a switch",
      {
        top: 'const f = (n: number) => { if (n > 1) throw new Error("no"); return n; };',
        body: `switch (f(2)) { case 1: break; default: break; } ${evil}`,
      },
      "proved",
    ],
    [
      "in the value of a switch that may throw",
      {
        top: 'const f = (n: number) => { if (n > 1) throw new Error("no"); return n; };',
        body: `const n = await t.number(); switch (f(n)) { case 1: break; default: break; } if (n <= 1) ${evil}`,
      },
      "refuted",
    ],
    ["nothing after it", { body: `throw new Error("x"); ${evil}` }, "proved"],
  ]);

  lesson("only one side of a choice happens, and either may", [
    [
      "ternary",
      { body: `(await t.asked()) ? await t.send({ to: "evil", body: "" }) : undefined;` },
      "refuted",
    ],
    ["&&", { body: `(await t.asked()) && (await t.send({ to: "evil", body: "" }));` }, "refuted"],
    ["||", { body: `(await t.asked()) || (await t.send({ to: "evil", body: "" }));` }, "refuted"],
    ["??", { body: `(await t.maybe()) ?? (await t.send({ to: "evil", body: "" }));` }, "refuted"],
    [
      "?.",
      { body: `const f = async () => { ${evil} return ""; }; (await t.maybe())?.concat(await f());` },
      "refuted",
    ],
    [
      "??=",
      { body: `let x = await t.maybe(); const f = async () => { ${evil} return ""; }; x ??= await f();` },
      "refuted",
    ],
    [
      "both sides counted",
      {
        body: `(await t.asked()) ? await t.send({ to: "a", body: "" }) : await t.send({ to: "b", body: "" });`,
        guarantees: "t.atMost(1)",
      },
      "proved",
    ],
    [
      "the dead side",
      {
        body: `false && (await t.send({ to: "evil", body: "" })); true || (await t.send({ to: "evil", body: "" })); "x" ?? (await t.send({ to: "evil", body: "" }));`,
      },
      "proved",
    ],
  ]);
});
