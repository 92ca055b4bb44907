/** Loops whose number of turns only the run knows: as JavaScript, and as one `while` of the Effect IR. */
import { describe, expect, it } from "vitest";
import { commandsIn, printDocument } from "../../src/ir/index.ts";
import { compileLab, runAsIr, runAsJavaScript, sourceOf } from "./lab.ts";

const seeds = Array.from({ length: 24 }, (_, i) => i);

const pages = `let cursor: string | undefined;
  const seen: string[] = [];`;

const loops: Readonly<Record<string, string>> = {
  "until a tool says so": 'while (await lab.test({ key: "more" })) { await lab.say({ text: "again" }); }',
  "a page at a time, left by break": `${pages}
    while (true) {
      const next = await lab.maybe({ key: cursor ?? "first" });
      seen.push(next ?? "none");
      if (!next) break;
      cursor = next;
    }
    await lab.list({ items: seen });`,
  "a page at a time, to the end of the last": `let cursor: string | undefined;
    do {
      cursor = await lab.maybe({ key: cursor ?? "first" });
      await lab.opt({ a: cursor, b: null });
    } while (cursor);
    await lab.say({ text: "done" });`,
  "the number of the page": `let page = 1;
    for (;;) {
      const rows = await lab.rows();
      if (rows.length === 0) break;
      for (const row of rows) await lab.put({ n: row.n * page });
      page++;
    }
    await lab.put({ n: page });`,
  "counted in the head": `for (let p = 1; ; p++) {
      if (p > 1 && (await lab.test({ key: "stop" }))) break;
      await lab.put({ n: p });
    }`,
  "a queue": `const queue: string[] = ["root"];
    let n = 0;
    while (queue.length > 0) {
      const key = queue.shift() ?? "";
      const found = await lab.find({ id: key });
      if (found !== null && n < 5) { queue.push(found.id); n++; }
      await lab.list({ items: queue });
    }`,
  "a stack": `const stack: string[] = (await lab.rows()).map((row) => row.id);
    while (stack.length > 0) {
      const top = stack.pop();
      if (top === undefined) break;
      await lab.say({ text: top });
    }`,
  "by the position": `const rows = await lab.rows();
    let i = 0;
    while (i < rows.length) { await lab.put({ n: rows[i].n }); i++; }`,
  "every second element": `const rows = await lab.rows();
    for (let i = 0; i < rows.length; i += 2) await lab.row({ row: rows[i] });`,
  "in parts": `const rows = await lab.rows();
    for (let i = 0; i < rows.length; i += 2) await lab.list({ items: rows.slice(i, i + 2).map((row) => row.id) });`,
  "counting down": `const rows = await lab.rows();
    for (let i = rows.length - 1; i >= 0; i--) await lab.put({ n: rows[i].n });`,
  "a number that falls": `let left = await lab.read({ key: "n" });
    while (left > 0) { await lab.put({ n: left }); left -= 2; }
    await lab.put({ n: left });`,
  "continue comes to what is counted": `const n = (await lab.rows()).length;
    for (let i = 0; i < n * 2; i += 1.5) { if (await lab.test({ key: "skip" })) continue; await lab.put({ n: i }); }`,
  "continue in a do": `let more = true;
    do {
      more = await lab.test({ key: "more" });
      if (more) continue;
      await lab.say({ text: "last" });
    } while (more);`,
  "return from the middle": `let n = 0;
    while (true) {
      n++;
      if (await lab.test({ key: "stop" })) return;
      await lab.put({ n });
    }`,
  "an answer of a helper": `const first = async (): Promise<string> => {
      for (;;) { const found = await lab.maybe({ key: "k" }); if (found !== undefined) return found; await lab.say({ text: "again" }); }
    };
    await lab.say({ text: await first() });
    await lab.say({ text: await first() });`,
  "caught around the loop": `let n = 0;
    try {
      while (true) { n += await lab.risky({ key: "k" }); await lab.put({ n }); }
    } catch { await lab.put({ n: -n }); }
    await lab.say({ text: "after" });`,
  "caught in the loop": `let tries = 0;
    let ok = false;
    while (!ok) {
      try { await lab.risky({ key: "k" }); ok = true; } catch { tries += 2; }
    }
    await lab.put({ n: tries });`,
  "thrown in the loop": `let n = 0;
    try {
      while (await lab.test({ key: "on" })) { n += await lab.read({ key: "n" }); if (n > 2) throw new Error("enough"); await lab.put({ n }); }
      await lab.say({ text: "through" });
    } catch { await lab.say({ text: "enough" }); }`,
  "a loop in a loop": `while (await lab.test({ key: "outer" })) {
      let n = 0;
      while (await lab.test({ key: "inner" })) { n++; await lab.put({ n }); }
      await lab.put({ n: -n });
    }`,
  "a loop around a list": `let total = 0;
    while (await lab.test({ key: "more" })) {
      for (const row of await lab.rows()) { if (!row.ok) continue; total += row.n; if (total > 20) break; }
      await lab.put({ n: total });
    }`,
  "a loop in a list": `for (const row of await lab.rows()) {
      let left = row.n;
      while (left > 0) { left -= 3; if (await lab.test({ key: row.id })) break; }
      await lab.put({ n: left });
    }`,
  "only if it is reached": `if (await lab.test({ key: "a" })) {
      while (await lab.test({ key: "b" })) await lab.say({ text: "b" });
      await lab.say({ text: "a" });
    }
    await lab.say({ text: "end" });`,
  "what it changes is read afterwards": `const names = new Set<string>();
    let last: string | undefined;
    while (names.size < 2 && (await lab.test({ key: "more" }))) { const word = await lab.word(); names.add(word); last = word; }
    await lab.list({ items: [...names] });
    await lab.opt({ a: last, b: null });`,
  "until enough is found": `const found: string[] = [];
    while (found.length < 3) {
      const rows = await lab.rows();
      if (rows.length === 0) break;
      for (const row of rows) if (row.ok) found.push(row.id);
    }
    await lab.list({ items: found });`,
  "a function made in a turn keeps its variable": `const fs: number[] = [];
    for (let i = 0; await lab.test({ key: "more" }); i++) { const now = () => i; i += 1; fs.push(now()); }
    await lab.nums({ items: fs });`,
  "a bound that changes": `let n = (await lab.rows()).length;
    for (let i = 0; i < n; i++) { if (await lab.test({ key: "k" })) n = n - 1; await lab.put({ n: i }); }`,
  "a text that is shortened": `let text = (await lab.word()) + "ab";
    while (text.length > 1) { await lab.say({ text }); text = text.slice(1); }`,
  "a counter that is counted now and then": `let sent = 0;
    while (sent < 3) { if (await lab.test({ key: "ok" })) { sent++; await lab.put({ n: sent }); } }`,
};

describe("a loop of unknown turns does the same compiled as it does in JavaScript", () => {
  it.each(Object.entries(loops))("%s", async (_, body) => {
    const source = sourceOf({ body });
    const compiled = compileLab(source);
    if (!("document" in compiled)) throw new Error(JSON.stringify(compiled.problems, null, 1));
    const { document } = compiled;
    expect([...commandsIn(document.program.body)].some(({ kind }) => kind === "while")).toBe(true);
    for (const seed of seeds) {
      const inJavaScript = await runAsJavaScript(source, undefined, seed);
      const inIr = await runAsIr(document, undefined, seed);
      const shown = `seed ${seed}\n${printDocument(document)}\n${inJavaScript.end} | ${inIr.end}`;
      expect(inIr.calls, shown).toEqual(inJavaScript.calls);
      expect(inIr.end.startsWith("FC1504") ? "broken" : inIr.end, shown).toBe(inJavaScript.end);
    }
  });
});
