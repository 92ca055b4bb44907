/** A contract says what it says: nothing is vacuous, halved, guessed or made up, and a broken one shows a run. */
import { describe, expect, it } from "vitest";
import { compiled, lesson, proofOf } from "./workbench.ts";

const evil = 'await t.send({ to: "evil", body: "" });';
const stated = (contract: string, body: string, tools = "") => ({
  tools: `${tools}\nexport const g = contract(() => ${contract});`,
  guarantees: "t.g()",
  body,
});

describe("assumptions", () => {
  const broken = `export const broken = tool({ ensures: (r) => r > 5 && r < 3, run: async (): Promise<number> => 0 });`;

  lesson("from a contradiction nothing is proved", [
    [
      "a postcondition",
      { tools: broken, body: `await t.broken(); const n = await t.number(); if (n > 0) ${evil}` },
      "unknown",
    ],
    [
      "a precondition that cannot be met",
      { body: `await t.pay({ n: -1 }); const n = await t.number(); if (n > 0) ${evil}` },
      "refuted",
    ],
    [
      "a requirement of the program",
      { body: `const x = await t.maybe(); if (x === undefined) await t.send({ to: x!, body: "" }); ${evil}` },
      "refuted",
    ],
    [
      "a condition that is never true",
      { body: `const n = await t.number(); if (n > 1 && n < 1) ${evil}` },
      "proved",
    ],
  ]);

  lesson("what is ensured is known only of a call that was made", [
    [
      "in another branch",
      {
        body: `let n = await t.number(); if (await t.asked()) n = await t.owed({ id: "a" }); if (n > 100) ${evil}`,
      },
      "refuted",
    ],
    [
      "behind &&",
      {
        body: `const yes = await t.asked(); const n = await t.number(); const ok = yes && (await t.owed({ id: "a" })) >= 0; if (!ok) ${evil}`,
      },
      "refuted",
    ],
    [
      "of a call that failed",
      { body: `let n = -1; try { n = await t.owed({ id: "a" }); } catch {} if (n < 0) ${evil}` },
      "refuted",
    ],
    [
      "of a call with a broken precondition",
      { body: `const n = await t.owed({ id: await t.word() }); if (n > 100) ${evil}` },
      "refuted",
    ],
    [
      "of a call that was made",
      { body: `const n = await t.owed({ id: "a" }); if (n > 100) ${evil}` },
      "proved",
    ],
  ]);
});

