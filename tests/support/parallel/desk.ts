/**
 * Tools whose calls stay open until the test lets them end: what a run does while calls are under way is decided by the
 * test, and by nothing else.
 */
import { setImmediate } from "node:timers/promises";
import type { Checked } from "../../../src/ir/check/index.ts";
import { readDocument } from "../../../src/ir/read.ts";
import { readInputs, run } from "../../../src/ir/run/interpret.ts";
import type { Run, RunOptions, ToolHandler } from "../../../src/ir/run/options.ts";

/** A call that is under way. */
export interface OpenCall {
  /** `id`, and in loops `id@0,1`. */
  readonly name: string;
  readonly tool: string;
  readonly args: unknown;
  readonly ends: (value?: unknown) => void;
  readonly fails: (reason?: string) => void;
}

export class Desk {
  /** Every call that was ever made, in order. */
  readonly made: string[] = [];
  readonly open = new Map<string, OpenCall>();
  readonly checked: Checked;
  readonly #running: Promise<Run>;
  /** Once the run has ended. */
  done: Run | undefined;

  constructor(text: string, inputs: unknown = {}, options: Partial<RunOptions> = {}) {
    this.checked = checkedOf(text);
    const read = readInputs(this.checked, inputs);
    if (!read.ok) throw new Error(read.problems[0]?.message);
    const tools = new Map<string, ToolHandler>();
    for (const { name } of this.checked.document.tools) tools.set(name, this.#handler(name));
    this.#running = run(this.checked, { inputs: read.value, tools, ...options });
    this.#running.then(
      (done) => {
        this.done = done;
      },
      () => {},
    );
  }

  #handler(tool: string): ToolHandler {
    return {
      run: (args, { id, indices }) =>
        new Promise((resolve, reject) => {
          const name = indices.length === 0 ? id : `${id}@${indices.join()}`;
          const leave = () => this.open.delete(name);
          this.made.push(name);
          this.open.set(name, {
            name,
            tool,
            args,
            ends: (value) => {
              leave();
              resolve(value);
            },
            fails: (reason = "out of order") => {
              leave();
              reject(new Error(reason));
            },
          });
        }),
    };
  }

  /** Lets everything happen that can; only calls that are under way are left. */
  async quiet(): Promise<readonly string[]> {
    await setImmediate();
    return [...this.open.keys()];
  }

  /** Lets a call end, and gives what is under way then. */
  async end(name: string, value?: unknown): Promise<readonly string[]> {
    this.#at(name).ends(value);
    return this.quiet();
  }

  async fail(name: string): Promise<readonly string[]> {
    this.#at(name).fails();
    return this.quiet();
  }

  run(): Promise<Run> {
    return this.#running;
  }

  #at(name: string): OpenCall {
    const call = this.open.get(name);
    if (call === undefined) throw new Error(`${name} is not under way; ${[...this.open.keys()].join()} are`);
    return call;
  }
}

export function checkedOf(text: string): Checked {
  const read = readDocument(text);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join("\n"));
  return read.value.checked;
}
