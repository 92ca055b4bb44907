/** The options and the help of `demo`. */
import type { CommandSpec } from "../../command-spec.ts";
import { option } from "../../options.ts";
import type { DemoOptions } from "./handler.ts";

export const demo: CommandSpec = {
  name: "demo",
  description: "Refute an injected program; prove, approve and run the mended one.",
  summary: "see a refuted and an approved program, in half a minute",
  options: [option("-y, --yes", "approve the mended program without asking")],
  examples: [
    ["foreclaim demo", "asks on a page; without a terminal, a policy decides"],
    ["foreclaim demo --yes", "asks nobody"],
  ],
  load: async (version) => {
    const { runDemo } = await import("./handler.ts");
    return (host, options: DemoOptions) => runDemo(host, version, options);
  },
};
