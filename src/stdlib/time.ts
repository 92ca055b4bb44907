/**
 * `foreclaim/std/time`: the local time of zones that the operator lists. A reading is a tool result, so the trace records it and
 * a replay reads the same. Time does not go back, and a clock that is set while a run goes on is noticed.
 */

import { refused } from "./refused.ts";

export { Refused } from "./refused.ts";

export interface ClockOptions {
  /** Time zones as `Europe/Berlin`. */
  readonly zones: readonly string[];
  /** Readings in all (default 1,000). */
  readonly maxReadings?: number;
  /** Milliseconds by which the clock may differ from the machine's steady one (default 60,000). */
  readonly maxDriftMs?: number;
  /** The clock of the machine, in milliseconds; tests replace it. */
  readonly now?: () => number;
  /** A clock that nobody sets, in milliseconds; tests replace it. */
  readonly steady?: () => number;
}

export interface Moment {
  /** Milliseconds since 1970, UTC. */
  readonly ms: number;
  /** The day there, as `2026-11-18`. */
  readonly date: string;
  readonly hour: number;
  readonly minute: number;
  /** 1 is Monday, 7 is Sunday. */
  readonly weekday: number;
}

export interface Clock {
  readonly now: (zone: string) => Moment;
}

const FIRST = Date.UTC(2000, 0, 1);
const LAST = Date.UTC(9999, 11, 31);
const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** A clock for tools. */
export function clock(options: ClockOptions): Clock {
  const { maxReadings = 1000, maxDriftMs = 60_000 } = options;
  const read = options.now ?? Date.now;
  const steady = options.steady ?? (() => performance.now());
  const formats = new Map(options.zones.map((zone) => [zone, formatOf(zone)]));
  let readings = 0;
  let last = FIRST;
  let start: { readonly ms: number; readonly steadyMs: number } | undefined;

  return {
    now: (zone) => {
      const format = formats.get(zone);
      if (format === undefined) return refused("zone", `\`${zone}\` is not among the zones of this tool`);
      if (readings >= maxReadings)
        return refused("too-many", `the time is read more than ${maxReadings} times`);
      const ms = Math.floor(read());
      if (!(ms >= FIRST && ms <= LAST)) return refused("clock", "the clock of the machine is wrong");
      const steadyMs = steady();
      start ??= { ms, steadyMs };
      if (Math.abs(ms - start.ms - (steadyMs - start.steadyMs)) > maxDriftMs)
        return refused("clock", "the clock of the machine was set meanwhile");
      readings += 1;
      last = Math.max(last, ms);
      return momentOf(last, format);
    },
  };
}

function formatOf(zone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "iso8601",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      weekday: "short",
    });
  } catch {
    return refused("bad-options", `\`${zone}\` is no time zone`);
  }
}

function momentOf(ms: number, format: Intl.DateTimeFormat): Moment {
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? "";
  return {
    ms,
    date: `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`,
    hour: Number(part("hour")),
    minute: Number(part("minute")),
    weekday: DAYS.indexOf(part("weekday")) + 1,
  };
}
