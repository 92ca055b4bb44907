/** The examples of the language, and what they compile to, to be read. */
import { describe, expect, it } from "vitest";
import { compileProgram, compileTools } from "../../src/frontend/index.ts";
import { check, hashDocument, placeOf, printDocument, printExpr } from "../../src/ir/index.ts";
import { exampleFiles } from "./examples.ts";
import { labModule, sourceOf } from "./lab.ts";

const host = (files: Readonly<Record<string, string>>) => ({ readFile: (path: string) => files[path] });

function compiled(files: Readonly<Record<string, string>>) {
  const result = compileProgram("program.ts", host(files));
  if (!result.ok) throw new Error(JSON.stringify(result.problems, null, 1));
  return result.value;
}

/** Without the header and the declarations. */
function printed(files: Readonly<Record<string, string>>): string {
  const { document } = compiled(files);
  const text = printDocument(document);
  return text.slice(text.indexOf("program ")).trim();
}

describe("the examples of the language", () => {
  it("compile to a document that checks", () => {
    const { document, sourceMap, modules, sources, coverage } = compiled(exampleFiles);
    expect(check(document).ok).toBe(true);
    expect(hashDocument(document)).toMatch(/^eir1-/);
    expect(modules).toMatch(/^fcm1-[0-9a-f]{64}$/);
    expect(document.modules).toBe(modules);
    expect([...sources.keys()].sort()).toEqual(["program.ts", "tools/bank.ts"]);
    expect(coverage).toEqual([]);
    expect(placeOf(sourceMap, ["program", "body", 0])).toMatchObject({ name: "program.ts", startLine: 7 });
    expect(printDocument(document).replace(modules, "fcm1-…")).toMatchInlineSnapshot(`
      "effect-ir 1
      modules "fcm1-…"

      tool bank.balance(account: string) -> real
        ensures result >= 0
      tool bank.withdraw(account: string, amount: real)
        undoable
        requires amount >= 0
        cost amount

      program () {
        let owed = call bank.balance(account: "card")
        call bank.withdraw(account: "card", amount: min(owed, 500))
      }

      guarantee bank.maxSpend(500): sum(w in bank.withdraw: w.amount) <= 500
      guarantee bank.onlyAccount("card"): forall w in bank.withdraw: w.account == "card"
      "
    `);
  });

  it("have tools, fluents, contracts and policies", () => {
    const paths = Object.keys(exampleFiles).filter((path) => path.startsWith("tools/"));
    const result = compileTools(paths, { ...host(exampleFiles), tools: ["tools"] });
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const { tools, fluents, contracts, coverage } = result.value;
    expect(tools.map((tool) => tool.name).sort()).toEqual([
      "bank.balance",
      "bank.withdraw",
      "db.query",
      "email.send",
      "home.lock",
      "home.unlock",
    ]);
    expect(fluents).toEqual([
      {
        name: "home.doorLocked",
        key: { kind: "string" },
        value: { kind: "bool" },
        initial: { kind: "bool", value: true },
      },
    ]);
    expect(coverage).toEqual([
      {
        name: "email.policy",
        label: "email",
        whenUsed: ["email.send"],
        recommended: [{ contract: "email.only" }, { contract: "email.uniqueRecipients" }],
        required: [],
      },
    ]);
    const formulas = contracts.map(
      ({ name, params, formula }) =>
        `${name}(${params.map((one) => one.name).join(", ")}): ${printExpr(formula)}`,
    );
    expect(formulas.join("\n")).toMatchInlineSnapshot(`
      "email.only(addresses): forall e in email.send: contains(addresses, e.addr)
      email.none(): forall s in email.send: false
      email.uniqueRecipients(): distinct(e in email.send: e.addr)
      email.atMost(n): count(s in email.send) <= n
      email.recipientAtMost(addr, n): count(s in email.send where s.addr == addr) <= n
      email.contentLengthAtMost(n): forall e in email.send: length(e.msg) <= n
      email.sameContent(a, b): exists e in email.send where e.addr == a: exists e_2 in email.send where e_2.addr == b: e.msg == e_2.msg
      email.noGuarantees(): true
      bank.maxSpend(limit): sum(w in bank.withdraw: w.amount) <= limit
      bank.onlyAccount(account): forall w in bank.withdraw: w.account == account
      home.allDoorsLockedAtEnd(): forall d in final home.doorLocked: d.value
      home.doorLockedAtEnd(door): final home.doorLocked[door]
      db.addressesFromUsers(): forall e in email.send: exists r in rows db.query: r.email == e.addr"
    `);
  });

  it("stand for state too", () => {
    const files = {
      ...exampleFiles,
      "program.ts": `import { program } from "foreclaim";
import * as home from "./tools/home";
import { only as just, send } from "./tools/email.ts";
export default program({
  guarantees: [home.allDoorsLockedAtEnd(), home.doorLockedAtEnd("front"), just(["a@b"])],
  run: async () => {
    await home.unlock({ door: "front" });
    await send({ addr: "a@b", msg: "open" });
    await home.lock({ door: "front" });
  },
});`,
    };
    expect(printDocument(compiled(files).document).replace(/fcm1-\w+/, "fcm1-…")).toMatchInlineSnapshot(`
      "effect-ir 1
      modules "fcm1-…"

      fluent home.doorLocked[string]: bool = true

      tool email.send(addr: string, msg: string)
        labels "message"
        requires contains(addr, "@")
      tool home.lock(door: string)
        sets home.doorLocked[door] = true
      tool home.unlock(door: string)
        requires length(door) > 0
        sets home.doorLocked[door] = false

      program () {
        call home.unlock(door: "front")
        call email.send(addr: "a@b", msg: "open")
        call home.lock(door: "front")
      }

      guarantee home.allDoorsLockedAtEnd(): forall d in final home.doorLocked: d.value
      guarantee home.doorLockedAtEnd("front"): final home.doorLocked["front"]
      guarantee email.only(["a@b"]): forall e in email.send: contains(["a@b"], e.addr)
      "
    `);
  });
});

