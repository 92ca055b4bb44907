/**
 * The proved guarantees, watched while the run goes on: defence in depth. If the proof and the tools are what they say, a
 * monitor never stops anything. A guarantee that stands is told at the same cost for every call; where that does not show
 * that it holds, the whole trace is judged.
 */
import {
  type Cell,
  type Checked,
  type Expr,
  judge,
  type PendingCall,
  type RecordedRun,
  type RecordValue,
  type Resolution,
  Standing,
  type TraceEntry,
  Unknown,
} from "../../ir/index.ts";
import type { JudgedGuarantee } from "./options.ts";

export interface MonitorOptions {
  readonly inputs: RecordValue;
  readonly initial: readonly Cell[];
  /** Guarantees that hold wherever a run stops, by their positions. */
  readonly everywhere: ReadonlySet<number>;
}

export class Monitor {
  readonly #checked: Checked;
  readonly #options: MonitorOptions;
  /** By position, which is the order in which calls were begun. */
  readonly #trace = new Map<number, TraceEntry>();
  readonly #underWay = new Set<number>();
  readonly #standing: Standing;
  /** The positions that calls under way have there. */
  readonly #watched = new Map<number, number>();

  constructor(checked: Checked, options: MonitorOptions) {
    const { inputs, initial, everywhere } = options;
    this.#checked = checked;
    this.#options = options;
    const formulas = [...everywhere].flatMap((one) => this.#formula(one) ?? []);
    this.#standing = new Standing(checked, formulas, { inputs, initial });
  }

  /** A call that is made from now on: until it has ended it counts as one that may have had its effect. */
  begin(call: PendingCall): void {
    const entry = pendingEntry(call);
    this.#trace.set(call.position, entry);
    this.#underWay.add(call.position);
    this.#watched.set(call.position, this.#standing.begin(entry));
  }

  /** It was not made after all. */
  cancel({ position }: PendingCall): void {
    this.#trace.delete(position);
    this.#underWay.delete(position);
    const watched = this.#watched.get(position);
    if (watched !== undefined) this.#standing.cancel(watched);
    this.#watched.delete(position);
  }

  /** A call that was made, in this process or an earlier one. */
  end(entry: TraceEntry): void {
    this.#trace.set(entry.position, entry);
    this.#underWay.delete(entry.position);
    this.#standing.end(this.#watched.get(entry.position) ?? this.#standing.begin(entry), entry.outcome);
    this.#watched.delete(entry.position);
  }

  /**
   * The guarantee that the call would break, by its position; undefined if there is none. The call is taken to happen, and
   * of calls that failed before or are under way, that all had their effect, or none.
   */
  brokenBy(call: PendingCall): number | undefined {
    const entry = pendingEntry(call);
    const looked = this.#standing.look(entry);
    // SOUNDNESS: what holds with the call, whether it has its effect or not, is not broken by it.
    const unsure = [...this.#options.everywhere].filter((one) => {
      const formula = this.#formula(one);
      return formula !== undefined && looked.verdict(formula).kind !== "holds";
    });
    if (unsure.length === 0) return undefined;
    const position = this.#trace.size;
    const trace = this.#cutOff([...this.#trace.values(), { ...entry, position }], position);
    const left: Resolution["left"] = (at, update) => {
      const value = at === position ? call.writes.find((one) => one.update === update)?.value : undefined;
      return value instanceof Unknown ? undefined : value;
    };
    const all = { took: () => true, left };
    // Without calls that failed before, there is one way.
    const hasOpen = trace.some((entry) => entry.position !== position && entry.outcome.kind !== "returned");
    const ways = hasOpen ? [all, { took: (at: number) => at === position, left }] : [all];
    return unsure.find((guarantee) =>
      ways.some((resolution) => this.#judge(guarantee, { trace, resolution }) === "violated"),
    );
  }

  /** The trace if everything ended here that is under way, in the order in which it was begun. */
  #cutOff(trace: readonly TraceEntry[], last: number): readonly TraceEntry[] {
    if (this.#underWay.size === 0) return trace;
    const isOpen = ({ position }: TraceEntry): boolean => position === last || this.#underWay.has(position);
    let next = trace.length + trace.filter((entry) => !isOpen(entry)).length;
    return trace.map((entry) => (isOpen(entry) ? { ...entry, ended: next++ } : entry));
  }

  /** All guarantees, once the run has completed. */
  atEnd(): JudgedGuarantee[] {
    const { inputs, initial } = this.#options;
    const trace = [...this.#trace.values()];
    return this.#checked.document.guarantees.map(({ formula }, guarantee) => {
      const verdict =
        formula === undefined
          ? ({ kind: "unknown", why: "it has no formula" } as const)
          : judge(this.#checked, formula, { inputs, initial, trace });
      return { guarantee, verdict };
    });
  }

  #formula(guarantee: number): Expr | undefined {
    return this.#checked.document.guarantees[guarantee]?.formula;
  }

  #judge(
    guarantee: number,
    run: Pick<RecordedRun, "trace" | "resolution">,
  ): "holds" | "violated" | "unknown" {
    const formula = this.#formula(guarantee);
    if (formula === undefined) return "unknown";
    const { inputs, initial } = this.#options;
    return judge(this.#checked, formula, { inputs, initial, ...run }).kind;
  }
}

function pendingEntry({ position, id, indices, tool, args }: PendingCall): TraceEntry {
  const outcome = { kind: "failed", reason: "it has not ended yet" } as const;
  return { position, id, indices, tool: tool.name, args, outcome };
}
