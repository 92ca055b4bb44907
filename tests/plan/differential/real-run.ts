/** A run by the product, with tools that fail as chance has it and a world of their own, and the same run simulated. */
import type { Json, JsonObject } from "../../../src/ir/json/json.ts";
import { NotDone } from "../../../src/kernel/index.ts";
import type { Plan } from "../../../src/plan/index.ts";
import type { CallInfo } from "../../../src/run/index.ts";
import { randomFrom } from "../../support/random.ts";
import { JumpingClock, kernelWith, never, type PlanResult, type PlanRun, tryPlan } from "../running.ts";
import { type Case, stateFrom } from "./generate.ts";
import { answersOf, attemptsOf, jsonOf } from "./oracles.ts";
import { type Attempt, objectIn, type Scene, simulated, type Went } from "./simulator.ts";
import { argsOf, cellNumber, declarations, initialOf, models } from "./tools.ts";
import { numberJson, textOf } from "./values.ts";

interface Seen {
  readonly actionId: string;
  readonly tool: string;
  readonly args: JsonObject;
}

interface SeenCall extends Seen {
  readonly attempt: Attempt;
  readonly answer: Json;
}

export interface RealRun {
  readonly result: PlanResult;
  /** Actions in the order in which they ended. */
  readonly ended: readonly string[];
  readonly calls: readonly SeenCall[];
  readonly undone: readonly Seen[];
  /** The cells of fluents as the tools have left them. */
  readonly world: ReadonlyMap<string, Json>;
}

export interface HowToRun {
  readonly seed: number;
  readonly failing: number;
  readonly concurrency: number;
}

/** Runs the plan with declared tools; one that is not valid is not begun. */
export async function ranReally(
  plan: Plan,
  { state }: Pick<Case, "state">,
  { seed, failing, concurrency }: HowToRun,
): Promise<RealRun> {
  const initial = stateFrom(state);
  const kernel = await kernelWith({ state: Object.fromEntries(initial) });
  const [ended, clock] = [[] as string[], new JumpingClock()];
  const chance = randomFrom(seed);
  const tools = new Tools({ plan, isDeclared: true, initial, chance, failing, clock });
  const given = Object.fromEntries(
    Object.keys(models).map((name) => [
      name,
      { run: (args: unknown, call: CallInfo) => tools.run(name, args, call) },
    ]),
  );
  const result = await tryPlan(plan, {
    kernel,
    tools: given,
    declarations,
    options: {
      concurrency,
      clock,
      random: chance,
      graceMs: 1,
      onProgress: (one) => {
        if (one.kind !== "ended") return;
        // Only the last try ends an action.
        const id = one.actionId.replace(/, try [0-9]+$/, "");
        const at = ended.indexOf(id);
        if (at >= 0) ended.splice(at, 1);
        ended.push(id);
      },
    },
  });
  return { result, ended, calls: tools.calls, undone: tools.undone, world: tools.world };
}

interface ToolsOptions {
  readonly plan: Plan;
  readonly isDeclared: boolean;
  readonly initial: ReadonlyMap<string, Json>;
  readonly chance: () => number;
  readonly failing: number;
  readonly clock: JumpingClock;
}

/** Tools that fail by chance, before or after they did something in the world. */
class Tools {
  readonly calls: SeenCall[] = [];
  readonly undone: Seen[] = [];
  readonly world: Map<string, Json>;
  readonly #options: ToolsOptions;

  constructor(options: ToolsOptions) {
    this.#options = options;
    this.world = new Map([...options.initial].filter(([key]) => initialOf(key) !== undefined));
  }

  async run(tool: string, given: unknown, { actionId, key }: CallInfo): Promise<unknown> {
    const { chance, clock, isDeclared } = this.#options;
    const args = objectIn(jsonOf(given));
    const answers = answersOf(tool, isDeclared);
    if (key.startsWith("undo of ")) {
      this.undone.push({ actionId, tool, args });
      return answers[0];
    }
    const attempt = this.#attempt(actionId);
    const answer = answers[Math.floor(chance() * answers.length)];
    this.calls.push({ actionId, tool, args, attempt, answer: jsonOf(answer) });
    this.#change(tool, args, attempt);
    await clock.sleep(Math.floor(chance() * 20), never);
    if (attempt.kind === "throws") throw new Error("by chance");
    if (attempt.kind === "does nothing") throw new NotDone("by chance");
    if (attempt.kind === "hangs") await new Promise(() => {});
    return answer;
  }