describe("what a contract says", () => {
  lesson("it says something", [
    [
      "a clause that throws",
      {
        tools:
          'export const buy = tool({ requires: ({ n }) => { if (n > 100) throw new Error("x"); return true; }, run: async ({ n }: { n: number }): Promise<void> => {} });',
        body: "await t.buy({ n: 500 });",
      },
      "FC2209",
    ],
    [
      "a clause whose helper throws",
      {
        tools:
          'const must = (c: boolean) => { if (!c) throw new Error("x"); }; export const buy = tool({ requires: ({ n }) => { must(n < 100); return true; }, run: async ({ n }: { n: number }): Promise<void> => {} });',
        body: "await t.buy({ n: 500 });",
      },
      "FC2209",
    ],
    [
      "a promise of a tool that throws",
      {
        tools:
          'export const get = tool({ ensures: (r) => { if (r > 1) throw new Error("x"); return true; }, run: async (): Promise<number> => 0 });',
        body: "await t.get();",
      },
      "FC2209",
    ],
    [
      "a contract that throws",
      stated('{ if (send.count() > 0) throw new Error("x"); return true; }', evil),
      "FC2209",
    ],
    [
      "a function over calls that throws",
      stated('send.all((e) => { if (e.to === "evil") throw new Error("x"); return true; })', evil),
      "FC2209",
    ],
    [
      "a function over calls that takes notes",
      stated(
        '{ let ok = true; send.all((e) => { if (e.to === "evil") ok = false; return true; }); return ok; }',
        evil,
      ),
      "FC2209",
    ],
    ["nothing at all", stated("{ send.none(); }", evil), "FC2105"],
    ["a tool", stated("send as never", evil), "FC2319"],
    ["a function", stated("(() => false) as never", evil), "FC2319"],
    ["a relation", stated('send.where((e) => e.to === "a") as never', evil), "FC2319"],
    ["another contract that is not called", stated("silent as never", evil), "FC2319"],
    ["a number", stated("send.count() as never", evil), "FC2105"],
    ["a text", stated('"yes" as never', evil), "FC2105"],
    ["a predicate that gives nothing", stated('send.none((e) => { e.to === "evil"; })', evil), "FC2105"],
    ["a predicate that gives a list", stated('send.all((e) => [e.to === "a"] as never)', evil), "FC2105"],
    [
      "a predicate that gives a function",
      stated('send.all((e) => (() => e.to === "a") as never)', evil),
      "FC2319",
    ],
    ["a promise", stated("send.all(async (e) => false as never)", evil), "FC2311"],
    ["a predicate of two", stated("send.all(((e, i) => i === undefined) as never)", evil), "FC2314"],
    ["a call of a tool", stated('{ send({ to: "a", body: "" }); return true; }', evil), "FC2209"],
    [
      "a throw that is caught",
      stated(
        '{ try { if (send.count() > 0) throw new Error("x"); return true; } catch { return false; } }',
        evil,
      ),
      "refuted",
    ],
    [
      "a loop over constants",
      stated(
        '{ for (const to of ["a", "evil"]) if (send.some((e) => e.to === to)) return false; return true; }',
        evil,
      ),
      "refuted",
    ],
  ]);

  lesson("it says all of it", [
    ["and", stated('send.count() <= 5 && send.all((e) => e.to === "a")', evil), "refuted"],
    ["and, the other way", stated('send.all((e) => e.to === "a") && send.count() <= 5', evil), "refuted"],
    [
      "two functions on one line",
      stated('send.all((e) => e.to === "evil") && send.all((e) => e.body === "x")', evil),
      "refuted",
    ],
    ["contracts of contracts", stated('atMost(5) && only("a")', evil), "refuted"],
    ["in a function", stated('send.all((e) => e.body === "" && e.to === "a")', evil), "refuted"],
    ["a condition", stated("send.some() ? send.count() <= 0 : true", evil), "refuted"],
    [
      "a helper",
      stated(
        "fine()",
        evil,
        'const fine = () => { const a = send.count() <= 5; const b = only("a"); return a && b; };',
      ),
      "refuted",
    ],
    ["each key", stated("send.perKey((e) => e.to).count() <= 1", `${evil} ${evil}`), "refuted"],
    ["each key, turned round", stated("2 > send.perKey((e) => e.to).count()", `${evil} ${evil}`), "refuted"],
    ["each key, negated", stated("!(send.perKey((e) => e.to).count() > 1)", `${evil} ${evil}`), "FC2210"],
    [
      "each key that is a record",
      stated("send.perKey((e) => ({ a: e.to, b: e.body })).count() <= 1", `${evil} ${evil}`),
      "refuted",
    ],
    ["all of it", stated('send.count() <= 5 && send.all((e) => e.to === "evil")', evil), "proved"],
  ]);

  lesson("it speaks of what there is", [
    ["a tool that is not there", stated("sned.none()", evil), "FC2401"],
    ["a field that is not there", stated('send.all((e) => e.too !== "evil")', evil), "FC2310"],
    ["a method that is not there", stated("send.never()", evil), "FC2205"],
    ["rows that are not there", stated("send.rows.some()", evil), "FC2205"],
    ["a fluent that is not there", stated("lokced.final.all((d) => d.value)", evil), "FC2401"],
    [
      "a value that a field cannot have",
      stated(
        'level.all((e) => e.to !== "hgih")',
        evil,
        'export const level = tool({ run: async ({ to }: { to: "low" | "high" }): Promise<void> => {} });',
      ),
      "FC2106",
    ],
    [
      "a parameter without a type",
      {
        tools: "export const g = contract((to) => send.all((e) => to.includes(e.to)));",
        guarantees: 't.g("a")',
        body: evil,
      },
      "FC2102",
    ],
    ["no label", stated('labelled("").none()', evil), "FC2207"],
  ]);

  lesson("numbers of nothing, of less than nothing, of one another", [
    ["the least of none", stated("send.min((e) => e.to.length, 0) >= 1", ""), "refuted"],
    [
      "the greatest of a negative",
      stated(
        "give.max((e) => e.n, 0) >= 0",
        "await t.give({ n: -5 });",
        "export const give = tool({ run: async ({ n }: { n: number }): Promise<void> => {} });",
      ),
      "refuted",
    ],
    [
      "a sum with a negative",
      stated(
        "give.sum((e) => e.n) >= 0",
        "await t.give({ n: 3 }); await t.give({ n: await t.number() });",
        "export const give = tool({ run: async ({ n }: { n: number }): Promise<void> => {} });",
      ),
      "refuted",
    ],
    ["two counts", stated("send.count() <= pay.count()", evil), "refuted"],
    ["absent keys are equal", stated("send.distinct((e) => e.cc)", `${evil} ${evil}`), "refuted"],
    ["an absent value is not an empty one", stated("send.all((e) => e.cc !== undefined)", evil), "refuted"],
    [
      "a shared value",
      stated("send.sharesValue(post, (e) => e.to)", `${evil} await t.post({ to: "a", topic: "" });`),
      "refuted",
    ],
  ]);

  lesson("order is the order of the run", [
    ["before", stated("post.before(send)", `${evil} await t.post({ to: "a", topic: "" });`), "refuted"],
    [
      "before, perhaps",
      stated("post.before(send)", `if (await t.asked()) await t.post({ to: "a", topic: "" }); ${evil}`),
      "refuted",
    ],
    [
      "before, if it did not fail",
      stated("post.before(send)", `try { await t.post({ to: "a", topic: "" }); } catch {} ${evil}`),
      "refuted",
    ],
    ["before itself", stated("send.before(send)", evil), "refuted"],
    [
      "the matching one",
      stated("post.precedes(send, (a, b) => a.to === b.to)", `await t.post({ to: "a", topic: "" }); ${evil}`),
      "refuted",
    ],
    [
      "never after",
      stated("send.neverAfter(post)", `await t.post({ to: "a", topic: "" }); ${evil}`),
      "refuted",
    ],
    ["in this order", stated("post.before(send)", `await t.post({ to: "a", topic: "" }); ${evil}`), "proved"],
  ]);

  const write = (contract: string, path: string) =>
    stated(
      contract,
      `const name = await t.word(); await t.write({ path: ${path} });`,
      "export const write = tool({ run: async ({ path }: { path: string }): Promise<void> => {} });",
    );
  const sandbox = (path: string) => write('write.all((e) => pathInside(e.path, "/sandbox"))', path);
  const site = (url: string) => write('write.all((e) => urlInside(e.path, "https://a.com/x"))', url);

  lesson("a place is inside another only after normalising", [
    ["up and out", sandbox('"/sandbox/../etc/passwd"'), "refuted"],
    ["up and out, encoded", sandbox('"/sandbox/%2e%2e/etc/passwd"'), "refuted"],
    ["up and out, with a backslash", sandbox('"/sandbox/..\\\\etc"'), "refuted"],
    ["a neighbour", sandbox('"/sandbox-evil/x"'), "refuted"],
    ["from where it runs", sandbox('"sandbox/x"'), "refuted"],
    ["a name of a tool", sandbox('"/sandbox/" + name'), "refuted"],
    ["a name without a slash", sandbox('"/sandbox/" + (name.includes("/") ? "x" : name)'), "refuted"],
    ["a place below", sandbox('"/sandbox//a/./b/../c"'), "proved"],
    [
      "a prefix is only a prefix",
      write(
        'write.all((e) => e.path.startsWith("/sandbox/") && !e.path.includes(".."))',
        '"/sandbox/../etc"',
      ),
      "refuted",
    ],
    ["a user", site('"https://a.com@evil.com/x"'), "refuted"],
    ["a host that begins alike", site('"https://a.com.evil.com/x"'), "refuted"],
    ["another port", site('"https://a.com:8443/x"'), "refuted"],
    ["another scheme", site('"http://a.com/x"'), "refuted"],
    ["out of the path", site('"https://a.com/x/%2E%2e/y"'), "refuted"],
    ["a path that begins alike", site('"https://a.com/xy"'), "refuted"],
    ["a query of a tool", site('"https://a.com/x?q=" + name'), "refuted"],
    ["the same in other words", site('"HTTPS://A.com:443/y/../x/z?q=1"'), "proved"],
  ]);
});

