/** Loops that are written out turn by turn, because what they go over is known. */

import type { Node } from "oxc-parser";
import { append, type Expr } from "../../ir/index.ts";
import { same } from "../build.ts";
import type { Place, Val } from "../value.ts";
import { arrayItems } from "./access.ts";
import type { Exit, Lowering } from "./core.ts";
import { mayBeSamePlace, wholePlace } from "./own.ts";
import { rejoin, takeExits } from "./rejoin.ts";

/** Once for each value; `continue` comes back to the end of its turn, `break` to the end of the loop. */
export function unroll(
  low: Lowering,
  items: readonly Val[],
  node: Node,
  body: (item: Val, i: number) => void,
): void {
  const turns = new Turns(low, node);
  items.forEach((item, i) => {
    if (low.isReached) turns.turn(() => body(item, i));
  });
  turns.end();
}

export class Turns {
  readonly #low: Lowering;
  readonly #node: Node;
  readonly #entry: Expr;
  readonly #breaks: Exit[] = [];
  #left = false;

  constructor(low: Lowering, node: Node) {
    this.#low = low;
    this.#node = node;
    this.#entry = low.path;
  }

  turn(body: () => void): void {
    const low = this.#low;
    low.countIteration(this.#node);
    const entry = low.path;
    const exits = low.collectExits(body);
    const mine = takeExits(low, exits, ["break", "continue"]);
    const breaks = mine.filter((exit) => exit.kind === "break");
    append(this.#breaks, breaks);
    if (mine.length < exits.length) this.#left = true;
    const whole = breaks.length === 0 && mine.length === exits.length;
    rejoin(
      low,
      mine.filter((exit) => exit.kind === "continue"),
      whole ? entry : undefined,
      this.#node,
    );
  }

  end(): void {
    rejoin(this.#low, this.#breaks, this.#left ? undefined : this.#entry, this.#node);
  }
}

/** JavaScript would see a change of what it is going over; here that is only seen of known elements. */
export function stable<T>(low: Lowering, source: Val, node: Node, body: () => T): T {
  if (source.kind === "data" && source.place !== undefined) return stablePart(low, source.place, node, body);
  const slot = source.kind === "ref" && source.shape.kind !== "object" ? source.shape.slot : undefined;
  const before = slot === undefined ? undefined : low.read(slot);
  const result = body();
  const after = slot === undefined ? undefined : low.read(slot);
  const isNamed = before?.kind === "data" && after?.kind === "data" && same(before.expr, after.expr);
  if (after !== before && !isNamed) refuseChange(low, node);
  return result;
}

/** The same of a list that is part of what a slot holds. SOUNDNESS: keys that differ in words may be equal in the run. */
function stablePart<T>(low: Lowering, place: Place, node: Node, body: () => T): T {
  const mine = wholePlace(low, place);
  const before = low.changedParts.length;
  const result = body();
  const isChanged = low.changedParts.slice(before).some((one) => mayBeSamePlace(one, mine));
  if (isChanged) refuseChange(low, node);
  return result;
}

function refuseChange(low: Lowering, node: Node): never {
  return low.refuse(
    node,
    "FC2312",
    "this changes the list that it is going over",
    "go over a copy: `for (const item of [...list])`",
  );
}

/** LIMIT: of elements that a loop adds to the array that it goes over; every turn costs as much as the array is long. */
const mostAdded = 250;

/** Over an array as it is at each turn: elements that are added are visited, up to `most` of them. */
export function unrollLive(
  low: Lowering,
  array: Val,
  node: Node,
  body: (item: Val, i: number) => void,
  most = Number.POSITIVE_INFINITY,
): void {
  const turns = new Turns(low, node);
  const before = arrayItems(low, array)?.length ?? 0;
  for (let i = 0; low.isReached && i < most; i++) {
    const items = arrayItems(low, array);
    if (items === undefined)
      low.refuse(
        node,
        "FC2312",
        "this list is longer on one path than on another while it is gone over",
        "go over a copy: `for (const item of [...list])`",
      );
    if (items.length > before + mostAdded)
      low.refuse(
        node,
        "FC2501",
        `this loop adds more than ${mostAdded} elements to the array that it goes over`,
        "go over a copy: `for (const item of [...list])`",
      );
    const item = items[i];
    if (item === undefined) break;
    turns.turn(() => body(item, i));
  }
  turns.end();
}
