/** Relates two guarantees on every trace, or finds the differences of two programs. */
import { type Difference, differ, type RelateOptions, type Relation, relate } from "../../compare/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { FileSystem, Notices } from "../files/port.ts";
import { misnamed, optionsFor, type ProgramForm } from "../load/form.ts";
import { type SolverName, SolverPool } from "../prove/solver-pool.ts";
import { withProver } from "../prove.ts";
import { isClause } from "./clause.ts";
import { joinedLayer } from "./layer.ts";
import { loadSide, type Side } from "./side.ts";

export interface CompareHow {
  readonly tools?: readonly string[] | undefined;
  readonly folder?: string | undefined;
  /** The form of the program on standard input. */
  readonly as?: ProgramForm | undefined;
  readonly solver: SolverName;
  readonly timeoutMs: number;
  /** Called before each solver query. */
  readonly asking: () => void;
}

export type Comparison = { readonly first: Side; readonly second: Side } & (
  | { readonly kind: "guarantees"; readonly relation: Relation }
  | { readonly kind: "programs"; readonly difference: Difference }
);

export async function compareSides(
  fs: FileSystem,
  a: string,
  b: string,
  how: CompareHow,
  notices: Notices,
): Promise<Result<Comparison, Failure>> {
  const paths = [a, b].filter((one) => !isClause(one));
  const misuse = await misnamed(fs, paths, how);
  if (misuse !== undefined) return misuse;
  const first = await loadSide(fs, a, optionsFor(a, paths, how), notices);
  if (!first.ok) return first;
  const second = await loadSide(fs, b, optionsFor(b, paths, how), notices);
  if (!second.ok) return second;
  const sides = [first.value, second.value] as const;
  const pool = new SolverPool();
  try {
    const related = await withProver({ ...how, pool }, (prover) =>
      compared(sides, { ...prover, asking: how.asking }),
    );
    return related.ok ? related.value : related;
  } finally {
    await pool.close();
  }
}

async function compared(
  sides: readonly [Side, Side],
  options: RelateOptions,
): Promise<Result<Comparison, Failure>> {
  const [first, second] = sides;
  const layer = joinedLayer(sides.flatMap((side) => [side.layer, side.document]));
  if (!layer.ok) return layer;
  if (sides.every(({ kind }) => kind === "program")) {
    const found = await differ(first.document, second.document, layer.value, options);
    if (found.kind === "apart")
      return plainFailure("FC9001", `the two programs mean different things by \`${found.name}\``);
    return ok({ kind: "programs", first, second, difference: found.difference });
  }
  // SOUNDNESS: an omitted guarantee would be one that follows from anything.
  const bare = sides.flatMap(({ guarantees }) => guarantees).find((one) => one.formula === undefined);
  if (bare !== undefined) {
    const message = `the document does not hold the formula of \`${bare.name}\`, so it cannot be compared`;
    return plainFailure("FC9001", message, "name the folder of its tool modules with --tools");
  }
  const formulas = (side: Side) => side.guarantees.flatMap(({ formula }) => formula ?? []);
  const relation = await relate(formulas(first), formulas(second), layer.value, options);
  return ok({ kind: "guarantees", first, second, relation });
}
