/** Programs in the subset, each run as JavaScript and as Effect IR with the same mock tools. */
import type { LabProgram } from "./lab.ts";

const say = (text: string) => `await lab.say({ text: ${text} });`;
const put = (n: string) => `await lab.put({ n: ${n} });`;

export const programs: Readonly<Record<string, LabProgram>> = {
  "a constant and a call": { body: `const x = 2; ${put("x * 3 + 1")}` },
  "a result is used": { body: `const x = await lab.read({ key: "a" }); ${put("x + 1")}` },
  "two calls of one tool are two results": {
    body: `const x = await lab.read({ key: "a" }); const y = await lab.read({ key: "a" }); ${put("x - y")}`,
  },
  "arguments are evaluated left to right": {
    body: `${put('(await lab.read({ key: "1" })) - (await lab.read({ key: "2" }))')}`,
  },
  "a regular expression": {
    body: `const w = await lab.word(); await lab.flag({ on: /^[a-z]+@[a-z]+\\.io$/.test(w) }); await lab.flag({ on: /\\s/.test(w) });
      if (!/^\\s*$/.test(w)) ${say("w")} if (/HELLO|BOB/i.test(w)) ${say('"found"')}`,
  },
  "regular expressions as constants, in helpers and in lists": {
    top: `const NAME = /^[\\w.-]{1,20}$/;
      const fine = (word: string) => NAME.test(word) && !/^\\./.test(word);`,
    body: `const w = await lab.word(); await lab.flag({ on: fine(w) });
      const bad = [/ /, /@/]; await lab.flag({ on: bad.some((one) => one.test(w)) });
      const local = /a/; for (const t of ["a", "b", "xay"]) if (local.test(t)) ${say("t")}`,
  },
  "paths and URLs": {
    top: 'import { pathInside, urlInside } from "foreclaim"; const ROOT = "/sandbox";',
    input: "{ path: string; url: string }",
    inputs: [
      { path: "x", url: "https://a.b/v1" },
      { path: "../etc", url: "https://a.b@c" },
      { path: "a/../b", url: "https://A.B:443/v1/../v2" },
    ],
    body: `const p = \`\${ROOT}/\${input.path}\`; if (pathInside(p, ROOT)) ${say("p")}
      await lab.flag({ on: urlInside(input.url, "https://a.b") });
      await lab.flag({ on: pathInside("/sandbox/../etc/passwd", ROOT) || !urlInside(input.url, "https://a.b/v1") });`,
  },
  "constants where any value is taken": {
    body: `await lab.keep({ value: 1, more: "a" }); await lab.keep({ value: [true, false] }); await lab.keep({ value: { a: 0.5, b: null } });
      await lab.keep({ value: await lab.read({ key: "k" }), more: undefined });`,
  },
  "if and else": {
    body: `if (await lab.test({ key: "k" })) { ${say('"yes"')} } else { ${say('"no"')} } ${say('"after"')}`,
  },
  "an early return": {
    body: `const x = await lab.read({ key: "k" }); if (x > 1) { ${say('"big"')} return; } ${say('"small"')}`,
  },
  "nested early returns": {
    body: `const x = await lab.read({ key: "k" });
      if (x > 0) { if (x > 4) { return; } ${say('"middle"')} if (x === 2) return; ${say('"one"')} }
      ${put("x")}`,
  },
  "reassignment in one branch": {
    body: `let x = 1; if (await lab.test({ key: "k" })) { x = await lab.read({ key: "v" }); } ${put("x")}`,
  },
  "reassignment in both branches": {
    body: `let x = "a"; if (await lab.test({ key: "k" })) { x = "b"; } else { x += "c"; x += x; } ${say("x")}`,
  },
  "assignment before an early return is seen by nobody": {
    body: `let x = 1; const go = await lab.test({ key: "k" }); if (go) { x = 5; ${put("x")} return; } x += 1; ${put("x")}`,
  },
  shadowing: {
    body: `const x = 1; { const x = 2; ${put("x")} { const x = 3; ${put("x")} } } ${put("x")}`,
  },
  "and calls only when reached": {
    body: `const a = (await lab.test({ key: "1" })) && (await lab.test({ key: "2" })); await lab.flag({ on: a });`,
  },
  "or calls only when reached": {
    body: `const a = (await lab.test({ key: "1" })) || (await lab.test({ key: "2" })); await lab.flag({ on: a });`,
  },
  "a chain of and and or": {
    body: `if (((await lab.test({ key: "1" })) && (await lab.test({ key: "2" }))) || (await lab.test({ key: "3" }))) { ${say('"in"')} } ${say('"out"')}`,
  },
  "and as a statement": {
    body: `(await lab.test({ key: "1" })) && (await lab.say({ text: "reached" })); ${say('"end"')}`,
  },
  "the value of or": {
    body: `const w = await lab.word(); ${say('w || "empty"')} ${put('(await lab.read({ key: "k" })) || 7')}`,
  },
  "?? and || differ": {
    body: `const m = await lab.maybe({ key: "k" }); ${say('m ?? "absent"')} ${say('m || "falsy"')}`,
  },
  "the right side of ?? happens only when needed": {
    body: `const m = (await lab.maybe({ key: "k" })) ?? (await lab.word()); ${say("m")}`,
  },
  "?. on a result that may be null": {
    body: `const r = await lab.find({ id: "k" }); ${say('r?.id ?? "none"')} ${put("r?.n ?? -1")} ${put("r?.tags.length ?? 0")}`,
  },
  "an index with ?.": {
    body: `const r = await lab.find({ id: "k" }); ${say('r?.tags[0] ?? "no tag"')}`,
  },
  "a null check": {
    body: `const r = await lab.find({ id: "k" }); if (r === null) { ${say('"none"')} return; } ${say("r.id")} ${put("r.n")}`,
  },
  "a null check by truth": {
    body: `const r = await lab.find({ id: "k" }); if (r && r.ok) { ${say("r.id")} } else { ${say('"no"')} }`,
  },
  "an undefined check": {
    body: `const m = await lab.maybe({ key: "k" }); if (m !== undefined && m !== "") { ${say("m")} } await lab.flag({ on: m === undefined });`,
  },
  "null is not undefined": {
    body: `const r = await lab.find({ id: "k" }); const m = await lab.maybe({ key: "k" });
      await lab.flag({ on: (r as unknown) === undefined }); await lab.flag({ on: (m as unknown) === null });`,
  },
  "an optional field": {
    body: `const rows = await lab.rows(); for (const r of rows) { ${say('r.note ?? "-"')} if (r.note) { ${say("r.note")} } }`,
  },
  "truth of strings and numbers": {
    body: `const w = await lab.word(); const x = await lab.read({ key: "k" });
      if (w) { ${say('"text"')} } if (x) { ${say('"number"')} } if (!w && !x) { ${say('"neither"')} }`,
  },
  "a ternary calls one side": {
    body: `const x = (await lab.test({ key: "1" })) ? await lab.read({ key: "2" }) : -1; ${put("x")}`,
  },
  "nested ternaries": {
    body: `const x = await lab.read({ key: "k" }); ${say('x > 2 ? "big" : x > 0 ? "small" : "none"')}`,
  },
  "template literals": {
    body: `const x = await lab.read({ key: "k" }); const b = await lab.test({ key: "b" }); const m = await lab.maybe({ key: "m" });
      await lab.say({ text: \`<\${x}|\${b}|\${m}|\${x * 2}>\` });`,
  },
  "text and numbers with plus": {
    body: `const x = await lab.read({ key: "k" }); ${say('"n=" + x + 1')} ${say('1 + 2 + "=" + x')}`,
  },
  arithmetic: {
    body: `const x = await lab.read({ key: "k" }); ${put("x * x - 3 * (x + 1) / 2")} ${put("-x + 7 % 4")} ${put("x ** 2")}`,
  },
  "remainder has the sign of the dividend": {
    body: `const x = await lab.read({ key: "k" }); ${put("x % 2")} ${put("-7 % 3")}`,
  },
  Math: {
    body: `const x = await lab.read({ key: "k" });
      ${put("Math.min(x, 3)")} ${put("Math.max(x, 0, 2)")} ${put("Math.abs(x)")} ${put("Math.floor(x)")} ${put("Math.ceil(x / 2)")} ${put("Math.round(x)")} ${put("Math.trunc(-x / 2) + 0")} ${put("Math.sign(x)")}`,
  },
  comparisons: {
    body: `const x = await lab.read({ key: "k" }); const w = await lab.word();
      await lab.flag({ on: x >= 2 }); await lab.flag({ on: x !== 5 }); await lab.flag({ on: w < "b" }); await lab.flag({ on: w === "a" });`,
  },
  "string methods": {
    body: `const w = await lab.word();
      await lab.flag({ on: w.includes("o") }); await lab.flag({ on: w.startsWith("h") }); await lab.flag({ on: w.endsWith("d") });
      ${put('w.indexOf("o")')} ${put("w.length")} ${say("w.slice(1, 3)")} ${say("w.slice(-2)")} ${say("w.trim()")} ${say("w.toUpperCase()")}
      ${say('w.replace("o", "0")')} ${say('w.replaceAll("l", "L")')} ${say("w.charAt(1)")} ${say("w.substring(3, 1)")}
      await lab.list({ items: w.split(" ") }); ${say('w[0] ?? "empty"')} ${say('w.at(-1) ?? "empty"')} ${say('w.concat("!", 1 + "")')} ${say("w.repeat(2)")}`,
  },
  "a helper": {
    top: `function twice(x: number) { return x * 2; }`,
    body: `${put('twice(await lab.read({ key: "k" })) + twice(1)')}`,
  },
  "a helper with effects and early return": {
    top: `async function report(x: number): Promise<string> {
      if (x > 4) { ${say('"large"')} return "L"; }
      if (x > 0) return "M";
      ${say('"small"')}
      return "S";
    }`,
    body: `${say('await report(await lab.read({ key: "1" }))')} ${say('await report(await lab.read({ key: "2" }))')}`,
  },
  "a helper that returns nothing": {
    top: `const maybeSay = async (go: boolean) => { if (!go) return; ${say('"went"')} };`,
    body: `await maybeSay(await lab.test({ key: "1" })); await maybeSay(true); ${say('"end"')}`,
  },
  "a helper that changes an outer variable": {
    body: `let total = 0; const add = (n: number) => { total += n; }; add(2); if (await lab.test({ key: "k" })) { add(5); } add(1); ${put("total")}`,
  },
  "an arrow that is only passed on": {
    body: `const make = (k: number) => (x: number) => x * k; const triple = make(3); ${put("triple(4) + make(2)(5)")}`,
  },
  "default parameters": {
    top: `const greet = (name: string, sign = "!", times: number = 1) => name + sign + times;`,
    body: `${say('greet("a")')} ${say('greet("b", "?")')} ${say('greet("c", undefined, 3)')}`,
  },
  "defaults are evaluated when needed": {
    body: `const m = await lab.maybe({ key: "k" }); const f = (x: string = "dflt") => x; ${say("f(m)")}`,
  },
  destructuring: {
    body: `const { id, n: count = 5, ...rest } = { id: "x", ok: true, k: 1 } as { id: string; n?: number; ok: boolean; k: number };
      const [a, , c = "z", ...more] = ["p", "q"] as string[]; ${say("id + c + a")} ${put("count + rest.k + more.length")} await lab.flag({ on: rest.ok });`,
  },
  "destructuring of results": {
    body: `for (const { id, tags: [first = "none"], note = "-" } of await lab.rows()) { ${say("id + first + note")} }`,
  },
  "destructuring in parameters": {
    top: `const show = ({ id, n }: { id: string; n: number }, [a, b]: string[]) => \`\${id}\${n}\${a}\${b}\`;`,
    body: `${say('show({ id: "i", n: 2 }, ["u", "v"])')}`,
  },
  "swap by destructuring": {
    body: `let a = 1; let b = await lab.read({ key: "k" }); [a, b] = [b, a]; ${put("a")} ${put("b")}`,
  },
  "object spread": {
    body: `const base = { id: "b", n: 1, ok: true, tags: ["t"] }; const r = { ...base, n: 2, id: await lab.word() }; await lab.row({ row: r }); await lab.row({ row: { ...r, ok: false } });`,
  },
  "spread of a result": {
    body: `const r = await lab.find({ id: "k" }); if (r) { await lab.row({ row: { ...r, n: r.n + 1 } }); }`,
  },
  "array spread": {
    body: `const a = ["x"]; const w = await lab.word(); await lab.list({ items: [...a, w, ...a] }); const rows = await lab.rows(); await lab.list({ items: ["s", ...rows.map((r) => r.id), "e"] });`,
  },
  "aliasing of arrays": {
    body: `const a: string[] = []; const b = a; b.push("1"); a.push("2"); await lab.list({ items: b }); ${put("a.length")}`,
  },
  "aliasing of objects": {
    body: `const o = { n: 1 }; const p = o; p.n = 5; o.n += 1; ${put("o.n")} ${put("p.n")}`,
  },
  "a copy is not an alias": {
    body: `const a = ["1"]; const b = [...a]; b.push("2"); await lab.list({ items: a }); await lab.list({ items: b });`,
  },
  "an object changed in a branch": {
    body: `const o = { n: 1, s: "a" }; if (await lab.test({ key: "k" })) { o.n = 2; } else { o.s = "b"; } ${put("o.n")} ${say("o.s")}`,
  },
  "an array that grows in a branch": {
    body: `const a = ["1"]; if (await lab.test({ key: "k" })) { a.push("2"); } a.push("3"); await lab.list({ items: a }); ${put("a.length")}`,
  },
  "index assignment": {
    body: `const a = [1, 2, 3]; a[1] = await lab.read({ key: "k" }); await lab.nums({ items: a });`,
  },
  "pop, shift, unshift, reverse": {
    body: `const a = ["1", "2", "3"]; const p = a.pop(); const s = a.shift(); a.unshift("0", "9"); a.reverse(); await lab.list({ items: a }); ${say("(p ?? '') + s")}`,
  },
  "a loop over literals": {
    body: `for (const x of ["a", "b", "c"]) { if (x === "b") continue; ${say("x")} }`,
  },
  "break in a loop over literals": {
    body: `let seen = 0; for (const x of [1, 2, 3]) { if (x + (await lab.read({ key: "k" })) > 6) break; seen = x; ${put("x")} } ${put("seen")}`,
  },
  "return in a loop over literals": {
    body: `for (const x of [1, 2, 3]) { if (await lab.test({ key: "k" })) { ${put("x")} return; } } ${say('"none"')}`,
  },
  "a loop over rows": { body: `for (const r of await lab.rows()) { ${say("r.id")} } ${say('"end"')}` },
  "an accumulator": {
    body: `let total = 0; for (const r of await lab.rows()) { total += r.n; } ${put("total")}`,
  },
  "accumulators that depend on one another": {
    body: `let a = 0; let b = 1; for (const r of await lab.rows()) { a += b; b = a + r.n; if (r.ok) { a = 0; } } ${put("a")} ${put("b")}`,
  },
  "continue and break over rows": {
    body: `let n = 0; for (const r of await lab.rows()) { if (!r.ok) continue; if (n >= 2) break; n++; ${say("r.id")} } ${put("n")}`,
  },
  "return from a loop over rows": {
    body: `for (const r of await lab.rows()) { if (r.ok) { ${say("r.id")} return; } ${put("r.n")} } ${say('"none ok"')}`,
  },
  "a helper that returns from a loop": {
    top: `const firstOk = (rows: lab.Row[]): string => { for (const r of rows) { if (r.ok) return r.id; } return "none"; };`,
    body: `const rows = await lab.rows(); ${say("firstOk(rows)")} ${say("firstOk([]) + firstOk(rows)")}`,
  },
  "spending while it lasts": {
    body: `let left = 6; for (const r of await lab.rows()) { const cost = Math.max(r.n, 0); if (cost > left) continue; left -= cost; ${put("cost")} } ${put("left")}`,
  },
  "nested loops over rows": {
    body: `let pairs = 0; for (const r of await lab.rows()) { for (const t of r.tags) { if (t === "y") continue; pairs++; ${say("r.id + t")} } } ${put("pairs")}`,
  },
  "break leaves only the inner loop": {
    body: `for (const r of await lab.rows()) { for (const t of r.tags) { if (t === "z") break; ${say("t")} } ${say("r.id")} }`,
  },
  "a call in a loop feeds the next turn": {
    body: `let x = 0; for (const r of await lab.rows()) { if (x < 5) { x += Math.abs(await lab.read({ key: r.id })); } } ${put("x")}`,
  },
  "the best so far": {
    body: `let best: lab.Row | undefined; for (const r of await lab.rows()) { if (best === undefined || r.n > best.n) best = r; } if (best) { ${say("best.id")} } else { ${say('"none"')} }`,
  },
  "the best so far, from null": {
    body: `let best: number | null = null; for (const r of await lab.rows()) { if (best === null || r.n < best) { best = r.n; } } ${put("best ?? 99")}`,
  },
  "a list that grows in a loop": {
    body: `const ids: string[] = []; for (const r of await lab.rows()) { if (r.ok) ids.push(r.id); } await lab.list({ items: ids }); ${put("ids.length")}`,
  },
  "a list that is replaced in a loop": {
    body: `let ids: string[] = []; for (const r of await lab.rows()) { ids = [r.id, ...ids]; } await lab.list({ items: ids });`,
  },
  "a list that was shared before it is replaced": {
    body: `const first = ["s"]; let ids = first; for (const r of await lab.rows()) { ids = [...ids, r.id]; } await lab.list({ items: ids }); await lab.list({ items: first });`,
  },
  "an object changed in a loop": {
    body: `const o = { n: 0, last: "" }; for (const r of await lab.rows()) { o.n += 1; if (r.ok) { o.last = r.id; } } ${put("o.n")} ${say("o.last")}`,
  },
  "closures over loop variables": {
    body: `const fs: (() => number)[] = []; for (const x of [1, 2, 3]) { fs.push(() => x * 10); } for (const f of fs) { ${put("f()")} }`,
  },
  "closures over a counter": {
    body: `const fs: (() => number)[] = []; for (let i = 0; i < 3; i++) { fs.push(() => i); } ${put("fs[0]() + 10 * fs[2]()")}`,
  },
  "a counted loop": {
    body: `for (let i = 0; i < 3; i++) { ${put("i")} } for (let i = 5; i > 0; i -= 2) { ${put("i")} }`,
  },
  "a counted loop over rows": {
    body: `const rows = await lab.rows(); for (let i = 0; i < rows.length; i++) { ${say("rows[i]?.id ?? 'gone'")} ${put("i")} }`,
  },
  "a counted loop from one": {
    body: `const rows = await lab.rows(); let s = ""; for (let i = 1; i <= rows.length; i++) { s += i; } ${say("s")}`,
  },
  "while with a constant bound": {
    body: `let i = 0; while (i < 4) { i++; if (i === 2) continue; ${put("i")} }`,
  },
  "while with a bound and a condition": {
    body: `let tries = 0; let ok = false; while (tries < 3 && !ok) { tries++; ok = await lab.test({ key: "t" }); } ${put("tries")} await lab.flag({ on: ok });`,
  },
  "do while": { body: `let i = 0; do { i += 2; ${put("i")} } while (i < 5);` },
  entries: {
    body: `for (const [i, x] of ["a", "b"].entries()) { ${say("x + i")} } for (const [i, r] of (await lab.rows()).entries()) { ${say("r.id + i")} }`,
  },
  "map, filter, reduce": {
    body: `const rows = await lab.rows(); await lab.list({ items: rows.filter((r) => r.ok).map((r) => r.id.toUpperCase()) });
      ${put("rows.map((r) => r.n).reduce((a, b) => a + b, 0)")} ${put("rows.reduce((m, r) => (r.n > m ? r.n : m), -10)")}`,
  },
  "map and filter of literals": {
    body: `const x = await lab.read({ key: "k" }); await lab.nums({ items: [1, 2, 3].map((n, i) => n * x + i) }); await lab.nums({ items: [1, 2, 3].filter((n) => n > x) }); ${put("[1, 2, 3].reduce((a, b) => a * b)")}`,
  },
  "callback positions": {
    body: `const rows = await lab.rows(); await lab.list({ items: rows.map((r, i) => r.id + i) }); await lab.list({ items: rows.filter((_, i) => i % 2 === 0).map((r) => r.id) });`,
  },
  "some, every, find, includes": {
    body: `const rows = await lab.rows(); await lab.flag({ on: rows.some((r) => r.ok) }); await lab.flag({ on: rows.every((r) => r.n >= 0) });
      ${say('rows.find((r) => r.n > 2)?.id ?? "none"')} ${put("rows.findIndex((r) => r.ok)")} await lab.flag({ on: rows.map((r) => r.id).includes("a") }); ${put('rows.map((r) => r.id).indexOf("b")')}`,
  },
  "some and find of literals with calls": {
    body: `const hit = ["a", "b", "c"].find((k) => k !== "a"); ${say('hit ?? ""')} let any = false; for (const k of ["a", "b"]) { any = any || (await lab.test({ key: k })); } await lab.flag({ on: any });`,
  },
  "slice, concat, join, at": {
    body: `const ids = (await lab.rows()).map((r) => r.id); await lab.list({ items: ids.slice(1) }); await lab.list({ items: ids.slice(0, -1).concat(["z"], ids) }); ${say('ids.join("-")')} ${say('ids.at(-1) ?? "none"')} ${say("[1, 2].join()")} ${say("ids[0] ?? 'x'")}`,
  },
  flatMap: {
    body: `const rows = await lab.rows(); await lab.list({ items: rows.flatMap((r) => r.tags) }); await lab.list({ items: ["a", "b"].flatMap((x) => [x, x + x]) });`,
  },
  "forEach that only computes": {
    body: `let s = ""; (await lab.rows()).forEach((r) => { s += r.id; }); ${say("s")} [1, 2].forEach((x, i) => { s += x * i; }); ${say("s")}`,
  },
  "a callback with a block and early return": {
    body: `const rows = await lab.rows(); await lab.list({ items: rows.map((r) => { if (r.ok) return "ok"; const k = r.n * 2; return k > 3 ? "big" : r.id; }) });`,
  },
  "a callback that divides": {
    body: `const rows = await lab.rows(); await lab.nums({ items: rows.filter((r) => r.n > 0).map((r) => 8 / (r.n > 4 ? 4 : 2)) });`,
  },
  "a reduce into an array": {
    body: `const rows = await lab.rows(); const ids = rows.reduce<string[]>((held, r) => (r.ok ? [...held, r.id] : held), []); await lab.list({ items: ids });`,
  },
  "calls in map": {
    body: `const rows = await lab.rows(); const ns = await Promise.all(rows.map(async (r) => (await lab.read({ key: r.id })) + 1)); await lab.nums({ items: ns });`,
  },
  "Promise.all over literals": {
    body: `const [a, b] = await Promise.all([lab.read({ key: "a" }), lab.read({ key: "b" })]); ${put("a - b")} await Promise.all(["x", "y"].map((t) => lab.say({ text: t })));`,
  },
  "Promise.all of sends": {
    body: `await Promise.all((await lab.rows()).map((r) => lab.say({ text: r.id }))); ${say('"end"')}`,
  },
  "try and catch": {
    body: `try { const x = await lab.risky({ key: "k" }); ${put("x")} } catch { ${say('"failed"')} } ${say('"after"')}`,
  },
  "what follows a failure does not happen": {
    body: `let x = 0; try { x = 1; x = await lab.risky({ key: "1" }); x += 10; await lab.risky({ key: "2" }); x += 100; } catch { x += 1000; } ${put("x")}`,
  },
  finally: {
    body: `let s = ""; try { s += "t"; await lab.risky({ key: "k" }); s += "u"; } catch { s += "c"; } finally { s += "f"; ${say('"finally"')} } ${say("s")}`,
  },
  "finally after a return": {
    top: `async function f(): Promise<string> { try { if (await lab.test({ key: "k" })) return "early"; ${say('"body"')} } finally { ${say('"finally"')} } return "late"; }`,
    body: `${say("await f()")}`,
  },
  "finally without catch": {
    body: `try { await lab.risky({ key: "k" }); ${say('"ok"')} } finally { ${say('"finally"')} } ${say('"after"')}`,
  },
  "a throw that is caught": {
    body: `try { if (await lab.test({ key: "k" })) { throw new Error("no"); } ${say('"went on"')} } catch (e) { ${say('"caught"')} return; } ${say('"end"')}`,
  },
  "a throw that is not caught": {
    body: `${say('"before"')} if (await lab.test({ key: "k" })) throw new Error("stop"); ${say('"after"')}`,
  },
  "a throw in a helper": {
    top: `const must = (x: number) => { if (x < 2) throw new Error("too small"); return x; };`,
    body: `try { ${put('must(await lab.read({ key: "1" }))')} ${put('must(await lab.read({ key: "2" }))')} } catch { ${say('"caught"')} }`,
  },
  "try in a loop": {
    body: `let good = 0; for (const r of await lab.rows()) { try { await lab.risky({ key: r.id }); good++; } catch { ${say("r.id")} } } ${put("good")}`,
  },
  "a failure leaves the loop": {
    body: `let n = 0; try { for (const r of await lab.rows()) { n++; await lab.risky({ key: r.id }); } ${say('"all"')} } catch { ${say('"some"')} } ${put("n")}`,
  },
  "nested try": {
    body: `try { try { await lab.risky({ key: "1" }); } catch { ${say('"inner"')} throw new Error("again"); } ${say('"between"')} } catch { ${say('"outer"')} } ${say('"end"')}`,
  },
  switch: {
    body: `switch (await lab.level()) { case "low": ${say('"l"')} break; case "mid": ${say('"m"')} case "high": ${say('"h"')} break; default: ${say('"d"')} } ${say('"end"')}`,
  },
  "switch with returns": {
    top: `const price = (l: lab.Level): number => { switch (l) { case "low": return 1; case "mid": return 2; default: return 3; } };`,
    body: `${put("price(await lab.level())")}`,
  },
  "an enum from a ternary": {
    body: `const x = await lab.read({ key: "k" }); await lab.set({ level: x > 4 ? "high" : x > 1 ? "mid" : "low" });`,
  },
  "an enum passed on": {
    body: `const l = await lab.level(); if (l !== "low") { await lab.set({ level: l }); }`,
  },
  "optional and null arguments": {
    body: `const m = await lab.maybe({ key: "k" }); await lab.opt({ a: m, b: null }); await lab.opt({ b: m ?? null }); await lab.opt({ a: "x", b: "y" });`,
  },
  "an integer argument": {
    body: `await lab.count({ i: 3 }); const rows = await lab.rows(); await lab.count({ i: rows.length }); await lab.count({ i: Math.round(await lab.read({ key: "k" })) });`,
  },
  inputs: {
    input: "{ limit: number; names: string[]; note?: string }",
    inputs: [
      { limit: 2, names: ["a", "b"] },
      { limit: 0, names: [], note: "n" },
    ],
    body: `const { limit, names, note } = input; for (const n of names) { ${say("n + limit")} } ${say('note ?? "none"')} if (input.limit > 1) { ${put("input.limit")} }`,
  },
  "a set": {
    body: `const seen = new Set<string>(); for (const r of await lab.rows()) { if (seen.has(r.id)) continue; seen.add(r.id); ${say("r.id")} } ${put("seen.size")} for (const s of new Set(["a", "b", "a"])) { ${say("s")} }`,
  },
  "a map": {
    body: `const sums = new Map<string, number>(); for (const r of await lab.rows()) { sums.set(r.id, (sums.get(r.id) ?? 0) + r.n); } for (const [k, v] of sums) { ${say("k + v")} } ${put("sums.size")}`,
  },
  "a map of constants": {
    body: `const prices = new Map([["a", 1], ["b", 2]]); const w = await lab.word(); ${put("prices.get(w) ?? -1")} ${put('prices.get("b") ?? -1')}`,
  },
  "Object.keys and entries": {
    body: `const o = { x: 1, y: 2 }; for (const k of Object.keys(o)) { ${say("k")} } for (const [k, v] of Object.entries(o)) { ${say("k + v")} }`,
  },
  "module constants": {
    top: `const LIMIT = 3; const NAMES = ["a", "b"]; const CONFIG = { sign: "!", deep: { n: LIMIT * 2 } };`,
    body: `for (const n of NAMES) { ${say("n + CONFIG.sign")} } ${put("CONFIG.deep.n + LIMIT")}`,
  },
  "an alias of a tool": {
    body: `const speak = lab.say; await speak({ text: "hi" }); const f = (await lab.test({ key: "k" })) ? lab.read : lab.risky; try { ${put('await f({ key: "z" })')} } catch { ${say('"x"')} }`,
  },
  "logical assignment": {
    body: `let m = await lab.maybe({ key: "k" }); m ??= "dflt"; ${say("m")} let w = await lab.word(); w ||= await lab.word(); ${say("w")} let b = await lab.test({ key: "1" }); b &&= await lab.test({ key: "2" }); await lab.flag({ on: b });`,
  },
  increments: { body: `let i = 1; ${put("i++ + ++i")} ${put("i-- - --i")} ${put("i")}` },
  comma: { body: `let i = 0; const x = (i++, i * 10); ${put("x")}` },
  typeof: {
    body: `const m = await lab.maybe({ key: "k" }); ${say("typeof m")} if (typeof m === "string") { ${say('"text"')} }`,
  },
  "String and Boolean": {
    body: `const x = await lab.read({ key: "k" }); ${say("String(x) + x.toString()")} await lab.flag({ on: Boolean(x) }); await lab.list({ items: [1, 2].map(String) });`,
  },
  "numbers as text": { body: `await lab.say({ text: \`\${0.1} \${1.5} \${100} \${-2}\` });` },
  "a function that is declared later": {
    body: `${put("later(2)")} function later(x: number) { return x + 1; }`,
  },
  "a dead branch": {
    top: `const DRY = true;`,
    body: `if (DRY) { ${say('"dry"')} } else { ${say('"wet"')} }`,
  },
  "a value from two branches that differ in being there": {
    body: `let who: string | undefined; if (await lab.test({ key: "k" })) { who = await lab.word(); } ${say('who ?? "nobody"')}`,
  },
  "an array chosen by a condition": {
    body: `const list = (await lab.test({ key: "k" })) ? ["a", "b"] : ["c"]; for (const x of list) { ${say("x")} } ${put("list.length")}`,
  },
  "objects in a list": {
    body: `const jobs = [{ to: "a", n: 1 }, { to: "b", n: 2 }]; for (const { to, n } of jobs) { ${say("to + n")} } jobs.push({ to: "c", n: 3 }); ${put("jobs.length")} ${say("jobs.map((j) => j.to).join()")}`,
  },
  "an object in a list is shared": {
    body: `const o = { n: 1 }; const list = [o]; o.n = 2; ${put("list[0].n")} for (const x of list) { x.n += 5; } ${put("o.n")}`,
  },
  "a closure called twice": {
    body: `let x = 0; const inc = () => { x++; return x; }; ${put("inc() * 10 + inc()")} ${put("x")}`,
  },
  "a throw on one side of a ternary": {
    top: `const must = (x: number) => { if (x < 2) throw new Error("small"); return x; };`,
    body: `let v = 0; try { v = (await lab.test({ key: "k" })) ? must(await lab.read({ key: "x" })) : 7; ${say('"ok"')} } catch { v = -1; } ${put("v")}`,
  },
  "return from try in a loop with finally": {
    top: `async function f(rows: lab.Row[]): Promise<string> { for (const r of rows) { try { if (r.ok) return r.id; ${say('"no"')} } finally { ${say('"f" + r.id')} } } return "none"; }`,
    body: `${say("await f(await lab.rows())")}`,
  },
  "continue through finally": {
    body: `let n = 0; for (const r of await lab.rows()) { try { if (!r.ok) continue; n += 1; } finally { n += 10; } n += 100; } ${put("n")}`,
  },
  "break through finally over literals": {
    body: `let s = ""; for (const x of ["a", "b", "c"]) { try { if (await lab.test({ key: x })) break; s += x; } finally { s += "f"; } } ${say("s")}`,
  },
  "a return in finally wins": {
    top: `async function f(): Promise<number> { try { if (await lab.test({ key: "a" })) return 1; } finally { if (await lab.test({ key: "b" })) return 2; } return 3; }`,
    body: `${put("await f()")}`,
  },
  "an array inside an object grows in a loop": {
    body: `const o = { items: [] as string[], n: 0 }; for (const r of await lab.rows()) { o.items.push(r.id); o.n = o.items.length; } await lab.list({ items: o.items }); ${put("o.n")}`,
  },
  "an object inside an array changes in a loop": {
    body: `const acc = [{ n: 0 }]; for (const r of await lab.rows()) { acc[0].n += r.n; } ${put("acc[0].n")}`,
  },
  "a variable of each turn": {
    body: `let total = 0; for (const r of await lab.rows()) { let t = 0; for (const g of r.tags) { t += g.length; } total += t * 2; } ${put("total")}`,
  },
  "a callback that shadows": {
    body: `const rows = await lab.rows(); await lab.nums({ items: rows.map((r) => { const rows = r.n + 1; return rows; }) });`,
  },
  "an optional field compared": {
    body: `for (const r of await lab.rows()) { if (r.note === "n") { ${say('"n"')} } if (r.note !== undefined) { ${say("r.note + r.id")} } }`,
  },
  "a default that uses another parameter": {
    top: `const f = (a: number, b = a * 2) => a + b;`,
    body: `${put("f(1)")} ${put("f(1, 5)")}`,
  },
  "break in a switch in a loop": {
    body: `for (const x of [1, 2, 3]) { switch (x) { case 2: break; default: ${put("x")} } ${say('"t" + x')} }`,
  },
  "continue in a switch in a loop": {
    body: `for (const r of await lab.rows()) { switch (r.id) { case "a": continue; case "b": ${say('"b"')} break; default: ${say('"d"')} } ${say("r.id")} }`,
  },
  "a function called at once": {
    body: `const x = await (async () => { const y = await lab.read({ key: "k" }); return y > 1 ? y : 1; })(); ${put("x")}`,
  },
  "a helper that changes an array in a branch": {
    top: `const add = (list: string[], x: string, go: boolean) => { if (go) list.push(x); return list.length; };`,
    body: `const a = ["0"]; const n = add(a, "1", await lab.test({ key: "k" })); add(a, "2", true); ${put("n")} await lab.list({ items: a });`,
  },
  "an array replaced in a branch, then changed": {
    body: `let a = ["1"]; if (await lab.test({ key: "k" })) { a = ["2", "3"]; } a.push("4"); await lab.list({ items: a });`,
  },
  "an array replaced in a branch, seen through another name": {
    body: `const first = ["1"]; let a = first; if (await lab.test({ key: "k" })) { a = [...a, "2"]; } await lab.list({ items: first }); await lab.list({ items: a });`,
  },
  "the last row": {
    body: `const rows = await lab.rows(); ${say('rows.at(-1)?.id ?? "none"')} ${say('rows[rows.length - 1]?.id ?? "none"')} ${say("rows[0]?.note ?? '-'")}`,
  },
  "a map changed in a branch": {
    body: `const m = new Map<string, number>(); m.set("a", 1); if (await lab.test({ key: "k" })) { m.set("a", 5); m.set("b", 2); } ${put('m.get("a") ?? 0')} ${put('m.get("b") ?? -1')} await lab.flag({ on: m.has("b") }); ${put("m.size")}`,
  },
  "a set of known values in a branch": {
    body: `const s = new Set(["a"]); if (await lab.test({ key: "k" })) { s.add("b"); s.delete("a"); } for (const x of s) { ${say("x")} } ${put("s.size")}`,
  },
  "nested objects and spread": {
    body: `const base = { a: { b: 1, c: "x" }, d: 2 }; const next = { ...base, a: { ...base.a, b: 5 } }; base.a.c = "y"; ${put("next.a.b + base.a.b")} ${say("next.a.c + base.a.c")}`,
  },
  "a spread shares what is inside": {
    body: `const base = { a: { n: 1 } }; const copy = { ...base }; copy.a.n = 9; ${put("base.a.n")}`,
  },
  "two loops over one list": {
    body: `const rows = await lab.rows(); let n = 0; for (const r of rows) { n += r.n; } for (const r of rows) { if (r.n === n) { ${say("r.id")} } } ${put("n")}`,
  },
  "a loop in a branch": {
    body: `const rows = await lab.rows(); let n = 0; if (await lab.test({ key: "k" })) { for (const r of rows) { n++; ${say("r.id")} } } else { n = -1; } ${put("n")}`,
  },
  "a loop after an early return": {
    body: `const rows = await lab.rows(); if (rows.length === 0) return; let n = 0; for (const r of rows) { if (r.n > 5) return; n += r.n; } ${put("n")}`,
  },
  "a find that is used under its check": {
    body: `const rows = await lab.rows(); const hit = rows.find((r) => r.ok); if (!hit) { ${say('"none"')} return; } ${say("hit.id")} ${put("hit.n")}`,
  },
  "every with a call": {
    body: `let all = true; for (const k of ["a", "b", "c"]) { if (!(await lab.test({ key: k }))) { all = false; break; } } await lab.flag({ on: all });`,
  },
  "and in an argument": {
    body: `const r = await lab.find({ id: "k" }); await lab.flag({ on: r !== null && r.n > 1 }); await lab.flag({ on: r === null || r.ok });`,
  },
  "nested helpers with effects in a loop": {
    top: `async function outer(r: lab.Row) { if (!r.ok) return; await inner(r.id, r.n); } const inner = async (id: string, n: number) => { for (let i = 0; i < 2; i++) { if (n < i) return; ${say("id + i")} } };`,
    body: `for (const r of await lab.rows()) { await outer(r); }`,
  },
  "an object is answered": {
    body: `const r = await lab.rows(); return { n: r.length, first: r[0]?.id, rows: r, last: r.at(-1) ?? null };`,
  },
  "answers of different shapes": {
    body: `const r = await lab.rows(); if (r.length === 0) return "nothing"; if (r.length === 1) return [r[0], true, null];
      for (const one of r) { if (one.n > 4) return { found: one.id, at: [one.n, one.tags] }; if (one.n === 3) return one.n; }
      return r.length > 3;`,
  },
  "no answer on some paths": {
    body: `const m = await lab.maybe({ key: "a" }); if (m === "yes") return; if (await lab.test({ key: "t" })) return m; ${put("1")}`,
  },
  "null is an answer, undefined is none": {
    body: `const f = await lab.find({ id: "a" }); if (await lab.test({ key: "t" })) return f; return f?.note;`,
  },
  "a thrown error is no answer": {
    body: `if (await lab.test({ key: "t" })) throw new Error("own"); return 1;`,
  },
  "a failed call is no answer, a caught one is": {
    body: `try { const n = await lab.risky({ key: "a" }); console.log("got", n); return { n }; } catch { return "failed"; }`,
  },
  "what finally changes is answered so": {
    body: `const o = { n: 1, list: ["a"] }; try { if (await lab.test({ key: "t" })) return o; o.n = 5; return o.n; } finally { o.n += 1; o.list.push("z"); ${put("o.n")} }`,
  },
  "finally takes the answer's place": {
    body: `try { return await lab.read({ key: "a" }); } finally { if (await lab.test({ key: "t" })) return "other"; }`,
  },
  "a loop inside a try with finally answers": {
    body: `const seen: string[] = []; try { for (const r of await lab.rows()) { seen.push(r.id); if (r.ok) return { id: r.id, seen: [...seen] }; } } finally { ${say('seen.join(",")')} } return seen;`,
  },
  "a helper's result is answered": {
    top: `async function both(k: string) { const n = await lab.read({ key: k }); return { k, n, pair: [k, n] as [string, number] }; }`,
    body: `const all = [await both("a"), await both("b")]; return { all, sum: all[0].n + all[1].n };`,
  },
  "results of calls at the same time are answered": {
    body: `const r = await Promise.all([lab.read({ key: "a" }), lab.read({ key: "b" })]); return r.map((n) => ({ n }));`,
  },
  "a call is answered with": { body: `return await lab.rows();` },
  "a promise is answered with": { body: `return lab.read({ key: "p" });` },
  "entries and maps are answered": {
    body: `const m = new Map<string, number>(); for (const r of await lab.rows()) m.set(r.id, (m.get(r.id) ?? 0) + r.n); return { pairs: [...m.entries()], keys: [...m.keys()], size: m.size };`,
  },
  "notes of all kinds": {
    body: `const r = await lab.rows(); const m = await lab.maybe({ key: "a" }); console.log(); console.log("rows", r.length, r.length > 2, m, null);
      console.info(r); console.warn("first", r[0], [1, "a"], { a: { b: 1 } }); for (const one of r) { console.debug(one.id, one.n / 2); if (one.ok) { console.error("ok", one.note ?? "-"); break; } }
      r.forEach((one, i) => { console.log(i, one.tags); }); return m;`,
  },
  "a note in a helper and in a branch": {
    top: `async function tell(n: number) { console.log("n is", n); if (n > 2) { console.warn("much"); await lab.put({ n }); } return n; }`,
    body: `let all = 0; for (const k of ["a", "b"]) all += await tell(await lab.read({ key: k })); console.log(\`all \${all}\`); return all;`,
  },
};
