/** A request in which everything that comes from an agent or a tool tries to be more than text. */
import type { RequestDetail } from "../../src/approve/wire.ts";

export const hostile =
  "'><img src=x onerror='pwned=1'><script>pwned=1</script><svg onload=alert(1)>\u202egnp.exe\u200b\u0007{{7*7}}";
const shown = "'><img src=x onerror='pwned=1'><script>pwned=1</script><svg onload=alert(1)>";

/** Texts that must be readable: the name of the field, and behind it the attack. */
export const hostileTexts: string[] = [];

/** Every text of it, but for fixed words, with something hostile after it. */
export function hostileRequest(request: RequestDetail): RequestDetail {
  const fixed = new Set([
    "id",
    "status",
    "verdict",
    "decision",
    "worst",
    "hash",
    "modules",
    "kind",
    "level",
    "state",
    "domain",
  ]);
  // The name of a run, and what a value was before it is shown to be another.
  const notShown = new Set(["run", "from"]);
  let number = 0;
  const spoil = (value: unknown, name: string): unknown => {
    if (typeof value === "string") {
      if (fixed.has(name)) return value;
      number++;
      if (!notShown.has(name)) hostileTexts.push(`${number}:${shown}`);
      return `${name}${number}:${hostile}`;
    }
    if (Array.isArray(value)) return value.map((one) => spoil(one, name));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spoil(one, key)]));
  };
  const decided = {
    decision: "approved_remember" as const,
    by: "Ada",
    at: Date.now(),
    text: "text",
    rule: "rule",
    proposed: null,
  };
  const calls = [{ number: 1, tool: "tool", args: "args", state: "failed" as const, result: "result" }];
  const progress = { run: "run", state: "stopped" as const, calls, text: "text" };
  const inputs = { input: "value" };
  const whole = { ...request, inputs, words: "words", budget: "1", decided, progress };
  hostileTexts.splice(0);
  const spoilt = spoil(whole, "") as RequestDetail;
  return { ...spoilt, id: "r-hostile", follows: null, agent: `agent:${hostile}` };
}
