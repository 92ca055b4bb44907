/**
 * Asks the person at the terminal while a run goes on, for tools such as `person.approve`. Every line that a tool shows
 * begins with a bar, so that no text looks like a question of ours.
 */
import { visibleText } from "../../../explain/index.ts";
import type { Person } from "../../../run/index.ts";
import type { Host } from "../../host.ts";
import type { Typing } from "../../typing.ts";
import type { LiveRun } from "./live-run.ts";

/** LIMIT: of answers that are not understood, before one counts as no. */
const mostTries = 3;

export function terminalPerson(host: Host, typing: Typing, live: LiveRun): Person {
  // Calls at the same time ask one after the other.
  let last: Promise<unknown> = Promise.resolve();
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
  const answered = (lines: readonly string[], prompt: string, signal: AbortSignal) =>
    live.aside(async () => {
      await host.stderr.write(`${lines.join("\n")}\n${prompt}`);
      return typing.line(signal);
    });
  return {
    approve: ({ what, text }, signal) =>
      alone(async () => {
        const lines = [`the program asks you: ${visibleText(what)}`, ...barred(text)];
        const line = await answered(lines, "approve this as it stands? [y/N] ", signal);
        return /^\s*(?:y|yes)\s*$/i.test(line ?? "");
      }),
    approveList: ({ what, items }, signal) =>
      alone(async () => {
        const listed = items.map((item, i) => `  ${String(i + 1).padStart(3)} | ${visibleText(item)}`);
        let lines = [`the program asks you: ${visibleText(what)}`, ...listed];
        for (let i = 0; i < mostTries; i++) {
          const line = await answered(lines, "which of them? (1,3 or all; nothing for none) ", signal);
          const chosen = positionsIn(line ?? "", items.length);
          if (chosen !== undefined) return chosen;
          lines = ["write numbers of the list, such as 1,3"];
        }
        return [];
      }),
    ask: ({ question }, signal) =>
      alone(async () => {
        const line = await answered(["the program asks you:", ...barred(question)], "> ", signal);
        return line === undefined || line.trim() === "" ? undefined : line.replace(/\r$/, "");
      }),
  };
}

function barred(text: string): readonly string[] {
  return text.split("\n").map((line) => `  | ${visibleText(line)}`);
}

/** Returns positions from 0; undefined for what is no such list. */
function positionsIn(line: string, length: number): readonly number[] | undefined {
  const text = line.trim().toLowerCase();
  if (text === "") return [];
  if (text === "all") return Array.from({ length }, (_, i) => i);
  if (!/^[0-9]{1,4}(?:[\s,]+[0-9]{1,4})*$/.test(text)) return undefined;
  const found = text.split(/[\s,]+/).map((one) => Number(one) - 1);
  return found.every((one) => one >= 0 && one < length) ? found : undefined;
}
