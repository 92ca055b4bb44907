/** The width of a text on a terminal. Every text from elsewhere passes the escaper before it is cut or wrapped. */
import { pieces } from "../../explain/index.ts";

/** One character as it is shown. */
export interface Glyph {
  readonly text: string;
  readonly columns: number;
  /** Code units of the character that it stands for. */
  readonly units: number;
}

const tab = "    ";
const combining = /[\p{Mn}\p{Me}]/u;
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Returns the characters of one line; tabs become blanks, and hidden characters become escapes. */
export function glyphs(text: string): Glyph[] {
  return text
    .split("\t")
    .flatMap((part, i) => [
      ...(i === 0 ? [] : [{ text: tab, columns: tab.length, units: 1 }]),
      ...pieces(part).flatMap(({ text: shown, isEscape, units }) =>
        isEscape ? [{ text: shown, columns: shown.length, units }] : Array.from(shown, glyph),
      ),
    ]);
}

export function columnsOf(text: string): number {
  if (plain.test(text)) return text.length;
  return glyphs(text).reduce((columns, one) => columns + one.columns, 0);
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
  const columns = plain.test(char) ? 1 : combining.test(char) ? 0 : wide.test(char) ? 2 : 1;
  return { text: char, columns, units: char.length };
}
