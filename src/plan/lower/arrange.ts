/**
 * The commands of the actions of a plan, arranged by what waits for what: parts that nothing connects run at the same
 * time, and what all others wait for comes before them. Where a part is neither, its actions go level by level, which
 * may wait for more than the plan asks for, and never for less.
 */
import type { Command } from "../../ir/index.ts";
import type { Graph } from "../strict/graph.ts";

/** LIMIT: beyond, actions go level by level: looking for parts takes time that is quadratic in the worst case. */
const mostParts = 2_000;

export function arranged(graph: Graph, blocks: readonly (readonly Command[])[]): Command[] {
  return new Arranging(graph, blocks).all(graph.order);
}

class Arranging {
  readonly #blocks: readonly (readonly Command[])[];
  readonly #before: readonly (readonly number[])[];
  readonly #after: readonly (readonly number[])[];

  constructor({ before }: Graph, blocks: readonly (readonly Command[])[]) {
    const after: number[][] = before.map(() => []);
    for (const [i, from] of before.entries()) for (const one of from) after[one]?.push(i);
    this.#blocks = blocks;
    this.#before = before;
    this.#after = after;
  }

  /** @param actions in an order in which each comes after what it waits for */
  all(actions: readonly number[]): Command[] {
    const commands: Command[] = [];
    const end: Command[][] = [];
    let left = actions;
    while (left.length > 0) {
      const inside = new Set(left);
      const first = left.filter((i) => !(this.#before[i] ?? []).some((one) => inside.has(one)));
      const last = left.filter((i) => !(this.#after[i] ?? []).some((one) => inside.has(one)));
      const parts = first.length === 1 || left.length > mostParts ? [left] : this.#parts(left, inside);
      let gone: readonly number[] = first;
      if (parts.length > 1) {
        commands.push(together(parts.map((part) => this.all(part))));
        gone = left;
      } else if (first.length > 1 && last.length === 1 && left.length > 1) {
        end.push(this.#levelOf(last));
        gone = last;
      } else commands.push(...this.#levelOf(first));
      const isGone = new Set(gone);
      left = left.filter((i) => !isGone.has(i));
    }
    return [...commands, ...end.reverse().flat()];
  }

  /** Actions that do not wait for each other. */
  #levelOf(actions: readonly number[]): Command[] {
    const branches = actions.map((i) => [...(this.#blocks[i] ?? [])]);
    const [only] = branches;
    return branches.length === 1 && only !== undefined ? only : [together(branches)];
  }

  /** Weakly connected components, in the order of their first actions. */
  #parts(actions: readonly number[], inside: ReadonlySet<number>): readonly (readonly number[])[] {
    const part = new Map<number, number>();
    let parts = 0;
    for (const start of actions) {
      if (part.has(start)) continue;
      const open = [start];
      for (let i = open.pop(); i !== undefined; i = open.pop()) {
        if (part.has(i) || !inside.has(i)) continue;
        part.set(i, parts);
        open.push(...(this.#before[i] ?? []), ...(this.#after[i] ?? []));
      }
      parts++;
    }
    const found: number[][] = Array.from({ length: parts }, () => []);
    for (const i of actions) found[part.get(i) ?? 0]?.push(i);
    return found;
  }
}

function together(branches: readonly (readonly Command[])[]): Command {
  return { kind: "parallel", branches };
}
