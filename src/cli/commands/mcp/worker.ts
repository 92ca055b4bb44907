/** The hidden command that works for `foreclaim mcp`. */
import { workFor } from "../../../mcp/index.ts";
import type { Host } from "../../host.ts";

export function work(host: Host): Promise<void> {
  return workFor(host);
}
