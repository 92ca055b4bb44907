/** The adapter for LangChain, whose agents interrupt themselves to ask. */
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createAgent, FakeToolCallingModel } from "langchain";
import { describe, expect, test } from "vitest";
import { foreclaim } from "../../src/langchain.ts";
import { type Brain, careful, folder, shop } from "./shop.ts";
import { adapterSuite } from "./suite.ts";

class MockModel extends BaseChatModel {
  readonly #brain: Brain;
  #count = 0;
  constructor(brain: Brain) {
    super({});
    this.#brain = brain;
  }

  _llmType(): string {
    return "mock";
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]) {
    const turn = this.#brain(lastOutput(messages));
    const calls =
      turn === undefined ? [] : [{ name: turn.tool, args: { ...turn.args }, id: `call-${++this.#count}` }];
    const message = new AIMessage({ content: calls.length === 0 ? "done" : "", tool_calls: calls });
    return { generations: [{ text: "", message }] };
  }
}

function lastOutput(messages: readonly BaseMessage[]): unknown {
  const last = messages.at(-1);
  if (last?.type !== "tool") return undefined;
  try {
    return JSON.parse(String(last.content));
  } catch {
    return last.content;
  }
}

interface Interrupted {
  readonly __interrupt__?: readonly { readonly value?: unknown }[] | undefined;
}

adapterSuite("langchain", {
  direct: async (options, name, args) => {
    const { tools } = foreclaim(options);
    const answer = await tools.find((one) => one.name === name)?.invoke(args);
    return JSON.parse(answer ?? "null");
  },
  drive: async (options, brain, person) => {
    const { tools } = foreclaim({ ...options, approve: (asked) => interrupt(asked) });
    const agent = createAgent({ model: new MockModel(brain), tools, checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "1" } };
    let result: Interrupted = await agent.invoke({ messages: [{ role: "user", content: "pay" }] }, config);
    while (result.__interrupt__ !== undefined && result.__interrupt__.length > 0) {
      const { text = "" } = Object(result.__interrupt__[0]?.value);
      result = await agent.invoke(new Command({ resume: { approved: person(text) } }), config);
    }
  },
});

describe("langchain's own double", () => {
  test("binds the tools and calls them", async () => {
    const { handlers, paid } = shop();
    const { tools } = foreclaim({ folder, handlers, approve: () => true });
    const model = new FakeToolCallingModel({
      toolCalls: [[{ name: "run", args: { program: careful }, id: "1" }], []],
    });
    const { messages } = await createAgent({ model, tools }).invoke({
      messages: [{ role: "user", content: "pay" }],
    });
    expect(JSON.stringify(messages.map(({ content }) => content))).toContain("paid a-1");
    expect(paid).toHaveLength(1);
  });
});
