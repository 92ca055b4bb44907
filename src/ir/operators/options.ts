/** Options. Part of what must be trusted. */
import { defaultOf } from "../eval/default-value.ts";
import { bool } from "../type.ts";
import { some } from "../value.ts";
import {
  asOption,
  asValue,
  call,
  type Operator,
  opaque,
  optionPattern,
  strict,
  variable,
} from "./operator.ts";

const T = variable("T");

export const options: readonly Operator[] = [
  {
    name: "some",
    meaning: "the option that holds the operand",
    syntax: call,
    signatures: [{ params: [T], result: optionPattern(T) }],
    evaluate: strict(([a]) => some(asValue(a))),
    smt: opaque,
  },
  {
    name: "isSome",
    meaning: "true when the option holds a value",
    syntax: call,
    signatures: [{ params: [optionPattern(T)], result: bool }],
    evaluate: strict(([a]) => asOption(a).kind === "some"),
    smt: opaque,
  },
  {
    name: "value",
    meaning:
      "what the option holds; for none the plainest value of its type: false, 0, an empty string, list or option, the first of an enum, null",
    syntax: call,
    signatures: [{ params: [optionPattern(T)], result: T }],
    evaluate: strict(([a], { type }) => {
      const option = asOption(a);
      return option.kind === "some" ? option.value : defaultOf(type);
    }),
    isDefined: ([a]) => asOption(a).kind === "some",
    smt: opaque,
  },
  {
    name: "orElse",
    meaning: "what the option holds, or the second operand for none",
    syntax: call,
    signatures: [{ params: [optionPattern(T), T], result: T }],
    evaluate: strict(([a, b]) => {
      const option = asOption(a);
      return option.kind === "some" ? option.value : asValue(b);
    }),
    smt: opaque,
  },
];
