/** Runs commands through the kernel and through the extracted model, and compares all that comes of them. */
import type { KernelState, Policy } from "../../src/kernel/index.ts";
import { commandText, type GivenCommand, type GivenPolicy, type Json, policyText } from "./command-text.ts";
import { entryProblem } from "./entry-text.ts";
import { atom, items, jsonValue, model, parse, type Tree, whole } from "./model.ts";
import { anyCommand, anyPolicy, anyState, Chance } from "./random-commands.ts";
import { inOrder, stateText, stepParts, stepText } from "./state-text.ts";

export type Kernel = typeof import("./kernel-under-test.ts");

/** A kernel and its model after the same commands. */
export interface Pair {
  readonly given: GivenPolicy;
  readonly policy: Policy;
  readonly state: KernelState;
  /** The model's state, by the number that the model knows it by. */
  readonly id: string;
}

export interface Compared {
  readonly pair: Pair;
  readonly allowed: boolean;
  readonly kind: string;
  readonly receipt?: string;
  /** The part in which kernel and model differ; undefined if they agree. */
  readonly problem?: string;
}

/** Opens a kernel and its model. Undefined if both refuse; a text if they disagree. */
export function opened(
  kernel: Kernel,
  given: GivenPolicy,
  initial: Readonly<Record<string, Json>>,
  clock: number,
): Pair | string | undefined {
  const decoded = kernel.decodePolicy(given);
  if (!decoded.ok) return `policy: ${decoded.problem.message}`;
  const state = kernel.decodeInitial(initial);
  if (!state.ok) return `initial state: ${state.problem.message}`;
  const real = kernel.openKernel("main", decoded.value, state.value, clock);
  const cells = items(...Object.entries(initial).map(([key, value]) => items(atom(key), jsonValue(value))));
  const hash = atom(real.ok ? real.value.entry.hash : "");
  const made = parse(model.open(items(policyText(given), cells, whole(clock), hash)));
  const id = made[0];
  if (real.ok !== (id !== undefined))
    return `open: the kernel ${real.ok ? "opens" : "refuses"}, the model does not`;
  if (!real.ok || id === undefined) return undefined;
  const text = stateText(real.value.state, kernel);
  if (!same(inOrder(parse(text)), inOrder(made[1] as Tree))) return "open: another first state";
  return { given, policy: decoded.value, state: real.value.state, id: String(id) };
}

/** One command. `forget` replaces the model's state by the next one. */
export function step(
  kernel: Kernel,
  pair: Pair,
  command: GivenCommand,
  clock: number,
  writer: string,
  keep: "forget" | "keep" = "forget",
): Compared {
  const { given, policy, state, id } = pair;
  const decision = kernel.decide(state, kernel.decodeCommand(command.kind, command.input, policy), clock);
  const made = kernel.seal(state, decision, writer);
  const asked = items(
    atom(id),
    commandText(command, given),
    Number.isSafeInteger(clock) ? items(whole(clock)) : items(),
    atom(made.entry.hash),
    atom(keep === "forget" ? "1" : "new"),
  );
  const answer = parse(model.step(asked)) as Tree[];
  const next = String(answer.pop());
  const real = parse(stepText(decision, made, kernel)) as Tree[];
  const at = stepParts.findIndex(
    (part, i) =>
      !(part === "state" ? same(inOrder(real[i] ?? ""), inOrder(answer[i] ?? "")) : same(real[i], answer[i])),
  );
  const part = stepParts[at];
  const problem =
    part === undefined
      ? entryProblem(made.entry.text, answer, state, given)
      : `${part}: kernel ${JSON.stringify(real[at])}, model ${JSON.stringify(answer[at])}`;
  return {
    pair: { ...pair, state: made.state, id: next },
    allowed: decision.verdict === "allowed",
    kind: decision.kind,
    ...(made.entry.receipt === undefined ? {} : { receipt: made.entry.receipt }),
    ...(problem === undefined ? {} : { problem }),
  };
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export interface Tally {
  kernels: number;
  commands: number;
  /** Allowed decisions of each kind. */
  readonly allowed: Map<string, number>;
  readonly refused: Map<string, number>;
}

export function newTally(): Tally {
  return { kernels: 0, commands: 0, allowed: new Map(), refused: new Map() };
}

/** Runs one random kernel; returns the first disagreement with all that led to it. */
export function compareRandom(
  kernel: Kernel,
  seed: number,
  commands: number,
  tally: Tally,
): string | undefined {
  const chance = new Chance(seed);
  const given = anyPolicy(chance);
  let clock = chance.below(50);
  const initial = anyState(chance);
  const first = opened(kernel, given, initial, clock);
  if (first === undefined) return undefined;
  if (typeof first === "string")
    return `seed ${seed}: ${first}\n${JSON.stringify(given)}\n${JSON.stringify(initial)}`;
  tally.kernels++;
  let pair = first;
  const log: string[] = [];
  const past = { steps: [] as string[], reservations: [] as string[] };
  try {
    for (let n = 0; n < commands; n++) {
      clock += chance.pick([0, 0, 1, 5, 12, -3, 60]);
      const now = chance.in100(1) ? chance.pick([Number.NaN, clock + 0.5, 2 ** 60, -7]) : clock;
      const command = anyCommand(chance, given, { ...past, version: pair.state.version });
      const done = step(kernel, pair, command, now, `w-${n}`);
      tally.commands++;
      const counts = done.allowed ? tally.allowed : tally.refused;
      counts.set(done.kind, (counts.get(done.kind) ?? 0) + 1);
      log.push(`${now} ${command.kind} ${JSON.stringify(command.input)}`);
      if (done.problem !== undefined) {
        return `seed ${seed}, command ${n + 1}: ${done.problem}\n${JSON.stringify(given)}\n${JSON.stringify(initial)}\n${log.join("\n")}`;
      }
      pair = done.pair;
      if (done.receipt?.startsWith("s")) past.steps.push(done.receipt);
      if (done.receipt?.startsWith("r")) past.reservations.push(done.receipt);
    }
  } finally {
    model.drop(pair.id);
  }
  return undefined;
}
