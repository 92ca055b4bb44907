/** The options and the help of `hook`. */
import type { CommandSpec } from "../../command-spec.ts";
import { folderOption, toolFoldersOption } from "../../options.ts";

export const hook: CommandSpec = {
  name: "hook",
  description:
    "Decide on a tool call, as a PreToolUse hook of Claude Code: a `run` must be proved, and only programs call the tools of servers in foreclaim.json.",
  summary: "a PreToolUse hook for Claude Code",
  options: [folderOption, toolFoldersOption],
  notes: `Exit codes:
  0 decided, or nothing to say; 2 the call is blocked`,
  examples: [["foreclaim hook < event.json", "prints the decision as JSON"]],
  load: async () => (await import("./handler.ts")).hook,
};
