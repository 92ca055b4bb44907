/** The ready rules by name. Part of what must be trusted. */
import { attested } from "./attestations.ts";
import * as bounds from "./bounds.ts";
import * as gates from "./gates.ts";
import type { ReadRule } from "./rule.ts";
import { jsonSchema } from "./schema.ts";
import { forbiddenText, noPii } from "./texts.ts";

export const readyRules: ReadonlyMap<string, ReadRule> = new Map([
  ...Object.entries({
    rateLimit: bounds.rateLimit,
    ceiling: bounds.ceiling,
    range: bounds.range,
    requiredKeys: bounds.requiredKeys,
    readOnly: bounds.readOnly,
    allowedValues: bounds.allowedValues,
    monotoneIncreasing: bounds.monotoneIncreasing,
    monotoneDecreasing: bounds.monotoneDecreasing,
    listLength: bounds.listLength,
    noDuplicates: bounds.noDuplicates,
    stringLength: bounds.stringLength,
    noDelete: bounds.noDelete,
    forbiddenText,
    noPii,
    approvalGate: gates.approvalGate,
    timeWindow: gates.timeWindow,
    jsonSchema,
    attested,
  }).map(([name, read]): [string, ReadRule] => [name, orderFree(read)]),
  // An action under way may end everything, and another would begin meanwhile.
  ["terminalFlag", gates.terminalFlag],
]);

function orderFree(read: ReadRule): ReadRule {
  return (fields, missing) => ({ ...read(fields, missing), isOrderFree: true });
}
