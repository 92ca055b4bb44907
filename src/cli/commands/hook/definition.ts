/** `foreclaim hook`. */
import { type Command, Option } from "commander";
import { foldersWords, toolsOption } from "../../repeated.ts";
import { examples, type Session, set } from "../../session.ts";
import type { HookOptions } from "./handler.ts";

export function addHook(session: Session, program: Command): void {
  set(program.command("hook"), session, "foreclaim hook")
    .description(
      "Decide on a call of a tool, as a PreToolUse hook of Claude Code: a `run` must be proved, and tools of servers in foreclaim.json are called in programs only.",
    )
    .summary("a PreToolUse hook for Claude Code")
    .addOption(new Option("--folder <folder>", "where programs are taken to lie").default("."))
    .addOption(toolsOption(foldersWords))
    .addHelpText(
      "after",
      `
Exit codes:
  0 decided, or nothing to say; 2 the call is blocked
${examples(["foreclaim hook < event.json", "prints the decision as JSON"])}`,
    )
    .action(async (options: HookOptions) => {
      const { hook } = await import("./handler.ts");
      session.code = await hook(session.host, options);
    });
}
