/** The adapter for the OpenAI Agents SDK. */
import { Agent, type Model, type ModelRequest, Runner, setTracingDisabled, Usage } from "@openai/agents-core";
import { foreclaim } from "../../src/openai-agents.ts";
import type { Brain } from "./shop.ts";
import { adapterSuite } from "./suite.ts";

setTracingDisabled(true);

class MockModel implements Model {
  readonly #brain: Brain;
  #count = 0;
  constructor(brain: Brain) {
    this.#brain = brain;
  }

  async getResponse({ input }: ModelRequest) {
    const turn = this.#brain(lastOutput(input));
    const usage = new Usage();
    if (turn === undefined)
      return {
        usage,
        output: [
          {
            type: "message" as const,
            role: "assistant" as const,
            status: "completed" as const,
            content: [{ type: "output_text" as const, text: "done" }],
          },
        ],
      };
    const callId = `call-${++this.#count}`;
    const args = JSON.stringify(turn.args);
    return { usage, output: [{ type: "function_call" as const, callId, name: turn.tool, arguments: args }] };
  }

  // biome-ignore lint/correctness/useYield: nobody streams here
  async *getStreamedResponse(): AsyncGenerator<never> {
    throw new Error("nobody streams here");
  }
}

function lastOutput(input: ModelRequest["input"]): unknown {
  const last = typeof input === "string" ? undefined : input.at(-1);
  if (last?.type !== "function_call_result") return undefined;
  const { output }: { output: unknown } = last;
  const text = typeof output === "string" ? output : Reflect.get(Object(output), "text");
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}

adapterSuite("@openai/agents", {
  direct: async (options, name, args) => {
    const { tools } = foreclaim(options);
    const answer = await tools.find((one) => one.name === name)?.invoke({}, JSON.stringify(args));
    return JSON.parse(answer ?? "null");
  },
  drive: async (options, brain, person) => {
    const { tools } = foreclaim(options);
    const agent = new Agent({ name: "payer", model: new MockModel(brain), tools });
    const runner = new Runner({ tracingDisabled: true });
    let result = await runner.run(agent, "pay what is due");
    while (result.interruptions.length > 0) {
      for (const asked of result.interruptions)
        if (person(JSON.stringify(asked.rawItem))) result.state.approve(asked);
        else result.state.reject(asked);
      result = await runner.run(agent, result.state);
    }
  },
});
