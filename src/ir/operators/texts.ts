/**
 * Questions about texts that have a language of their own: patterns, paths and URLs.
 * Part of what must be trusted.
 */

import { LimitReached } from "../eval/meter.ts";
import type { Forms } from "../inside/forms.ts";
import { pathForms, pathInside } from "../inside/path.ts";
import { urlForms, urlInside } from "../inside/url.ts";
import { defaultLimits } from "../limits.ts";
import { Automaton } from "../regular/automaton.ts";
import { memberTerm } from "../regular/language.ts";
import { type PatternResult, readPattern } from "../regular/pattern.ts";
import { bool, string } from "../type.ts";
import { asString, call, type Operator, type Signature, type SmtForm, smtTerm, strict } from "./operator.ts";

const test: readonly Signature[] = [{ params: [string, string], result: bool }];

export const texts: readonly Operator[] = [
  {
    name: "matches",
    meaning:
      "true when the pattern, which must be a string literal, is found in the string; anchored by `^` and `$` only",
    syntax: call,
    signatures: test,
    written: {
      operand: 1,
      problem: (text, limits) => {
        const read = pattern(text, limits.patternSize).result;
        return read.ok ? undefined : read.problem;
      },
    },
    evaluate: strict(([a, b], { meter }) => {
      const [searched, written] = [asString(a), asString(b)];
      meter.charge(1 + written.length);
      const { result, automaton } = pattern(written, meter.limits.patternSize);
      // The checker refuses both; one that is no pattern is found nowhere.
      if (!result.ok && result.problem.code === "FC1410")
        throw new LimitReached("FC1410", result.problem.message);
      if (automaton === undefined) return false;
      meter.charge(Math.ceil(((searched.length + 1) * automaton.weight) / 8));
      return automaton.accepts(searched);
    }),
    smt: smtTerm(([searched = ""], _, { literals: [, written] }) => {
      const read =
        typeof written === "string" ? pattern(written, defaultLimits.patternSize).result : undefined;
      return read?.ok ? memberTerm(searched, read.value) : undefined;
    }),
  },
  {
    name: "pathInside",
    meaning:
      "true when the first string is a POSIX path that, normalized, is the second or below it; false for what is not clear, such as a backslash",
    syntax: call,
    signatures: test,
    evaluate: strict(([a, b], { meter }) => {
      meter.charge(1 + ((asString(a).length + asString(b).length) >> 3));
      return pathInside(asString(a), asString(b));
    }),
    smt: insideForm(pathForms),
  },
  {
    name: "urlInside",
    meaning:
      "true when the first string is a URL with the scheme, host and port of the second and a path that, normalized, is its path or below it. It is false for what is not clear, such as a user name",
    syntax: call,
    signatures: test,
    evaluate: strict(([a, b], { meter }) => {
      meter.charge(1 + ((asString(a).length + asString(b).length) >> 3));
      return urlInside(asString(a), asString(b));
    }),
    smt: insideForm(urlForms),
  },
];

interface ReadPattern {
  readonly result: PatternResult;
  readonly automaton: Automaton | undefined;
}

const known = new Map<string, ReadPattern>();
/** LIMIT: what is remembered is only what was used last. */
const maxKnown = 100;

function pattern(text: string, most: number): ReadPattern {
  const key = `${most} ${text}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const result = readPattern(text, { most });
  const read = { result, automaton: result.ok ? new Automaton(result.value) : undefined };
  if (known.size >= maxKnown) known.clear();
  known.set(key, read);
  return read;
}

/** SOUNDNESS: what neither language decides stays a function of which nothing is known. */
function insideForm(formsOf: (outer: string) => Forms | undefined): SmtForm {
  return smtTerm(([inner = ""], _, { literals: [, outer], opaque }) => {
    if (typeof outer !== "string") return undefined;
    const forms = formsOf(outer);
    if (forms === undefined) return "false";
    const inside = memberTerm(inner, forms.inside);
    if (forms.open === undefined) return inside;
    return `(or ${inside} (and ${memberTerm(inner, forms.open)} ${opaque()}))`;
  });
}
