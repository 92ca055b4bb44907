// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the programs have templates of their own
/** Programs about texts, numbers in them and dates, each with texts that tell its ways apart. */
import type { LabProgram } from "./lab.ts";

const say = (text: string) => `await lab.say({ text: ${text} });`;
const put = (n: string) => `await lab.put({ n: ${n} });`;
const flag = (on: string) => `await lab.flag({ on: ${on} });`;
const list = (items: string) => `await lab.list({ items: ${items} });`;

const about = (body: string, texts: readonly string[], top?: string): LabProgram => ({
  body: `const { text } = input; ${body}`,
  input: "{ text: string }",
  inputs: texts.map((text) => ({ text })),
  ...(top === undefined ? {} : { top }),
});

const mails = ["", "ann@a.io", "to: ann@a.io, Bob.X@b-c.org;", "@", "a@b@c.d"];
const words = [
  "",
  "a",
  "Hello  world",
  " the cat's  Hat\n#one #two-2 ",
  "x\r\ny\n\n\nz",
  "aaa",
  "É 1,234.50 $5",
];
const dates = ["2024-05-06", "on 2024-05-06 and 1999-12-31.", "2024-5-6", "", "20240506-01-02"];

export const matchPrograms: Readonly<Record<string, LabProgram>> = {
  "a match and its groups": about(
    `const m = text.match(/(\\w+)@(\\w+)(\\.\\w+)?/);
     if (m) { ${say("m[0] + m[1] + m[2]")} ${put("m.index + m.length")} ${flag("m[3] === undefined")} }
     else ${say('"none"')}`,
    mails,
  ),
  "a match that may not be": about(
    `${say('text.match(/@(\\w+)/)?.[1] ?? "none"')} ${say("`${text.match(/@(z)?/)?.[1]}`")}
     const found = /^(\\S+)\\s+(.+)$/.exec(text); if (found === null) return; const [, one, two] = found; ${say("two + one")}`,
    [...mails, ...words],
  ),
  "named groups": about(
    `const g = DATE.exec(text)?.groups; ${say('g ? `${g.year}/${g.month}/${g.day ?? "?"}` : "no date"')}
     const m = text.match(DATE); if (m?.groups) { const { year, month } = m.groups; ${say("month + year")} }
     ${flag("/x/.exec(text)?.groups === undefined")}`,
    dates,
    "const DATE = /(?<year>\\d{4})-(?<month>\\d\\d)(?:-(?<day>\\d\\d))?/;",
  ),
  "all matches": about(
    `for (const m of text.matchAll(/#([\\w-]+)/g)) { ${say("m[1] + m.index")} }
     ${list("[...text.matchAll(/[a-z]+/gi)].map((m) => m[0])")}
     ${list('Array.from(text.matchAll(/(\\w)(\\d)?/g), (m) => m[2] ?? "-")')}
     ${list("text.match(/\\S+/g) ?? []")} ${put("(text.match(/a/g) ?? []).length")}
     for (const [whole, tag] of text.matchAll(/#(\\w)/g)) ${say("whole + tag")}`,
    words,
  ),
  replacements: about(
    `${say('text.replace(/\\s+/g, " ").trim()')} ${say('text.replace(/[^a-z0-9]+/gi, "-").replace(/^-+|-+$/g, "")')}
     ${say('text.replace(/(\\w+) (\\w+)/, "$2 $1 [$&] $$ $3 $`|$\\u0027")')} ${say("text.replaceAll(/a/g, 'bb')")}
     ${say('text.replace(/[ \\t]+$/gm, "").replace(/\\n{3,}/g, "\\n\\n")')} ${say("text.replace(/^/, text)")}`,
    [...words, ...mails],
  ),
  "a function as replacement": about(
    `${say("text.replace(/[a-z]+/g, (w) => w.toUpperCase())")}
     ${say('text.replace(/(\\w)(\\d)?/g, (all, a, b, at, whole) => `${a}${b ?? "-"}${at}${whole.length}`)')}
     ${say("text.replace(/(?<first>\\w)\\w*/, (all, first, at, whole, groups) => groups.first + first)")}
     ${say("text.replace(/l/, String)")}`,
    words,
  ),
  "parts between matches": about(
    `${list("text.split(/[,;\\s]+/)")} ${list("text.split(/\\r?\\n/)")} ${list("text.split(/(\\d)/)")}
     ${list("text.split(/\\s*/, 2)")} ${list("text.split(/(?:)/)")} ${put("text.split(/\\W+/).filter(Boolean).length")}`,
    words,
  ),
  "where and whether": about(
    `${put("text.search(/[A-Z]/)")} ${flag("/\\bcat\\b/i.test(text)")} ${flag("/^x$/m.test(text)")}
     ${flag("/\\p{Lu}/u.test(text)")} ${flag("/a(?=t)/.test(text)")} ${flag('new RegExp("^" + "he", "i").test(text)')}
     ${flag("/./s.test(text)")} ${flag("FAQ.some((f) => f.pattern.test(text))")}`,
    words,
    "const FAQ = [{ pattern: /hello/i, answer: 1 }, { pattern: /#\\w/, answer: 2 }];",
  ),
  "thousands by a pattern": about(`${say('text.replace(/\\B(?=(?:\\d{3})+(?!\\d))/g, ",")')}`, [
    "1234567",
    "12",
    "",
    "a1234b",
  ]),
  "a match or an empty list": about(
    `const [, a, b] = text.match(/(\\w)(\\d)?/) ?? []; ${say("`${a} ${b}`")} const all = text.match(/x/) || []; ${put("all.length")}`,
    ["", "a1", "a", "x"],
  ),
  "matches in a helper and a map": about(
    `const tags = [text, text + "#z"].map((one) => tagOf(one)); ${list("tags")}
     const by = new Map<string, number>(); for (const m of text.matchAll(/\\w/g)) by.set(m[0], (by.get(m[0]) ?? 0) + 1);
     for (const [k, n] of by) ${say("k + n")}`,
    words,
    'function tagOf(text: string): string { const m = /#(\\w+)/.exec(text); return m ? m[1] : "none"; }',
  ),
};

const numbers = ["", "12", " 3.50 ", "-0", "1e3", "12px", "0x1f", ".5", "abc", "1,5", "900719925", "0.25"];

export const numberPrograms: Readonly<Record<string, LabProgram>> = {
  "a number in a text": about(
    `const n = Number(text); ${say("`${n} ${typeof n}`")} ${flag("Number.isNaN(n)")} ${flag("isNaN(n)")}
     ${put("n || 0")} ${put("Number(text) || -1")} ${flag("n > 3")} ${flag("n <= 3")} ${flag("n === n")} ${flag("n !== 12")} ${flag("!n")}
     if (Number.isNaN(n)) { ${say('"no number"')} } else { ${put("n + 0.5 - 0.5")} ${say("n.toFixed(2)")} }
     ${say("n.toFixed(1)")} ${say("String(n + 1)")} ${flag("Number.isFinite(n)")} ${flag("Number.isInteger(n)")} ${flag("Number.isSafeInteger(n)")}`,
    numbers,
  ),
  "other ways to read one": about(
    `${say("`${parseInt(text, 10)} ${parseInt(text)} ${parseFloat(text)} ${+text} ${Number.parseInt(text, 16)}`")}
     const n = parseInt(text, 10); ${put("isNaN(n) ? -1 : n")} ${put("Math.max(0, Math.floor(+text) || 0)")}
     ${say("`${Math.round(+text)} ${Math.abs(-text.length * +text)} ${-n} ${n / 4} ${n % 2} ${Math.min(n, 7)}`")}`,
    numbers,
  ),
  "sums and lists that may be spoiled": about(
    `const parts = text.split(";").map(Number); const sum = parts.reduce((a, b) => a + b, 0); ${say("`${sum}`")}
     let total = 0; for (const p of text.split(";")) total += parseFloat(p); ${say("`${total}`")} ${put("total > 0 ? total : 0")}
     const good = parts.filter((n) => !Number.isNaN(n)); await lab.nums({ items: good }); ${say("`${Math.max(...parts)}`")}
     ${put("good.length")} const first = parts[0] ?? 5; ${flag("first > 1")} ${flag("parts.some((n) => n > 2)")}`,
    ["1;2;3", "", "1;x;3", "x", "0.5;0.25"],
  ),
  "NaN itself": about(
    `const bad = text === "" ? NaN : text.length; ${flag("Number.isNaN(bad)")} ${say("`${bad}`")} ${flag("bad === NaN")}
     const m = text.match(/\\d+/); const n = m ? Number(m[0]) : NaN; if (n > 5) { ${put("n")} } ${put("n || 7")} ${say("`${n ?? 1}`")}
     const k = text === "a" ? undefined : Number(text); ${say("`${k ?? 4}`")} ${flag("k === undefined")} ${flag("Number.isNaN(k)")}`,
    ["", "a", "a7", "3"],
  ),
  "what is converted": about(
    `${put('Number(text === "a")')} ${put("Number(text.at(0) === undefined)")} const c = text.at(5); ${say('`${Number(c)} ${parseInt(c ?? "")}`')}`,
    ["", "a", "abcde7"],
  ),
  "sorted by numbers in texts": about(
    `const rows = text.split(","); rows.sort((a, b) => Number(a) - Number(b)); ${list("rows")}
     ${list('text.split(",").toSorted((a, b) => parseFloat(b) - parseFloat(a) || a.length - b.length)')}`,
    ["3,10,2", "1", "2,1,1.5,-1"],
  ),
};

const names = ["", "a,B,c", "b,a,É,e,E,é,z,Z", "x10,x9,X9,x09", "ø,o,p,æ,ae,af", "-a,_a, a,1,10,9,A1"];

export const textPrograms: Readonly<Record<string, LabProgram>> = {
  "in a reader's order": about(
    `${list('text.split(",").sort((a, b) => a.localeCompare(b))')}
     ${list('text.split(",").toSorted((a, b) => b.length - a.length || b.localeCompare(a))')}
     ${list('text.split(",").sort((a, b) => a.localeCompare(b, undefined, { numeric: true }))')}
     ${list('text.split(",").sort((a, b) => a.localeCompare(b, "en", { sensitivity: "base" }))')}
     ${put('text.localeCompare("B")')} ${flag('text.localeCompare("A", "en-US", { sensitivity: "accent" }) === 0')}
     const rows = text.split(",").map((name, i) => ({ name, i })); rows.sort((x, y) => x.name.localeCompare(y.name) || x.i - y.i);
     ${list("rows.map((r) => r.name + r.i)")}`,
    names,
  ),
  "replacements with what is not known": about(
    `${say('text.replace("a", text)')} ${say('text.replaceAll("a", "[$&]")')} ${say('text.replaceAll("", "-")')}
     ${say('"x-$&-$1-$$-y".replace("-", text)')} ${say('text.replaceAll(text.slice(0, 1), "$\'")')}
     ${say('text.replace("a", (found, at, whole) => `${found}${at}${whole.length}`)')} ${say('text.replaceAll("a", (x) => x.toUpperCase())')}`,
    ["", "a", "banana", "$&a$$", "aa$1"],
  ),
  "lengths of the run": about(
    `const n = text.length; ${say('"ab".repeat(n)')} ${say('text.padStart(n + 3, "xy")')} ${say("text.padEnd(2 * n)")} ${say("text.padStart(5, text)")}
     ${put("text.lastIndexOf(text.slice(0, 2))")} ${put('text.lastIndexOf("an")')} ${put('text.indexOf("a", 2)')} ${put('text.indexOf("", 99)')}
     ${flag('text.includes("a", 4)')} ${flag('text.startsWith("an", 1)')} ${say("text.substr(-3, 2)")} ${say("text.substr(1)")}
     ${list('text.split("a", 2)')} ${list('text.split("", 3)')}`,
    ["", "a", "banana", "xx"],
  ),
  "characters and codes": about(
    `let count = 0; for (const c of text) { if (c === "a") count += 1; ${say("c")} } ${put("count")} ${list("[...text]")} ${list("Array.from(text)")}
     ${say("`${text.charCodeAt(1)} ${text.codePointAt(0)} ${text.charCodeAt(0)}`")} ${say("String.fromCharCode(97, text.length + 98)")}
     ${say("text.toLocaleUpperCase() + text.toLocaleLowerCase()")} ${put('[...text].filter((c) => c > "b").length')}
     ${say('[...text].reverse().join("")')}`,
    ["", "abc", "a\u{1f600}é", "banana"],
  ),
  "numbers for a reader": {
    input: "{ n: number }",
    inputs: [0, 1, 1234.5, -1234567.891, 0.005, 1e9, 999.9995, 12.345].map((n) => ({ n })),
    body: `const { n } = input; ${say("n.toLocaleString()")} ${say('n.toLocaleString("en-US", { minimumFractionDigits: 2 })')}
     ${say('n.toLocaleString("en-US", { maximumFractionDigits: 1 })')} ${say('n.toLocaleString(undefined, { style: "percent" })')}
     ${say('n.toLocaleString("en-US", { style: "currency", currency: "USD" })')} ${say("Math.round(n).toLocaleString()")}`,
  },
};

const times = [
  "2024-02-28",
  "2024-02-28T23:30:00Z",
  "1999-12-31T23:59:59.999+02:00",
  "never",
  "",
  "2024-13-01",
];

export const datePrograms: Readonly<Record<string, LabProgram>> = {
  "the time of a text": about(
    `const t = Date.parse(text); ${say("`${t} ${t / 2} ${t - 1}`")} ${flag("Number.isNaN(t)")} ${flag('t > Date.parse("2024-01-01")')}
     const d = new Date(text); ${say("`${d.getTime()} ${d.getUTCFullYear()} ${d.getUTCMonth()} ${d.getUTCDate()} ${d.getUTCDay()} ${d.getUTCHours()} ${d.getUTCMinutes()} ${d.getUTCSeconds()} ${d.getUTCMilliseconds()}`")}
     ${say("`${d.toJSON()}`")} if (!isNaN(d.getTime())) { ${say("d.toISOString().slice(0, 10)")} ${put("d.valueOf()")} }
     ${flag('d < new Date("2024-02-28T12:00:00Z")')} ${flag("d >= new Date(0)")} ${put("(Number(d) || 0) + (+new Date(5))")} ${put("(d - new Date(7)) || 1")}
     const days = Math.floor((Date.parse("2024-03-05") - Date.parse(text)) / 86_400_000); ${say("`${days}`")}`,
    times,
  ),
  "a date that throws": about(
    `try { ${say("new Date(text).toISOString()")} } catch (e) { ${say('"invalid"')} } ${say('"after"')}`,
    times,
  ),
  "dates that are set": about(
    `const start = new Date(text); const end = new Date(start); end.setUTCDate(end.getUTCDate() + 3); end.setUTCHours(0, 0, 0, 0);
     ${say("`${start.getTime()} ${end.getTime()}`")} const back = new Date(start.getTime() - 90 * 86_400_000); ${say("`${back.toJSON()}`")}
     const next = new Date(start); next.setUTCMonth(next.getUTCMonth() + 1); ${say("`${next.getTime()} ${next.setUTCFullYear(2000)} ${next.toJSON()}`")}
     const same = start; same.setTime(1000.7); ${say("`${start.getTime()}`")} ${say("`${start.setUTCMinutes(90, 1)} ${start.setUTCSeconds(-1)} ${start.setUTCMilliseconds(5)}`")}
     if (text === "") start.setUTCDate(0); ${say("`${start.toJSON()}`")}`,
    times,
  ),
  "dates of parts": {
    input: "{ y: number; m: number; d: number }",
    inputs: [
      { y: 2024, m: 0, d: 1 },
      { y: 99, m: 12, d: 0 },
      { y: 2023, m: -1, d: 31.9 },
      { y: 300000, m: 0, d: 1 },
    ],
    body: `const { y, m, d } = input; ${say("`${Date.UTC(y, m, d)} ${Date.UTC(y, m)} ${new Date(Date.UTC(y, m, d, 5, 6, 7, 8)).toJSON()}`")}
      const last = new Date(Date.UTC(y, m + 1, 0)); ${say("`${last.getUTCDate()}`")} ${say("`${new Date(m * 1000.5).toJSON()} ${new Date(y * 1e13).getTime()}`")}`,
  },
  "sorted by date": about(
    `const rows = text.split(",").map((at, i) => ({ at, i }));
     rows.sort((a, b) => Date.parse(b.at) - Date.parse(a.at)); ${list("rows.map((r) => r.at + r.i)")}
     const up = [...rows].sort((a, b) => new Date(a.at).getTime() - new Date(b.at).getTime() || a.i - b.i); ${list("up.map((r) => `${r.i}`)")}
     ${list('text.split(",").toSorted((a, b) => +new Date(a) - +new Date(b))')}
     const recent = rows.filter((r) => new Date(r.at) > new Date("2024-01-15")); ${put("recent.length")}
     ${list("rows.map((r) => new Date(r.at)).map((d) => d.toISOString())")}
     const old = rows.find((r) => Date.parse(r.at) < 0); ${flag("old === undefined")} let newest = 0; for (const r of rows) newest = Math.max(newest, Date.parse(r.at)); ${put("newest")}`,
    ["2024-02-01,2024-01-01,2024-03-01", "2024-01-01", "2024-01-01,2024-01-01T00:00:00Z,1969-01-01"],
  ),
  "a loop over days": about(
    `const day = new Date("2024-02-27T00:00:00Z"); for (let i = 0; i < 4; i++) { ${say("day.toISOString().slice(5, 10)")} day.setUTCDate(day.getUTCDate() + 1); }
     const end = text === "" ? null : new Date(text); ${say('end ? `${end.getTime()}` : "none"')} ${say('`${new Date(text.at(99) ?? "2000").getTime()}`')}
     for (const one of text.split("")) { day.setUTCHours(day.getUTCHours() + one.length); } ${say("`${day.getTime()}`")}`,
    times,
  ),
};
