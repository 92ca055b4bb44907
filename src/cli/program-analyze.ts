/** `compare` and `lint`: how guarantees stand to each other, and what is wrong with contracts and policies. */
import type { Command } from "commander";
import type { CompareOptions } from "./commands/compare.ts";
import type { LintOptions } from "./commands/lint.ts";
import { foldersWords, toolsOption } from "./repeated.ts";
import { asOption, examples, jsonOption, type Session, set } from "./session.ts";
import { solverOption, timeoutOption } from "./solver-options.ts";

export function addCompare(session: Session, program: Command): void {
  set(program.command("compare"), session, "foreclaim compare")
    .description(
      "Say how two guarantees stand to each other on every trace that the tools allow, or what two programs differ in.",
    )
    .summary("compare guarantees, or programs")
    .argument(
      "<first>",
      "a program (.ts, .eir, .json; - is standard input), or a guarantee as in 'bank.maxSpend(100)'",
    )
    .argument("<second>", "what it is compared with")
    .option(
      "--folder <folder>",
      "where a program would stand that states the guarantees; this folder if left out",
    )
    .addOption(asOption())
    .addOption(toolsOption())
    .addOption(timeoutOption())
    .addOption(solverOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim compare 'bank.maxSpend(100)' 'bank.maxSpend(150)'", "which of them implies the other"],
        ["foreclaim compare old.ts new.ts", "what a new version may do, and no longer promises"],
        ["foreclaim compare pay.ts 'bank.maxSpend(500)'", "whether what a program promises implies it"],
      ),
    )
    .action(async (first: string, second: string, options: CompareOptions) => {
      const { compare } = await import("./commands/compare.ts");
      session.code = await compare(session.terminal, first, second, options);
    });
}

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
      const { lint } = await import("./commands/lint.ts");
      session.code = await lint(session.terminal, paths, options);
    });
}
