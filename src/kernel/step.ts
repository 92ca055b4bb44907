/** The kernel in one line: a decision, kept. Part of what must be trusted. */
import type { Command } from "./core/command.ts";
import type { KernelState } from "./core/state.ts";
import { decide } from "./core/step.ts";
import { type Step, seal } from "./trace/entry.ts";

export function step(state: KernelState, command: Command, time: number, writer: string): Step {
  return seal(state, decide(state, command, time), writer);
}
