/** The hidden command that works for `foreclaim serve`. */
import { proveForService } from "../../../app/index.ts";
import type { Host } from "../../host.ts";

export function work(host: Host): Promise<never> {
  return proveForService(host);
}
