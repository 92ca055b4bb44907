/** What may be true before every iteration of a loop, as the checker of certificates reads it. Not trusted. */
import { invariantNames } from "../../check/invariant.ts";
import type { Met } from "../../check/program.ts";
import type { Sort } from "../../check/script.ts";
import type { Checked } from "../../ir/check/index.ts";
import { printIdentifier } from "../../ir/text/print-name.ts";
import { constantsOf } from "../constants.ts";
import { Terms } from "../factory.ts";
import { candidatesOf, type Moment, type Named } from "../invariants.ts";
import { printTerm } from "../print-term.ts";
import type { Sort as TermSort } from "../term.ts";

/** LIMIT: of parts of one candidate; a longer one would be cut. */
const mostParts = 1_000;

export function candidateTexts(checked: Checked, loop: Met, totals: readonly Sort[]): readonly string[] {
  const terms = new Terms();
  /** What stands for an expression in terms, which know no lists and no options. */
  const standing = new Map<string, string>();
  const at = (expression: string, sort: TermSort) => {
    const name = `~${standing.size}~`;
    standing.set(printIdentifier(name), expression);
    return terms.constant(name, sort);
  };
  const moment = (carriedName: (name: string) => string, totalName: (place: number) => string): Moment => {
    const numbers: Named[] = [];
    const flags: Named[] = [];
    const texts: Named[] = [];
    for (const { name, type } of loop.command.carry) {
      const written = printIdentifier(carriedName(name));
      if (type.kind === "int") numbers.push({ name, term: at(written, "Int") });
      if (type.kind === "real") numbers.push({ name, term: at(written, "Real") });
      if (type.kind === "list") numbers.push({ name, term: at(`length(${written})`, "Int") });
      if (type.kind === "bool") flags.push({ name, term: at(written, "Bool") });
      if (type.kind === "option") flags.push({ name, term: at(`isSome(${written})`, "Bool") });
      if (type.kind === "string" || type.kind === "enum") texts.push({ name, term: at(written, "String") });
    }
    for (const place of loop.totals) {
      const sort = totals[place] === "Int" ? "Int" : "Real";
      numbers.push({ name: `total ${place}`, term: at(printIdentifier(totalName(place)), sort) });
    }
    const index = at(printIdentifier(invariantNames.index), "Int");
    return { index, numbers, flags, texts, states: [], carried: [] };
  };
  const start = moment(invariantNames.first, invariantNames.firstTotal);
  const now = moment((name) => name, invariantNames.total);
  const found = candidatesOf(terms, start, constantsOf(checked, terms)).map((one) => {
    const text = printTerm(one.at(now), mostParts);
    return text.replace(/`~\d+~`/g, (name) => standing.get(name) ?? name);
  });
  return [...new Set(found)].filter((text) => text !== "true" && text !== "false");
}
