/** The adapter for the AI SDK, versions 6 and 7, and the hole in code mode without proofs. */
import { experimental_codeModeTool as codeModeTool, DIRECT_TOOL_CALL } from "@ai-sdk/code-mode";
import { generateText, isStepCount, jsonSchema, type ModelMessage, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { generateText as generateText6, stepCountIs } from "ai-6";
import { MockLanguageModelV3 } from "ai-6/test";
import { describe, expect, test } from "vitest";
import { foreclaim } from "../../src/ai-sdk.ts";
import { type Brain, careful, folder, type Payment, scripted, shop } from "./shop.ts";
import { adapterSuite, type Driver } from "./suite.ts";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** The mock model's side: what it says next, from the prompt that it gets. */
function thinking(brain: Brain) {
  let count = 0;
  return async ({ prompt }: { prompt: readonly { role: string; content: unknown }[] }) => {
    const turn = brain(lastOutput(prompt));
    const common = { usage, warnings: [] };
    if (turn === undefined)
      return {
        ...common,
        content: [{ type: "text" as const, text: "done" }],
        finishReason: { unified: "stop" as const, raw: "stop" },
      };
    const toolCallId = `call-${++count}`;
    return {
      ...common,
      content: [
        { type: "tool-call" as const, toolCallId, toolName: turn.tool, input: JSON.stringify(turn.args) },
      ],
      finishReason: { unified: "tool-calls" as const, raw: "tool_calls" },
    };
  };
}

function lastOutput(prompt: readonly { role: string; content: unknown }[]): unknown {
  const last = prompt.at(-1);
  if (last?.role !== "tool" || !Array.isArray(last.content)) return undefined;
  const { output } = last.content.at(-1) ?? {};
  return output?.value ?? output;
}

interface Answered {
  readonly content: readonly object[];
  readonly messages: readonly unknown[];
}

/** Generates, asks the person about each request for approval, and continues with their answers. */
async function loop(
  generate: (messages: readonly unknown[]) => Promise<Answered>,
  person: (question: string) => boolean,
): Promise<void> {
  const messages: unknown[] = [{ role: "user", content: "pay what is due" }];
  for (let round = 0; round < 5; round++) {
    const { content, messages: more } = await generate(messages);
    messages.push(...more);
    const requests = content.filter(
      (part): part is { approvalId: string; reason?: string } => "approvalId" in part && "toolCall" in part,
    );
    if (requests.length === 0) return;
    const answers = requests.map(({ approvalId, reason = "" }) => ({
      type: "tool-approval-response",
      approvalId,
      approved: person(reason),
    }));
    messages.push({ role: "tool", content: answers });
  }
}

const direct: Driver["direct"] = async (options, name, args) => {
  const { tools } = foreclaim(options);
  const found = Object.entries(tools).find(([one]) => one === name)?.[1];
  const answer = await found?.execute(args, { toolCallId: "not-asked" });
  return answer;
};

adapterSuite("ai 7", {
  direct,
  drive: async (options, brain, person) => {
    const { tools, toolApproval } = foreclaim(options);
    const model = new MockLanguageModelV4({ doGenerate: thinking(brain) });
    await loop(async (messages) => {
      const { content, response } = await generateText({
        model,
        tools,
        toolApproval,
        // SAFETY: the loop holds messages of the SDK alone.
        messages: messages as ModelMessage[],
        stopWhen: isStepCount(10),
      });
      return { content, messages: response.messages };
    }, person);
  },
});

adapterSuite("ai 6", {
  direct,
  drive: async (options, brain, person) => {
    const { tools } = foreclaim(options);
    const model = new MockLanguageModelV3({ doGenerate: thinking(brain) });
    await loop(async (messages) => {
      const { content, response } = await generateText6({
        model,
        tools,
        // SAFETY: as above.
        messages: messages as Parameters<typeof generateText6>[0]["messages"] & object,
        stopWhen: stepCountIs(10),
      });
      return { content, messages: response.messages };
    }, person);
  },
});

describe("code mode", () => {
  /** An agent whose tool needs approval, called as the model likes. */
  async function agentWithPay(turn: { tool: string; args: object }) {
    const paid: Payment[] = [];
    const pay = tool({
      inputSchema: jsonSchema<Payment>({ type: "object" }),
      execute: async (payment) => {
        paid.push(payment);
        return "ok";
      },
    });
    const { content } = await generateText({
      model: new MockLanguageModelV4({ doGenerate: thinking(scripted(turn).brain) }),
      tools: { pay, code_mode: codeModeTool({}) },
      toolApproval: { pay: "user-approval" },
      experimental_toolCallers: { pay: ["code_mode", DIRECT_TOOL_CALL] },
      stopWhen: isStepCount(3),
      prompt: "pay what is due",
    });
    return { paid, asked: content.some(({ type }) => type === "tool-approval-request") };
  }

  test("an SDK's code mode executes a tool unasked that needs approval", async () => {
    const payment = { payee: "eve", amount: 900 };
    expect(await agentWithPay({ tool: "pay", args: payment })).toEqual({ paid: [], asked: true });
    const js = `return await tools.pay(${JSON.stringify(payment)});`;
    // Once the SDK asks here too, this test and the page that tells of it can go.
    expect(await agentWithPay({ tool: "code_mode", args: { js } })).toEqual({
      paid: [payment],
      asked: false,
    });
  });

  test("a proved program is asked about, also if code of the model calls `run`", async () => {
    const { paid, handlers } = shop();
    const { tools, toolApproval } = foreclaim({ folder, handlers });
    const js = `return await tools.run({ program: ${JSON.stringify(careful)} });`;
    const script = scripted({ tool: "run", args: { program: careful } }, { tool: "code_mode", args: { js } });
    const model = new MockLanguageModelV4({ doGenerate: thinking(script.brain) });
    const agent = { model, tools: { ...tools, code_mode: codeModeTool({}) }, toolApproval };
    const callers = { experimental_toolCallers: { run: ["code_mode", DIRECT_TOOL_CALL] as const } };
    // The person says no, and the model tries the same program from inside of code.
    await loop(
      async (messages) => {
        const { content, response } = await generateText({
          ...agent,
          ...callers,
          // SAFETY: as above.
          messages: messages as ModelMessage[],
          stopWhen: isStepCount(4),
        });
        return { content, messages: response.messages };
      },
      () => false,
    );
    expect(paid).toEqual([]);
  });
});
