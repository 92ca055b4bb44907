/** The options and the help of `lint`. */
import type { Command } from "commander";
import { foldersWords, toolsOption } from "../../repeated.ts";
import { examples, jsonOption, type Session, set } from "../../session.ts";
import { solverOption, timeoutOption } from "../../solver-options.ts";
import type { LintOptions } from "./handler.ts";

export function addLint(session: Session, program: Command): void {
  set(program.command("lint"), session, "foreclaim lint")
    .description(
      "Find contracts, tools, policies and guarantees that compile and cannot mean what was meant. Only what was shown is told.",
    )
    .summary("find contracts and policies that say nothing")
    .argument("<path...>", "tool modules or programs (.ts), folders, or approval policies (.json)")
    .addOption(toolsOption(foldersWords))
    .option("--verbose", "also tell what could not be decided")
    .addOption(timeoutOption())
    .addOption(solverOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim lint tools", "every module of the folder"],
        ["foreclaim lint policy.json", "rules that never decide, or that others overrule"],
        ["foreclaim lint pay.ts --json", "guarantees that follow from others, as data"],
      ),
    )
    .action(async (paths: readonly string[], options: LintOptions) => {
      const { lint } = await import("./handler.ts");
      session.code = await lint(session.host, paths, options);
    });
}