describe("states", () => {
  lesson("an exception between two calls leaves the state between them", [
    [
      "caught",
      {
        guarantees: "t.allLocked()",
        body: 'await t.unlock({ door: "a" }); try { await t.number(); await t.lock({ door: "a" }); } catch {}',
      },
      "refuted",
    ],
    [
      "its own",
      {
        guarantees: "t.allLocked()",
        body: 'await t.unlock({ door: "a" }); if (await t.asked()) throw new Error("x"); await t.lock({ door: "a" });',
      },
      "refuted",
    ],
    [
      "the lock itself fails",
      {
        guarantees: "t.allLocked()",
        body: 'await t.unlock({ door: "a" }); try { await t.lock({ door: "a" }); } catch {}',
      },
      "refuted",
    ],
    [
      "the unlock fails",
      {
        guarantees: "t.allLocked()",
        body: 'try { await t.unlock({ door: "a" }); await t.lock({ door: "a" }); } catch {}',
      },
      "refuted",
    ],
    [
      "an early return",
      {
        guarantees: "t.allLocked()",
        body: 'await t.unlock({ door: "a" }); if (await t.asked()) return; await t.lock({ door: "a" });',
      },
      "refuted",
    ],
    [
      "finally, if the lock works",
      {
        guarantees: "t.allLocked()",
        body: 'try { await t.unlock({ door: "a" }); await t.number(); } finally { await t.lock({ door: "a" }); }',
      },
      "proved",
    ],
    [
      "in every state",
      {
        ...stated(
          "locked.always.all((d) => d.value)",
          'await t.unlock({ door: "a" }); await t.lock({ door: "a" });',
        ),
      },
      "refuted",
    ],
  ]);

  it("a promise that is open if the run stops says so", async () => {
    const proof = await proofOf({
      guarantees: "t.allLocked()",
      body: 'await t.unlock({ door: "a" }); await t.number(); await t.lock({ door: "a" });',
    });
    expect("guarantees" in proof && proof.guarantees[0]?.verdict.kind).toBe("proved");
    expect("guarantees" in proof && proof.guarantees[0]?.interruption?.kind).toBe("open");
  });

  const both = `export const swap = tool({ effects: ({ a, b }) => [locked.set(a, true), locked.set(b, false)], run: async ({ a, b }: { a: string; b: string }): Promise<void> => {} });
export const flip = tool({ effects: ({ door }) => [locked.set(door, !locked.get(door))], run: async ({ door }: { door: string }): Promise<void> => {} });`;
  lesson("keys that are equal are one cell", [
    [
      "two changes of one key",
      { tools: both, guarantees: "t.allLocked()", body: 'await t.swap({ a: "x", b: "x" });' },
      "refuted",
    ],
    [
      "a key that may be the same",
      {
        tools: both,
        guarantees: "t.allLocked()",
        body: 'const x = await t.word(); await t.unlock({ door: x }); await t.lock({ door: "a" });',
      },
      "refuted",
    ],
    [
      "the last one wins",
      {
        tools: both,
        guarantees: "t.allLocked()",
        body: 'const x = await t.word(); await t.swap({ a: x, b: "a" }); await t.lock({ door: "a" });',
      },
      "proved",
    ],
    [
      "twice is not undone for two doors",
      {
        tools: both,
        guarantees: "t.allLocked()",
        body: "await t.flip({ door: await t.word() }); await t.flip({ door: await t.word() });",
      },
      "refuted",
    ],
    [
      "twice is undone for one",
      {
        tools: both,
        guarantees: "t.allLocked()",
        body: "const x = await t.word(); await t.flip({ door: x }); await t.flip({ door: x });",
      },
      "proved",
    ],
    [
      "made of parts",
      {
        tools: both,
        guarantees: "t.allLocked()",
        body: 'await t.unlock({ door: "a" + "b" }); await t.lock({ door: "ab" });',
      },
      "proved",
    ],
  ]);

  lesson("a call that failed may or may not have had its effect", [
    ["counts", { body: `try { ${evil} } catch {}` }, "refuted"],
    ["and does not count", { body: `try { ${evil} } catch {}`, guarantees: "t.some()" }, "refuted"],
    ["at most once", { body: `try { ${evil} } catch {}`, guarantees: "t.atMost(1)" }, "proved"],
  ]);
});

