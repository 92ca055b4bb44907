/** The options and the help of `init`. */
import type { CommandSpec } from "../../command-spec.ts";
import { type JsonOption, jsonOption } from "../../options.ts";

export const init: CommandSpec = {
  name: "init",
  description: "Make a project: a tool module, a program that is proved, and a guide for agents.",
  summary: "make a project to begin with",
  arguments: [["[folder]", "folder of the project (default: this folder)"]],
  options: [jsonOption],
  examples: [
    ["foreclaim init", "in this folder"],
    ["foreclaim init pay-agent", "in a new folder"],
  ],
  load: async (version) => {
    const { initProject } = await import("./handler.ts");
    return (host, folder: string | undefined, options: JsonOption) =>
      initProject(host, folder ?? ".", version, options);
  },
};
