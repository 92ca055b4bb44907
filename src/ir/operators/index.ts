/** The operator table: everything that expressions can compute. Part of what must be trusted. */
import { arithmetic } from "./arithmetic.ts";
import { conversions } from "./conversions.ts";
import { dates } from "./dates.ts";
import { expressions } from "./expressions.ts";
import { jsonOperators } from "./json.ts";
import { lists } from "./lists.ts";
import { logic } from "./logic.ts";
import { maps } from "./maps.ts";
import type { Operator } from "./operator.ts";
import { options } from "./options.ts";
import { strings } from "./strings.ts";
import { textParts } from "./text-parts.ts";
import { texts } from "./texts.ts";

export type {
  Laws,
  Operand,
  Operator,
  Signature,
  SmtContext,
  SmtForm,
  Syntax,
  TypePattern,
  Written,
} from "./operator.ts";

export const operators: ReadonlyMap<string, Operator> = new Map(
  [
    ...logic,
    ...arithmetic,
    ...strings,
    ...texts,
    ...lists,
    ...maps,
    ...options,
    ...expressions,
    ...textParts,
    ...conversions,
    ...dates,
    ...jsonOperators,
  ].map((operator) => [operator.name, operator]),
);

export function operatorNamed(name: string): Operator | undefined {
  return operators.get(name);
}
