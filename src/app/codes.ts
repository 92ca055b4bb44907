/**
 * Problems that only a command line has; a closed set. The codes of documents and runs are in
 * `ir/diagnostic.ts`.
 */
export const cliCodes = {
  FC9001: "wrong use of the command",
  FC9002: "file cannot be read",
  FC9003: "file is not UTF-8",
  FC9004: "file cannot be written",
  FC9005: "solver is not available",
  FC9006: "ledger cannot be used",
  FC9007: "trace is not what the kernel wrote",
  FC9008: "kernel is not there, or is there already",
  FC9009: "kernel cannot be made like this",
  FC9010: "key or checkpoint cannot be used",
  FC9011: "tool module cannot be loaded",
  FC9012: "approval service",
  FC9101: "server has too much to do",
  FC9102: "no such request",
  FC9103: "state of a question is of another request",
  FC9141: "not a list of tools",
  FC9142: "tool module is there already",
  FC9143: "name of a server",
  FC9144: "definition of a tool has changed",
  FC9145: "server of others cannot be used",
} as const;

export type CliCode = keyof typeof cliCodes;

/** Returns the meaning of a code of this table; undefined for another one. */
export function codeTitle(code: string): string | undefined {
  return Object.entries(cliCodes).find(([one]) => one === code)?.[1];
}
