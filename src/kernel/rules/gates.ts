/** Rules on whether an ordinary action may happen at all. Part of what must be trusted. */
import { limits } from "../limits.ts";
import { refuse } from "../problem.ts";
import { why } from "../reasons.ts";
import { get } from "../trie.ts";
import { at, type ReadRule } from "./rule.ts";

/** Someone else has to set the flag first: the action is judged on the state before it. */
export const approvalGate: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  const approved = at(key, missing, (value) => (value === true ? undefined : why("not approved", { key })));
  return { gate: (before) => approved(before), protects: [key] };
};

/** Once the flag is true, there is no further ordinary action, and it stays true. */
export const terminalFlag: ReadRule = (fields, missing) => {
  const key = fields.name("key");
  return {
    state: at(key, missing, (value) =>
      typeof value === "boolean" ? undefined : why("is no boolean", { key }),
    ),
    gate: (before) => (get(before, key) === true ? why("is over", { key }) : undefined),
    change: (before, after) =>
      get(before, key) === true && get(after, key) !== true ? why("stays true", { key }) : undefined,
  };
};

/** At most so many steps in any window of that length, which slides. */
export const timeWindow: ReadRule = (fields) => {
  const [max, windowMs] = [fields.count("max"), fields.count("windowMs")];
  if (max > limits.windowSteps) refuse("is above", { field: "max", most: limits.windowSteps });
  if (windowMs === 0) refuse("window of no time");
  return {
    windowSteps: max,
    gate: (_, { time, stepTime }) => {
      if (max === 0) return why("no step in any window");
      const earlier = stepTime(max - 1);
      const tooSoon = earlier !== undefined && time - earlier < windowMs;
      return tooSoon ? why("too many in the window", { max, windowMs }) : undefined;
    },
  };
};
