/**
 * Cell invariants of loops, assumed and proved. They are proved for one arbitrary key, and assumed for each key that
 * is read. SOUNDNESS: a candidate quantifies over every key. The assumptions at the start of an iteration are
 * instances of it; the goal at the end is about an unconstrained key, and so about all keys. Part of what must be
 * trusted.
 */
import { type Checked, type Expr, exprsIn, type LoopCommand, type Selection } from "../../ir/index.ts";
import { cellRow } from "../goals/rows.ts";
import { compile, compileBool, type Scene, termOf } from "../symbolic/compile.ts";
import type { State } from "../symbolic/fluent-state.ts";
import type { Progress } from "../symbolic/symbolic-state.ts";
import { type Symbolic, scalar, sortOf } from "../symbolic/symbolic-value.ts";
import type { Term } from "../terms/term.ts";
import {
  type CellGuess,
  type CellMoment,
  type Cells,
  cellGuessesOf,
  type KeySet,
  type Stated,
} from "./cell-candidates.ts";
import { constantsOf, integersOf, textsOf } from "./constants.ts";
import { isNumber } from "./invariant-candidates.ts";
import { isIn } from "./unbounded-list.ts";

/** Returns the candidates about every cell at every iteration. */
export function cellGuessesFor(
  progress: Progress,
  fluents: readonly string[],
  start: CellMoment,
): readonly CellGuess[] {
  const { terms, checked } = progress;
  const literals = [...constantsOf(checked, terms), ...textsOf(checked, terms)];
  const stated = statedIn(progress);
  return [...checked.fluents.values()].flatMap((fluent) => {
    const claims = stated.filter(
      (one) => one.fluent === fluent.name && one.reads.some((read) => fluents.includes(read)),
    );
    if (!fluents.includes(fluent.name) && claims.length === 0) return [];
    const sort = sortOf(fluent.key);
    const keys = [...inputsOf(progress), ...integersOf(checked, terms), ...literals].filter(
      (term) => term.sort === sort,
    );
    return cellGuessesOf(terms, fluent, start, claims, literals, keys);
  });
}

function inputsOf(progress: Progress): readonly Term[] {
  return progress.checked.document.program.inputs.flatMap(({ name }) => {
    const value = progress.named(name);
    return value.kind === "scalar" ? [value.term] : [];
  });
}

export function showCells(
  progress: Progress,
  cells: readonly CellGuess[],
  before: State,
  now: State,
  moment: CellMoment,
  reached: Term,
): void {
  const { terms, checked } = progress;
  for (const { id, fluent, at } of cells) {
    const key = anyCell(progress, checked, fluent);
    progress.show(id, terms.implies(reached, at({ key, before, now, moment })));
  }
}

/** The key that stands for any. */
function anyCell({ terms }: Progress, checked: Checked, fluent: string): Term {
  const key = checked.fluents.get(fluent)?.key;
  const sort = key && sortOf(key);
  if (sort === undefined) throw new TypeError("a key is a scalar");
  return terms.constant(`any@${fluent}`, sort);
}

/** LIMIT: a guess may read another cell, whose guess reads another; so many deep they are assumed, and no further. */
const deepest = 3;

/**
 * The state at some iteration, or after the last: of what the loop sets nothing is known but what is guessed.
 * @param number one that was not given before
 */
export function someState(
  progress: Progress,
  before: State,
  fluents: readonly string[],
  cells: readonly CellGuess[],
  moment: CellMoment,
  number: number,
  reached: Term,
): State {
  const { terms } = progress;
  const assumed = new Set<string>();
  let now: State = before;
  let depth = 0;
  const readOf = (fluent: string) => (key: Term) => {
    if (depth >= deepest) return;
    for (const guess of cells) {
      if (!guess.reads.includes(fluent) || !isKeyOf(progress, guess.fluent, key)) continue;
      const instance = `${key.id} ${guess.id}`;
      if (assumed.has(instance)) continue;
      assumed.add(instance);
      depth++;
      const holds = guess.at({ key, before, now, moment });
      depth--;
      progress.assume(terms.implies(reached, holds));
    }
  };
  for (const fluent of fluents) now = now.forgotten(fluent, String(number), readOf(fluent));
  return now;
}

