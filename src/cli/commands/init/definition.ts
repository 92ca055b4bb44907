/** The options and the help of `init`. */
import { type CommandSpec, InvalidValue } from "../../command-spec.ts";
import { jsonOption, option } from "../../options.ts";
import type { InitOptions } from "./handler.ts";

/** The modules that the hall has, written here so that starting loads nothing. */
export const standardModules: readonly string[] = [
  "fs",
  "http",
  "sql",
  "git",
  "shell",
  "mail",
  "time",
  "random",
  "ask",
  "llm",
];

export const init: CommandSpec = {
  name: "init",
  description: "Make a project: a tool module, a program that is proved, and a guide for agents.",
  summary: "make a project to begin with",
  arguments: [["[folder]", "folder of the project (default: this folder)"]],
  options: [
    option("--with <modules>", "tool modules of the standard library to add, as in fs,http", {
      parse: modulesOf,
    }),
    jsonOption,
  ],
  examples: [
    ["foreclaim init", "in this folder"],
    ["foreclaim init pay-agent", "in a new folder"],
    ["foreclaim init desk --with fs,http", "with tools for files and requests"],
  ],
  load: async (version) => {
    const { initProject } = await import("./handler.ts");
    return (host, folder: string | undefined, options: InitOptions) =>
      initProject(host, folder ?? ".", version, options);
  },
};

function modulesOf(text: string): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !standardModules.includes(name));
  if (unknown !== undefined)
    throw new InvalidValue(`there is no module \`${unknown}\`; there are ${standardModules.join(", ")}`);
  return names;
}
