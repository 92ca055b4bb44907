/**
 * The commands, their options and their help. Starting must be quick, so this imports nothing but commander:
 * what a command does is loaded when it is used.
 */
import { Command, Option } from "commander";
import type { BuildCommandOptions } from "./commands/build.ts";
import type { InitCommandOptions } from "./commands/init.ts";
import type { ProveCommandOptions } from "./commands/prove.ts";
import type { ToolsCommandOptions } from "./commands/tools.ts";
import { badInput, type ExitCode, fine } from "./exit-code.ts";
import { addCompare, addLint } from "./program-analyze.ts";
import { addCertify, addCheck } from "./program-certify.ts";
import { irFor } from "./program-ir.ts";
import { kernelFor, traceFor } from "./program-kernel.ts";
import { keysFor } from "./program-keys.ts";
import { planFor } from "./program-plan.ts";
import { policyFor } from "./program-policy.ts";
import { addRun } from "./program-run.ts";
import { addServe } from "./program-serve.ts";
import { addView } from "./program-view.ts";
import { each, listedIn, repeatedHelp, toolsOption } from "./repeated.ts";
import { asOption, examples, jsonOption, Misuse, type Session, set } from "./session.ts";
import { solverOption, timeoutOption } from "./solver-options.ts";
import type { Terminal } from "./terminal.ts";

/** Gives the exit code; everything said goes to the terminal. */
export async function runProgram(
  args: readonly string[],
  terminal: Terminal,
  version: string,
): Promise<ExitCode> {
  const session: Session = { terminal, code: fine, said: [] };
  let misuse: Misuse | undefined;
  try {
    await programFor(session, version).parseAsync(args, { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof Misuse)) throw thrown;
    misuse = thrown;
  }
  for (const { to, text } of session.said) await terminal[to].write(text);
  if (misuse === undefined) return session.code;
  if (misuse.cause.exitCode === 0) return fine; // help or version was asked for, and said
  if (misuse.cause.code === "commander.help") return badInput; // no command was given, and help was said
  const { reportPlain } = await import("./failure.ts");
  const { message, help } = wordsOf(misuse, args);
  return reportPlain(terminal, args.includes("--json"), "FC9001", message, help);
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
  addCompare(session, program);
  addLint(session, program);
  addView(session, program);
  program.addCommand(planFor(session));
  program.addCommand(irFor(session));
  program.addCommand(kernelFor(session));
  program.addCommand(traceFor(session));
  program.addCommand(policyFor(session));
  program.addCommand(keysFor(session));
  set(program.command("demo"), session, "foreclaim demo")
    .description("Refute an injected program; prove, approve and run the mended one.")
    .summary("see what it is about, in half a minute")
    .option("-y, --yes", "approve it without being asked")
    .addHelpText(
      "after",
      examples(
        ["foreclaim demo", "asks on a page; without a terminal, asks a policy"],
        ["foreclaim demo --yes", "asks nobody"],
      ),
    )
    .action(async (options: { readonly yes?: boolean }) => {
      const { demo } = await import("./commands/demo.ts");
      session.code = await demo(session.terminal, version, options);
    });
  return program;
}

function addInit(session: Session, program: Command, version: string): void {
  set(program.command("init"), session, "foreclaim init")
    .description("Make a project: a tool module, a program that is proved, and a guide for agents.")
    .summary("make a project to begin with")
    .argument("[folder]", "where; this folder if it is left out")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(["foreclaim init", "in this folder"], ["foreclaim init pay-agent", "in a new one"]),
    )
    .action(async (folder: string | undefined, options: InitCommandOptions) => {
      const { initProject } = await import("./commands/init.ts");
      session.code = await initProject(session.terminal, folder ?? ".", version, options);
    });
}

function addTools(session: Session, program: Command): void {
  set(program.command("tools"), session, "foreclaim tools")
    .description("List the tools, fluents, contracts and coverage policies that a program here can use.")
    .summary("list what programs can use")
    .argument("[folder...]", "where the programs are; this folder if it is left out")
    .addOption(toolsOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim tools", "for a person or an agent that writes a program"],
        ["foreclaim tools --json", "the same as data"],
      ),
    )
    .action(async (folders: readonly string[], options: ToolsCommandOptions) => {
      const { listTools } = await import("./commands/tools.ts");
      session.code = await listTools(session.terminal, folders, options);
    });
}

function addBuild(session: Session, program: Command): void {
  set(program.command("build"), session, "foreclaim build")
    .description(
      "Save the tool modules of a folder as one file, to prove programs with where the modules are not.",
    )
    .summary("save tool modules as one file")
    .argument("<folder>", "the folder of trusted tool modules")
    .requiredOption("-o, --output <file>", "where to write it; its name ends in .json")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim build tools/ -o tools.json", "the file holds the text of the modules"],
        ["foreclaim prove pay.ts --tools tools.json", "as if the folder were there"],
      ),
    )
    .action(async (folder: string, options: BuildCommandOptions) => {
      const { buildLayer } = await import("./commands/build.ts");
      session.code = await buildLayer(session.terminal, folder, options);
    });
}

function addProve(session: Session, program: Command): void {
  set(program.command("prove"), session, "foreclaim prove")
    .description("Prove what programs guarantee for every run, or find a run that breaks it.")
    .summary("prove what programs guarantee")
    .argument(
      "<program...>",
      "TypeScript programs (.ts), documents of the Effect IR (.eir, .json), or plans (.json); - is standard input",
    )
    .addOption(
      new Option(
        "--guarantee <contract>",
        "what is to be proved of plans, as in 'bank.maxSpend(500)'; once for each",
      ).argParser(each),
    )
    .addOption(asOption())
    .addOption(toolsOption())
    .addOption(timeoutOption())
    .addOption(solverOption())
    .addOption(
      new Option(
        "--show <what>",
        "also print the compiled document, the calls it may make, or every question",
      ).choices(["ir", "facts", "smt"]),
    )
    .addOption(new Option("--json", "print one JSON object for each program, each on one line"))
    .addHelpText(
      "after",
      examples(
        ["foreclaim prove pay.ts", "every guarantee, and what calls require"],
        ["foreclaim prove *.ts --json", "one line for each, with the runs that break them"],
        ["foreclaim prove --tools bank --tools mail pay.ts", "with the tool modules of two folders"],
        ["agent | foreclaim prove - --as ts", "a program that no file holds"],
        ["foreclaim prove pay.ts --show facts", "every call it may make, and when"],
        ["foreclaim prove pay.eir --timeout 60", "more patience"],
        ["foreclaim prove plan.json --guarantee 'bank.maxSpend(500)'", "a plan, for every schedule"],
      ),
    )
    .action(async (files: readonly string[], options: ProveCommandOptions) => {
      const { provePrograms } = await import("./commands/prove.ts");
      session.code = await provePrograms(session.terminal, files, options);
    });
}
