/**
 * Reads the command line and runs the command. Starting must be quick, so this imports nothing but commander and the
 * definitions: a handler is loaded when its command is used.
 */
import { type Argument, Command, type CommanderError, InvalidArgumentError, Option } from "commander";
import { type CommandSpec, type Handler, InvalidValue, type OptionSpec } from "./command-spec.ts";
import { commands } from "./commands.ts";
import { badInput, type ExitCode, fine } from "./exit-code.ts";
import type { Host } from "./host.ts";

/** Returns the exit code. All output goes to the host. */
export async function runCli(args: readonly string[], host: Host, version: string): Promise<ExitCode> {
  const session: Session = { host, version, code: fine, said: [] };
  let misuse: Misuse | undefined;
  try {
    const program = added(session, new Command("foreclaim"), root, "foreclaim");
    program.version(version, "-V, --version", "print the version");
    program.helpCommand("help [command]", "print the help of a command");
    await program.parseAsync(args, { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof Misuse)) throw thrown;
    misuse = thrown;
  }
  for (const { to, text } of session.said) await host[to].write(text);
  if (misuse === undefined) return session.code;
  if (misuse.cause.exitCode === 0) return fine; // help or version was asked for, and printed
  if (misuse.cause.code === "commander.help") return badInput; // no command was given, and help was printed
  const { reportPlain } = await import("./failure.ts");
  const { message, help } = wordsOf(misuse, args);
  return reportPlain(host, args.includes("--json"), "FC9001", message, help);
}

const root: CommandSpec = {
  name: "foreclaim",
  description: "Proves what an agent's program will do before any of it runs.",
  summary: "",
  notes: `Exit codes:
  0  success: everything that was checked holds
  1  not proved, violated or undecided, or a run stopped
  2  bad input: an unreadable file, a malformed document, a wrong option
  3  proved, but not approved
  4  \`run\`: approved, and then stopped`,
  examples: [
    ["foreclaim init pay-agent", "make a project"],
    ["foreclaim prove pay.ts", "prove what a program guarantees"],
    ["foreclaim run pay.ts", "prove it, ask, and run it"],
  ],
  commands,
};

/** One use of the program. */
interface Session {
  readonly host: Host;
  readonly version: string;
  code: ExitCode;
  /** Help and version, which commander prints without waiting. */
  readonly said: { readonly to: "stdout" | "stderr"; readonly text: string }[];
}

// ── commands ─────────────────────────────────────────────────────────────────────────────────────────────

/** Gives commander the definition of a command, and of those below it. */
function added(session: Session, command: Command, spec: CommandSpec, path: string): Command {
  configured(command, session, path).description(spec.description).summary(spec.summary);
  for (const [name, meaning] of spec.arguments ?? []) command.argument(name, meaning);
  for (const one of spec.options ?? []) command.addOption(optionOf(one));
  const help = [spec.notes, examplesText(spec.examples ?? [])].filter(Boolean).join("\n\n");
  if (help !== "") command.addHelpText("after", `\n${help}`);
  for (const one of spec.commands ?? []) {
    const child = command.command(one.name, { hidden: one.hidden === true });
    added(session, child, one, `${path} ${one.name}`).helpCommand(false);
  }
  const { load } = spec;
  if (load !== undefined)
    command.action(async (...given: unknown[]) => {
      const handler = await load(session.version);
      // The last two are the options and the command. An option may be given before or after a subcommand.
      session.code = await handled(session, spec, handler, [
        ...given.slice(0, -2),
        command.optsWithGlobals(),
      ]);
    });
  return command;
}

async function handled(
  { host }: Session,
  { jsonLines }: CommandSpec,
  handler: Handler,
  given: readonly unknown[],
): Promise<ExitCode> {
  // SAFETY: commander passes the declared arguments and options, which are what the handler of a definition takes.
  const ended = await handler(host, ...(given as never[]));
  if (typeof ended === "number") return ended;
  const { reportFailure } = await import("./failure.ts");
  const json = Object(given.at(-1)).json === true;
  return reportFailure(host, ended, json, jsonLines ? "one line" : "laid out");
}

