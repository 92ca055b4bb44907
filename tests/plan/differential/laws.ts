/** The laws: what each analysis says of a plan, held against its simulated runs. Each gives what breaks it. */
import { isJsonObject, type Json } from "../../../src/ir/json/json.ts";
import {
  equivalent,
  optimize,
  type Plan,
  type Simulation,
  simulate,
  type Verification,
  verify,
} from "../../../src/plan/index.ts";
import { type Explored, explored, openOracle, worldOracle } from "./oracles.ts";
import { anything, type Scene, simulated, type Went } from "./simulator.ts";
import { book } from "./tools.ts";
import { same, textOf } from "./values.ts";

type State = ReadonlyMap<string, Json>;

/** At most so many runs of one plan, and as many again by chance. */
const most = 40;

export function optionsFor(isDeclared: boolean, state: State | undefined) {
  return { ...(isDeclared && { book }), ...(state && { state }) };
}

function runsOf(scene: Scene, state: State, seed: number): Explored<Went> {
  return explored((choose) => simulated(scene, state, openOracle(choose, scene.isDeclared)), most, seed);
}

// ── valid ────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * In a valid plan no action that is reached finds anything unmet, in the kernel or in the world, and none is refused for
 * what it writes; at the end the world is as the kernel knows it, and as the verdict says. Where the verdict needs no
 * claim, all of that is so if no claim comes true. That a call which never answered holds its keys is known: no verdict
 * speaks of it.
 */
export function againstValid(
  scene: Scene,
  { state: known, claims }: Verification,
  states: readonly State[],
  seed: number,
): string[] {
  const isFree = !scene.isDeclared && claims.length === 0;
  const scenes = isFree ? [scene, { ...scene, isBelieved: false }] : [scene];
  return scenes.flatMap((one) =>
    states.flatMap((state) =>
      runsOf(one, state, seed).results.flatMap((went) => [
        ...went.found
          .filter(({ kind }) => kind !== "held")
          .map(({ actionId, kind, what }) => `${kind}: ${actionId} does not find ${what}; ${shown(went)}`),
        ...untold(went),
        ...(went.endedBy === undefined && one.isBelieved ? otherThan(known, went) : []),
      ]),
    ),
  );
}

/** Keys of which the kernel says something at the end that is not so. */
function untold(went: Went): string[] {
  const { endedBy, kernel, marks, world, held } = went;
  if (endedBy !== undefined) return [];
  return [...new Set([...kernel.keys(), ...world.keys()])].flatMap((key) => {
    const mark = marks.get(key) ?? [];
    if (held.has(key) || mark === anything) return [];
    const isTold = [kernel.get(key), ...mark].some((cell) => same(cell, world.get(key)));
    return isTold
      ? []
      : [`false state: ${key} is ${textOf(world.get(key))}, not ${textOf(kernel.get(key))}; ${shown(went)}`];
  });
}

function shown({ statuses, calls }: Went): string {
  const ends = [...statuses].map(([id, status]) => `${id} ${status}`);
  return `${ends.join(", ")}; calls ${calls.map(({ actionId, attempt }) => `${actionId}/${attempt}`).join(" ")}`;
}

// ── simulate ─────────────────────────────────────────────────────────────────────────────────────────────

/** Values that the simulation knows hold in each run that no tool call ends; actions with unmet checks are named. */
export function againstSimulation(
  scene: Scene,
  given: State | undefined,
  states: readonly State[],
  seed: number,
): string[] {
  const result = simulate(scene.plan, optionsFor(scene.isDeclared, given));
  if (result.kind === "broken") return [];
  const { simulation } = result;
  return states.flatMap((state) =>
    runsOf(scene, state, seed).results.flatMap((went) => [
      ...unforeseen(simulation, went),
      ...(isToItsEnd(simulation, went) ? otherThan(simulation.state, went) : []),
      // Of keys that the plan does not name nothing is known without a state.
      ...(isToItsEnd(simulation, went) && given !== undefined ? notNamed(simulation, went) : []),
    ]),
  );
}

function unforeseen({ blocked, unreached }: Simulation, went: Went): string[] {
  const found = went.found.filter(({ kind }) => kind !== "held");
  const isNamed = (id: string) => blocked.some(({ actionId }) => actionId === id);
  return [
    ...found
      .filter(({ actionId }) => !isNamed(actionId))
      .map(
        ({ actionId, what, kind }) =>
          `not blocked: ${actionId} does not find ${what} (${kind}); ${shown(went)}`,
      ),
    ...blocked
      .filter(({ actionId, always }) => always && went.statuses.get(actionId) === "done")
      .map(({ actionId }) => `blocked: ${actionId} is done; ${shown(went)}`),
    ...unreached
      .filter((id) => went.statuses.has(id))
      .map((id) => `unreached: ${id} is reached; ${shown(went)}`),
  ];
}

