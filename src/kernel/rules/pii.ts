/**
 * Patterns of personal data. A heuristic: it finds what is written the usual way, and its score on the examples of
 * its test is on the page of claims. Each pattern is linear in the text. Part of what must be trusted.
 */
import type { PiiKind } from "../reasons.ts";

export function piiIn(text: string): PiiKind | undefined {
  return patterns.find(({ matches }) => matches(text))?.kind;
}

/** Finds personal data in a folded text, also with the usual disguises: `(at)`, `[dot]`, blanks around signs, other separators. */
export function hiddenPiiIn(folded: string): PiiKind | undefined {
  const kind = piiIn(folded);
  if (kind !== undefined) return kind;
  return hidden.find(({ matches }) => matches(folded))?.kind;
}

interface Pattern {
  readonly kind: PiiKind;
  readonly matches: (text: string) => boolean;
}

const patterns: readonly Pattern[] = [
  {
    kind: "e-mail",
    matches: (text) => /[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/u.test(text),
  },
  {
    kind: "card",
    matches: (text) => found(text, /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/gu, passesLuhn),
  },
  {
    kind: "iban",
    matches: (text) =>
      found(text, /(?<![A-Z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Z0-9])/giu, passesIban),
  },
  {
    kind: "social security",
    matches: (text) => found(text, /(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])/gu, isSsn),
  },
  {
    kind: "telephone",
    matches: (text) =>
      found(
        text,
        /(?<![\d.])(?:\+\d{1,3}[ .-]?)?\(?\d{2,4}\)?(?:[ .-]\d{2,4}){2,4}(?![\d.-])|\+\d{8,15}(?!\d)/gu,
        isPhone,
      ),
  },
];

// By ranges alone, and no property of Unicode: the tables of Node must not decide.
const hidden: readonly Pattern[] = [
  {
    kind: "e-mail",
    matches: (text) =>
      /[a-z0-9._%+\u0080-\u{10ffff}-]{1,64} ?(?:@|\(at\)|\[at\]|\{at\}|<at>) ?[a-z0-9\u0080-\u{10ffff}-]{1,63}(?: ?(?:\.|\(dot\)|\[dot\]|\{dot\}|<dot>) ?[a-z0-9\u0080-\u{10ffff}-]{1,63}){1,8}/u.test(
        text,
      ),
  },
  {
    kind: "card",
    matches: (text) => found(text, /(?<!\d)\d(?:[ ._/-]{0,2}\d){12,18}(?!\d)/gu, passesLuhn),
  },
  {
    kind: "iban",
    matches: (text) =>
      found(
        text.replace(/[._/-]/g, ""),
        /(?<![a-z0-9])[a-z]{2}\d{2}(?: ?[a-z0-9]){11,30}(?![a-z0-9])/gu,
        passesIban,
      ),
  },
  {
    kind: "social security",
    matches: (text) =>
      found(text, /(?<![\d.-])\d{3}[ ./]\d{2}[ ./]\d{4}(?![\d.-])/gu, (match) =>
        isSsn(match.replace(/[ ./]/g, "-")),
      ),
  },
];

function found(text: string, pattern: RegExp, confirms: (match: string) => boolean): boolean {
  for (const [match] of text.matchAll(pattern)) if (confirms(match)) return true;
  return false;
}

function digitsOf(text: string): string {
  return text.replace(/\D/gu, "");
}

function passesLuhn(match: string): boolean {
  const digits = digitsOf(match);
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]) * (i % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0 && /[1-9]/.test(digits);
}

function passesIban(match: string): boolean {
  const text = match.replace(/ /gu, "").toUpperCase();
  let rest = 0;
  for (const char of text.slice(4) + text.slice(0, 4)) {
    for (const digit of Number.parseInt(char, 36).toString()) rest = (rest * 10 + Number(digit)) % 97;
  }
  return rest === 1;
}

/** Numbers that were never given out are taken for something else. */
function isSsn(match: string): boolean {
  return !/^(?:000|666|9)|-00-|-0000$/.test(match);
}

function isPhone(match: string): boolean {
  const digits = digitsOf(match);
  // A date looks much like a telephone number.
  const isDate = /^(?:19|20)\d{2}[ .-]\d{2}[ .-]\d{2}$|^\d{2}[ .-]\d{2}[ .-](?:19|20)\d{2}$/.test(match);
  return digits.length >= 8 && digits.length <= 15 && !isDate;
}
