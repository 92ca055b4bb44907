/** State of a classification: options, what the script defines, and the reasons found so far. */

import type { Reason } from "./reason.ts";
import type { Command, Word } from "./syntax/tree.ts";
import type { Argument, Origin } from "./values/argument.ts";
import type { Place } from "./values/folder.ts";

export interface ClassifyOptions {
  /** Allows programs that run code of the project or of packages, such as `npm test`. */
  readonly allowRunsCode?: boolean;
}

/** Sources of a variable's value anywhere in the script. */
export type Source =
  | { readonly kind: "words"; readonly words: readonly Word[] }
  | { readonly kind: "unknown"; readonly origin: Origin };

/** Standard input of a command: the text if it is known, or the origin of the text. */
export type Input =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "stream"; readonly origin: Origin };

/** Steps of expansion that one classification may take. */
export const MAX_WORK = 5_000;

/** Thrown when a classification would take more; it never leaves `classifyCommand`. */
export class TooMuchWork extends Error {}

/** Counts one step. */
export function step({ meter }: Context): void {
  meter.left -= 1;
  if (meter.left < 0) throw new TooMuchWork("too much to expand");
}

export interface Context {
  readonly meter: { left: number };
  readonly options: ClassifyOptions;
  readonly variables: ReadonlyMap<string, readonly Source[]>;
  readonly functions: ReadonlyMap<string, Command>;
  /** Functions that are defined by now for certain; elsewhere a name is that of a program. */
  readonly defined: Set<string>;
  /** True where every command runs: outside branches, loops, pipelines and subshells. */
  readonly certain: boolean;
  readonly depth: number;
  /** Variables under expansion, so that one that names itself ends. */
  readonly expanding: readonly string[];
  /** Files that a `while read` loop or a redirection feeds to commands. */
  readonly input: Input;
  /** Name of the program that reads the output. */
  readonly next: string | undefined;
  /** The folder that commands run in, changed by `cd`. */
  readonly folder: { current: Place };
  readonly reasons: Reason[];
}

/** A command with its arguments as far as they are known. */
export interface Call {
  readonly name: string;
  readonly args: readonly Argument[];
  readonly input: Input;
  readonly context: Context;
  /** Classifies another command line that this one runs. */
  readonly runs: (args: readonly Argument[], input?: Input) => readonly Reason[];
  /** Classifies text that a shell would run. */
  readonly script: (text: string) => readonly Reason[];
}
