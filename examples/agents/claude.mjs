// An agent with Claude: the tools as the tool runner of the Anthropic SDK takes them, and its loop in place of it.
import { foreclaim } from "foreclaim/claude";
import { person, task, thinker } from "./task.mjs";

const { tools } = foreclaim({ folder: import.meta.dirname, approve: ({ text }) => person(text) });

await toolRunner({ tools, messages: [{ role: "user", content: task }] });

/** In place of `client.beta.messages.toolRunner` with a real model. */
async function toolRunner({ tools }) {
  const think = thinker();
  for (let last, turn; (turn = think(last)) !== undefined; ) {
    const tool = tools.find(({ name }) => name === turn.tool);
    last = JSON.parse(await tool.run(tool.parse(turn.args)));
  }
}
