/** One form of data for every command: its arguments, its options, its help, and the function that does it. */
import type { Failure } from "../app/index.ts";
import type { ExitCode } from "./exit-code.ts";
import type { Host } from "./host.ts";

export interface CommandSpec {
  readonly name: string;
  readonly description: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Arguments in order, as `<file>` or `[folder...]`, each with its meaning. */
  readonly arguments?: readonly (readonly [name: string, meaning: string])[];
  readonly options?: readonly OptionSpec[];
  /** Help between the options and the examples. */
  readonly notes?: string;
  readonly examples?: readonly (readonly [command: string, purpose: string])[];
  readonly commands?: readonly CommandSpec[];
  readonly hidden?: true;
  /** Prints a failure with `--json` on one line, as this command prints its results. */
  readonly jsonLines?: true;
  /** Imports the handler. Starting is quick because no other handler is loaded. */
  readonly load?: (version: string) => Promise<Handler>;
}

export interface OptionSpec {
  /** As in `-o, --output <file>`. */
  readonly flags: string;
  readonly meaning: string;
  readonly choices?: readonly string[];
  readonly default?: string | number;
  /** The default as the help shows it. */
  readonly shown?: string;
  /** Reads a value, or throws `InvalidValue`. */
  readonly parse?: (text: string) => unknown;
  /** Set for an option that is repeated, once for each value. */
  readonly repeated?: true;
  readonly required?: true;
  readonly hidden?: true;
  readonly conflicts?: string;
  /** The environment variable with its default. */
  readonly env?: string;
}

/** Does a command. It takes the host, the arguments in order, and the options. It returns the failure for bad input. */
export type Handler = (host: Host, ...given: never[]) => Promise<Ended>;

export type Ended = ExitCode | Failure;

/** Thrown for a value that an option does not take. */
export class InvalidValue extends Error {}
