/**
 * The commands, their options and their help. Starting must be quick, so this imports nothing but commander:
 * what a command does is loaded when it is used.
 */
import { Command } from "commander";
import { addBuild } from "./commands/build/definition.ts";
import { addCertify } from "./commands/certify/definition.ts";
import { addCheck } from "./commands/check/definition.ts";
import { addCompare } from "./commands/compare/definition.ts";
import { addDemo } from "./commands/demo/definition.ts";
import { addHook } from "./commands/hook/definition.ts";
import { addInit } from "./commands/init/definition.ts";
import { irFor } from "./commands/ir/definition.ts";
import { kernelFor } from "./commands/kernel/definition.ts";
import { keysFor } from "./commands/keys/definition.ts";
import { addLint } from "./commands/lint/definition.ts";
import { addMcp } from "./commands/mcp/definition.ts";
import { planFor } from "./commands/plan/definition.ts";
import { policyFor } from "./commands/policy/definition.ts";
import { addProve } from "./commands/prove/definition.ts";
import { addRun } from "./commands/run/definition.ts";
import { addServe } from "./commands/serve/definition.ts";
import { addTools } from "./commands/tools/definition.ts";
import { traceFor } from "./commands/trace/definition.ts";
import { addView } from "./commands/view/definition.ts";
import { badInput, type ExitCode, fine } from "./exit-code.ts";
import type { Host } from "./host.ts";
import { listedIn, repeatedHelp } from "./repeated.ts";
import { examples, Misuse, type Session, set } from "./session.ts";

/** Gives the exit code; everything said goes to the terminal. */
export async function runCli(args: readonly string[], host: Host, version: string): Promise<ExitCode> {
  const session: Session = { host, code: fine, said: [] };
  let misuse: Misuse | undefined;
  try {
    await programFor(session, version).parseAsync(args, { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof Misuse)) throw thrown;
    misuse = thrown;
  }
  for (const { to, text } of session.said) await host[to].write(text);
  if (misuse === undefined) return session.code;
  if (misuse.cause.exitCode === 0) return fine; // help or version was asked for, and said
  if (misuse.cause.code === "commander.help") return badInput; // no command was given, and help was said
  const { reportPlain } = await import("./failure.ts");
  const { message, help } = wordsOf(misuse, args);
  return reportPlain(host, args.includes("--json"), "FC9001", message, help);
}

function wordsOf({ cause, command }: Misuse, args: readonly string[]) {
  const [first = "", suggestion] = cause.message.replace(/^error: /, "").split("\n");
  const message = first
    .replaceAll("'", "`")
    .replace(/ is invalid\. /, " is invalid: ")
    .replace(/\. Expected (.*)\.$/, ": expected $1");
  const near = suggestion?.match(/^\(Did you mean (?:one of )?(.*)\?\)$/)?.[1];
  const listed =
    cause.code === "commander.excessArguments" ? listedIn(args, ["--tools", "--origin"]) : undefined;
  if (listed !== undefined) return { message, help: repeatedHelp(listed) };
  const help = near === undefined ? `see \`${command} --help\`` : `did you mean \`${near}\`?`;
  return { message, help };
}

// ── the commands ─────────────────────────────────────────────────────────────────────────────────────────

function programFor(session: Session, version: string): Command {
  const program = set(new Command("foreclaim"), session, "foreclaim")
    .description("Proves what an agent's program will do before any of it runs.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .addHelpText(
      "after",
      `
Exit codes:
  0  fine: what was checked holds
  1  it does not: not proved, violated or not decided, or a run stopped
  2  bad input: an unreadable file, a malformed document, a wrong option
  3  what is proved was not approved
  4  \`run\`: it was approved, and stopped
${examples(
  ["foreclaim init pay-agent", "make a project"],
  ["foreclaim prove pay.ts", "prove what a program guarantees"],
  ["foreclaim run pay.ts", "prove it, ask, and run it"],
)}`,
    );
  addInit(session, program, version);
  addTools(session, program);
  addBuild(session, program);
  addProve(session, program);
  addCertify(session, program);
  addCheck(session, program);
  addRun(session, program);
  addServe(session, program);
  addMcp(session, program, version);
  addHook(session, program);
  addCompare(session, program);
  addLint(session, program);
  addView(session, program);
  program.addCommand(planFor(session));
  program.addCommand(irFor(session));
  program.addCommand(kernelFor(session));
  program.addCommand(traceFor(session));
  program.addCommand(policyFor(session));
  program.addCommand(keysFor(session));
  addDemo(session, program, version);
  return program;
}
