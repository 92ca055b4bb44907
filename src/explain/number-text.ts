/** Numbers in sentences. */
import { decimalText, type Num, numText } from "../ir/index.ts";

/** LIMIT: beyond this a decimal is no easier to read than a fraction, and it can be much longer. */
const maxDecimalLength = 40;
const maxDecimalDenominator = 10n ** BigInt(maxDecimalLength);

/** Exact: a decimal if there is a finite one, otherwise a fraction. */
export function numberText(value: Num): string {
  if (typeof value === "bigint") return value.toString();
  const decimal = value.den <= maxDecimalDenominator ? decimalText(value) : undefined;
  return decimal !== undefined && decimal.length <= maxDecimalLength ? decimal : numText(value);
}
