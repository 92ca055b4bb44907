/**
 * Receipts: `s12-<hash>` for the step that made version 12, `r7-<hash>` for the reservation of entry 7. The hash is that
 * of the entry, so a receipt cannot be guessed or made up. Part of what must be trusted.
 */
export interface Receipt {
  readonly kind: "step" | "reservation";
  readonly number: number;
  readonly hash: string;
}

export function stepReceipt(version: number, hash: string): string {
  return `s${version}-${hash}`;
}

export function reservationReceipt(seq: number, hash: string): string {
  return `r${seq}-${hash}`;
}

export function readReceipt(text: string): Receipt | undefined {
  const match = /^([rs])([1-9][0-9]{0,14})-([0-9a-f]{64})$/.exec(text);
  if (match === null) return undefined;
  const [, letter, number = "", hash = ""] = match;
  return { kind: letter === "s" ? "step" : "reservation", number: Number(number), hash };
}
