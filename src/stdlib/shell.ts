/**
 * `foreclaim/std/shell`: programs that the operator lists, by their argument vectors. Options are listed one by one, operands
 * are files of one folder or plain texts. A line of shell text runs only if the operator allows that, and the classifier too.
 */

import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { classifyCommand } from "../shell.ts";
import { type ProcessResult, runProcess } from "./process.ts";
import { refused } from "./refused.ts";

export type { ProcessResult } from "./process.ts";
export { Refused } from "./refused.ts";

export interface ProgramAccess {
  /** The program's file, absolute. */
  readonly path: string;
  /** Arguments that begin with `-`, word for word (default none). */
  readonly options?: readonly string[];
  /** Arguments that begin with anything else: files of the folder, any texts, or these words (default none). */
  readonly operands?: "files" | "texts" | readonly string[];
}

export interface RunnerOptions {
  readonly folder: string | URL;
  readonly programs: Readonly<Record<string, ProgramAccess>>;
  /** Variables of the environment beside `PATH`, `HOME` and `LC_ALL` (default none). */
  readonly env?: Readonly<Record<string, string>>;
  /** Allows lines of shell text that the classifier allows (default false). */
  readonly text?: boolean;
  /** The shell for lines of text (default `/bin/bash`). */
  readonly bash?: string;
  /** Arguments of one call (default 100). */
  readonly maxArguments?: number;
  /** Bytes of output and of errors, each (default 1 MiB). */
  readonly maxBytes?: number;
  /** Milliseconds for one call (default 10,000). */
  readonly timeoutMs?: number;
}

export interface Runner {
  /** Runs a listed program. An exit code other than 0 is a result like any other. */
  readonly run: (request: {
    readonly program: string;
    readonly args: readonly string[];
    readonly input?: string;
  }) => Promise<ProcessResult>;
  /** Runs a line of shell text that the classifier allows. */
  readonly runText: (request: { readonly command: string }) => Promise<ProcessResult>;
}

const MAX_ARGUMENT = 8192;
const MAX_INPUT = 1024 * 1024;
/** Variables that decide which code runs, or where from. */
const DANGEROUS =
  /^(PATH|HOME|IFS|ENV|BASH_.*|LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|PYTHON.*|PERL.*|RUBY.*|GIT_.*|SHELLOPTS|PS4|EDITOR|PAGER|LC_ALL)$/;

/** A runner of programs for tools. */
export function runner(options: RunnerOptions): Runner {
  const folder = typeof options.folder === "string" ? options.folder : fileURLToPath(options.folder);
  const { programs, env = {}, maxArguments = 100, maxBytes = 1024 * 1024, timeoutMs = 10_000 } = options;
  for (const { path } of Object.values(programs))
    if (!isAbsolute(path))
      refused("bad-options", `\`${path}\` is no absolute path: a search path would decide what runs`);
  for (const name of Object.keys(env))
    if (DANGEROUS.test(name)) refused("bad-options", `\`${name}\` decides which code runs`);

  async function start(
    file: string,
    args: readonly string[],
    input: string | undefined,
  ): Promise<ProcessResult> {
    const root = await realpath(folder).catch(() =>
      refused("no-folder", "the folder of the tools is missing"),
    );
    return runProcess({
      file,
      args,
      folder: root,
      env: { ...env, PATH: "/usr/bin:/bin", HOME: "/nonexistent", LC_ALL: "C.UTF-8" },
      ...(input !== undefined && { input }),
      timeoutMs,
      maxBytes,
    });
  }

  /** Refuses a file outside the folder, hidden ones and links. What changes the folder meanwhile is not kept out. */
  async function checkFile(operand: string): Promise<void> {
    const parts = operand.split("/");
    if (parts.some((part) => part === "" || part.startsWith(".")) || operand.includes("\\"))
      refused("outside", `\`${operand}\` is absolute, hidden or leaves its folder`);
    const root = await realpath(folder).catch(() =>
      refused("no-folder", "the folder of the tools is missing"),
    );
    let place = root;
    for (const part of parts) {
      place = join(place, part);
      const found = await lstat(place).catch(() => undefined);
      if (found?.isSymbolicLink() === true) refused("link", `\`${operand}\` is or passes a link`);
    }
    if (!place.startsWith(`${root}${sep}`)) refused("outside", `\`${operand}\` leaves its folder`);
  }

  return {
    run: async ({ program, args, input }) => {
      const access = Object.hasOwn(programs, program) ? programs[program] : undefined;
      if (access === undefined)
        return refused("program", `\`${program}\` is not among the programs of this tool`);
      if (args.length > maxArguments)
        return refused("too-many", `a call has at most ${maxArguments} arguments`);
      if (input !== undefined && Buffer.byteLength(input) > MAX_INPUT)
        return refused("too-large", "the input is too long");
      const { options: allowed = [], operands = [] } = access;
      for (const argument of args) {
        if (typeof argument !== "string" || argument.length > MAX_ARGUMENT)
          return refused("bad-argument", "an argument is too long");
        if (/[\0\ud800-\udfff]/u.test(argument))
          return refused("bad-argument", "an argument holds a character that none has");
        if (argument.startsWith("-") || argument.startsWith("+") || argument.startsWith("@")) {
          if (!allowed.includes(argument))
            return refused(
              "option",
              `\`${argument.slice(0, 80)}\` is not among the options of \`${program}\``,
            );
        } else if (operands === "files") await checkFile(argument);
        else if (operands !== "texts" && !operands.includes(argument))
          return refused(
            "operand",
            `\`${argument.slice(0, 80)}\` is not among the operands of \`${program}\``,
          );
      }
      return start(access.path, args, input);
    },
    runText: async ({ command }) => {
      if (options.text !== true) return refused("text", "this tool runs no lines of shell text");
      const { verdict, reasons } = classifyCommand(command);
      if (verdict !== "allow")
        return refused(
          "classified",
          reasons.map(({ code, message }) => `${code}: ${message}`).join("; ") || "the command is refused",
        );
      return start(options.bash ?? "/bin/bash", ["--noprofile", "--norc", "-c", command], undefined);
    },
  };
}
