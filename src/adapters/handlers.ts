/** Tools whose work the caller's own functions do. The module declares the tool; the function is called in its place. */
import { moduleTools, type ToolSource } from "../app/index.ts";
import type { LoadedTool } from "../run/index.ts";

/** Does the work of a tool. It gets the arguments and what `run` of a tool module gets besides. */
export type ToolHandler = (args: never, call: never) => unknown;

/** By the full name of the tool: `bank.pay`. */
export type ToolHandlers = Readonly<Record<string, ToolHandler>>;

/** SOUNDNESS: a result is verified against the type and the `ensures` of the module, no matter who gives it. */
export function handlerTools(handlers: ToolHandlers): ToolSource {
  return async (places) => {
    const others = places.filter(({ name }) => !Object.hasOwn(handlers, name));
    const loaded = await moduleTools(others);
    if (!loaded.ok) return loaded;
    const tools = new Map(loaded.tools);
    for (const { name } of places) {
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
      if (handler !== undefined) tools.set(name, toolOf(handler));
    }
    return { ok: true, tools };
  };
}

function toolOf(handler: ToolHandler): LoadedTool {
  // SAFETY: the run gives arguments of the types that the module declares, and the caller wrote the function for them.
  const work = handler as (args: unknown, call: unknown) => unknown;
  return { run: (args, call) => work(args, call) };
}
