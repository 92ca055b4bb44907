/**
 * The request of a person as a policy: how many calls of each tool it takes, and what their arguments are. Somebody
 * writes it down whom no injected text has reached; here it is taken from the reference calls and the prompt.
 */
import { type ArgKind, type Json, kindOf, optionalOf, type Suite } from "./facts.ts";
import { changing, destinations, isContacts, promisesOf, taintOf } from "./policies.ts";
import type { Origin, Plan } from "./provenance.ts";

/** An argument, as a request has it. */
export type Pattern =
  /** The prompt has it, or it is where something goes: this and no other, unless the person approves another. */
  | { readonly kind: "is"; readonly value: Json }
  /** The destination comes from untrusted text: the person approves it. */
  | { readonly kind: "approved" }
  /** The destination is one of the person's contacts, or approved. */
  | { readonly kind: "contact" }
  /** Left to what is found, or to the planner's words. */
  | { readonly kind: "open" };

export interface Request {
  /** By the index of the call in the plan; undefined for a call that changes nothing. */
  readonly calls: readonly (RequestedCall | undefined)[];
}

export interface RequestedCall {
  readonly tool: string;
  readonly args: ReadonlyMap<string, Pattern>;
}

export function requestOf(plan: Plan, { suite }: Suite): Request {
  return {
    calls: plan.calls.map(({ tool, args }) =>
      changing[suite].has(tool)
        ? { tool, args: new Map([...args].map(([arg, origin]) => [arg, patternOf(plan, tool, arg, origin)])) }
        : undefined,
    ),
  };
}

function patternOf(plan: Plan, tool: string, arg: string, origin: Origin): Pattern {
  const isDestination = destinations.has(`${tool}.${arg}`);
  if (arg === "attachments") return { kind: "open" };
  if (origin.kind === "own")
    return isDestination || origin.isSaid ? { kind: "is", value: origin.value } : { kind: "open" };
  if (!isDestination) return { kind: "open" };
  if (isFromContacts(plan, origin)) return { kind: "contact" };
  return isUntrusted(plan, origin) ? { kind: "approved" } : { kind: "open" };
}

/** Says whether an argument is as the request has it, without an approval. */
export function fits(plan: Plan, origin: Origin, pattern: Pattern | undefined): boolean {
  switch (pattern?.kind) {
    case "is":
      return origin.kind === "own" && JSON.stringify(origin.value) === JSON.stringify(pattern.value);
    case "contact":
      return isFromContacts(plan, origin);
    case "open":
      return true;
    case "approved":
    case undefined:
      return false;
  }
}

function isFromContacts({ calls }: Plan, origin: Origin): boolean {
  return origin.kind === "results" && origin.of.every((k) => isContacts(calls[k]?.tool));
}

/** Says whether others had a hand in it, through all the calls that it went through. */
function isUntrusted({ calls }: Plan, origin: Origin): boolean {
  if (origin.kind === "own") return false;
  return origin.of.some((k) => {
    const call = calls[k];
    if (call === undefined) return true;
    return (
      taintOf(call.tool).untrusted ||
      [...call.args.values()].some((one) => isUntrusted({ id: "", calls: calls.slice(0, k) }, one))
    );
  });
}

// ── the request as a tool module ─────────────────────────────────────────────────────────────────────────

/** The text of the module: `counts`, and a promise about each tool that the request takes. */
export function requestModule(suite: Suite, { calls }: Request): string {
  const tools = [...changing[suite.suite]];
  const called = (tool: string) => calls.filter((call) => call?.tool === tool).length;
  const counts = tools.map((tool) => {
    const most = called(tool);
    return `${suite.suite}.${tool}.${most === 0 ? "none()" : `count() <= ${most}`}`;
  });
  const taken = tools.filter((tool) => called(tool) > 0);
  const modules = [...new Set([suite.suite, promisesOf[suite.suite], "person"])];
  return [
    'import { contract, coverage } from "foreclaim";',
    ...modules.map((name) => `import * as ${name} from "../tools/${name}";`),
    `export const counts = contract(() => ${counts.join(" && ")});`,
    ...taken.map((tool) => {
      const ways = calls.flatMap((call) => (call?.tool === tool ? [wayOf(suite, call)] : []));
      return `export const ${tool} = contract(() => ${suite.suite}.${tool}.all((e) => ${[...new Set(ways)].join(" || ")}));`;
    }),
    "export const policy = coverage({",
    `  whenUsed: [${tools.map((tool) => `${suite.suite}.${tool}`).join(", ")}],`,
    "  recommended: [],",
    `  required: [${["counts", ...taken].join(", ")}],`,
    '  label: "request",',
    "});",
    "",
  ].join("\n");
}

/** Writes what is asked of a call, an optional argument that the request does not have among it. */
function wayOf(suite: Suite, { tool, args }: RequestedCall): string {
  const optional = optionalOf(suite, tool);
  const absent = optional.filter((arg) => !args.has(arg)).map((arg) => `e.${arg} === undefined`);
  const present = [...args].flatMap(([arg, pattern]) => {
    const text = testOf(kindOf(suite, tool, arg), arg, pattern, optional.includes(arg));
    return text === undefined ? [] : [text];
  });
  return `(${[...present, ...absent].join(" && ") || "true"})`;
}

function testOf(kind: ArgKind, arg: string, pattern: Pattern, isOptional: boolean): string | undefined {
  if (pattern.kind === "open") return undefined;
  const value = pattern.kind === "is" ? pattern.value : undefined;
  const own = value === undefined ? [] : [`e.${arg} === ${JSON.stringify(value)}`];
  switch (kind) {
    case "amount":
    case "whole": {
      const approve = kind === "amount" ? "approveNumber" : "approveWhole";
      return `(${[...own, `person.${approve}.some((a) => a.value === e.${arg})`].join(" || ")})`;
    }
    case "list": {
      const named = value === undefined ? "" : `${JSON.stringify(value)}.includes(one) || `;
      const every = `e.${arg}.every((one) => ${named}person.approve.some((a) => a.text === one))`;
      const ways = [every, ...(pattern.kind === "contact" ? contactsOf(arg) : [])].join(" || ");
      return isOptional ? `(e.${arg} !== undefined && (${ways}))` : `(${ways})`;
    }
    case "text":
      return `(${[...own, `person.approve.some((a) => a.text === e.${arg})`].join(" || ")})`;
    case "other":
      return own[0];
    case "attachments":
      return undefined;
  }
}

/** A list of one contact. */
function contactsOf(arg: string): readonly string[] {
  return ["search_contacts_by_name", "search_contacts_by_email"].map(
    (tool) => `(e.${arg}.length === 1 && workspace.${tool}.rows.some((c) => e.${arg}.includes(c.email)))`,
  );
}
