/** `foreclaim/langchain`: tools for LangChain and LangGraph. */
export * from "./adapters/langchain.ts";
