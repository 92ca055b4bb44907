/**
 * Letters that a reader takes for others: those of another script in a word or an address with Latin letters, and texts
 * all of whose foreign letters look Latin. `раypal` and `paypal` must not look the same to a person who decides. This file
 * imports nothing, so that the page can load it.
 */

const scripts = ["Cyrillic", "Greek", "Armenian", "Cherokee", "Coptic", "Lisu", "Georgian", "Deseret"];
const foreign = scripts.map((script) => `\\p{Script=${script}}`).join("");
/** Latin letters in another dress: full width, mathematical, small capitals, Roman numerals and the like. */
const dressed =
  "\\uff21-\\uff3a\\uff41-\\uff5a\\u{1d400}-\\u{1d7ff}\\u2102-\\u2149\\u2160-\\u2188\\u0251\\u0261\\u0237\\u0131\\u1d00-\\u1d2b";

/** A class for patterns: every character that may be marked. */
export const suspectClass = `[${foreign}${dressed}]`;

// Made when they are first needed: most texts are plain.
let patterns: ReturnType<typeof made> | undefined;
function made() {
  return {
    suspect: new RegExp(suspectClass, "gu"),
    // Words, joined by the signs of addresses.
    joined: /[\p{L}\p{M}\p{N}]+(?:[@._:/+%-]+[\p{L}\p{M}\p{N}]+)*/gu,
    word: /[\p{L}\p{M}\p{N}]+/gu,
    latin: /[a-zA-Z\u00c0-\u024f]/u,
    // Marks between letters that only addresses have.
    address: /[@_]|:\/\/|[\p{L}\p{N}]\.[\p{L}\p{N}]/u,
    dotless: /\u0131/u,
    // Every letter of the other scripts counts as one that looks Latin.
    readable: /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}]/u,
  };
}

/** Letters of other scripts that look like a Latin letter or a digit in most fonts. */
const latinLooking = new Set(
  "авеікмнорстухѕјһԁԛԝӏѵгпАВЕЅІЈКМНОРСТУХЗҮԌԚԜӀ" + "αβγεικνορτυχωηΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳ" + "օսհոցյզգքԼՏՍՕ",
);

/** An escape, whose letters are no letters of the text: what was escaped once stays as it is. */
const writtenEscape = /\\(?:u[0-9a-f]{4}|[nrt"\\])/g;

/** Returns the positions of the characters that must be marked. Linear in the length of the text. */
export function lookAlikes(given: string): ReadonlySet<number> {
  patterns ??= made();
  const text = given.replace(writtenEscape, (one) => " ".repeat(one.length));
  const { suspect, joined, word, latin, address, dotless, readable } = patterns;
  const found = new Set<number>();
  const suspects = [...text.matchAll(suspect)];
  if (suspects.length === 0) return found;
  const mark = (part: string, from: number, isAddress: boolean): void => {
    // Words of Turkish have a letter without its dot; their addresses do not.
    for (const one of part.matchAll(suspect))
      if (isAddress || !dotless.test(one[0])) found.add(from + one.index);
  };
  for (const token of text.matchAll(joined)) {
    const [whole] = token;
    if (!latin.test(whole)) continue;
    if (address.test(whole)) mark(whole, token.index, true);
    else
      for (const one of whole.matchAll(word))
        if (latin.test(one[0])) mark(one[0], token.index + one.index, false);
  }
  // A text whose other foreign letters all look Latin may be meant to be read so.
  const others = suspects.filter(({ 0: char, index }) => !found.has(index) && !dotless.test(char));
  const looksLatin = (char: string) => latinLooking.has(char) || !readable.test(char);
  if (others.length > 0 && others.every(([char]) => looksLatin(char)))
    for (const { index } of others) found.add(index);
  return found;
}
