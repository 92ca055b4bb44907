// An agent with LangChain. The question interrupts the graph, and the answer resumes it.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { foreclaim } from "foreclaim/langchain";
import { createAgent } from "langchain";
import { person, task, thinker } from "./task.mjs";

const { tools } = foreclaim({ folder: import.meta.dirname, approve: (question) => interrupt(question) });
const agent = createAgent({ model: mockModel(thinker()), tools, checkpointer: new MemorySaver() });
const config = { configurable: { thread_id: "1" } };

let result = await agent.invoke({ messages: [{ role: "user", content: task }] }, config);
while (result.__interrupt__?.length > 0) {
  const approved = person(result.__interrupt__[0].value.text);
  result = await agent.invoke(new Command({ resume: { approved } }), config);
}

/** In place of a real model, such as `new ChatAnthropic()`. */
function mockModel(think) {
  let count = 0;
  return new (class extends BaseChatModel {
    _llmType() {
      return "mock";
    }
    bindTools() {
      return this;
    }
    async _generate(messages) {
      const last = messages.at(-1);
      const turn = think(last.type === "tool" ? JSON.parse(last.content) : undefined);
      const calls = turn ? [{ name: turn.tool, args: turn.args, id: `call-${++count}` }] : [];
      return { generations: [{ text: "", message: new AIMessage({ content: "", tool_calls: calls }) }] };
    }
  })({});
}
