// `node scripts/text-table.mjs`: writes src/kernel/rules/text-table.ts, the tables that rules on texts use. They are written
// once for each form of entries that has its own: a table that entries were decided with never changes.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./tools.mjs";

const invisible = /[\p{Cf}\p{Mn}\p{Me}]/gu;

/** Letters of other scripts, and of Latin itself, that look like those after the sign; each pair is two signs. */
const alike = [
  // Cyrillic
  "Аa Вb Еe Ѕs Іi Јj Кk Мm Нh Оo Рp Сc Тt Уy Хx Ғf Ԁd Ԍg Һh Ԛq Ԝw Ѵv Ӏl",
  "аa вb сc ԁd еe һh іi јj кk ӏl мm нh оo пn рp ԛq гr ѕs тt уy ѵv ԝw хx ғf",
  // Greek
  "Αa Βb Εe Ζz Ηh Ιi Κk Μm Νn Οo Ρp Τt Υy Χx Ϲc Ϝf Ϳj",
  "αa βb γy εe ηn ιi κk μu νv οo ρp τt υu χx ωw ϲc ϳj",
  // Armenian
  "օo ոn սu հh ցg զq յj Տs Սu Օo Լl",
  // Cherokee
  "Ꭰd Ꭱr Ꭲt Ꭺa Ꭻj Ꭼe Ꮃw Ꮇm Ꮋh Ꮐg Ꮓz Ꮪs Ꮩv Ꮯc Ꮲp Ꮶk Ᏼb Ꮮl",
  // Latin and phonetic
  "ıi ɩi ɑa ɡg ɢg ʀr ʏy ʙb ʜh ʟl ɴn ɪi ᴀa ᴄc ᴅd ᴇe ᴊj ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz ꜱs ꜰf",
  "øo łl đd ħh ŧt ƒf ðd þp ƙk ɓb ɗd ɠg ɨi ʉu ɵo ƀb ȼc ɇe ɉj ɍr ɏy ƶz ⱥa ǀl ∣l",
  "ØO ŁL ĐD ĦH ŦT ƑF ÐD ƘK ƁB ƊD ƓG ƗI ɄU ƟO ɃB ȻC ɆE ɈJ ɌR ɎY ƵZ ȺA",
].flatMap((line) => line.split(" ").map((pair) => [pair.slice(0, -1), pair.slice(-1).toLowerCase()]));
/** @type {Map<string, string>} */
const lookAlikes = new Map();
for (const [sign = "", letter = ""] of alike) lookAlikes.set(sign, letter);
for (let i = 0; i < 26; i++) {
  const letter = String.fromCharCode(97 + i);
  // Negative circled and squared letters, and regional indicators.
  for (const first of [0x1f150, 0x1f170, 0x1f1e6]) lookAlikes.set(String.fromCodePoint(first + i), letter);
}

/** @type {number[]} */
const digitsFrom = [];
for (let code = 0; code <= 0x10ffff; code++)
  if (
    isScalar(code) &&
    /\p{Nd}/u.test(String.fromCodePoint(code)) &&
    !/\p{Nd}/u.test(String.fromCodePoint(code - 1))
  )
    digitsFrom.push(code);

/** @param {number} code */
function isScalar(code) {
  return code < 0xd800 || code > 0xdfff;
}

/** @param {string} sign */
function digitOf(sign) {
  const code = sign.codePointAt(0) ?? 0;
  const from = digitsFrom.findLast((one) => one <= code) ?? 0;
  return String((code - from) % 10);
}

/**
 * Marks, width, case, digits, dashes, quotes and blanks in one form.
 * @param {string} text
 */
function folded(text) {
  const once = (/** @type {string} */ one) => one.normalize("NFKD").replace(invisible, "").toLowerCase();
  return [...once(once(text))]
    .map((sign) => {
      if (/\p{Nd}/u.test(sign)) return digitOf(sign);
      // The sigma at the end of a word is the same letter.
      if (sign === "\u03c2") return "\u03c3";
      if (/[\p{Pd}\u2212\u02d7]/u.test(sign)) return "-";
      if (/[\s\p{Zs}]/u.test(sign)) return " ";
      if (/[\u2018\u2019\u201a\u201b\u2032]/u.test(sign)) return "'";
      if (/[\u201c\u201d\u201e\u201f\u2033]/u.test(sign)) return '"';
      return sign;
    })
    .join("");
}

/** @param {string} sign */
function skeleton(sign) {
  const own = lookAlikes.get(sign);
  if (own !== undefined) return own;
  const base = sign.normalize("NFKD").replace(invisible, "");
  return [...base].map((one) => lookAlikes.get(one) ?? lookAlikes.get(folded(one)) ?? folded(one)).join("");
}

/**
 * Runs of code points that become nothing, the same distance away, or one text; `from+count>texts`, all in base 36.
 * @param {(sign: string) => string} map
 */
function encoded(map) {
  /** @type {{ from: number, end: number, count: number, gap: number, step: number | undefined, codes: number[], to: string }[]} */
  const runs = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    // Syllables of Hangul are taken apart by rule.
    if (!isScalar(code) || (code >= 0xac00 && code <= 0xd7a3)) continue;
    const sign = String.fromCodePoint(code);
    const to = map(sign);
    if (to === sign) continue;
    const codes = [...to].map((one) => one.codePointAt(0) ?? 0);
    const last = runs.at(-1);
    const [only] = codes;
    const step = codes.length === 1 && only !== undefined ? only - code : undefined;
    if (last && last.to === "" && to === "" && last.from + last.count === code) last.count++;
    else if (last && step !== undefined && last.step === step && code - last.end === last.gap) {
      last.count++;
      last.end = code;
    } else if (last && step !== undefined && last.step === step && last.count === 1 && code - last.end <= 2) {
      last.gap = code - last.end;
      last.count++;
      last.end = code;
    } else runs.push({ from: code, end: code, count: 1, gap: 1, step, codes, to });
  }
  const text = (/** @type {number} */ number) => number.toString(36);
  let before = 0;
  return runs
    .map(({ from, count, gap, codes, to }) => {
      const start = text(from - before);
      before = from;
      const length = count === 1 ? "" : `+${text(count)}${gap === 2 ? "*" : ""}`;
      return `${start}${length}${to === "" ? "" : `>${codes.map(text).join(".")}`}`;
    })
    .join(" ");
}

/** @param {string} text */
function lines(text) {
  return (text.match(/.{1,110}(?: |$)/g) ?? []).map((line) => `  ${JSON.stringify(line)},`).join("\n");
}

const out = `/**
 * Tables of the rules on texts, by Unicode ${process.versions.unicode}. Written by \`node scripts/text-table.mjs\`; entries were decided with them,
 * so they never change. A run is \`distance+count*>codes\` in base 36: from the run before, how many, every second one if it has a
 * star, and the code points that the first becomes. Part of what must be trusted.
 */

/** One form of marks, width, case, digits, dashes, quotes and blanks. */
export const foldedRuns: readonly string[] = [
${lines(encoded(folded))}
];

/** The same, and letters of Latin in the place of those that look like them. */
export const skeletonRuns: readonly string[] = [
${lines(encoded(skeleton))}
];
`;
writeFileSync(join(ROOT, "src/kernel/rules/text-table.ts"), out);
