/** The hidden command that works for `foreclaim mcp`. */
import { workFor } from "../../../mcp/index.ts";
import type { Terminal } from "../../terminal.ts";

export function work(terminal: Terminal): Promise<void> {
  return workFor(terminal);
}
