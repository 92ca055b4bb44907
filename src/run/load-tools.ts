/**
 * Loads tool modules, which executes them: they are the root of trust. Only for a run; to prove, they are read and never
 * executed.
 */
import { register } from "node:module";
import { pathToFileURL } from "node:url";

import type { LoadedProbe } from "./world/probe.ts";

/** A tool as its module declares it. */
export interface LoadedTool {
  readonly run: (args: unknown, call: unknown) => unknown;
  readonly undo?: (args: unknown, result: unknown, call: unknown) => unknown;
}

export interface ToolPlace {
  /** `bank.pay`. */
  readonly name: string;
  readonly file: string;
}

export type Loaded =
  | {
      readonly ok: true;
      readonly tools: ReadonlyMap<string, LoadedTool>;
      /** By the names of the fluents that have one. */
      readonly probes: ReadonlyMap<string, LoadedProbe>;
    }
  | { readonly ok: false; readonly file: string; readonly message: string };

/** The symbol under which `tool` of the package stores a definition for runs. */
const definition = Symbol.for("foreclaim.definition");

export async function loadTools(
  places: readonly ToolPlace[],
  fluents: readonly ToolPlace[] = [],
): Promise<Loaded> {
  if (places.length + fluents.length > 0) registerOnce();
  const tools = new Map<string, LoadedTool>();
  const probes = new Map<string, LoadedProbe>();
  try {
    for (const { name, file } of places) {
      const tool = toolIn(await exportsOf(file), lastName(name));
      if (tool === undefined) return { ok: false, file, message: `it does not export the tool \`${name}\`` };
      tools.set(name, tool);
    }
    for (const { name, file } of fluents) {
      const options = memberOf(memberOf(await exportsOf(file), lastName(name)), definition);
      if (options === undefined)
        return { ok: false, file, message: `it does not export the fluent \`${name}\`` };
      const probe = probeIn(options);
      if (probe !== undefined) probes.set(name, probe);
    }
  } catch (thrown) {
    if (!(thrown instanceof NotLoaded)) throw thrown;
    return { ok: false, file: thrown.file, message: thrown.message };
  }
  return { ok: true, tools, probes };
}

class NotLoaded extends Error {
  readonly file: string;
  constructor(file: string, message: string) {
    super(message);
    this.file = file;
  }
}

async function exportsOf(file: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (thrown) {
    throw new NotLoaded(file, thrown instanceof Error ? thrown.message : "it threw something");
  }
}

function lastName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function probeIn(options: unknown): LoadedProbe | undefined {
  const [probe, keys] = [memberOf(options, "probe"), memberOf(options, "keys")];
  if (!isFunction(probe)) return undefined;
  return {
    probe: (key, call) => probe(key, call),
    ...(isFunction(keys) && { keys: (call: unknown) => keys(call) }),
    takes: memberOf(options, "drift") === "take",
  };
}

let isRegistered = false;

/** For as long as the process lives, since modules may be imported late. */
function registerOnce(): void {
  if (isRegistered) return;
  isRegistered = true;
  register(new URL("./module-hooks.js", import.meta.url));
}

function toolIn(exported: unknown, name: string): LoadedTool | undefined {
  const found = memberOf(exported, name);
  const options = memberOf(found, definition);
  const [run, undo] = [memberOf(options, "run"), memberOf(options, "undo")];
  if (!isFunction(run)) return undefined;
  return {
    run: (args, call) => run(args, call),
    ...(isFunction(undo) && {
      undo: (args: unknown, result: unknown, call: unknown) => undo(args, result, call),
    }),
  };
}

function memberOf(of: unknown, name: string | symbol): unknown {
  const isObject = (typeof of === "object" && of !== null) || typeof of === "function";
  return isObject ? Reflect.get(of, name) : undefined;
}

function isFunction(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === "function";
}
