/** The hidden command in whose process the tools of a run are executed. */
import { serveTools } from "../../../app/index.ts";

export function host(): Promise<never> {
  return serveTools();
}