describe("evidence", () => {
  it("a counterexample is a run, in the words of the program", async () => {
    const proof = await proofOf({
      body: 'const who = await t.word(); if (who === "bob") await t.send({ to: who, body: "hi" });',
    });
    if (!("guarantees" in proof)) throw new Error("refused");
    const verdict = proof.guarantees[0]?.verdict;
    expect(verdict?.kind === "refuted" && verdict.run.trace).toMatchObject([
      { tool: "t.word", outcome: { kind: "returned", result: "bob" } },
      { tool: "t.send", args: { fields: { to: "bob", body: "hi" } } },
    ]);
  });

  it("every call and every guarantee has a place in the source", () => {
    const result = compiled({ body: `const f = async () => { ${evil} }; await f();` });
    if (!result.ok) throw new Error("refused");
    const paths = JSON.stringify(result.value.sourceMap);
    expect(paths).toContain("program.ts");
    expect(result.value.document.program.body).toHaveLength(1);
  });
});

describe("coverage", () => {
  const policy = "export const policy = coverage({ whenUsed: [send], recommended: [only] });";

  it("names tools and contracts as they were declared, whatever they are called in a program", () => {
    for (const top of ["", 'import { send as x, only as y } from "./tools/t";', "const send = 1;"]) {
      const result = compiled({ top, tools: policy, guarantees: 't.only("a")' });
      expect(result.ok && result.value.coverage).toMatchObject([
        { name: "t.policy", whenUsed: ["t.send"], recommended: [{ contract: "t.only" }] },
      ]);
    }
  });

  it("tells an alias, a helper and a spoofed name from the real ones", () => {
    const used = (body: string, top = "") => {
      const result = compiled({ top, tools: policy, guarantees: "t.nothing()", body });
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      return result.value.document.tools.map((tool) => tool.name);
    };
    expect(used('const f = t.send; await f({ to: "a", body: "" });')).toEqual(["t.send"]);
    expect(used("await f();", `const f = async () => { ${evil} };`)).toEqual(["t.send"]);
    expect(used('const send = async (x: unknown) => {}; await send({ to: "a" });')).toEqual([]);
    const spoofed = compiled({
      tools: policy,
      top: "const t2 = { only: (to: string) => true };",
      guarantees: 't2.only("a")',
    });
    expect(spoofed.ok).toBe(false);
  });
});
