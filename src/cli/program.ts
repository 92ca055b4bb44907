/**
 * The commands, their options and their help. Starting must be quick, so this imports nothing but commander:
 * what a command does is loaded when it is used.
 */
import { type Argument, Command, type CommanderError, InvalidArgumentError, Option } from "commander";
import type { DocumentOptions } from "./commands/documents.ts";
import type { EvalOptions } from "./commands/eval.ts";
import type { ProveCommandOptions } from "./commands/prove.ts";
import type { RunCommandOptions } from "./commands/run.ts";
import { badInput, type ExitCode, fine } from "./exit-code.ts";
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
  const { reportFailure } = await import("./failure.ts");
  return reportFailure(terminal, await failureOf(misuse), args.includes("--json"));
}

/** One use of the program. */
interface Session {
  readonly terminal: Terminal;
  code: ExitCode;
  /** Help and version, which commander says without waiting. */
  readonly said: { readonly to: "stdout" | "stderr"; readonly text: string }[];
}

/** How commander leaves, with the command that it happened in. */
class Misuse extends Error {
  override readonly cause: CommanderError;
  readonly command: string;
  constructor(cause: CommanderError, command: string) {
    super(cause.message);
    this.cause = cause;
    this.command = command;
  }
}

async function failureOf({ cause, command }: Misuse) {
  const { plainFailure } = await import("./failure.ts");
  const [first = "", suggestion] = cause.message.replace(/^error: /, "").split("\n");
  const message = first
    .replaceAll("'", "`")
    .replace(/ is invalid\. /, " is invalid: ")
    .replace(/\. Expected (.*)\.$/, ": expected $1");
  const near = suggestion?.match(/^\(Did you mean (?:one of )?(.*)\?\)$/)?.[1];
  const help = near === undefined ? `see \`${command} --help\`` : `did you mean \`${near}\`?`;
  return plainFailure("FC9001", message, help);
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
  1  it does not: a guarantee is violated or not decided, or a run stopped
  2  bad input: an unreadable file, a malformed document, a wrong option
${examples(
  ["foreclaim demo", "see what it is about"],
  ["foreclaim ir check pay.eir", "check a document"],
  ["foreclaim ir run pay.eir --input in.json", "run it with mock tools"],
)}`,
    );
  addProve(session, program);
  program.addCommand(irFor(session));
  set(program.command("demo"), session, "foreclaim demo")
    .description("Show a document, a run of it, and a run in which something goes wrong.")
    .summary("see what it is about, in ten seconds")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(["foreclaim demo", "takes ten seconds"], ["foreclaim demo --json", "the same as data"]),
    )
    .action(async (options: DocumentOptions) => {
      const { demo } = await import("./commands/demo.ts");
      session.code = await demo(session.terminal, options);
    });
  return program;
}

function addProve(session: Session, program: Command): void {
  set(program.command("prove"), session, "foreclaim prove")
    .description("Prove what programs guarantee for every run, or find a run that breaks it.")
    .summary("prove what programs guarantee")
    .argument(
      "<program...>",
      "TypeScript programs (.ts), or documents of the Effect IR (.eir, .json); - is standard input",
    )
    .option("--tools <folder...>", "folders of trusted tool modules, in place of the usual ones")
    .addOption(
      new Option("--timeout <seconds>", "how long each question may take the solver")
        .default(10)
        .argParser(seconds),
    )
    .addOption(
      new Option("--solver <name>", "which solver to ask what is not decided without one")
        .choices(["z3", "native:z3", "native:cvc5"])
        .default("z3", "z3, which is brought along"),
    )
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
        ["foreclaim prove pay.ts --show facts", "every call it may make, and when"],
        ["foreclaim prove pay.eir --timeout 60", "more patience"],
      ),
    )
    .action(async (files: readonly string[], options: ProveCommandOptions) => {
      const { provePrograms } = await import("./commands/prove.ts");
      session.code = await provePrograms(session.terminal, files, options);
    });
}

function seconds(text: string): number {
  const number = Number(text);
  if (/^[0-9]+(\.[0-9]+)?$/.test(text) && number >= 0.001 && number <= 3600) return number;
  throw new InvalidArgumentError("Expected seconds, from 0.001 to 3600.");
}

function irFor(session: Session): Command {
  const ir = set(new Command("ir"), session, "foreclaim ir")
    .description("Work with documents of the Effect IR, in text or JSON form.")
    .summary("work with documents of the Effect IR")
    .helpCommand(false)
    .addHelpText(
      "after",
      examples(
        ["foreclaim ir check pay.eir", "is it well-formed?"],
        ["foreclaim ir run pay.eir --input in.json", "run it with mock tools"],
        ["foreclaim ir json pay.eir | foreclaim ir print -", "to JSON and back"],
      ),
    );
  const command = (name: string, description: string): Command =>
    set(ir.command(name), session, `foreclaim ir ${name}`)
      .description(description)
      .argument("<file>", "the document; - is standard input");
  addDocumentCommands(session, command);
  addRun(session, command);
  addEval(session, command);
  return ir;
}

type MakeCommand = (name: string, description: string) => Command;

function addDocumentCommands(session: Session, command: MakeCommand): void {
  command("check", "Check a document: names, types, and everything else that can be wrong with it.")
    .summary("check a document")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim ir check pay.eir", "one line if it is fine"],
        ["foreclaim ir check pay.eir --json", "problems as data, with lines and columns"],
        ["cat pay.eir | foreclaim ir check -", "from standard input"],
      ),
    )
    .action(async (file: string, options: DocumentOptions) => {
      const { check } = await import("./commands/documents.ts");
      session.code = await check(session.terminal, file, options);
    });
  command("print", "Print a document in text form.")
    .summary("print it in text form")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim ir print pay.json", "the JSON form as text"],
        ["foreclaim ir print pay.eir > clean.eir", "with the usual layout"],
      ),
    )
    .action(async (file: string, options: DocumentOptions) => {
      const { print } = await import("./commands/documents.ts");
      session.code = await print(session.terminal, file, options);
    });
  command("json", "Print a document in JSON form.")
    .summary("print it in JSON form")
    .addOption(new Option("--canonical", "print exactly the bytes that are hashed").conflicts("json"))
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim ir json pay.eir > pay.json", "for other programs"],
        ["foreclaim ir json pay.eir --canonical | sha256sum", "the hash, by other means"],
      ),
    )
    .action(async (file: string, options: DocumentOptions & { readonly canonical?: boolean }) => {
      const { json } = await import("./commands/documents.ts");
      session.code = await json(session.terminal, file, options);
    });
  command("hash", "Print the hash of a document: the name by which all else speaks of it.")
    .summary("print its hash")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim ir hash pay.eir", "the same for the text and the JSON form"],
        ["foreclaim ir hash pay.eir --json", "as data"],
      ),
    )
    .action(async (file: string, options: DocumentOptions) => {
      const { hash } = await import("./commands/documents.ts");
      session.code = await hash(session.terminal, file, options);
    });
}

function addRun(session: Session, command: MakeCommand): void {
  command("run", "Run a document with mock tools, and judge its guarantees on that one run.")
    .summary("run it with mock tools")
    .addOption(
      new Option("-i, --input <file>", "the inputs of the program, a JSON object").conflicts("resume"),
    )
    .option("-m, --mock <file>", "what tools answer, a JSON object")
    .addOption(seedOption())
    .option("-r, --resume <file>", "go on from a run that was written with -o")
    .option("-o, --output <file>", "write the run to a file, as --json prints it")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Mocks:
  {"bank.balance": {"returns": 320.5},
   "mail.send": [{"fails": "timeout"}, {"returns": null}]}
  One answer serves every call; of an array each call takes the next.
  A tool without a mock returns something plain that meets its \`ensures\`.
${examples(
  ["foreclaim ir run pay.eir --input in.json", "with made-up results"],
  ["foreclaim ir run pay.eir -i in.json -m mocks.json -o run.json", ""],
  ["foreclaim ir run pay.eir --resume run.json", "makes the calls that are left"],
)}`,
    )
    .action(async (file: string, options: RunCommandOptions) => {
      const { runDocument } = await import("./commands/run.ts");
      session.code = await runDocument(session.terminal, file, options);
    });
}

