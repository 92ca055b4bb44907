/** Keeps a run from relying on a state that the world does not have: before its first call, and around calls if asked. */
import {
  type Checked,
  callEnvironment,
  costOf,
  type Diagnostic,
  defaultLimits,
  type Environment,
  evaluate,
  firstBroken,
  isPartly,
  Meter,
  type PendingCall,
  quoted,
  type State,
  Unknown,
  writesOf,
} from "../../ir/index.ts";
import type { Problem } from "../../kernel/index.ts";
import type { RunCode } from "../codes.ts";
import type { CellName, CellView, WorldModel } from "./look.ts";
import { type Reconciled, reconcile } from "./reconcile.ts";

export type WorldProblem = Diagnostic<RunCode, never>;

/** The moments at which a run looks at the world: before its first call; also before and after each call. */
export type LookWhen = "start" | "calls";

export class WorldWatch {
  readonly #model: WorldModel;
  readonly #when: LookWhen;

  constructor(model: WorldModel, when: LookWhen) {
    this.#model = model;
    this.#when = when;
  }

  /** Looks at all cells that the run may rely on. A resumed run has calls of its own that are in doubt. */
  async atStart(isResumed: boolean): Promise<{ readonly problem?: WorldProblem; readonly version: number }> {
    const { kernel, probes } = this.#model;
    if (probes.size === 0) return { version: kernel.version };
    const found = await reconcile(this.#model);
    const problem = problemIn(found, isResumed ? ownDoubts : strict);
    return { version: found.version, ...(problem && { problem }) };
  }

  /** Looks at the cells that a call reads or sets, in the state before it. */
  async before(call: PendingCall, state: State): Promise<WorldProblem | undefined> {
    if (!this.#looksAtCalls) return undefined;
    return this.#around(cellsOf(this.#model.checked, call, state));
  }

  /** Looks at the cells that a call has set. */
  async after({ writes }: PendingCall): Promise<WorldProblem | undefined> {
    if (!this.#looksAtCalls) return undefined;
    return this.#around(
      writes.flatMap(({ fluent, key }) => (key instanceof Unknown ? [] : [{ fluent, key }])),
    );
  }

  get #looksAtCalls(): boolean {
    return this.#when === "calls" && this.#model.probes.size > 0;
  }

  async #around(cells: readonly CellName[]): Promise<WorldProblem | undefined> {
    const probed = cells.filter(({ fluent }) => this.#model.probes.has(fluent));
    return probed.length === 0
      ? undefined
      : problemIn(await reconcile(this.#model, { cells: probed }), ownDoubts);
  }
}

/** The states in which a cell is not relied upon by anybody else. */
const strict: ReadonlySet<CellView["state"]> = new Set(["agrees", "unknown"]);
/** A call of the same run is under way there, beside this one, and its result is awaited. */
const ownDoubts: ReadonlySet<CellView["state"]> = new Set(["agrees", "unknown", "in doubt"]);

/** Unknown cells are the proof's concern: it assumes nothing of them, or the run is refused for them. */
function problemIn(
  { cells, outcomes, isUnsettled }: Reconciled,
  fine: ReadonlySet<CellView["state"]>,
): WorldProblem | undefined {
  const differs = cells.filter(({ state }) => state === "differs");
  if (differs.length > 0) {
    const unrecorded = outcomes.flatMap(({ reasons }) => reasons.filter(({ code }) => code !== "drift"));
    return {
      code: "FC4512",
      message: `the world differs from the state: ${differs.slice(0, mostTold).map(differenceText).join("; ")}`,
      help: helpOf(unrecorded),
    };
  }
  const open = cells.find(({ state }) => !fine.has(state));
  if (open === undefined && isUnsettled !== true) return undefined;
  const message =
    open === undefined
      ? "other writers keep changing the state while it is compared with the world"
      : `it is unknown what the world has at ${quoted(open.cell)}: ${open.why ?? ""}`;
  return {
    code: "FC4513",
    message,
    help: "see `foreclaim reconcile`; nothing relies on what was not observed",
  };
}

/** LIMIT: of the cells that differ, and of each value, so much is told. */
const mostTold = 3;
const mostText = 80;

function helpOf([first]: readonly Problem[]): string {
  if (first !== undefined) return `the kernel did not stop: ${first.message}`;
  return "the kernel has stopped; `foreclaim reconcile --accept world` or `--accept model` resolves it";
}

function differenceText({ cell, model, world }: CellView): string {
  return `${quoted(cell)} is ${valueText(model)} in the state and ${valueText(world)} in the world`;
}

function valueText(json: string | undefined): string {
  if (json === undefined) return "absent";
  return quoted(json.length > mostText ? `${json.slice(0, mostText)}…` : json);
}

/** LIMIT: units of work for the clauses of one call, which were evaluated before. */
const limits = { ...defaultLimits, steps: 100_000 };

/** The cells that the clauses of a call read, and those that it sets. */
function cellsOf(checked: Checked, { tool, args }: PendingCall, state: State): readonly CellName[] {
  const cells: CellName[] = [];
  const plain = callEnvironment(checked, tool, args, state, new Meter(limits));
  const noting: Environment = {
    ...plain,
    look: (expr, environment) => {
      if (expr.kind === "cell") {
        const key = evaluate(expr.key, environment);
        if (!isPartly(key)) cells.push({ fluent: expr.fluent, key });
      }
      return plain.look(expr, environment);
    },
  };
  firstBroken(tool.requires, noting);
  costOf(tool, noting);
  for (const { fluent, key } of writesOf(tool, noting))
    if (!(key instanceof Unknown)) cells.push({ fluent, key });
  return cells;
}
