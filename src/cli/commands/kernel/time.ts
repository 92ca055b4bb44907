/** A time as people read it, in UTC, so that it is the same wherever a trace is read. */
export function timeText(ms: number): string {
  const date = new Date(ms);
  // LIMIT: dates end in the year 275760; a clock may have said anything.
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString().replace("T", " ").slice(0, 19);
}