/** Also a run that ends where it always ends. */
function isToItsEnd({ blocked }: Simulation, { endedBy }: Went): boolean {
  if (endedBy === undefined) return true;
  return blocked.some(({ actionId, always, endsPlan }) => actionId === endedBy && always && endsPlan);
}

/** Keys that are said to be known, and are not so. */
function otherThan(known: State, went: Went): string[] {
  return [...known].flatMap(([key, value]) => {
    const is = key.startsWith("unknown ") ? textOfMark(key, value, went) : textOfKnown(key, value, went);
    return is === undefined ? [] : [`simulated: ${key} is ${is}, not ${textOf(value)}; ${shown(went)}`];
  });
}

/** Undefined if it is as it is said to be. */
function textOfKnown(key: string, value: Json, { kernel, marks, held, world }: Went): string | undefined {
  const isDark = marks.has(key) || held.has(key);
  const isSo = same(world.get(key), value) && (isDark || same(kernel.get(key), value));
  return isSo ? undefined : textOf(world.get(key));
}

/** A key that says of another what it may hold is gone when that is known again. */
function textOfMark(key: string, value: Json, { marks }: Went): string | undefined {
  const mark = marks.get(key.slice("unknown ".length));
  const [now, said] = [mark === anything ? [] : mark, isJsonObject(value) ? (value.may ?? []) : []];
  return same(now, said) ? undefined : now === undefined ? "gone" : textOf(now);
}

function notNamed({ state, unknown }: Simulation, went: Went): string[] {
  const keys = [...went.world.keys()].filter((key) => !state.has(key) && !unknown.includes(key));
  return keys.map((key) => `simulated: ${key} is not named; ${shown(went)}`);
}

// ── equivalent and optimize ──────────────────────────────────────────────────────────────────────────────

/** At most so many schedules; of plans with more nothing is said. */
const mostSchedules = 250;

/** Everything that can be seen of the runs of a plan in one world, whatever the schedule. */
function seenOf(scene: Scene, state: State, seed: number): ReadonlySet<string> | undefined {
  const failing = seed % 3 === 0 ? 0 : 0.3;
  const { results, isAll } = explored(
    (choose) => seenIn(simulated(scene, state, worldOracle(choose, scene.isDeclared, seed, failing))),
    mostSchedules,
    seed,
  );
  return isAll ? new Set(results) : undefined;
}

function seenIn({ endedBy, calls, undone, kernel, marks, world }: Went): string {
  const texts = [...calls, ...undone].map(({ tool, args }) => `${tool} ${textOf(args)}`);
  const lines = (state: State) => [...state].map(([key, value]) => `${key}=${textOf(value)}`).sort();
  const unknown = [...marks].map(
    ([key, mark]) => `${key} ${mark === anything ? "" : mark.map(textOf).sort()}`,
  );
  const left = endedBy === undefined ? [lines(kernel), lines(world), unknown.sort()] : "ends early";
  return JSON.stringify([texts, left]);
}

export interface Compared {
  readonly broken: readonly string[];
  /** Worlds in which all runs of both could be looked at. */
  readonly worlds: number;
}

/** Two plans that are said to be equivalent can be told apart in no world. */
export function againstSame(
  one: Scene,
  other: Scene,
  states: readonly State[],
  seeds: readonly number[],
): Compared {
  const broken: string[] = [];
  let worlds = 0;
  for (const state of states) {
    for (const seed of seeds) {
      const [a, b] = [seenOf(one, state, seed), seenOf(other, state, seed)];
      if (a === undefined || b === undefined) continue;
      worlds++;
      const only = [...[...b].filter((text) => !a.has(text)), ...[...a].filter((text) => !b.has(text))];
      if (only.length > 0) {
        const from = [...state].map(([key, value]) => `${key}=${textOf(value)}`);
        broken.push(
          `told apart from {${from}} in world ${seed}: ${b.has(only[0] ?? "") ? "only the second" : "only the first"} ${only[0]}`,
        );
      }
    }
  }
  return { broken, worlds };
}

export function isSaidEquivalent(one: Plan, other: Plan, isDeclared: boolean): boolean {
  return equivalent(one, other, optionsFor(isDeclared, undefined)).kind === "equivalent";
}

/** The better plan, if there is one. It must be valid too, and not get better again. */
export function optimized(
  scene: Scene,
  state: State | undefined,
): { readonly plan: Plan; readonly broken: readonly string[] } | undefined {
  const options = optionsFor(scene.isDeclared, state);
  const found = optimize(scene.plan, options);
  if (found.kind !== "optimized") return undefined;
  const broken: string[] = [];
  if (!verify(found.plan, options).valid) broken.push("optimized: it is not valid any more");
  const again = optimize(found.plan, options).kind;
  if (again !== "unchanged") broken.push(`optimized: again it is ${again}`);
  return { plan: found.plan, broken };
}
