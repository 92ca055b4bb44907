/** `foreclaim/ai-sdk`: tools for the AI SDK. */
export * from "./adapters/ai-sdk.ts";
