/**
 * How text looks on a terminal: how many columns it takes, and what must not reach a terminal as it is.
 * A document may come from anyone, and a terminal obeys some characters and hides others.
 */

/** One character as it is shown. */
export interface Glyph {
  readonly text: string;
  readonly columns: number;
  /** Code units of the character that it stands for. */
  readonly units: number;
}

const tab = "    ";
// Control and format characters, line and paragraph separators, halves of pairs.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const unseenAll = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const combining = /[\p{Mn}\p{Me}]/u;
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** The characters of one line; tabs become blanks, and what cannot be seen becomes its name. */
export function glyphs(text: string): Glyph[] {
  return Array.from(text, glyph);
}

/** The text with everything named that a terminal would obey or hide, line ends included. */
export function visible(text: string): string {
  return plain.test(text) ? text : text.replace(unseenAll, nameOf);
}

export function columnsOf(text: string): number {
  if (plain.test(text)) return text.length;
  let columns = 0;
  for (const char of text) columns += glyph(char).columns;
  return columns;
}

/** The beginning of a text that fits, with `mark` in place of the rest. */
export function cut(text: string, columns: number, mark: string): string {
  if (columnsOf(text) <= columns) return text;
  let room = columns - mark.length;
  let kept = "";
  for (const char of text) {
    room -= glyph(char).columns;
    if (room < 0) break;
    kept += char;
  }
  return kept + mark.slice(0, Math.max(columns, 0));
}

/** Lines that fit, broken at blanks, and inside a word only where it is longer than a line. */
export function wrap(text: string, columns: number): string[] {
  if (columnsOf(text) <= columns) return [text];
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const word of text.split(/(?<= )/)) {
    const bare = columnsOf(word.trimEnd());
    if (used > 0 && used + bare > columns) {
      lines.push(line.trimEnd());
      line = "";
      used = 0;
    }
    if (bare <= columns) {
      line += word;
      used += columnsOf(word);
      continue;
    }
    for (const char of word) {
      const width = glyph(char).columns;
      if (used > 0 && used + width > columns) {
        lines.push(line);
        line = "";
        used = 0;
      }
      line += char;
      used += width;
    }
  }
  lines.push(line.trimEnd());
  return lines;
}

/** The text with blanks after it, up to the width. */
export function pad(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

const plain = /^[ -~]*$/;

function glyph(char: string): Glyph {
  const units = char.length;
  if (plain.test(char)) return { text: char, columns: 1, units };
  if (char === "\t") return { text: tab, columns: tab.length, units };
  if (unseen.test(char)) {
    const text = nameOf(char);
    return { text, columns: text.length, units };
  }
  return { text: char, columns: combining.test(char) ? 0 : wide.test(char) ? 2 : 1, units };
}

function nameOf(char: string): string {
  return `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`;
}
