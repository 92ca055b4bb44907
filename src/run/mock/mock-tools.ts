/**
 * Stand-ins for the tools of a document: what the mocks file says, and otherwise a generated result. Nothing
 * outside this process is touched. The n-th call of a tool gets the n-th answer also in a run that is resumed,
 * so that a resumed run and one in a single go are the same run.
 */

import {
  type Checked,
  type Decision,
  type PendingCall,
  type Result,
  randomTool,
  readingHandlers,
  type ToolHandler,
  type TraceEntry,
  type Type,
  toJs,
  type Value,
} from "../../ir/index.ts";
import { chanceFrom } from "./chance.ts";
import { Generator } from "./generate.ts";
import type { Answer, Mocks } from "./mocks-file.ts";

export interface MockOptions {
  readonly mocks: Mocks;
  readonly seed: number;
  /** Calls that were made already. */
  readonly recorded?: readonly TraceEntry[];
}

/** Default time of the mock clock: the start of 2025. */
const mockTimeMs = Date.UTC(2025, 0, 1);

export class MockTools {
  /** The tool for which no result could be made up, which is why the run was stopped. */
  unanswered: string | undefined;
  readonly handlers: ReadonlyMap<string, ToolHandler>;
  readonly #mocks: Mocks;
  readonly #seed: number;
  readonly #generator: Generator;
  readonly #callsOf = new Map<string, number>();
  /** Result of the next call. */
  #next: unknown;

  constructor(checked: Checked, { mocks, seed, recorded = [] }: MockOptions) {
    this.#mocks = mocks;
    this.#seed = seed;
    this.#generator = new Generator(checked);
    for (const { tool } of recorded) this.#count(tool);
    const readings = this.#readings();
    const handlerOf = (name: string): ToolHandler =>
      (mocks.has(name) ? undefined : readings.get(name)) ?? this.#handler(name);
    this.handlers = new Map([...checked.tools.keys()].map((name) => [name, handlerOf(name)] as const));
  }

  /**
   * Before every call that no mock answers: makes up its result, or refuses. Done here and not in the handler,
   * where it would look like a failure of the tool that a program may catch.
   */
  before(call: PendingCall): Decision {
    const { tool } = call;
    this.#next = undefined;
    if (this.#mocks.has(tool.name) || tool.result === undefined) return { kind: "proceed" };
    const chance = chanceFrom(this.#seed, `${call.id} ${call.indices.join()}`);
    const { result: type } = tool;
    const value = this.#generator.resultFor(call, chance, (one) => passable(one, type).ok);
    const passed = value === undefined ? undefined : passable(value, type);
    if (!passed?.ok) {
      this.unanswered = tool.name;
      return { kind: "refuse", reason: "no result was found for it" };
    }
    this.#next = passed.value;
    return { kind: "proceed" };
  }

  /** The clock stands still, chance is that of the seed, and pauses take no time. */
  #readings(): ReadonlyMap<string, ToolHandler> {
    return readingHandlers({
      nowMs: () => mockTimeMs,
      random: () => chanceFrom(this.#seed, `random ${this.#count(randomTool.name)}`).below(2 ** 32) / 2 ** 32,
      pause: async () => {},
    });
  }

  #handler(name: string): ToolHandler {
    const mock = this.#mocks.get(name);
    return {
      integers: "bigint",
      run: () => {
        const position = this.#count(name);
        if (mock === undefined) return this.#next;
        if (mock.kind === "always") return said(mock.answer);
        const answer = mock.answers[position];
        if (answer === undefined) {
          const { length } = mock.answers;
          const answers = `${length} answer${length === 1 ? "" : "s"}`;
          throw new Error(`its mock has ${answers}, and this is its call ${position + 1}`);
        }
        return said(answer);
      },
    };
  }

  /** Returns the number of earlier calls of the tool, and counts this one. */
  #count(tool: string): number {
    const before = this.#callsOf.get(tool) ?? 0;
    this.#callsOf.set(tool, before + 1);
    return before;
  }
}

function passable(value: Value, type: Type): Result<unknown> {
  return toJs(value, type, { integers: "bigint" });
}

function said(answer: Answer): unknown {
  if (answer.kind === "fails") throw new Error(answer.reason);
  return answer.value;
}
