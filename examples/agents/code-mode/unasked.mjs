// The same payment four times, with a tool that asks for approval: called directly, called by code of the model, and as a
// program that is proved. A person who would always say no is asked, or is not.
import { join } from "node:path";
import { experimental_codeModeTool as codeModeTool, DIRECT_TOOL_CALL } from "@ai-sdk/code-mode";
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { foreclaim } from "foreclaim/ai-sdk";

const payment = { payee: "eve", amount: 900 };
const pay = tool({
  inputSchema: jsonSchema({ type: "object" }),
  execute: async ({ payee, amount }) => {
    console.log(`  paid ${amount} to ${payee}`);
    return "ok";
  },
});

console.log("1. the model calls `pay`");
await turn({
  call: { tool: "pay", args: payment },
  tools: { pay },
  toolApproval: { pay: "user-approval" },
});

console.log("2. the model writes code that calls `pay`");
await turn({
  call: { tool: "code_mode", args: { js: `return await tools.pay(${JSON.stringify(payment)});` } },
  tools: { pay, code_mode: codeModeTool({}) },
  toolApproval: { pay: "user-approval" },
  experimental_toolCallers: { pay: ["code_mode", DIRECT_TOOL_CALL] },
});

console.log("3. the model writes code that runs a program of Foreclaim");
const program = `import { program } from "foreclaim";
import * as shop from "./tools/shop";
export default program({
  guarantees: [shop.spendsAtMost(900), shop.onlyPays(["eve"])],
  async run() {
    await shop.pay(${JSON.stringify(payment)});
  },
});
`;
const { tools, toolApproval } = foreclaim({ folder: join(import.meta.dirname, "..") });
await turn({
  call: {
    tool: "code_mode",
    args: { js: `return await tools.run({ program: ${JSON.stringify(program)} });` },
  },
  tools: { ...tools, code_mode: codeModeTool({}) },
  toolApproval,
  experimental_toolCallers: { run: ["code_mode", DIRECT_TOOL_CALL] },
});

console.log("4. the model calls `run` with the program");
await turn({ call: { tool: "run", args: { program } }, tools, toolApproval });

/** One call of the model, which is none, and the questions that come of it. */
async function turn({ call, ...agent }) {
  let isFirst = true;
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const { role, content } = prompt.at(-1);
      const output = role === "tool" ? content[0].output : {};
      if (output.type === "error-text")
        console.log(`  the code is told: ${output.value.replace(/^\w+: /, "")}`);
      const next = isFirst && {
        type: "tool-call",
        toolCallId: "call-1",
        toolName: call.tool,
        input: JSON.stringify(call.args),
      };
      isFirst = false;
      const why = next ? "tool-calls" : "stop";
      return {
        content: [next || { type: "text", text: "done" }],
        finishReason: { unified: why, raw: why },
        usage: { inputTokens: { total: 0 }, outputTokens: { total: 0 } },
        warnings: [],
      };
    },
  });
  const { content } = await generateText({
    model,
    ...agent,
    stopWhen: isStepCount(3),
    prompt: "pay what is due",
  });
  const request = content.find(({ type }) => type === "tool-approval-request");
  if (request?.reason) console.log(request.reason.replace(/^/gm, "  | "));
  console.log(request ? "  a person is asked, and says no" : "  nobody is asked");
}
