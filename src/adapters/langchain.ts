/**
 * Tools for LangChain and LangGraph (`langchain` 1), by shape: nothing of it is imported.
 *
 * @example const agent = createAgent({ model, tools: foreclaim({ approve: (asked) => interrupt(asked) }).tools });
 */
import { Foreclaim, type ForeclaimOptions, toolList } from "./core.ts";

export type { Approval, Approve, ForeclaimOptions } from "./core.ts";

/** A tool as `createAgent` and `ToolNode` take it. An alias, because they ask for an index signature. */
export type LangChainTool = {
  readonly name: string;
  readonly description: string;
  readonly schema: (typeof toolList)[number]["schema"];
  readonly lc_namespace: string[];
  readonly lc_runnable: true;
  readonly invoke: (input: unknown, config?: LangChainConfig) => Promise<string>;
};

interface LangChainConfig {
  readonly signal?: AbortSignal | undefined;
}

export interface LangChainTools {
  readonly tools: LangChainTool[];
}

/** Without `approve` and without a service, no program runs that the policy does not approve: LangChain asks nobody itself. */
export function foreclaim(options: ForeclaimOptions = {}): LangChainTools {
  const hall = new Foreclaim(options, "LangChain approval");
  const tools = toolList.map(
    ({ name, description, schema }): LangChainTool => ({
      name,
      description,
      schema,
      lc_namespace: ["foreclaim"],
      lc_runnable: true,
      invoke: async (input, config) =>
        JSON.stringify(await hall.call(name, argumentsIn(input), { signal: config?.signal })),
    }),
  );
  return { tools };
}

/** A call of the model has its arguments inside; code may also pass them as they are. */
function argumentsIn(input: unknown): unknown {
  const isCall = typeof input === "object" && input !== null && Reflect.get(input, "type") === "tool_call";
  return isCall ? Reflect.get(input, "args") : input;
}
