/**
 * The proved guarantees, watched while the run goes on: defence in depth. If the proof and the tools are what they say, a
 * monitor never stops anything.
 */
import {
  type Cell,
  type Checked,
  judge,
  type PendingCall,
  type RecordedRun,
  type RecordValue,
  type Resolution,
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
  readonly #trace: TraceEntry[] = [];
  #hasFailed = false;

  constructor(checked: Checked, options: MonitorOptions) {
    this.#checked = checked;
    this.#options = options;
  }

  /** A call that was made, in this process or an earlier one. */
  add(entry: TraceEntry): void {
    this.#trace.push(entry);
    if (entry.outcome.kind !== "returned") this.#hasFailed = true;
  }

  /**
   * The guarantee that the call would break, by its position; undefined if there is none. The call is taken to happen, and
   * of calls that failed before, that all had their effect, or none.
   */
  brokenBy(call: PendingCall): number | undefined {
    const { position, id, indices, tool, args, writes } = call;
    const outcome = { kind: "failed", reason: "it is not made yet" } as const;
    const trace = [...this.#trace, { position, id, indices, tool: tool.name, args, outcome }];
    const left: Resolution["left"] = (at, update) => {
      const value = at === position ? writes.find((one) => one.update === update)?.value : undefined;
      return value instanceof Unknown ? undefined : value;
    };
    const all = { took: () => true, left };
    // Without calls that failed before, there is one way.
    const ways = this.#hasFailed ? [all, { took: (at: number) => at === position, left }] : [all];
    return [...this.#options.everywhere].find((guarantee) =>
      ways.some((resolution) => this.#judge(guarantee, { trace, resolution }) === "violated"),
    );
  }

  /** All guarantees, once the run has completed. */
  atEnd(): JudgedGuarantee[] {
    const { inputs, initial } = this.#options;
    return this.#checked.document.guarantees.map(({ formula }, guarantee) => {
      const verdict =
        formula === undefined
          ? ({ kind: "unknown", why: "it has no formula" } as const)
          : judge(this.#checked, formula, { inputs, initial, trace: this.#trace });
      return { guarantee, verdict };
    });
  }

  #judge(
    guarantee: number,
    run: Pick<RecordedRun, "trace" | "resolution">,
  ): "holds" | "violated" | "unknown" {
    const formula = this.#checked.document.guarantees[guarantee]?.formula;
    if (formula === undefined) return "unknown";
    const { inputs, initial } = this.#options;
    return judge(this.#checked, formula, { inputs, initial, ...run }).kind;
  }
}
