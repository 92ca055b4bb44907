/** Forms of the language that models write and that have a plainer form: each does what JavaScript does. */
import type { LabProgram } from "./lab.ts";

const say = (text: string): string => `await lab.say({ text: ${text} });`;
const risky = 'await lab.risky({ key: "k" })';

const caught: Record<string, LabProgram> = {
  "the message of a tool's failure": {
    body: `try { ${risky}; ${say('"ok"')} } catch (e) { ${say("e instanceof Error ? e.message : String(e)")} }`,
  },
  "the text, the name and a cast of a failure": {
    body: `try { ${risky}; } catch (err: unknown) { ${say("`${err}|${String(err)}|${(err as Error).message}|${(err as Error).name}`")} }`,
  },
  "a failure or an own error": {
    body: `try { const n = ${risky}; if (n > 5) throw new TypeError("big " + n); ${say('"small"')} } catch (e) { ${say("e.name + e.message")} ${say('e instanceof TypeError ? "type" : "other"')} }`,
  },
  "an own error without a message": {
    body: `try { if (${risky} > 5) throw new RangeError(); } catch (e) { ${say("`${e}`")} }`,
  },
  "a failure in a loop": {
    body: `let n = 0; try { for (const r of await lab.rows()) { n += r.n; ${risky}; ${say("r.id")} } } catch (e) { ${say("`${n} ${e.message}`")} }`,
  },
  "an own error in a loop": {
    body: `try { for (const r of await lab.rows()) { if (r.n > 2) throw new Error("row " + r.id); if (r.n < 0) throw new TypeError("low"); ${say("r.id")} } ${risky}; } catch (e) { ${say("`${e}`")} ${say('e instanceof TypeError ? "type" : "other"')} }`,
  },
  "a failure in each turn": {
    body: `const failed: string[] = []; for (const r of await lab.rows()) { try { ${risky}; } catch (e) { failed.push(\`\${r.id}: \${e instanceof Error ? e.message : "unknown"}\`); } } await lab.list({ items: failed });`,
  },
  "a failure in a helper": {
    top: `async function attempt(key: string): Promise<string> { try { return "got " + (await lab.risky({ key })); } catch (error) { return "failed: " + (error as Error).message; } }`,
    body: `${say('await attempt("a")')} ${say('await attempt("b")')}`,
  },
  "a failure passed on": {
    body: `try { try { ${risky}; } catch (e) { throw new Error(\`wrapped: \${e.message}\`, { cause: e }); } } catch (e) { ${say("e.message")} }`,
  },
  "a failure thrown again": {
    body: `try { try { ${risky}; } catch (e) { ${say('"first"')} throw e; } } catch (e) { ${say("e.message")} }`,
  },
  "a failure past finally": {
    body: `try { try { ${risky}; } finally { ${say('"done"')} } } catch (e) { ${say("e.message")} }`,
  },
  "retries that remember the last failure": {
    body: `let last = ""; for (let i = 0; i < 3; i++) { try { await lab.put({ n: ${risky} }); return; } catch (e) { last = (e as Error).message; } } ${say("last")}`,
  },
};

