// An agent with the OpenAI Agents SDK. A run that needs approval interrupts the agent.
import { Agent, Runner, Usage } from "@openai/agents-core";
import { foreclaim } from "foreclaim/openai-agents";
import { person, task, thinker } from "./task.mjs";

const { tools, questionFor } = foreclaim({ folder: import.meta.dirname });
const agent = new Agent({ name: "payer", model: mockModel(thinker()), tools });
const runner = new Runner({ tracingDisabled: true });

let result = await runner.run(agent, task);
while (result.interruptions.length > 0) {
  for (const asked of result.interruptions)
    if (person(questionFor(asked.rawItem.callId)?.text)) result.state.approve(asked);
    else result.state.reject(asked);
  result = await runner.run(agent, result.state);
}

/** In place of a real model, such as "gpt-…". */
function mockModel(think) {
  let count = 0;
  return {
    getResponse: async ({ input }) => {
      const last = Array.isArray(input) ? input.at(-1) : undefined;
      const turn = think(last?.type === "function_call_result" ? parsed(last.output) : undefined);
      const text = { type: "output_text", text: "done" };
      const output = turn
        ? {
            type: "function_call",
            callId: `call-${++count}`,
            name: turn.tool,
            arguments: JSON.stringify(turn.args),
          }
        : { type: "message", role: "assistant", status: "completed", content: [text] };
      return { usage: new Usage(), output: [output] };
    },
  };
}

function parsed(output) {
  const text = output.text ?? output;
  return text.startsWith("{") ? JSON.parse(text) : { status: "rejected", reason: text };
}
