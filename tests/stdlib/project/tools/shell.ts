/**
 * Programs, as a tool. `foreclaim/std/shell` runs those that are listed here by their argument vectors, in one folder, with an
 * environment of its own and limits of time and output. There is no shell in between.
 */
import { contract, coverage, type Int, tool, untrusted } from "foreclaim";
import { runner } from "foreclaim/std/shell";

const shell = runner({
  folder: new URL("../files/", import.meta.url),
  programs: {
    wc: { path: "/usr/bin/wc", options: ["-l", "-w", "-c"], operands: "files" },
    sort: { path: "/usr/bin/sort", options: ["-n", "-r", "-u"], operands: "files" },
    date: { path: "/bin/date", options: ["-u", "-I"] },
  },
  timeoutMs: 10_000,
  maxBytes: 1_000_000,
});

export interface Outcome {
  code: Int;
  out: string;
  err: string;
}

/** Runs a program; an exit code other than 0 is a result like any other. */
export const run = tool({
  source: "untrusted",
  stores: ["files"],
  requires: ({ program, args }) =>
    (program === "wc" || program === "sort" || program === "date") && args.length <= 100,
  run: async ({ program, args }: { program: string; args: string[] }): Promise<Outcome> =>
    shell.run({ program, args }),
});

/** Only these programs are run. */
export const onlyPrograms = contract((names: string[]) => run.all((r) => names.includes(r.program)));

/** Only these arguments are given, word for word. */
export const onlyArguments = contract((words: string[]) =>
  run.all((r) => r.args.every((word) => words.includes(word))),
);

/** No program is given an argument that others wrote. */
export const ownArguments = contract(() => run.none((r) => untrusted(r.args)));

/** At most so many programs are run. */
export const atMost = contract((n: number) => run.count() <= n);

/** A program that runs others should say which, how often, and with what. */
export const policy = coverage({
  whenUsed: [run],
  recommended: [onlyPrograms, ownArguments, atMost],
  label: "programs",
});
