/** Lint findings: contracts, tools, policies and sets of guarantees that are valid but probably not intended. */
export const lintCodes = {
  // contracts
  FC5201: "contract holds on every trace",
  FC5202: "contract holds on no trace",
  FC5203: "parameter of a contract does not matter",
  FC5204: "path or address compared by its beginning",
  // tools
  FC5211: "tool can never be called",
  FC5212: "tool can never return",
  // coverage policies
  FC5221: "coverage can never be met",
  // approval policies
  FC5231: "rule can never decide",
  FC5232: "rule approves only what another rejects",
  FC5233: "clause holds on every trace",
  // guarantees of a program
  FC5241: "guarantee follows from others",
  FC5242: "guarantees contradict each other",
  FC5243: "guarantee holds on every trace",
} as const;

export type LintCode = keyof typeof lintCodes;

/** One thing that was shown to be so. */
export interface Finding {
  readonly code: LintCode;
  readonly about: Subject;
  readonly message: string;
  readonly help: string;
}

/** The subject of a finding: by its full name, or by its index. */
export type Subject =
  | { readonly kind: "contract" | "tool" | "coverage"; readonly name: string }
  | { readonly kind: "guarantee"; readonly index: number }
  | { readonly kind: "rule"; readonly index: number; readonly clause?: number };

export interface Linted {
  readonly findings: readonly Finding[];
  /** Questions that were not decided, in words. */
  readonly undecided: readonly { readonly about: Subject; readonly message: string }[];
}
