// An agent with the AI SDK. The SDK asks the person, and shows them what is proved.
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { foreclaim } from "foreclaim/ai-sdk";
import { person, task, thinker } from "./task.mjs";

const { tools, toolApproval } = foreclaim({ folder: import.meta.dirname });
const model = mockModel(thinker());
const messages = [{ role: "user", content: task }];

for (;;) {
  const { content, response } = await generateText({
    model,
    tools,
    toolApproval,
    messages,
    stopWhen: isStepCount(20),
  });
  messages.push(...response.messages);
  const requests = content.filter(({ type }) => type === "tool-approval-request");
  if (requests.length === 0) break;
  const answers = requests.map(({ approvalId, reason }) => ({
    type: "tool-approval-response",
    approvalId,
    approved: person(reason),
  }));
  messages.push({ role: "tool", content: answers });
}

/** In place of a real model, such as `anthropic("claude-…")`. */
function mockModel(think) {
  let count = 0;
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const last = prompt.at(-1).role === "tool" ? prompt.at(-1).content[0].output : undefined;
      const turn = think(last?.value ?? last);
      const call = turn && {
        type: "tool-call",
        toolCallId: `call-${++count}`,
        toolName: turn.tool,
        input: JSON.stringify(turn.args),
      };
      const why = call ? "tool-calls" : "stop";
      return {
        content: [call ?? { type: "text", text: "done" }],
        finishReason: { unified: why, raw: why },
        usage: { inputTokens: { total: 0 }, outputTokens: { total: 0 } },
        warnings: [],
      };
    },
  });
}
