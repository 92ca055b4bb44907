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
