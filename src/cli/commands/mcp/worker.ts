/** The hidden command that works for `foreclaim mcp`. */
import { workFor } from "../../../mcp/index.ts";
import { fine } from "../../exit-code.ts";
import type { Host } from "../../host.ts";

export async function work(host: Host): Promise<typeof fine> {
  await workFor(host);
  return fine;
}