function addEval(session: Session, command: MakeCommand): void {
  command("eval", "Judge the guarantees, or evaluate an expression, on a recorded run.")
    .summary("judge its guarantees on a recorded run")
    .addOption(new Option("-t, --trace <file>", "a run that `ir run -o` wrote, taken as it stands"))
    .addOption(
      new Option("-i, --input <file>", "inputs, for a run that has made no calls yet").conflicts("trace"),
    )
    .option("-e, --expr <expression>", "evaluate this instead, over the inputs and the trace")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples(
        ["foreclaim ir eval pay.eir --trace run.json", "every guarantee"],
        ["foreclaim ir eval pay.eir -t run.json -e 'count(p in card.pay)'", ""],
        ["foreclaim ir eval pay.eir -i in.json -e 'budget / 3'", ""],
      ),
    )
    .action(async (file: string, options: EvalOptions) => {
      const { evaluateDocument } = await import("./commands/eval.ts");
      session.code = await evaluateDocument(session.terminal, file, options);
    });
}

// ── what they share ──────────────────────────────────────────────────────────────────────────────────────

function set(command: Command, session: Session, name: string): Command {
  const { stdout, stderr } = session.terminal;
  const columns = (output: typeof stdout) => Math.min(output.columns ?? 80, 100);
  return command
    .exitOverride((cause) => {
      throw new Misuse(cause, name);
    })
    .helpOption("-h, --help", "print this help")
    .configureHelp({
      styleTitle: (title) => `\u001b[1m${title}\u001b[22m`,
      subcommandTerm: (one) => [one.name(), ...one.registeredArguments.map(argumentTerm)].join(" "),
    })
    .configureOutput({
      writeOut: (text) => session.said.push({ to: "stdout", text }),
      writeErr: (text) => session.said.push({ to: "stderr", text }),
      // It is thrown as well, and said in our own words then.
      outputError: () => {},
      getOutHelpWidth: () => columns(stdout),
      getErrHelpWidth: () => columns(stderr),
      getOutHasColors: () => stdout.colour,
      getErrHasColors: () => stderr.colour,
    });
}

function argumentTerm(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function jsonOption(): Option {
  return new Option("--json", "print one JSON object, also for problems");
}

function seedOption(): Option {
  return new Option("-s, --seed <n>", "chance for made-up results").default(1).argParser((text) => {
    const seed = Number(text);
    if (/^[0-9]+$/.test(text) && Number.isSafeInteger(seed)) return seed;
    throw new InvalidArgumentError("expected an integer from 0");
  });
}

/** Each: a command line, and what it is for. */
function examples(...lines: readonly (readonly [command: string, purpose: string])[]): string {
  const width = Math.max(...lines.filter(([, purpose]) => purpose !== "").map(([line]) => line.length));
  const shown = lines.map(([line, purpose]) => `  $ ${line.padEnd(width)}  ${purpose}`.trimEnd());
  return `\nExamples:\n${shown.join("\n")}`;
}
