/** The hidden command for the process of the tools of a run. */
import type { CommandSpec } from "../../command-spec.ts";

export const toolHost: CommandSpec = {
  name: "tool-host",
  description: "Executes the tools of a run.",
  summary: "",
  hidden: true,
  load: async () => (await import("./handler.ts")).host,
};
