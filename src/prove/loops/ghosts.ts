/** Ghost variables: running totals, updated by each call and write. Part of what must be trusted. */
import { type AutomatonExpr, type Checked, printExpr, type Relation, type Tool } from "../../ir/index.ts";
import { after, type InStates, reads, someState, startOf, statesOf } from "../goals/automata.ts";
import { cellRow, chooseRow, isOf, numberOf, rowOf, sortOfTotal } from "../goals/rows.ts";
import type { Fact, Ghost, Written } from "../symbolic/call-events.ts";
import { compile, compileBool, type Scene } from "../symbolic/compile.ts";
import { equalTerm } from "../symbolic/shape.ts";
import type { Progress } from "../symbolic/symbolic-state.ts";
import { type Symbolic, scalar } from "../symbolic/symbolic-value.ts";
import type { Terms } from "../terms/factory.ts";
import type { Term } from "../terms/term.ts";
import type { Counted, InState, Total } from "./totals.ts";

/** Returns the ghost variables with their updates. */
export function ghostsFor(
  checked: Checked,
  terms: Terms,
  totals: readonly Total[],
): (walked: Progress) => readonly Ghost[] {
  return (walked) => {
    const scene = walked.formulaScene(() => {
      throw new TypeError("what is kept speaks of calls and of inputs alone");
    });
    const moves = new Map<AutomatonExpr, Moves>();
    return totals.map((total, i) => {
      if (total.kind === "counted") return countedGhost(checked, total, i, scene);
      const { automaton } = total;
      const move = moves.get(automaton) ?? movesOf(checked, automaton, i, scene);
      moves.set(automaton, move);
      return stateGhost(checked, total, terms, move);
    });
  };
}

function countedGhost(checked: Checked, total: Counted, place: number, scene: Scene): Ghost {
  const { terms } = scene;
  const key = total.key && terms.constant(total.key.name, total.key.sort);
  const sort = sortOfTotal(total, scene);
  const first = terms.literal(0n, sort);
  return {
    name: total.id,
    first,
    ...(key === undefined ? {} : { key }),
    counts: (tool) => canChange(checked, total.over.in, tool),
    next: (fact, before) =>
      terms.apply("+", before[place] ?? first, addend(checked, total, key, fact, scene)),
    some: (number) => terms.constant(`ghost@${place}@${number}`, sort),
    written: (write) => cellAddend(total, write, scene),
  };
}

interface Moves {
  /** The place of the first of its states. */
  readonly first: number;
  /** All states after the call. */
  readonly after: (fact: Fact, before: readonly Term[]) => InStates;
}

/** INVARIANT: the states of an automaton stand one after the other. */
function movesOf(checked: Checked, automaton: AutomatonExpr, first: number, scene: Scene): Moves {
  const { length } = statesOf(automaton);
  // All states are asked for one after the other, for the same call.
  let last: { readonly fact: Fact; readonly before: readonly Term[]; readonly now: InStates } | undefined;
  return {
    first,
    after: (fact, before) => {
      if (last?.fact !== fact || last.before !== before)
        last = {
          fact,
          before,
          now: after(checked, automaton, before.slice(first, first + length), fact, scene),
        };
      return last.now;
    },
  };
}

function stateGhost(checked: Checked, { id, automaton, place }: InState, terms: Terms, moves: Moves): Ghost {
  const held = (terms: readonly Term[], i: number): Term => {
    const term = terms[i];
    if (term === undefined) throw new TypeError("an automaton has all its states");
    return term;
  };
  return {
    name: id,
    automaton: printExpr(automaton),
    first: held(startOf(terms, automaton), place),
    counts: (tool) => reads(checked, automaton, tool),
    next: (fact, before) => held(moves.after(fact, before), place),
    some: (number) => someState(terms, `state@${moves.first}@${number}`, place),
    written: () => undefined,
  };
}

/** Returns true if a call of the tool can change the number of rows. */
function canChange(checked: Checked, relation: Relation, tool: Tool): boolean {
  if (relation.kind !== "cells") return isOf(checked, relation, tool);
  return tool.sets.some(({ fluent }) => fluent === relation.fluent);
}

/** Returns the amount that the call adds to a count or a sum. */
function addend(checked: Checked, total: Counted, key: Term | undefined, fact: Fact, scene: Scene): Term {
  const { terms } = scene;
  const sort = sortOfTotal(total, scene);
  const zero = terms.literal(0n, sort);
  const row = rowOf(checked, total.over.in, fact);
  if (row === undefined) return zero;
  const conditions = [row.present, chooseRow(total.over, row.value, scene)];
  for (const condition of total.only ?? []) conditions.push(compileBool(condition, scene));
  if (total.unless !== undefined) conditions.push(terms.not(compileBool(total.unless, scene)));
  if (total.key !== undefined && key !== undefined)
    conditions.push(equalTerm(terms, compile(total.key.of, scene), scalar(key)));
  return terms.ite(terms.all(conditions), numberOf(total.value, sort, scene), zero);
}

/** By how much a write changes the number of cells. */
function cellAddend(
  { over }: Counted,
  { fluent, key, happens, before, after }: Written,
  scene: Scene,
): Term | undefined {
  const { terms } = scene;
  if (over.in.kind !== "cells" || over.in.fluent !== fluent) return undefined;
  const zero = terms.int(0);
  const one = (value: Symbolic) =>
    terms.ite(chooseRow(over, cellRow(terms, key, value), scene), terms.int(1), zero);
  return terms.ite(happens, terms.apply("-", one(after), one(before)), zero);
}