const labels: Record<string, LabProgram> = {
  "continue of an outer loop": {
    body: `outer: for (const r of await lab.rows()) { for (const t of r.tags) { if (t === "y") continue outer; ${say("r.id + t")} } ${say('r.id + "end"')} } ${say('"after"')}`,
  },
  "break of an outer loop": {
    body: `let n = 0; outer: for (const r of await lab.rows()) { for (const t of r.tags) { n++; if (t === "z") break outer; ${say("r.id + t")} } ${say('"row"')} } await lab.put({ n });`,
  },
  "jumps past three loops and a switch": {
    body: `a: for (const r of await lab.rows()) { b: for (const t of r.tags) { for (const k of ["1", "2"]) { switch (t) { case "x": if (k === "2") continue b; break; case "y": continue a; default: if (r.ok) break a; } ${say("t + k")} } ${say('"b"')} } ${say('"a"')} }`,
  },
  "a label in a loop": {
    body: `for (const r of await lab.rows()) { inner: for (const t of r.tags) { for (const u of ["p", "q"]) { if (u === "q") continue inner; if (t === "z") break inner; ${say("r.id + t + u")} } ${say('"never"')} } ${say('"next"')} }`,
  },
  "labels on counted loops": {
    body: `outer: for (let i = 0; i < 3; i++) { let j = 0; while (j < 3) { j++; if (j === 2 && i === 0) continue outer; if (i === 2) break outer; ${say("`${i}${j}`")} } } ${say('"end"')}`,
  },
  "a label past finally": {
    body: `outer: for (const r of await lab.rows()) { for (const t of r.tags) { try { if (t === "y") continue outer; ${say("t")} } finally { ${say('"f"')} } } ${say("r.id")} }`,
  },
  "a labelled return": {
    body: `const first = async () => { outer: for (const r of await lab.rows()) { for (const t of r.tags) { if (t === "y") continue outer; if (t === "z") return r.id; } } return "none"; }; ${say("await first()")}`,
  },
};

const classes: Record<string, LabProgram> = {
  "fields, methods, a getter and static members": {
    top: `class Counter { n = 0; names: string[] = []; limit; static MAX = 3; constructor(limit: number) { this.limit = limit; } get left(): number { return this.limit - this.n; } add(name: string): boolean { if (this.n >= this.limit) return false; this.n += 1; this.names.push(name); return true; } static of(x: number) { return new Counter(x); } }`,
    body: `const c = new Counter(Counter.MAX); for (const k of ["a", "b", "c", "d"]) { if (c.add(k)) { ${say("k")} } } await lab.put({ n: c.left }); ${say("c.names.join()")} const d = Counter.of(1); d.add("z"); await lab.put({ n: d.left + c.left });`,
  },
  "private names in a loop": {
    top: `class Budget { #left: number; constructor(total: number) { this.#left = total; } take(n: number): boolean { if (n > this.#left) return false; this.#left -= n; return true; } get left() { return this.#left; } }`,
    body: `const b = new Budget(5); for (const r of await lab.rows()) { if (b.take(r.n)) { ${say("r.id")} } } await lab.put({ n: b.left });`,
  },
  "a method that calls tools and its own methods": {
    top: `class Desk { log: string[] = []; async ask(key: string): Promise<number> { const n = await lab.read({ key }); this.note(key + n); return n; } note(text: string) { this.log.push(text); } total = (xs: number[]) => xs.reduce((a, b) => a + b, this.log.length); }`,
    body: `const d = new Desk(); const a = await d.ask("a"); const b = await d.ask("b"); await lab.put({ n: d.total([a, b]) }); await lab.list({ items: d.log });`,
  },
  "two objects of a class": {
    top: `class Box { v = 1; up() { this.v++; return this; } }`,
    body: `const a = new Box(); const b = new Box(); a.up().up(); b.up(); await lab.put({ n: a.v * 10 + b.v });`,
  },
  "methods of an object literal": {
    body: `const o = { n: 1, up(by: number) { this.n += by; return this.n; } }; await lab.put({ n: o.up(2) }); await lab.put({ n: o.up(3) + o.n });`,
  },
  "an object of one of two": {
    top: `class Box { v = 1; up() { this.v++; } }`,
    body: `const b = new Box(); if (await lab.test({ key: "k" })) { b.up(); } await lab.put({ n: b.v });`,
  },
};

const equality: Record<string, LabProgram> = {
  "== with null": {
    body: `const m = await lab.maybe({ key: "k" }); if (m == null) { ${say('"none"')} } else { ${say("m")} } const r = await lab.find({ id: "a" }); if (r != undefined) { ${say("r.id")} }`,
  },
  "== of one type": {
    body: `const n = await lab.read({ key: "k" }); const w = await lab.word(); if (n == 5 || w != "a") { ${say('"x"')} } if (w == "a") { ${say('"y"')} }`,
  },
};

export const sugar: Record<string, LabProgram> = { ...caught, ...labels, ...classes, ...equality };
