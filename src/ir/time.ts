/**
 * Times as counts of milliseconds since 1970-01-01T00:00:00Z, as the specification of JavaScript has them: dates go 100
 * million days both ways, and days have 86,400 seconds. The local time zone is UTC. Part of what must be trusted.
 */

export const lastTime = 8_640_000_000_000_000n;
const day = 86_400_000n;

/** The time, if a date can have it. */
export function clipped(time: bigint): bigint | undefined {
  return time > lastTime || time < -lastTime ? undefined : time;
}

/** LIMIT: years and months beyond which there is no day, whatever the other parts are. */
const [mostYears, mostMonths] = [1_000_000n, 10_000_000n];

export interface TimeParts {
  readonly year: bigint;
  /** From 0. */
  readonly month: bigint;
  /** Day of the month, from 1. */
  readonly date: bigint;
  readonly hours: bigint;
  readonly minutes: bigint;
  readonly seconds: bigint;
  readonly milliseconds: bigint;
}

/** The time of the parts, each of which may be beyond its bounds: month 12 is January of the next year. */
export function timeOf(parts: TimeParts): bigint | undefined {
  const { year, month } = parts;
  if (abs(year) > mostYears || abs(month) > mostMonths) return undefined;
  const days = dayOfMonth(year + floorDiv(month, 12n), modulo(month, 12n)) + parts.date - 1n;
  const seconds = (parts.hours * 60n + parts.minutes) * 60n + parts.seconds;
  return clipped(days * day + seconds * 1000n + parts.milliseconds);
}

/** The number of the day on which the month begins, of the proleptic Gregorian calendar. */
function dayOfMonth(year: bigint, month: bigint): bigint {
  // Years that begin with March end with the day that may be missing.
  const [y, m] = month < 2n ? [year - 1n, month + 10n] : [year, month - 2n];
  const era = floorDiv(y, 400n);
  const yearOfEra = y - era * 400n;
  const dayOfYear = (153n * m + 2n) / 5n;
  return era * 146_097n + yearOfEra * 365n + yearOfEra / 4n - yearOfEra / 100n + dayOfYear - 719_468n;
}

/** The parts of a time, and the day of the week from Sunday, which is 0. Of a time beyond all dates, those of the last one. */
export function partsOf(time: bigint): TimeParts & { readonly day: bigint } {
  const date = dateOf(time);
  const part = (value: number) => BigInt(value);
  return {
    year: part(date.getUTCFullYear()),
    month: part(date.getUTCMonth()),
    date: part(date.getUTCDate()),
    day: part(date.getUTCDay()),
    hours: part(date.getUTCHours()),
    minutes: part(date.getUTCMinutes()),
    seconds: part(date.getUTCSeconds()),
    milliseconds: part(date.getUTCMilliseconds()),
  };
}

/** `2024-03-01T10:00:00.000Z`. Of a time beyond all dates, the text of the last one. */
export function timeText(time: bigint): string {
  return dateOf(time).toISOString();
}

// biome-ignore lint/style/noRestrictedGlobals: the calendar is used, no time is taken from it
function dateOf(time: bigint): Date {
  // biome-ignore lint/style/noRestrictedGlobals: the calendar is used, no time is taken from it
  return new Date(Number(time > lastTime ? lastTime : time < -lastTime ? -lastTime : time));
}

/** The format of the specification, and more digits after the point than its three, as other languages write. */
const format =
  /^(\d{4}|[+-]\d{6})(?:-(\d\d)(?:-(\d\d))?)?(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * The time that a text stands for: "invalid" if it stands for none, "unclear" where the specification leaves it to each
 * engine. A date without a time is one of UTC, and a time without an offset is local.
 */
export function parsedTime(text: string): bigint | "invalid" | "unclear" {
  const found = format.exec(text);
  // Without a digit there is no format of any engine.
  if (found === null) return /\d/.test(text) ? "unclear" : "invalid";
  const [
    ,
    year = "",
    month = "1",
    date = "1",
    hours = "0",
    minutes = "0",
    seconds = "0",
    rest = "",
    zone = "Z",
  ] = found;
  const parts: TimeParts = {
    year: BigInt(year.replace(/^\+/, "")),
    month: BigInt(month) - 1n,
    date: BigInt(date),
    hours: BigInt(hours),
    minutes: BigInt(minutes),
    seconds: BigInt(seconds),
    milliseconds: BigInt(rest.slice(0, 3).padEnd(3, "0")),
  };
  const offset = offsetOf(zone);
  if (!isInBounds(parts) || offset === undefined) {
    // The year may be read as a month or a day then, as in `0001-19`.
    return parts.year > -100n && parts.year < 100n ? "unclear" : "invalid";
  }
  // Engines disagree about the year that has a sign and is zero, and about the 30th of February.
  if (year === "-000000" || parts.date > daysIn(parts.year, parts.month)) return "unclear";
  const time = timeOf(parts);
  return (time === undefined ? undefined : clipped(time - offset * 60_000n)) ?? "invalid";
}

function isInBounds({ month, date, hours, minutes, seconds, milliseconds }: TimeParts): boolean {
  const isMidnight = hours === 24n && minutes === 0n && seconds === 0n && milliseconds === 0n;
  return (
    month >= 0n &&
    month < 12n &&
    date >= 1n &&
    date <= 31n &&
    (hours < 24n || isMidnight) &&
    minutes < 60n &&
    seconds < 60n
  );
}

/** In minutes. */
function offsetOf(zone: string): bigint | undefined {
  if (zone === "Z") return 0n;
  const [hours, minutes] = [BigInt(zone.slice(1, 3)), BigInt(zone.slice(4))];
  if (hours > 23n || minutes > 59n) return undefined;
  return (zone.startsWith("-") ? -1n : 1n) * (hours * 60n + minutes);
}

function daysIn(year: bigint, month: bigint): bigint {
  return dayOfMonth(year + (month + 1n) / 12n, (month + 1n) % 12n) - dayOfMonth(year, month);
}

function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}

function modulo(a: bigint, b: bigint): bigint {
  return ((a % b) + b) % b;
}

function abs(a: bigint): bigint {
  return a < 0n ? -a : a;
}
