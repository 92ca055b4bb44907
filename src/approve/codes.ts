/** Why a receipt is not taken; a closed set. 40xx is about receipts. */
import type { Diagnostic } from "../ir/index.ts";

export const approveCodes = {
  FC4001: "not a receipt",
  FC4002: "receipt was changed",
  FC4003: "receipt is signed by another key",
  FC4004: "receipt is for another program",
  FC4005: "receipt is for other tools",
  FC4006: "receipt is for other inputs",
  FC4007: "receipt is for another ledger",
  FC4008: "receipt has expired",
  FC4009: "receipt starts in the future",
  FC4010: "receipt was already used",
  FC4011: "use of a receipt refused by the kernel",
} as const;

export type ApproveCode = keyof typeof approveCodes;

export type ReceiptProblem = Diagnostic<ApproveCode, never>;
