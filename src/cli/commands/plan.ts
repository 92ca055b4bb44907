/** `plan verify`, `simulate`, `equivalent`, `optimize` and `graph`. */

import {
  brokenFailure,
  type Failure,
  type LoadedPlan,
  loadBook,
  loadPlan,
  loadState,
  plainFailure,
  systemWords,
} from "../../app/index.ts";
import { type JsonObject, ok } from "../../ir/index.ts";
import {
  car,
  carVerificationToJson,
  drawPlan,
  equivalenceToJson,
  equivalent,
  type OutputJson,
  optimizationToJson,
  optimize,
  outputText,
  type State,
  simulate,
  simulationToJson,
  stateToJson,
  type ToolBook,
  verificationToJson,
  verify,
} from "../../plan/index.ts";
import { type ExitCode, fine, notSo } from "../exit-code.ts";
import { reportFailure } from "../failure.ts";
import { equivalenceText, optimizationText, simulationText, verificationText } from "../plan/plan-text.ts";
import type { Terminal } from "../terminal.ts";

export interface PlanOptions {
  readonly compat?: "car";
  readonly state?: string;
  readonly knownTools?: readonly string[];
  readonly maxActions?: number;
  readonly tools?: readonly string[];
  readonly json?: boolean;
}

export type EquivalentOptions = Pick<PlanOptions, "compat" | "state" | "tools" | "json">;
export type OptimizeOptions = Omit<PlanOptions, "knownTools"> & {
  readonly output?: string;
  readonly out?: string;
};
export type GraphOptions = Pick<PlanOptions, "state" | "knownTools" | "tools" | "json"> & {
  readonly output?: string;
};

interface Given {
  readonly loaded: LoadedPlan;
  readonly state: State | undefined;
  readonly book: ToolBook | undefined;
}

export function verifyPlan(terminal: Terminal, file: string, options: PlanOptions): Promise<ExitCode> {
  return withPlan(terminal, file, options, async ({ loaded, state, book }) => {
    const { plan, warnings } = loaded;
    const given = {
      ...(state && { state }),
      ...(book && { book }),
      ...(options.knownTools && { knownTools: new Set(options.knownTools) }),
      ...(options.maxActions !== undefined && { maxActions: options.maxActions }),
    };
    if (options.compat === "car") {
      const found = car.verify(plan, given);
      const shown = { ...found, tier: "decided", claims: [], conflicts: [] } as const;
      await say(terminal, options, carVerificationToJson(found), () =>
        verificationText(shown, loaded, terminal.stdout),
      );
      return found.valid ? fine : notSo;
    }
    const found = verify(plan, { ...given, warnings });
    await say(terminal, options, verificationToJson(found), () =>
      verificationText(found, loaded, terminal.stdout),
    );
    return found.valid ? fine : notSo;
  });
}

export function simulatePlan(terminal: Terminal, file: string, options: PlanOptions): Promise<ExitCode> {
  return withPlan(terminal, file, options, async ({ loaded, state, book }) => {
    const { plan } = loaded;
    if (options.compat === "car") {
      const left = car.simulate(plan, state);
      const simulation = { state: left, unknown: [], blocked: [], unreached: [] };
      const json = { state: stateToJson(left), unknown: [] };
      await say(terminal, options, json, () => simulationText(simulation, terminal.stdout));
      return fine;
    }
    const { maxActions } = options;
    const found = simulate(plan, {
      ...(state && { state }),
      ...(book && { book }),
      ...(maxActions !== undefined && { maxActions }),
    });
    if (found.kind === "broken") return fail(terminal, options, brokenFailure(loaded, found.findings));
    const { simulation } = found;
    await say(terminal, options, simulationToJson(simulation), () =>
      simulationText(simulation, terminal.stdout),
    );
    return fine;
  });
}

export function comparePlans(
  terminal: Terminal,
  file: string,
  otherFile: string,
  options: EquivalentOptions,
): Promise<ExitCode> {
  return withPlan(terminal, file, options, async ({ loaded, state, book }) => {
    const other = await loadPlan(terminal, otherFile, options.compat);
    if (!other.ok) return fail(terminal, options, other);
    if (options.compat === undefined) {
      const found = equivalent(loaded.plan, other.value.plan, {
        ...(state && { state }),
        ...(book && { book }),
      });
      if (found.kind === "broken") {
        return fail(
          terminal,
          options,
          brokenFailure(found.which === 0 ? loaded : other.value, found.findings),
        );
      }
      await say(terminal, options, equivalenceToJson(found), () => equivalenceText(found));
      return found.kind === "equivalent" ? fine : notSo;
    }
    const difference = car.difference(loaded.plan, other.value.plan, state && [state]);
    const json: OutputJson =
      difference === undefined
        ? { equivalent: true }
        : { equivalent: false, difference: differenceOf(difference, loaded, other.value) };
    const words = difference === undefined ? "equivalent on the states that were tried" : "not equivalent";
    await say(terminal, options, json, () => `${words}\n`);
    return difference === undefined ? fine : notSo;
  });
}

