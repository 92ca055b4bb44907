/** The options and the help of `build`. */
import type { CommandSpec } from "../../command-spec.ts";
import { jsonOption, option } from "../../options.ts";

export const build: CommandSpec = {
  name: "build",
  description:
    "Save the tool modules of a folder as one file, to prove programs on a machine without the modules.",
  summary: "save tool modules as one file",
  arguments: [["<folder>", "folder of trusted tool modules"]],
  options: [
    option("-o, --output <file>", "write to this file, whose name ends in .json", { required: true }),
    jsonOption,
  ],
  examples: [
    ["foreclaim build tools/ -o tools.json", "the file holds the text of the modules"],
    ["foreclaim prove pay.ts --tools tools.json", "as if the folder were there"],
  ],
  load: async () => (await import("./handler.ts")).buildLayer,
};
