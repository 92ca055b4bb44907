/**
 * What comes from an agent or a tool, as it may stand on the page: nothing in it can be overlooked or move the words
 * around it. Says the same as `visibleText` of the sentences, which a test holds it to, but keeps apart what was
 * written as an escape, so that it can be marked, and leaves line ends and tabs where the layout is that of a source.
 */

export interface Piece {
  readonly text: string;
  readonly isEscape: boolean;
}

const unseen = "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Me}";
const blank = "\\p{Default_Ignorable_Code_Point}\\u2800";
const rightToLeft = "\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefe\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
// A mark goes on top of what stands before it.
const hidden = `[${unseen}${blank}${rightToLeft}]|(?! )\\p{Zs}|^\\p{M}|(?<=\\p{M}{2})\\p{M}`;
const inText = new RegExp(hidden, "gu");
const inLayout = new RegExp(`(?![\\n\\t])(?:${hidden})|(?<=[\\n\\t])\\p{M}`, "gu");
const plain = /^[ -~]*$/;

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** @param layout whether line ends and tabs are shown as what they are */
export function pieces(text: string, layout = false): readonly Piece[] {
  if (plain.test(text)) return [{ text, isEscape: false }];
  const found: Piece[] = [];
  let last = 0;
  for (const match of text.matchAll(layout ? inLayout : inText)) {
    const [char] = match;
    if (match.index > last) found.push({ text: text.slice(last, match.index), isEscape: false });
    found.push({ text: short[char] ?? escaped(char), isEscape: true });
    last = match.index + char.length;
  }
  if (last < text.length) found.push({ text: text.slice(last), isEscape: false });
  return found;
}

/** All of it as one text. */
export function visibleText(text: string): string {
  return pieces(text)
    .map((piece) => piece.text)
    .join("");
}

function escaped(char: string): string {
  let units = "";
  for (let i = 0; i < char.length; i++) units += `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`;
  return units;
}
