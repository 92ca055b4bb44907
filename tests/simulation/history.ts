/** A record of what clients asked and were told, and its checks against the log that is left in the end. */
import { Kernel, type Outcome, verify } from "../../src/kernel/index.ts";
import type { Stored } from "../../src/ledger/port.ts";
import type { World } from "./world.ts";

/** An operation that was answered. Its place in the log is that of its entry, or of the last entry that it saw. */
interface Operation {
  readonly began: number;
  readonly ended: number;
  readonly seq: number;
  readonly isLook: boolean;
  readonly outcome?: Outcome;
}

export class History {
  readonly operations: Operation[] = [];
  /** Effects in the world by their key: each happens once at most. */
  readonly effects = new Map<string, number>();
  #order = 0;

  begin(): number {
    return ++this.#order;
  }

  told(began: number, outcome: Outcome): void {
    const isLook = outcome.folded === true;
    this.operations.push({ began, ended: ++this.#order, seq: outcome.seq, isLook, outcome });
  }

  /** Somebody asked for what is there, and saw the log up to this entry. */
  saw(began: number, seq: number): void {
    this.operations.push({ began, ended: ++this.#order, seq, isLook: true });
  }

  happened(key: string): void {
    this.effects.set(key, (this.effects.get(key) ?? 0) + 1);
  }
}

/**
 * SOUNDNESS of the check: a log whose every entry follows from those before it, by replay, is a sequential history. It
 * is strictly serializable if each operation stands in it as it was answered, and if what ended before another began is
 * before that in it.
 */
export async function checkHistory(
  world: World,
  { operations, effects }: History,
  log: readonly Stored[],
): Promise<void> {
  const blame = (problem: string) => world.blame(problem);
  const verified = await verify(log);
  if (!verified.ok) blame(`entry ${verified.problem?.seq}: ${verified.problem?.what}`);
  const entries = log.map(({ bytes }) => entryIn(bytes));
  for (const { outcome, seq, isLook } of operations) {
    if (seq > log.length) blame(`entry ${seq} was ${isLook ? "seen" : "acknowledged"} and is lost`);
    if (isLook || outcome === undefined) continue;
    const entry = entries[seq - 1];
    if (log[seq - 1]?.hash !== outcome.hash) blame(`entry ${seq} was acknowledged and is another one`);
    else if (entry?.verdict !== outcome.verdict) blame(`entry ${seq} was told as ${outcome.verdict}`);
  }
  realTimeOrder(operations, blame);
  for (const [key, count] of effects) if (count > 1) blame(`\`${key}\` happened ${count} times`);
  const known = new Set(
    entries.flatMap(({ kind, verdict, key }) =>
      kind === "reserve" && verdict === "allowed" && key !== undefined ? [key] : [],
    ),
  );
  for (const key of effects.keys()) if (!known.has(key)) blame(`\`${key}\` happened, and nobody knows of it`);
  await checkBudgets(world, log);
}

/** Nobody's operation is before one that had ended when it began. */
function realTimeOrder(operations: readonly Operation[], blame: (problem: string) => void): void {
  const ends = [...operations].sort((a, b) => a.ended - b.ended);
  let [next, last] = [0, 0];
  for (const one of [...operations].sort((a, b) => a.began - b.began)) {
    for (let end = ends[next]; end !== undefined && end.ended < one.began; end = ends[++next])
      last = Math.max(last, end.seq);
    const isLate = one.isLook ? one.seq < last : one.seq <= last;
    if (isLate) blame(`entry ${one.seq} was told to one who began after ${last} had been told`);
  }
}

async function checkBudgets(world: World, log: readonly Stored[]): Promise<void> {
  try {
    const ledger = {
      transact: async () => undefined,
      read: async (_: string, from: number, limit: number) => log.slice(from - 1, from - 1 + limit),
    };
    const opened = await Kernel.open({ ledger, principal: "ops", clock: () => Math.floor(world.nowMs) });
    if (!opened.ok) return world.blame(opened.problem.message);
    const { budgets, principals = {} } = opened.value.status();
    if (Number(budgets.usd?.left) < 0) world.blame("the budget is overspent");
    for (const [name, { shares }] of Object.entries(principals))
      if (Number(shares.usd?.left ?? 0) < 0) world.blame(`the share of ${name} is overspent`);
  } catch (error) {
    world.blame(error instanceof Error ? error.message : String(error));
  }
}

export interface EntryView {
  readonly kind: string;
  readonly verdict: "allowed" | "refused";
  readonly key: string | undefined;
  readonly action: string | undefined;
  readonly by: string | undefined;
  /** The reservation whose answer is repeated, for a key that was settled before. */
  readonly repeats: string | undefined;
  /** The reservation that it settles, releases or renews. */
  readonly receipt: string | undefined;
}

export function entryIn(bytes: Uint8Array): EntryView {
  const { kind, verdict, command, by, result } = JSON.parse(new TextDecoder().decode(bytes));
  const about = { key: command?.key, action: command?.action?.id, receipt: command?.receipt };
  return { kind, verdict, by, ...about, repeats: result?.repeats };
}
