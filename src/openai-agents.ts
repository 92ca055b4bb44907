/** `foreclaim/openai-agents`: tools for the OpenAI Agents SDK. */
export * from "./adapters/openai-agents.ts";
