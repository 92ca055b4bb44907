/**
 * Patterns that do not tell cases apart, written so that they need no flag: `/ab/i` is `[Aa][Bb]`. Which code units
 * JavaScript takes for the same is asked of JavaScript; what is written out is what is proved and run.
 */

/** Rewrites a valid pattern for case-insensitive matching. */
export function ignoringCase(pattern: string): string {
  let written = "";
  for (let at = 0; at < pattern.length; ) {
    const [token = ""] = tokenAt(pattern, at);
    at += token.length;
    written += token.startsWith("[") ? widenedClass(token) : widenedUnit(token);
  }
  return written;
}

/** An escape, a class or one code unit. */
const token = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)|\[(?:\\.|[^\]\\])*\]|./sy;

function tokenAt(pattern: string, at: number): RegExpExecArray | [] {
  token.lastIndex = at;
  return token.exec(pattern) ?? [];
}

function widenedUnit(text: string): string {
  const code = codeOf(text);
  const others = code === undefined ? [] : alike(code).filter((one) => one !== code);
  return others.length === 0 ? text : `[${text}${others.map(unitText).join("")}]`;
}

const classPart =
  /(\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)|.)(?:-(\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)|.))?/gs;

/** Widens a character class by the characters that JavaScript folds to the same. */
function widenedClass(text: string): string {
  const [, not = "", inside = ""] = /^\[(\^?)(.*)\]$/s.exec(text) ?? [];
  const had = new Set<number>();
  for (const [, first = "", last] of inside.matchAll(classPart)) {
    const low = codeOf(first);
    const high = last === undefined ? low : codeOf(last);
    if (low !== undefined && high !== undefined) for (let code = low; code <= high; code++) had.add(code);
  }
  const added = [...new Set([...had].flatMap(alike))].filter((code) => !had.has(code)).sort((a, b) => a - b);
  if (added.length === 0) return text;
  // A `-` that was first must not become a range.
  return `[${not}${rangesText(added)}${inside.replace(/^-/, "\\-")}]`;
}

function rangesText(codes: readonly number[]): string {
  let written = "";
  for (let i = 0; i < codes.length; ) {
    let end = i;
    while (codes[end + 1] === (codes[end] ?? 0) + 1) end++;
    const [first = 0, last = 0] = [codes[i], codes[end]];
    written += end > i ? `${unitText(first)}-${unitText(last)}` : unitText(first);
    i = end + 1;
  }
  return written;
}

/** The code unit that the text stands for; undefined for a class such as `\d`. */
function codeOf(text: string): number | undefined {
  if (text.length === 1) return text.charCodeAt(0);
  if (/^\\[xu]./.test(text)) return Number.parseInt(text.slice(2), 16);
  // The escapes of letters are classes, or have no case.
  return /^\\[a-zA-Z0-9]/.test(text) ? undefined : text.charCodeAt(1);
}

function unitText(code: number): string {
  const sign = String.fromCharCode(code);
  return /[A-Za-z0-9]/.test(sign) ? sign : `\\u${code.toString(16).padStart(4, "0")}`;
}

/** All code units that are the same as this one when case is ignored, itself among them. */
function alike(code: number): readonly number[] {
  classes ??= readClasses();
  return classes.get(canonical(code)) ?? [code];
}

let classes: ReadonlyMap<number, readonly number[]> | undefined;

function readClasses(): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (let code = 0; code <= 0xffff; code++) {
    const key = canonical(code);
    const held = found.get(key);
    if (held === undefined) found.set(key, [code]);
    else held.push(code);
  }
  return found;
}

/** As the standard says: upper case, unless that is longer or makes an ASCII character of one that was none. */
function canonical(code: number): number {
  const upper = String.fromCharCode(code).toUpperCase();
  if (upper.length !== 1) return code;
  const to = upper.charCodeAt(0);
  return code >= 128 && to < 128 ? code : to;
}
