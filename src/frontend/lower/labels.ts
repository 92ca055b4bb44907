/**
 * `break outer` and `continue outer`. A jump out of several loops leaves one after the other: it notes where it goes, leaves
 * the innermost one, and after each of them goes on as noted.
 */
import type { LabeledStatement, Node } from "oxc-parser";
import { no, yes } from "../build.ts";
import { bool } from "../ty.ts";
import { data, undefinedVal } from "../value.ts";
import type { Lowering } from "./core.ts";
import { branch } from "./merge.ts";

type Kind = "break" | "continue";

/** A loop or a `switch` that is being compiled. */
export interface Breakable {
  readonly isLoop: boolean;
  /** The labels of a loop, with the variables that say that a jump to it is under way. */
  readonly label?: Label;
  /** Jumps that leave it on their way to one further out. */
  readonly passing: Set<Jump>;
  /** Belongs to a generator that the loop goes over, whose labels a jump of the loop does not mean. */
  isHidden?: boolean;
}

interface Label {
  readonly names: readonly string[];
  readonly slots: Readonly<Record<Kind, number>>;
}

export interface Jump {
  readonly kind: Kind;
  readonly target: Breakable;
  readonly slot: number;
}

/** The statement that is labelled, with all of its labels. */
export function labelled(low: Lowering, node: LabeledStatement): { label: Label; body: Node } {
  const names: string[] = [];
  let body: Node = node;
  while (body.type === "LabeledStatement") {
    names.push(body.label.name);
    body = body.body;
  }
  if (!/^(For|ForOf|ForIn|While|DoWhile)Statement$/.test(body.type))
    low.refuse(
      node,
      "FC2306",
      "only a loop can have a label",
      "put the block into a function, and `return` where it is left",
    );
  const slot = () => low.newSlot(data(no, bool));
  return { label: { names, slots: { break: slot(), continue: slot() } }, body };
}

/** Compiles a loop or a `switch`, and continues with the jumps that leave it. */
export function breakable(
  low: Lowering,
  isLoop: boolean,
  label: Label | undefined,
  node: Node,
  body: () => void,
): void {
  const one: Breakable = { isLoop, ...(label === undefined ? {} : { label }), passing: new Set() };
  low.breakables.push(one);
  try {
    body();
  } finally {
    low.breakables.pop();
  }
  for (const jump of one.passing) {
    const noted = low.read(jump.slot);
    if (!low.isReached || noted.kind !== "data") continue;
    branch(
      low,
      noted.expr,
      node,
      "jumps",
      () => {
        go(low, jump, node);
        return undefinedVal;
      },
      () => undefinedVal,
    );
  }
}

/** `break` and `continue`, with or without a label. */
export function jump(low: Lowering, kind: Kind, name: string | undefined, node: Node): void {
  if (name === undefined) {
    low.leave(kind);
    return;
  }
  const target = low.breakables.findLast(({ label, isHidden }) => !isHidden && label?.names.includes(name));
  if (target?.label === undefined) low.refuse(node, "FC2306", `there is no loop \`${name}\` around this`);
  go(low, { kind, target, slot: target.label.slots[kind] }, node);
}

/** Jumps: directly, or out of the innermost loop first. */
export function go(low: Lowering, jump: Jump, node: Node): void {
  const inside = low.breakables.slice(low.breakables.indexOf(jump.target) + 1);
  // A `switch` is left by `break` alone.
  const isDirect = jump.kind === "break" ? inside.length === 0 : inside.every(({ isLoop }) => !isLoop);
  if (low.read(jump.slot).kind !== "data") return;
  if (isDirect) {
    // Taken, so that the next turn does not take it again.
    if (!isNo(low, jump.slot)) low.write(jump.slot, data(no, bool), node);
    low.leave(jump.kind);
    return;
  }
  low.write(jump.slot, data(yes, bool), node);
  inside.at(-1)?.passing.add(jump);
  low.leave("break");
}

function isNo(low: Lowering, slot: number): boolean {
  const noted = low.read(slot);
  return noted.kind === "data" && noted.expr.kind === "bool" && !noted.expr.value;
}
