/** Options that several commands share, and the readers of their values. */
import { InvalidValue, type OptionSpec } from "./command-spec.ts";

/** Defines an option. */
export function option(
  flags: string,
  meaning: string,
  more: Omit<OptionSpec, "flags" | "meaning"> = {},
): OptionSpec {
  return { flags, meaning, ...more };
}

export const programWords =
  "TypeScript program (.ts), document of the Effect IR (.eir, .json) or plan (.json); - is standard input";
export const programsWords =
  "TypeScript programs (.ts), documents of the Effect IR (.eir, .json) or plans (.json); - is standard input";
export const ledgerWords = "SQLite file (ledger.db, sqlite:ledger.db) or postgres://...";

export const jsonOption = option("--json", "print one JSON object, also for problems");
export const jsonLinesOption = option("--json", "print JSON, one line for each result, also for problems");
export const outputOption = option("-o, --output <file>", "write to this file (default: standard output)");

export const asOption = option(
  "--as <form>",
  "read standard input as TypeScript, Effect IR or a plan (default: by its text)",
  { choices: ["ts", "eir", "plan"] },
);

export const toolsOption = option(
  "--tools <folder>",
  "folder of trusted tool modules, or a file that `build` wrote; repeat for each (default: tools/ folders)",
  { repeated: true },
);

/** For commands that execute the modules, which a built file does not hold. */
export const toolFoldersOption = option(
  "--tools <folder>",
  "folder of trusted tool modules; repeat for each (default: tools/ folders)",
  { repeated: true },
);

export const guaranteeOption = option(
  "--guarantee <contract>",
  "guarantee to prove of a plan, as in 'bank.maxSpend(500)'; repeat for each",
  { repeated: true },
);

export const folderOption = option("--folder <folder>", "folder of the programs, for their imports", {
  default: ".",
});

export const kernelOption = option("--kernel <name>", "name of the kernel in the ledger", {
  default: "main",
});

/** For every command that asks something of a kernel. */
export const askerOptions: readonly OptionSpec[] = [
  option("--principal <name>", "principal that asks (default: local)"),
  option("--principal-key <file>", "private key of the principal, if the policy declares its public key"),
];

export const storeOption = option(
  "--store <store>",
  "store of the requests: a SQLite file or postgres://...",
  {
    env: "FORECLAIM_STORE",
    default: "approvals.db",
  },
);

export const policyOption = option("--policy <file>", "approval policy; people decide where no rule does");
export const credentialOption = option("--credential <file>", "credential of the agent, for --service");

/** For every command that may ask a solver. */
export const solverOptions: readonly OptionSpec[] = [
  option("--timeout <seconds>", "time limit of one solver query", { default: 10, parse: seconds }),
  option("--solver <name>", "SMT solver for queries that the built-in rules cannot decide", {
    choices: ["z3", "native:z3", "native:cvc5"],
    default: "z3",
    shown: "the bundled z3",
  }),
];

export const callTimeoutOption = option("--call-timeout <seconds>", "time limit of one call", {
  default: 60,
  parse: seconds,
});

/** For every command that runs programs. */
export const lookOption = option(
  "--look <when>",
  "when to compare fluents with the world: before the first call, or around all calls that use them",
  { choices: ["start", "calls"], default: "start" },
);

export const attestationOption = option(
  "--attestation <file>",
  "attestations that `attest` made, for gates of the kernel; repeat for each",
  { repeated: true },
);

/** Types of the options that many commands take. */
export interface JsonOption {
  readonly json?: boolean;
}

export interface SolverChoice {
  /** Time limit of one solver query, in seconds. */
  readonly timeout: number;
  readonly solver: "z3" | "native:z3" | "native:cvc5";
}

export function seconds(text: string): number {
  const number = Number(text);
  if (/^[0-9]+(\.[0-9]+)?$/.test(text) && number >= 0.001 && number <= 3600) return number;
  throw new InvalidValue("expected seconds, from 0.001 to 3600");
}

/** Returns the reader of whole numbers in a range. */
export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidValue(`expected a whole number from ${least} to ${most}`);
  };
}

/** The largest number of steps, entries or actions that an option takes. */
export const mostCounted = 999_999_999_999_999;

export function amount(text: string): string {
  if (/^(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,18})?$/.test(text)) return text;
  throw new InvalidValue("expected an amount such as 12.50");
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Reads a time such as `30s` as seconds. */
export function duration(text: string): number {
  const [, number = "", unit = ""] = /^([0-9]{1,6})([smhd])$/.exec(text) ?? [];
  const found = number === "" ? 0 : Number(number) * (units[unit] ?? 0);
  if (found > 0 && found <= 366 * 86_400) return found;
  throw new InvalidValue("expected a time such as 30s, 10m, 1h or 2d");
}

/** Reads the address of a server. */
export function httpUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidValue("expected an address such as https://approve.example.org");
}
