/** The log of commands that run until they are stopped. */
import type { Log } from "../approve/index.ts";
import { visibleText } from "../explain/index.ts";
import type { Host } from "./host.ts";

/** Logs to standard error: one line for people, or one JSON object, for each event. */
export function logTo({ stderr, wallMs }: Host, form: "text" | "json"): Log {
  return (level, event, fields = {}) => {
    const time = new Date(wallMs()).toISOString();
    if (form === "json") void stderr.write(`${JSON.stringify({ time, level, event, ...fields })}\n`);
    // For people, a line for every HTTP response would bury the events that matter.
    else if (event !== "answered") {
      const said = Object.entries(fields).map(([name, value]) => `${name}=${visibleText(String(value))}`);
      const mark = level === "info" ? "" : `${level}: `;
      void stderr.write(`${time.slice(11, 19)} ${mark}${[event, ...said].join(" ")}\n`);
    }
  };
}
