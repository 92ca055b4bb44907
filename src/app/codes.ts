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
} as const;

export type CliCode = keyof typeof cliCodes;