function differenceOf(state: State, one: LoadedPlan, other: LoadedPlan): OutputJson {
  return {
    state: stateToJson(state),
    first: stateToJson(car.simulate(one.plan, state)),
    second: stateToJson(car.simulate(other.plan, state)),
  };
}

export function optimizePlan(terminal: Terminal, file: string, options: OptimizeOptions): Promise<ExitCode> {
  return withPlan(terminal, file, options, async ({ loaded, state, book }) => {
    if (options.compat === "car") {
      const { json, dropped } = car.optimize(loaded.plan);
      const rows = dropped.map(({ actionId, key }) => ({ action_id: actionId, key }));
      // Dropping them is not proved to change nothing, and may change something.
      const answer = { proposal: json, proof: null, dropped: rows };
      return sayPlan(terminal, options, json, answer, fine, "");
    }
    const { maxActions } = options;
    const found = optimize(loaded.plan, {
      ...(state && { state }),
      ...(book && { book }),
      ...(maxActions !== undefined && { maxActions }),
    });
    if (found.kind === "broken") return fail(terminal, options, brokenFailure(loaded, found.findings));
    const words = optimizationText(found, loaded, terminal.stderr);
    const code = found.kind === "invalid" || found.kind === "unproved" ? notSo : fine;
    return sayPlan(terminal, options, found.plan.json, optimizationToJson(found), code, words);
  });
}

/** A plan goes to a file or to standard output, where another command may read it; so what else is said does not. */
async function sayPlan(
  terminal: Terminal,
  options: OptimizeOptions,
  plan: JsonObject,
  answer: OutputJson,
  code: ExitCode,
  words: string,
): Promise<ExitCode> {
  const output = options.output ?? options.out;
  if (output !== undefined) {
    const failure = await written(terminal, output, outputText(plan));
    if (failure !== undefined) return fail(terminal, options, failure);
  }
  if (options.json || output === undefined) await say(terminal, options, answer, () => outputText(plan));
  if (!options.json) await terminal.stderr.write(words);
  return code;
}

async function written(terminal: Terminal, file: string, text: string): Promise<Failure | undefined> {
  const code = await terminal.writeFile(file, [text]);
  if (code === undefined) return undefined;
  return plainFailure("FC9004", `cannot write \`${file}\`: ${systemWords(code)}`);
}

export function graphPlan(terminal: Terminal, file: string, options: GraphOptions): Promise<ExitCode> {
  return withPlan(terminal, file, options, async ({ loaded, state, book }) => {
    const drawn = drawPlan(loaded.plan, {
      ...(state && { state }),
      ...(book && { book }),
      ...(options.knownTools && { knownTools: new Set(options.knownTools) }),
      warnings: loaded.warnings,
    });
    if (drawn.kind === "broken") return fail(terminal, options, brokenFailure(loaded, drawn.findings));
    if (drawn.kind === "too big") {
      const message = `a plan of ${loaded.plan.actions.length} actions is too big for a picture, which takes ${drawn.most}`;
      return fail(terminal, options, plainFailure("FC9001", message));
    }
    if (options.output !== undefined) {
      const failure = await written(terminal, options.output, drawn.svg);
      if (failure !== undefined) return fail(terminal, options, failure);
    }
    const answer = { valid: drawn.valid, ...(options.output === undefined && { svg: drawn.svg }) };
    if (options.json || options.output === undefined) await say(terminal, options, answer, () => drawn.svg);
    return fine;
  });
}

// ── common ───────────────────────────────────────────────────────────────────────────────────────────────

async function withPlan(
  terminal: Terminal,
  file: string,
  options: Pick<PlanOptions, "compat" | "state" | "tools" | "json">,
  go: (given: Given) => Promise<ExitCode>,
): Promise<ExitCode> {
  const loaded = await loadPlan(terminal, file, options.compat);
  if (!loaded.ok) return fail(terminal, options, loaded);
  const state = options.state === undefined ? ok(undefined) : await loadState(terminal, options.state);
  if (!state.ok) return fail(terminal, options, state);
  const book = options.tools === undefined ? ok(undefined) : await loadBook(terminal, options.tools);
  if (!book.ok) return fail(terminal, options, book);
  return go({ loaded: loaded.value, state: state.value, book: book.value });
}

async function say(
  terminal: Terminal,
  options: Pick<PlanOptions, "json">,
  json: OutputJson,
  text: () => string,
): Promise<void> {
  await terminal.stdout.write(options.json ? outputText(json) : text());
}

function fail(terminal: Terminal, options: Pick<PlanOptions, "json">, failure: Failure): Promise<ExitCode> {
  return reportFailure(terminal, failure, options.json === true);
}
