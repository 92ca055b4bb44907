/** Texts of values, as a tool or a person would write them. */
import { isList, isNum, isRecord, type Num, type Value } from "../../../ir/index.ts";

/** The JSON text of a JSON value. */
export function jsonTextOf(value: Value): string {
  if (isNum(value)) return numberText(value);
  if (isList(value)) return `[${value.map(jsonTextOf).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value.fields).map(
    ([name, of]) => `${JSON.stringify(name)}:${jsonTextOf(of)}`,
  );
  return `{${fields.join(",")}}`;
}

export function numberText(number: Num): string {
  return typeof number === "bigint" ? String(number) : String(Number(number.num) / Number(number.den));
}
