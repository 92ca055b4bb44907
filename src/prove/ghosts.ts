/** What is counted and summed along the walk, call by call and write by write. Part of what must be trusted. */
import type { Checked } from "../ir/check/index.ts";
import type { Relation, Tool } from "../ir/document.ts";
import { compile, compileBool, type Scene } from "./compile.ts";
import type { Terms } from "./factory.ts";
import type { Fact, Ghost, Written } from "./facts.ts";
import type { Progress } from "./progress.ts";
import { cellRow, chooseRow, isOf, numberOf, rowOf, sortOfTotal } from "./rows.ts";
import { equalTerm } from "./shape.ts";
import { type Symbolic, scalar } from "./symbolic.ts";
import type { Term } from "./term.ts";
import type { Total } from "./totals.ts";

/** What each of them gains with a call. */
export function ghostsFor(
  checked: Checked,
  terms: Terms,
  totals: readonly Total[],
): (walked: Progress) => readonly Ghost[] {
  return (walked) =>
    totals.map((total) => {
      const scene = walked.formulaScene(() => {
        throw new TypeError("a total speaks of its calls and of inputs alone");
      });
      const key = total.key && terms.constant(total.key.name, total.key.sort);
      return {
        name: total.id,
        sort: sortOfTotal(total, scene),
        ...(key === undefined ? {} : { key }),
        counts: (tool) => canChange(checked, total.over.in, tool),
        addend: (fact) => addend(checked, total, key, fact, scene),
        written: (write) => cellAddend(total, write, scene),
      };
    });
}

/** Whether a call of the tool can change how many rows there are. */
function canChange(checked: Checked, relation: Relation, tool: Tool): boolean {
  if (relation.kind !== "cells") return isOf(checked, relation, tool);
  return tool.sets.some(({ fluent }) => fluent === relation.fluent);
}

/** What the call adds to a count or a sum. */
function addend(checked: Checked, total: Total, key: Term | undefined, fact: Fact, scene: Scene): Term {
  const { terms } = scene;
  const sort = sortOfTotal(total, scene);
  const zero = terms.literal(0n, sort);
  const row = rowOf(checked, total.over.in, fact);
  if (row === undefined) return zero;
  const conditions = [row.present, chooseRow(total.over, row.value, scene)];
  for (const condition of total.only ?? []) conditions.push(compileBool(condition, scene));
  if (total.key !== undefined && key !== undefined)
    conditions.push(equalTerm(terms, compile(total.key.of, scene), scalar(key)));
  return terms.ite(terms.and(...conditions), numberOf(total.value, sort, scene), zero);
}

/** By how much a write changes the number of cells. */
function cellAddend(
  { over }: Total,
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
