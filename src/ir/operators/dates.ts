/** Dates as counts of milliseconds. Part of what must be trusted. */
import { LimitReached } from "../eval/meter.ts";
import { quoted } from "../json/quoted.ts";
import { floor } from "../number.ts";
import { clipped, parsedTime, partsOf, timeOf, timeText } from "../time.ts";
import { int, optionOf, real, recordOf, string } from "../type.ts";
import { none, record, some, type Value } from "../value.ts";
import { truncate } from "./arithmetic.ts";
import { asNum, asString, call, type Operand, type Operator, opaque, strict } from "./operator.ts";

const names = ["year", "month", "date", "day", "hours", "minutes", "seconds", "milliseconds"] as const;
const parts = recordOf(names.map((name) => ({ name, type: int })));

export const dates: readonly Operator[] = [
  {
    name: "timeOfText",
    meaning:
      "the time that a date in the format of ECMAScript stands for, in milliseconds since 1970 in UTC; none for what is no date. The run stops at a text that each engine may read in its own way",
    syntax: call,
    signatures: [{ params: [string], result: optionOf(int) }],
    evaluate: strict(([a], { meter }) => {
      const text = asString(a);
      meter.charge(1 + (text.length >> 4));
      const time = parsedTime(text);
      if (time === "unclear")
        throw new LimitReached(
          "FC1524",
          `${quoted(text.slice(0, 40))} is not in the format of dates, such as \`2024-03-01T10:00:00Z\`, and each engine may read it in its own way`,
        );
      return time === "invalid" ? none : some(time);
    }),
    smt: opaque,
  },
  {
    name: "timeOf",
    meaning:
      "the time of year, month from 0, day of the month, hours, minutes, seconds and milliseconds in UTC, each of which may be beyond its bounds; none beyond all dates",
    syntax: call,
    signatures: [{ params: [int, int, int, int, int, int, int], result: optionOf(int) }],
    evaluate: strict((operands) => {
      const [year = 0n, month = 0n, date = 0n, hours = 0n, minutes = 0n, seconds = 0n, milliseconds = 0n] =
        operands.map(integer);
      return option(timeOf({ year, month, date, hours, minutes, seconds, milliseconds }));
    }),
    smt: opaque,
  },
  {
    name: "dateTime",
    meaning: "the number without its fraction, as the time of a date; none beyond all dates",
    syntax: call,
    signatures: [{ params: [real], result: optionOf(int) }],
    evaluate: strict(([a]) => option(clipped(truncate(asNum(a))))),
    smt: opaque,
  },
  {
    name: "timeText",
    meaning: "the time as `2024-03-01T10:00:00.000Z`; for one beyond all dates that of the last date",
    syntax: call,
    signatures: [{ params: [int], result: string }],
    evaluate: strict(([a]) => timeText(integer(a))),
    smt: opaque,
  },
  {
    name: "timeParts",
    meaning:
      "the parts of a time in UTC: month from 0, day of the week from Sunday, which is 0; for one beyond all dates those of the last date",
    syntax: call,
    signatures: [{ params: [int], result: parts }],
    evaluate: strict(([a]) => {
      const found = partsOf(integer(a));
      return record(names.map((name) => [name, found[name]]));
    }),
    smt: opaque,
  },
];

function integer(operand: Operand | undefined): bigint {
  return floor(asNum(operand));
}

function option(time: bigint | undefined): Value {
  return time === undefined ? none : some(time);
}
