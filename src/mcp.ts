/** `foreclaim/mcp`: what generated tool modules call the tools of other MCP servers with. */
export { type Upstream, type UpstreamCall, upstream } from "./mcp/gateway/upstream.ts";