function isKeyOf({ checked }: Progress, fluent: string, key: Term): boolean {
  const declared = checked.fluents.get(fluent);
  return declared !== undefined && sortOf(declared.key) === key.sort;
}

/** Returns the loop variables at one program point that cells may depend on. */
export function cellMomentOf(
  progress: Progress,
  command: LoopCommand,
  index: Term,
  first: readonly Symbolic[],
  carried: readonly Symbolic[],
  visited: readonly KeySet[],
): CellMoment {
  const { terms } = progress;
  const { scene } = progress.at;
  const changes = carried.flatMap((value, i) => {
    const start = first[i];
    if (value.kind !== "scalar" || start?.kind !== "scalar" || !isNumber(value.term.sort)) return [];
    return [terms.apply("-", terms.toReal(value.term), terms.toReal(start.term))];
  });
  const lists = command.carry.flatMap(({ type }, i): KeySet[] => {
    const list = carried[i];
    const sort = type.kind === "list" ? sortOf(type.element) : undefined;
    if (list === undefined || sort === undefined) return [];
    return [{ sort, has: (key) => isIn(list, scalar(key), scene) }];
  });
  const passed: KeySet = { sort: "Int", has: (key) => terms.apply("<", key, index) };
  return { index, changes, sets: [...lists, ...visited, passed] };
}

// ── what the guarantees say of every cell ────────────────────────────────────────────────────────────────

function statedIn(progress: Progress): readonly Stated[] {
  const found: Stated[] = [];
  const inputs = new Set(progress.checked.document.program.inputs.map(({ name }) => name));
  const add = (over: Selection, body: Expr | undefined, wanted: boolean) => {
    const { in: relation, where, var: row } = over;
    if (relation.kind !== "cells" || relation.at === "initial") return;
    const reads = new Set([relation.fluent]);
    const parts = [where, body].filter((part) => part !== undefined);
    if (!parts.every((part) => isOfCell(part, new Set([...inputs, row]), reads))) return;
    found.push({
      fluent: relation.fluent,
      reads: [...reads],
      holds: (key, now) => {
        const { terms } = progress;
        const scene = progress.formulaScene((expr, inner) => look(expr, inner, progress, now));
        scene.names.set(row, cellRow(terms, key, now.read(relation.fluent, key)));
        const chosen = where === undefined ? terms.true : compileBool(where, scene);
        const said = body === undefined ? terms.true : compileBool(body, scene);
        return wanted ? terms.implies(chosen, said) : terms.not(terms.and(chosen, said));
      },
    });
  };
  for (const expr of exprsIn(...progress.checked.document.guarantees.map(({ formula }) => formula))) {
    if (expr.kind === "quantifier") add(expr.over, expr.body, expr.quantifier === "forall");
    if (expr.kind === "aggregate") add(expr.over, undefined, false);
  }
  return found.slice(0, mostStated);
}

/** LIMIT: of what guarantees say of every cell. */
const mostStated = 4;

function look(expr: Expr, scene: Scene, { states }: Progress, now: Cells): Symbolic {
  const [initial] = states;
  if (expr.kind !== "cell" || initial === undefined) throw new TypeError("only cells are spoken of");
  const state = expr.at === "initial" ? initial : now;
  return state.read(expr.fluent, termOf(compile(expr.key, scene)));
}

/** Returns true if the expression mentions only cells and these names; collects the fluents that it reads. */
function isOfCell(expr: Expr, names: ReadonlySet<string>, reads: Set<string>): boolean {
  const within = (part: Expr) => isOfCell(part, names, reads);
  switch (expr.kind) {
    case "bool":
    case "number":
    case "string":
    case "none":
      return true;
    case "var":
      return names.has(expr.name);
    case "op":
      return expr.args.every(within);
    case "field":
      return within(expr.of);
    case "list":
      return expr.items.every(within);
    case "cell":
      if (expr.at !== "initial") reads.add(expr.fluent);
      return within(expr.key);
    default:
      return false;
  }
}