  #attempt(actionId: string): Attempt {
    const { chance, failing, plan } = this.#options;
    if (chance() >= failing) return { kind: "answers" };
    const mayHang = plan.actions.some(({ id, timeoutMs }) => id === actionId && timeoutMs !== undefined);
    const [, ...others] = attemptsOf({ effects: mostEffects }, mayHang);
    return others[Math.floor(chance() * others.length)] ?? { kind: "answers" };
  }

  #change(tool: string, args: JsonObject, attempt: Attempt): void {
    if (!this.#options.isDeclared) return;
    const read = (key: string) => cellNumber(key, this.world.get(key));
    const changes = (models[tool]?.changes(argsOf(args), read) ?? []).filter(({ when }) => when === true);
    const happened = attempt.kind === "answers" ? changes.length : "effects" in attempt ? attempt.effects : 0;
    for (const { key, to } of changes.slice(0, happened))
      if (to !== "not known") this.world.set(key, numberJson(to));
  }
}

/** No call has more. */
const mostEffects = 3;

/** The run with the same choices, simulated. */
export function replayed(scene: Scene, state: Readonly<Record<string, unknown>>, real: RealRun): Went {
  const { actions } = scene.plan;
  const [order, calls] = [[...real.ended], [...real.calls]];
  const answers = new Map<string, Json>();
  return simulated(scene, stateFrom(state), {
    start: (key) => stateFrom(state).get(key),
    next: (ready) => {
      const id = order.shift();
      const next = ready.find((i) => actions[i]?.id === id);
      if (id !== undefined && next === undefined) throw new Error(`\`${id}\` ended before it was ready`);
      return next;
    },
    attempt: ({ actionId, effects }) => {
      const at = calls.findIndex((one) => one.actionId === actionId);
      const [call] = at < 0 ? [] : calls.splice(at, 1);
      if (call === undefined) return undefined;
      answers.set(actionId, call.answer);
      const { attempt } = call;
      return "effects" in attempt ? { ...attempt, effects: Math.min(attempt.effects, effects) } : attempt;
    },
    answer: ({ actionId }) => answers.get(actionId) ?? null,
    left: ({ now }) => now,
  });
}

/** Returns the differences between the run and the simulation. */
export function differences(went: Went, real: RealRun, run: PlanRun): string[] {
  const found: string[] = [];
  const compare = (what: string, simulatedAs: string, really: string): void => {
    if (simulatedAs !== really) found.push(`${what}: simulated ${simulatedAs}, really ${really}`);
  };
  compare("end", went.endedBy === undefined ? "done" : "stopped", run.kind);
  for (const { actionId, status } of run.actions)
    compare(
      actionId,
      went.statuses.get(actionId) ?? "not reached",
      status === "rolled back" ? "done" : status,
    );
  const callText = ({ actionId, tool, args }: Seen) => `${actionId} ${tool} ${textOf(args)}`;
  // Of calls that do not wait for each other only each one's own tries have an order.
  compare(
    "calls",
    went.calls.map(callText).sort().join(),
    real.calls
      .map((one) => callText(one))
      .sort()
      .join(),
  );
  // Where nobody knew what was there at the start, the tools of the run cannot know it either.
  const cells = [...real.world].filter(([key]) => !went.marks.has(key));
  for (const [key, cell] of cells) compare(`${key} in the world`, textOf(went.world.get(key)), textOf(cell));
  // After a try that failed the simulator knows more of what a cell may hold; the run says of which cells it does not know.
  const isKnown = (key: string) => !run.state.has(`unknown ${key}`);
  if (run.kind === "done" && went.marks.size === 0)
    compare("state", stateText(went.kernel, isKnown), stateText(run.state, isKnown));
  return found;
}

function stateText(state: ReadonlyMap<string, Json>, isKnown: (key: string) => boolean): string {
  return [...state]
    .filter(([key]) => !key.startsWith("unknown ") && isKnown(key))
    .map(([key, value]) => `${key}=${textOf(value)}`)
    .sort()
    .join("; ");
}