const body = (text: string, top?: string) =>
  printed({
    "program.ts": sourceOf(top === undefined ? { body: text } : { body: text, top }),
    "tools/lab.ts": labModule,
  });

describe("programs read like their sources", () => {
  it("branches and early return", () => {
    expect(
      body(`const owed = await lab.read({ key: "card" });
        if (owed > 500) { await lab.say({ text: "too much" }); return; }
        let fee = 1;
        if (owed > 100) { fee = owed / 100; }
        await lab.put({ n: owed + fee });`),
    ).toMatchInlineSnapshot(`
      "program () {
        let owed = call lab.read(key: "card")
        let owed_over_500 = owed > 500
        call lab.say(text: "too much") when owed_over_500
        let owed_over_100 = owed > 100
        let fee = owed / 100
        let fee_2 = if owed_over_100 then fee else 1
        call lab.put(n: owed + fee_2) when not owed_over_500
      }

      guarantee lab.nothing(): true"
    `);
  });

  it("loops with accumulators", () => {
    expect(
      body(`let total = 0;
        for (const r of await lab.rows()) {
          if (total + r.n > 500) continue;
          total += r.n;
          await lab.put({ n: r.n });
        }`),
    ).toMatchInlineSnapshot(`
      "program () {
        let rows = call lab.rows()
        for r in rows carry total: real = 0 {
          let total_r_n_over_500 = total + r.n > 500
          let total_2 = total + r.n
          call lab.put(n: r.n) when not total_r_n_over_500
          let total_3 = if total_r_n_over_500 then total else total_2
          next total = total_3
        }
      }

      guarantee lab.nothing(): true"
    `);
  });

  it("break and return in loops", () => {
    expect(
      body(`for (const r of await lab.rows()) {
          if (r.n > 3) break;
          if (r.ok) { await lab.say({ text: r.id }); return; }
        }
        await lab.say({ text: "none" });`),
    ).toMatchInlineSnapshot(`
      "program () {
        let rows = call lab.rows()
        for r in rows carry stopped: bool = false, returned: bool = false {
          let going = not stopped and not returned
          let r_n_over_3 = r.n > 3
          let r_n_over_3_2 = going and r_n_over_3
          let not_r_n_over_3 = going and not r_n_over_3
          let r_ok = not_r_n_over_3 and r.ok
          call lab.say(text: r.id) when r_ok
          next stopped = stopped or r_n_over_3_2
          next returned = returned or r_ok
        }
        let going_2 = not returned
        call lab.say(text: "none") when going_2
      }

      guarantee lab.nothing(): true"
    `);
  });

  it("short circuit", () => {
    expect(
      body(
        `if ((await lab.test({ key: "a" })) && (await lab.test({ key: "b" }))) { await lab.say({ text: "both" }); }`,
      ),
    ).toMatchInlineSnapshot(`
      "program () {
        let test = call lab.test(key: "a")
        let test_2 = call lab.test(key: "b") when test
        let lab_test_key_a = test and value(test_2)
        call lab.say(text: "both") when lab_test_key_a
      }

      guarantee lab.nothing(): true"
    `);
  });

  it("values that may be absent", () => {
    expect(
      body(`const r = await lab.find({ id: "k" });
        if (r === null) return;
        await lab.say({ text: r.note ?? r.id });
        const first = r.tags[0];
        await lab.say({ text: first! });`),
    ).toMatchInlineSnapshot(`
      "program () {
        let r = call lab.find(id: "k")
        let r_is_null = not isSome(r)
        let r_note_given = isSome(value(r).note)
        let r_note_given_3 = if r_note_given then value(value(r).note) else value(r).id
        call lab.say(text: r_note_given_3) when not r_is_null
        let first = at(value(r).tags, 0)
        require isSome(first) when not r_is_null: "\`first!\` may be \`undefined\`"
        call lab.say(text: value(first)) when not r_is_null
      }

      guarantee lab.nothing(): true"
    `);
  });

  it("try and finally", () => {
    expect(
      body(
        `try { await lab.put({ n: await lab.risky({ key: "k" }) }); } catch { await lab.say({ text: "failed" }); } finally { await lab.say({ text: "done" }); }`,
      ),
    ).toMatchInlineSnapshot(`
      "program () {
        let risky = call lab.risky(key: "k") catch risky_failed
        call lab.put(n: value(risky)) when not risky_failed catch put_failed
        let put_failed_2 = not risky_failed and put_failed
        let caught = risky_failed or put_failed_2
        call lab.say(text: "failed") when caught catch say_failed
        call lab.say(text: "done")
      }

      guarantee lab.nothing(): true"
    `);
  });

  it("division and integers are obligations", () => {
    expect(
      body(
        `const x = await lab.read({ key: "a" }); const y = await lab.read({ key: "b" }); if (y !== 0) { await lab.put({ n: x / y }); } await lab.count({ i: x });`,
      ),
    ).toMatchInlineSnapshot(`
      "program () {
        let x = call lab.read(key: "a")
        let y = call lab.read(key: "b")
        let y_isNot_0 = y != 0
        require y != 0 when y_isNot_0: "\`y\` must not be zero"
        call lab.put(n: x / y) when y_isNot_0
        require isInteger(x): "the argument \`i\` of \`lab.count\` must be an integer"
        call lab.count(i: truncate(x))
      }

      guarantee lab.nothing(): true"
    `);
  });

  it("helpers are written out", () => {
    expect(
      body(
        `await notify("a", 1); await notify("b", 20);`,
        `async function notify(who: string, n: number) { if (n > 10) { await lab.say({ text: who + "!" }); return; } await lab.say({ text: who }); }`,
      ),
    ).toMatchInlineSnapshot(`
      "program () {
        call lab.say(text: "a")
        call lab.say(text: "b!")
      }

      guarantee lab.nothing(): true"
    `);
  });

  it("array methods are operators", () => {
    expect(
      body(`const rows = await lab.rows();
        const big = rows.filter((r) => r.n > 2 && r.ok);
        if (big.some((r) => r.tags.includes("x"))) { await lab.list({ items: big.map((r) => r.id) }); }
        await lab.put({ n: big.reduce((sum, r) => sum + r.n, 0) });`),
    ).toMatchInlineSnapshot(`
      "program () {
        let rows = call lab.rows()
        let big = filter(rows, r => r.n > 2 and r.ok)
        let big_some_r_r_tags = any(big, r_2 => contains(r_2.tags, "x"))
        call lab.list(items: map(big, r_3 => r_3.id)) when big_some_r_r_tags
        call lab.put(n: fold(big, 0, (sum_2: real, r_5) => sum_2 + r_5.n))
      }

      guarantee lab.nothing(): true"
    `);
  });

  it("calls in callbacks are loops", () => {
    expect(
      body(
        `const ns = await Promise.all((await lab.rows()).map(async (r) => lab.read({ key: r.id }))); await lab.nums({ items: ns });`,
      ),
    ).toMatchInlineSnapshot(`
      "program () {
        let rows = call lab.rows()
        for r in rows parallel carry mapped: list<real> = [] {
          let read = call lab.read(key: r.id)
          next mapped = mapped ++ [read]
        }
        call lab.nums(items: mapped)
      }

      guarantee lab.nothing(): true"
    `);
  });

  it("sets are lists without repetition", () => {
    expect(
      body(
        `const seen = new Set<string>(); for (const r of await lab.rows()) { if (!seen.has(r.id)) { seen.add(r.id); await lab.say({ text: r.id }); } }`,
      ),
    ).toMatchInlineSnapshot(`
      "program () {
        let rows = call lab.rows()
        for r in rows carry seen: list<string> = [] {
          let not_seen_has_r_id = not contains(seen, r.id)
          let set = if contains(seen, r.id) then seen else seen ++ [r.id]
          call lab.say(text: r.id) when not_seen_has_r_id
          let seen_2 = if not_seen_has_r_id then set else seen
          next seen = seen_2
        }
      }

      guarantee lab.nothing(): true"
    `);
  });

  it("unused values leave no trace, calls always do", () => {
    expect(body(`const a = 1 + (await lab.read({ key: "k" })); const b = a * 2;`)).toMatchInlineSnapshot(`
      "program () {
        call lab.read(key: "k")
      }

      guarantee lab.nothing(): true"
    `);
  });
});
