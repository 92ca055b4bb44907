/** Invariant candidates of loops, in the form that the certificate checker reads. Not trusted. */
import {
  invariantNames,
  invariantTypes,
  type Met,
  mostInvariants,
  type TotalType,
} from "../../certificate/index.ts";
import {
  type Checked,
  checkExpr,
  type ForCommand,
  parseExpr,
  printExpr,
  printIdentifier,
  type Type,
} from "../../ir/index.ts";
import { stateGuesses } from "../loops/automaton-candidates.ts";
import { constantsOf, inputConditions } from "../loops/constants.ts";
import { candidatesOf, type Moment, type Named } from "../loops/invariant-candidates.ts";
import { requiredFirst } from "../loops/stated-invariants.ts";
import type { Sort } from "../terms/term.ts";
import { cellTexts } from "./cell-candidates.ts";
import { Standing } from "./standing.ts";

export function candidateTexts(checked: Checked, loop: Met, totals: readonly TotalType[]): readonly string[] {
  const standing = new Standing();
  const { terms } = standing;
  const at = (expression: string, sort: Sort) => standing.for(expression, sort);
  const automata = loop.totals.filter(({ place }) => totals[place]?.states !== undefined);
  const numeric = loop.totals.filter((one) => !automata.includes(one));
  const moment = (carriedName: (name: string) => string, totalName: (place: number) => string): Moment => {
    const numbers: Named[] = [];
    const flags: Named[] = [];
    const texts: Named[] = [];
    for (const { name, type } of loop.command.carry) {
      const written = printIdentifier(carriedName(name));
      if (type.kind === "int") numbers.push({ name, term: at(written, "Int") });
      if (type.kind === "real") numbers.push({ name, term: at(written, "Real") });
      if (type.kind === "list") {
        numbers.push({ name, term: at(`length(${written})`, "Int") });
        for (const { place } of loop.totals) {
          if (totals[place]?.key?.kind !== type.element.kind) continue;
          const key = printIdentifier(invariantNames.key(place));
          flags.push({ name: `${name} has ${place}`, term: at(`contains(${written}, ${key})`, "Bool") });
        }
      }
      if (type.kind === "bool") flags.push({ name, term: at(written, "Bool") });
      if (type.kind === "option") flags.push({ name, term: at(`isSome(${written})`, "Bool") });
      if (type.kind === "string" || type.kind === "enum") texts.push({ name, term: at(written, "String") });
    }
    for (const { place } of numeric) {
      const sort = totals[place]?.type.kind === "int" ? "Int" : "Real";
      numbers.push({ name: `total ${place}`, term: at(printIdentifier(totalName(place)), sort) });
    }
    const index = at(printIdentifier(invariantNames.index), "Int");
    for (const { place } of numeric) {
      const kind = totals[place]?.key?.kind;
      if (kind !== "int" && kind !== "real") continue;
      const key = at(printIdentifier(invariantNames.key(place)), kind === "int" ? "Int" : "Real");
      flags.push({ name: `passed ${place}`, term: terms.apply("<", terms.toReal(key), terms.toReal(index)) });
    }
    const states = automata.map(({ place, first }) =>
      statesOf(totals[place]).map((state) => {
        const isFirst = totalName === invariantNames.firstTotal && first !== undefined;
        if (isFirst) return terms.bool(first === BigInt(state));
        return at(`${printIdentifier(totalName(place))} == ${state}`, "Bool");
      }),
    );
    return { index, numbers, flags, texts, subjects: [], states, carried: [] };
  };
  const start = { ...moment(invariantNames.first, invariantNames.firstTotal), outside: new Map() };
  const now = moment((name) => name, invariantNames.total);
  const inputs = () => inputConditions(checked).map((expr) => at(`(${printExpr(expr)})`, "Bool"));
  const found = [
    ...stateGuesses(terms, checked, start, inputs).slice(0, mostInvariants / 2),
    ...candidatesOf(terms, start, constantsOf(checked, terms)),
  ].map((one) => standing.text(one.at(now, start)));
  const types = invariantTypes(checked.fluents.values(), loop.command, totals);
  const all = new Set([...statedTexts(loop.command), ...cellTexts(checked, loop, standing), ...found]);
  return [...all].filter((text) => isOne(checked, text, types)).slice(0, mostInvariants);
}

/** The numbers of the states that are no error states. */
function statesOf(total: TotalType | undefined): readonly number[] {
  return [...Array(total?.states ?? 0).keys()];
}

/** Returns the requirements of the program at the start of an iteration. */
function statedTexts(command: ForCommand): readonly string[] {
  return requiredFirst(command).map(({ required: { condition, when } }) =>
    printExpr(when === undefined ? condition : { kind: "op", op: "implies", args: [when, condition] }),
  );
}

function isOne(checked: Checked, text: string, types: ReadonlyMap<string, Type>): boolean {
  const parsed = parseExpr(text);
  return (
    parsed.ok &&
    parsed.value.expr.kind !== "bool" &&
    printExpr(parsed.value.expr) === text &&
    checkExpr(checked, parsed.value.expr, "values", types).ok
  );
}
