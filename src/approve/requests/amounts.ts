/** Amounts of money as decimals, exactly. Part of what must be trusted. */

const digits = 18;

/** Returns the amount in units of 10^-18. Throws for a text that is no amount. */
function unitsOf(amount: string): bigint {
  const [, whole = "", part = ""] = /^(0|[1-9][0-9]{0,60})(?:\.([0-9]{1,18}))?$/.exec(amount) ?? [];
  if (whole === "") throw new TypeError("an amount is none");
  return BigInt(whole) * 10n ** BigInt(digits) + BigInt(part.padEnd(digits, "0"));
}

function amountOf(units: bigint): string {
  const text = units.toString().padStart(digits + 1, "0");
  const part = text.slice(-digits).replace(/0+$/, "");
  return part === "" ? text.slice(0, -digits) : `${text.slice(0, -digits)}.${part}`;
}

export function sum(a: string, b: string): string {
  return amountOf(unitsOf(a) + unitsOf(b));
}

/** Returns true if a budget is no wider than the other; null is the widest. */
export function isWithin(budget: string | null, most: string | null): boolean {
  if (most === null) return true;
  return budget !== null && unitsOf(budget) <= unitsOf(most);
}
