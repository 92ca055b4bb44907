/** What the service says while it runs, on standard error: a line for people, or a JSON object, for each event. */
import type { Log } from "../../../approve/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Host } from "../../host.ts";

export function logTo({ stderr, wallMs }: Host, form: "text" | "json"): Log {
  return (level, event, fields = {}) => {
    const time = new Date(wallMs()).toISOString();
    if (form === "json") void stderr.write(`${JSON.stringify({ time, level, event, ...fields })}\n`);
    else {
      // A person is told what matters; every answer would bury it.
      if (event === "answered") return;
      const said = Object.entries(fields).map(([name, value]) => `${name}=${visibleText(String(value))}`);
      const mark = level === "info" ? "" : `${level}: `;
      void stderr.write(`${time.slice(11, 19)} ${mark}${[event, ...said].join(" ")}\n`);
    }
  };
}
