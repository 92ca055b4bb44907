/** Handlers of the tools that read the clock and chance and let time pass, from where a caller gets these. */
import { clockTool, firstReadingMs, pauseTool, randomTool } from "../builtin.ts";
import type { ToolHandler } from "./options.ts";

/** Time and chance as a run has them. Tests give a clock that stands still. */
export interface Ambient {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** From 0 on and below 1. */
  readonly random: () => number;
  /** Resolves after so long, or rejects when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The handlers by the names of their tools. */
export function readingHandlers({ nowMs, random, pause }: Ambient): ReadonlyMap<string, ToolHandler> {
  return new Map<string, ToolHandler>([
    [clockTool.name, { args: "exact", run: (args) => reading(args, nowMs()) }],
    [randomTool.name, { args: "exact", run: () => decimal(random()) }],
    [
      pauseTool.name,
      { args: "exact", run: (args, { signal }) => pause(Math.max(0, Number(given(args, "ms"))), signal) },
    ],
  ]);
}

/** The time, unless the clock was set back since the last reading: then that one again. */
function reading(args: unknown, nowMs: number): number {
  const now = Math.floor(nowMs);
  const after = Number(given(args, "after"));
  // A clock that is far off is no clock: the run stops at what the tool ensures.
  return now < Number(firstReadingMs) ? now : Math.max(now, after);
}

/** With 15 digits, so that the number that is written is the number that it is. */
function decimal(chance: number): number {
  return Math.floor(chance * 1e15) / 1e15;
}

function given(args: unknown, name: string): unknown {
  const fields: unknown = typeof args === "object" && args !== null ? Reflect.get(args, "fields") : undefined;
  return typeof fields === "object" && fields !== null ? Reflect.get(fields, name) : undefined;
}
