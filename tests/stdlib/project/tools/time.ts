/**
 * The local time, as a tool; the trace records every reading. Programs can also say `Date.now()`, which is recorded too and has no
 * zone. `foreclaim/std/time` refuses other zones and notices a clock that is set while a run goes on.
 */
import { contract, coverage, type Int, tool } from "foreclaim";
import { clock } from "foreclaim/std/time";

const watch = clock({ zones: ["UTC", "Europe/Berlin"], maxReadings: 1000 });

export interface Moment {
  ms: Int;
  date: string;
  hour: Int;
  minute: Int;
  weekday: Int;
}

/** Returns the local time of a zone. Weekday 1 is Monday. */
export const now = tool({
  reads: true,
  stores: [],
  requires: ({ zone }) => zone === "UTC" || zone === "Europe/Berlin",
  ensures: ({ hour, minute, weekday }) =>
    hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && weekday >= 1 && weekday <= 7,
  run: async ({ zone }: { zone: string }): Promise<Moment> => watch.now(zone),
});

/** The time is read in this zone only. */
export const onlyIn = contract((zone: string) => now.all((n) => n.zone === zone));

/** The time is read at most so often. */
export const readsAtMost = contract((n: number) => now.count() <= n);

/** A program that reads the time may say how often. */
export const policy = coverage({ whenUsed: [now], recommended: [readsAtMost], label: "time" });
