/** The fields of a plan's JSON, in one table that the reader and the published schema follow. */
import { actionTypes, comparisons, failureBehaviors, reversibilities } from "./plan.ts";

export type Slot =
  | { readonly kind: "text"; readonly nullable?: true; readonly name?: true }
  | { readonly kind: "names" }
  | { readonly kind: "word"; readonly words: readonly string[] }
  | { readonly kind: "boolean" }
  | { readonly kind: "count"; readonly most: number; readonly nullable?: true }
  | { readonly kind: "object" }
  | { readonly kind: "json" }
  | { readonly kind: "list"; readonly of: FormName }
  | { readonly kind: "form"; readonly of: "compensation"; readonly nullable?: true };

export type FormName = "plan" | "action" | "precondition" | "compensation" | "toolCompensation" | "actionRef";

export interface Form {
  readonly what: string;
  readonly fields: ReadonlyMap<string, Slot>;
  readonly required: readonly string[];
}

const name: Slot = { kind: "text", name: true };
const text: Slot = { kind: "text" };
const names: Slot = { kind: "names" };
const object: Slot = { kind: "object" };

function form(what: string, fields: Readonly<Record<string, Slot>>, required: readonly string[]): Form {
  return { what, fields: new Map(Object.entries(fields)), required };
}

export const forms: Readonly<Record<Exclude<FormName, "compensation">, Form>> = {
  plan: form(
    "a plan",
    {
      id: text,
      source: text,
      actions: { kind: "list", of: "action" },
      timestamp: { kind: "text", nullable: true },
      context: object,
      guarantees: names,
    },
    ["actions"],
  ),
  action: form(
    "an action",
    {
      id: name,
      type: { kind: "word", words: actionTypes },
      tool: { kind: "text", name: true, nullable: true },
      parameters: object,
      preconditions: { kind: "list", of: "precondition" },
      expected_effects: object,
      state_dependencies: names,
      dependencies: names,
      read_set: names,
      write_set: names,
      reversibility: { kind: "word", words: reversibilities },
      compensation: { kind: "form", of: "compensation", nullable: true },
      idempotent: { kind: "boolean" },
      max_retries: { kind: "count", most: 2 ** 32 - 1 },
      failure_behavior: { kind: "word", words: failureBehaviors },
      timeout_ms: { kind: "count", most: Number.MAX_SAFE_INTEGER, nullable: true },
      metadata: object,
    },
    ["type"],
  ),
  precondition: form(
    "a precondition",
    { key: name, operator: { kind: "word", words: comparisons }, value: { kind: "json" }, description: text },
    ["key"],
  ),
  toolCompensation: form(
    "a compensation",
    { type: { kind: "word", words: ["tool"] }, tool: name, parameters: object },
    ["type", "tool"],
  ),
  actionRef: form("a compensation", { type: { kind: "word", words: ["action_ref"] }, action_id: name }, [
    "type",
    "action_id",
  ]),
};

/** By the word in their `type`. */
export const compensations: ReadonlyMap<string, "toolCompensation" | "actionRef"> = new Map([
  ["tool", "toolCompensation"],
  ["action_ref", "actionRef"],
]);
