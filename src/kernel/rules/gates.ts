/** Rules on whether an ordinary action may happen at all. Part of what must be trusted. */
import { quoted } from "../../ir/json/quoted.ts";
import { limits } from "../limits.ts";
import { refuse } from "../problem.ts";
import { get } from "../trie.ts";
import { at, type ReadRule } from "./rule.ts";

/** Someone else has to set the flag first: the action is judged on the state before it. */
export const approvalGate: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  const approved = at(key, missing, (value) =>
    value === true ? undefined : `${quoted(key)} is not approved`,
  );
  return { gate: (before) => approved(before), protects: [key] };
};

/** Once the flag is true, there is no further ordinary action, and it stays true. */
export const terminalFlag: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  return {
    state: at(key, missing, (value) =>
      typeof value === "boolean" ? undefined : `${quoted(key)} is not a boolean`,
    ),
    gate: (before) =>
      get(before, key) === true ? `${quoted(key)} is true, which ends all actions` : undefined,
    change: (before, after) =>
      get(before, key) === true && get(after, key) !== true
        ? `${quoted(key)} stays true for ever`
        : undefined,
  };
};

/** At most so many steps in any window of that length, which slides. */
export const timeWindow: ReadRule = (fields) => {
  const [max, windowMs] = [fields.count("max"), fields.count("windowMs")];
  if (max > limits.windowSteps) refuse("limit", `\`max\` is above ${limits.windowSteps}`);
  if (windowMs === 0) refuse("shape", "`windowMs` is zero");
  return {
    windowSteps: max,
    gate: (_, { time, stepTime }) => {
      if (max === 0) return "no step is allowed in any window";
      const earlier = stepTime(max - 1);
      const tooSoon = earlier !== undefined && time - earlier < windowMs;
      return tooSoon ? `there were ${max} steps within ${windowMs} ms` : undefined;
    },
  };
};
