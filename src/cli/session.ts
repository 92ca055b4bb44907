/** What all commands share while one line of the command is read: where things go, how help looks, common options. */
import { type Argument, type Command, type CommanderError, Option } from "commander";
import type { ExitCode } from "./exit-code.ts";
import type { Host } from "./host.ts";

/** One use of the program. */
export interface Session {
  readonly host: Host;
  code: ExitCode;
  /** Help and version, which commander says without waiting. */
  readonly said: { readonly to: "stdout" | "stderr"; readonly text: string }[];
}

/** How commander leaves, with the command that it happened in. */
export class Misuse extends Error {
  override readonly cause: CommanderError;
  readonly command: string;
  constructor(cause: CommanderError, command: string) {
    super(cause.message);
    this.cause = cause;
    this.command = command;
  }
}

export function set(command: Command, session: Session, name: string): Command {
  const { stdout, stderr } = session.host;
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
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

export function jsonOption(): Option {
  return new Option("--json", "print one JSON object, also for problems");
}

/** How the text of a program is read that comes from standard input. */
export function asOption(): Option {
  const words = "what standard input is: TypeScript, Effect IR or a plan; told by its text if left out";
  return new Option("--as <form>", words).choices(["ts", "eir", "plan"]);
}

/** Each: a command line, and what it is for. */
export function examples(...lines: readonly (readonly [command: string, purpose: string])[]): string {
  const width = Math.max(...lines.filter(([, purpose]) => purpose !== "").map(([line]) => line.length));
  const shown = lines.map(([line, purpose]) => `  $ ${line.padEnd(width)}  ${purpose}`.trimEnd());
  return `\nExamples:\n${shown.join("\n")}`;
}