function optionOf(spec: OptionSpec): Option {
  const made = new Option(spec.flags, spec.meaning);
  const { parse = (text: string): unknown => text } = spec;
  const read = (text: string): unknown => {
    try {
      return parse(text);
    } catch (thrown) {
      throw thrown instanceof InvalidValue ? new InvalidArgumentError(thrown.message) : thrown;
    }
  };
  if (spec.repeated)
    made.argParser((text, before: readonly unknown[] | undefined) => [...(before ?? []), read(text)]);
  else if (spec.parse !== undefined) made.argParser(read);
  if (spec.choices !== undefined) made.choices(spec.choices);
  if (spec.default !== undefined) made.default(spec.default, spec.shown);
  if (spec.env !== undefined) made.env(spec.env);
  if (spec.conflicts !== undefined) made.conflicts(spec.conflicts);
  if (spec.hidden) made.hideHelp();
  return made.makeOptionMandatory(spec.required === true);
}

// ── how commander speaks ─────────────────────────────────────────────────────────────────────────────────

/** Carries commander's error, with the command that it is about. */
class Misuse extends Error {
  override readonly cause: CommanderError;
  readonly command: string;
  constructor(cause: CommanderError, command: string) {
    super(cause.message);
    this.cause = cause;
    this.command = command;
  }
}

function configured(command: Command, session: Session, path: string): Command {
  const { stdout, stderr } = session.host;
  const columns = (output: typeof stdout) => Math.min(output.columns ?? 80, 100);
  return command
    .exitOverride((cause) => {
      throw new Misuse(cause, path);
    })
    .helpOption("-h, --help", "print this help")
    .configureHelp({
      styleTitle: (title) => `\u001b[1m${title}\u001b[22m`,
      subcommandTerm: (one) => [one.name(), ...one.registeredArguments.map(argumentTerm)].join(" "),
    })
    .configureOutput({
      writeOut: (text) => session.said.push({ to: "stdout", text }),
      writeErr: (text) => session.said.push({ to: "stderr", text }),
      // Commander throws it as well, and `wordsOf` rewords it.
      outputError: () => {},
      getOutHelpWidth: () => columns(stdout),
      getErrHelpWidth: () => columns(stderr),
      getOutHasColors: () => stdout.colour,
      getErrHasColors: () => stderr.colour,
    });
}

function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function examplesText(lines: readonly (readonly [command: string, purpose: string])[]): string {
  const width = Math.max(...lines.filter(([, purpose]) => purpose !== "").map(([line]) => line.length));
  const shown = lines.map(([line, purpose]) => `  $ ${line.padEnd(width)}  ${purpose}`.trimEnd());
  return lines.length === 0 ? "" : `Examples:\n${shown.join("\n")}`;
}

function wordsOf({ cause, command }: Misuse, args: readonly string[]) {
  const [first = "", suggestion] = cause.message.replace(/^error: /, "").split("\n");
  const message = first
    .replaceAll("'", "`")
    .replace(/ is invalid\. /, " is invalid: ")
    .replace(/\. Expected (.*)\.$/, ": expected $1");
  const near = suggestion?.match(/^\(Did you mean (?:one of )?(.*)\?\)$/)?.[1];
  const listed = cause.code === "commander.excessArguments" ? listedHelp(args) : undefined;
  const help = near === undefined ? `see \`${command} --help\`` : `did you mean \`${near}\`?`;
  return { message, help: listed ?? help };
}

/** Returns the help for an option that is followed by several words, as if it took a list. */
function listedHelp(args: readonly string[]): string | undefined {
  for (const [i, arg] of args.entries()) {
    const option = ["--tools", "--origin"].find((one) => arg === one || arg.startsWith(`${one}=`));
    if (option === undefined) continue;
    const at = arg === option ? i + 1 : i;
    const value = arg === option ? args[at] : arg.slice(option.length + 1);
    const next = args[at + 1];
    if (value !== undefined && next !== undefined && !next.startsWith("-"))
      return `give each value its own option, as in \`${option} ${value} ${option} ${next}\``;
  }
  return undefined;
}
