/**
 * The commands that stand for the actions of a plan: the document that is proved, and that runs.
 * - A tool call is a call; one that is tried again is a call for each try, made if the one before failed.
 * - `skip` catches the failure. An action that ends the plan leaves it uncaught.
 * - What a plan does with its own state, and values that have no expression, are calls of tools that the run itself
 *   carries out (`run/execution.ts`). The document says no more of them than their types, so a proof takes any result.
 * - Conditions on the state are looked at when a call is reserved. One that does not hold fails the call, and a proof
 *   counts every call as one that may fail.
 */
import {
  type Argument,
  type Command,
  type Expr,
  type Field,
  fieldOf,
  isOption,
  isPartly,
  isSubtype,
  type Json,
  json,
  string,
  type Tool,
  type Type,
} from "../../ir/index.ts";
import { kernelName } from "../digest.ts";
import { type Action, keyOf, type Plan } from "../plan.ts";
import { type ExpectedParts, eachString, expectedParts, referenceIn } from "../references.ts";
import type { Structure } from "../strict/structure.ts";
import type { CallModel } from "../strict/tool-book.ts";
import { constant } from "./constant.ts";
import { allOf, isSome, not, unused, variable } from "./parts.ts";
import { triesOf } from "./refusals.ts";

type Sound = Extract<Structure, { readonly kind: "sound" }>;

/** Relates a call of the document to its action in the plan. */
export interface LoweredCall {
  readonly action: number;
  /** From 1. */
  readonly attempt: number;
  readonly isLast: boolean;
  /** For a value that has no expression: its template and type. */
  readonly value?: { readonly template: Json; readonly type: Type };
  /** For a look at a result: the parts that it must have. */
  readonly parts?: readonly (readonly string[])[];
  /** Only looks whether there are the outputs that the action needs. */
  readonly isNeed?: true;
  /** The positions of the outputs among the arguments that the templates refer to. */
  readonly sources: readonly Source[];
}

/** Returns whether it is the action itself, and nothing that is put together for it or looked at. */
export function isOwn({ value, parts, isNeed }: LoweredCall): boolean {
  return value === undefined && parts === undefined && isNeed === undefined;
}

/** An output of an action, as arguments of a call that the run carries out itself. */
export interface Source {
  readonly id: string;
  /** The argument that has it; undefined for an action that gives nothing. */
  readonly from: string | undefined;
  /** The argument that says whether there is one; undefined if there always is. */
  readonly has: string | undefined;
}

/** The output of an action. */
interface Output {
  readonly value: { readonly name: string; readonly type: Type; readonly isOption: boolean } | undefined;
  /** True if it is there; undefined if it is in every run that gets past the action. */
  readonly present: Expr | undefined;
}

export class Body {
  /** One entry for each action, by its number. */
  readonly blocks: Command[][];
  /** By the ids of calls. */
  readonly calls = new Map<string, LoweredCall>();
  /** Names of tools of the modules. */
  readonly tools = new Set<string>();
  /** Tools that the run carries out itself. */
  readonly inner: Tool[] = [];
  /** True if each run of the document is one of the plan, so that a counterexample really can happen. */
  exact = true;
  /** A variable of a name that is free. */
  readonly planName: string;
  readonly #expected: ExpectedParts;
  readonly #outputs = new Map<string, Output>();
  /** Variables that say whether the last try of an action failed, where that is caught. */
  readonly #failed = new Map<string, string>();
  readonly #names = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #toolNames = new Set<string>();

  constructor(plan: Plan, { graph, calls }: Sound) {
    this.blocks = plan.actions.map(() => []);
    this.#expected = expectedParts(plan.actions);
    this.planName = this.#name("plan");
    // Names of actions first, so that no other call takes one.
    const ids = plan.actions.map(({ id }) => unused(kernelName(id), this.#ids));
    for (const i of graph.order) {
      const [action, call, id = ""] = [plan.actions[i], calls.get(i), ids[i]];
      if (action === undefined) continue;
      if (call === undefined) this.#own(action, i, id);
      else this.#call(action, call, i, id);
    }
  }

  // ── calls of tools ─────────────────────────────────────────────────────────────────────────────────────

  #call(action: Action, call: CallModel, i: number, id: string): void {
    const { failureBehavior } = action;
    const isSkip = failureBehavior === "skip";
    const { args, guards } = this.#arguments(action, call, i);
    const tries = triesOf(action);
    const results: string[] = [];
    let failed: string | undefined;
    for (let attempt = 1; attempt <= tries; attempt++) {
      const isLast = attempt === tries;
      const when = allOf(failed === undefined ? guards : [...guards, variable(failed)]);
      const bind = call.tool.result && this.#name(attempted(`output of ${kernelName(action.id)}`, attempt));
      const caught =
        isSkip || !isLast ? this.#name(attempted(`${kernelName(action.id)} failed`, attempt)) : undefined;
      const name = attempt === 1 ? id : unused(attempted(id, attempt), this.#ids);
      this.tools.add(call.tool.name);
      this.#push(i, {
        kind: "call",
        id: name,
        tool: call.tool.name,
        args,
        ...options({ bind, when, caught }),
      });
      this.calls.set(name, { action: i, attempt, isLast, sources: [] });
      if (bind !== undefined) results.push(bind);
      if (caught !== undefined) this.#failed.set(action.id, caught);
      failed = caught;
    }
    this.#outputs.set(action.id, this.#outputOf(action, call.tool, results, guards, i));
    this.#expect(action, call.tool.result, i);
  }

  /**
   * SOUNDNESS: what actions refer to in a result is expected of the call. One that does not give it ends the plan itself, so
   * that what refers to it does not, wherever that stands.
   */
  #expect({ id }: Action, type: Type | undefined, i: number): void {
    const all = this.#expected.get(id) ?? [];
    const parts = all.filter((part) => type === undefined || !hasPart(type, part));
    if (parts.length === 0) return;
    const name = unused(kernelName(`look at ${id}`), this.#ids);
    const tool = { id: name, name: `plan.look:${plainly(id, i)}`, reads: true };
    const { sources } = this.#innerCall(i, tool, [`$${id}.output`], { bind: undefined, caught: undefined });
    this.calls.set(name, { action: i, attempt: 1, isLast: true, parts, sources });
    this.exact = false;
  }

  /** Returns the output of the attempt that succeeded. */
  #outputOf(
    { id, failureBehavior }: Action,
    { result: type }: Tool,
    results: readonly string[],
    guards: readonly Expr[],
    i: number,
  ): Output {
    const [first, ...others] = results;
    // Past any other action than one that may be skipped, its call was made and has not failed.
    const isMaybe = failureBehavior === "skip";
    if (type === undefined || first === undefined) {
      const failed = this.#failed.get(id);
      const made = isMaybe && failed !== undefined ? allOf([...guards, not(variable(failed))]) : undefined;
      return { value: undefined, present: made };
    }
    if (others.length === 0) {
      const value = { name: first, type, isOption: isMaybe || guards.length > 0 };
      return { value, present: isMaybe ? isSome(first) : undefined };
    }
    const last = variable(results.at(-1) ?? first);
    const value = results.slice(0, -1).reduceRight<Expr>((rest, name) => {
      return { kind: "op", op: "if", args: [isSome(name), variable(name), rest] };
    }, last);
    const name = this.#name(`output of ${kernelName(id)} at last`);
    this.#push(i, { kind: "let", name, value });
    // The last try has not failed in a run that gets past it.
    return { value: { name, type, isOption: true }, present: undefined };
  }

  /** The arguments, and what must be so for the call to be made. */
  #arguments(
    action: Action,
    { tool, arguments: known }: CallModel,
    i: number,
  ): { readonly args: readonly Argument[]; readonly guards: readonly Expr[] } {
    const args: Argument[] = [];
    const guards: Expr[] = [];
    const needed = new Map<string, Expr>();
    for (const { name, type, optional } of tool.params) {
      const value = known.get(name);
      if (value === undefined) continue;
      const held =
        !isPartly(value) && optional && isOption(value)
          ? value.kind === "none"
            ? undefined
            : value.value
          : value;
      if (held === undefined) continue;
      const given = action.parameters[name] ?? null;
      const expr = isPartly(held) ? this.#referred(given, type, needed) : constant(held, type);
      args.push({ name, value: expr ?? this.#computed(action, name, given, type, i, guards) });
    }
    if (needed.size > 0) this.#need(action, [...needed.keys()], i);
    return { args, guards: [...needed.values(), ...guards] };
  }

  /** Fails the action if there is no output that it needs. */
  #need(action: Action, ids: readonly string[], i: number): void {
    const what = kernelName(`what ${action.id} needs`);
    const id = unused(what, this.#ids);
    const caught = action.failureBehavior === "skip" ? this.#name(`not ${what}`) : undefined;
    const tool = { id, name: `plan.need:${plainly(action.id, i)}`, reads: true };
    const templates = ids.map((one) => `$${one}.output`);
    const { sources } = this.#innerCall(i, tool, templates, { bind: undefined, caught });
    this.calls.set(id, { action: i, attempt: 1, isLast: true, isNeed: true, sources });
    this.exact = false;
  }

  /** A parameter that as a whole is an output of its type; `needed` is told where there may be none. */
  #referred(given: Json, type: Type, needed: Map<string, Expr>): Expr | undefined {
    const reference = typeof given === "string" ? referenceIn(given) : undefined;
    const output = reference && this.#outputs.get(reference.id);
    if (reference === undefined || output?.value === undefined) return undefined;
    let expr = heldBy(output.value);
    let at = output.value.type;
    for (const part of reference.field) {
      const field = at.kind === "record" ? fieldOf(at, part) : undefined;
      if (field === undefined || field.optional) return undefined;
      expr = { kind: "field", of: expr, name: part };
      at = field.type;
    }
    if (!isSubtype(at, type)) return undefined;
    if (output.present !== undefined) needed.set(reference.id, output.present);
    return expr;
  }

  /** Any other parameter: the run puts it together. */
  #computed(action: Action, parameter: string, template: Json, type: Type, i: number, guards: Expr[]): Expr {
    const what = `${kernelName(parameter)} of ${kernelName(action.id)}`;
    const isSkip = action.failureBehavior === "skip";
    const bind = this.#name(kernelName(what));
    const caught = isSkip ? this.#name(`no ${kernelName(what)}`) : undefined;
    const id = unused(kernelName(`value of ${what}`), this.#ids);
    const { sources } = this.#innerCall(
      i,
      { id, name: `plan.value:${plainly(what, i)}`, result: type, reads: true },
      [template],
      { bind, caught },
    );
    this.calls.set(id, { action: i, attempt: 1, isLast: true, value: { template, type }, sources });
    if (sources.length > 0) this.exact = false;
    if (!isSkip) return variable(bind);
    guards.push(isSome(bind));
    return heldBy({ name: bind, isOption: true });
  }

  // ── what the run carries out itself ────────────────────────────────────────────────────────────────────

  /** An action on the state of the plan. */
  #own(action: Action, i: number, id: string): void {
    const { type, failureBehavior, parameters, expectedEffects } = action;
    const caught = failureBehavior === "skip" ? this.#name(`${kernelName(action.id)} failed`) : undefined;
    const isRead = type === "state_read";
    const bind = isRead ? this.#name(`output of ${kernelName(action.id)}`) : undefined;
    const templates = [parameters, ...expectedEffects.map(({ value }) => value)];
    const writes = type === "state_write" || expectedEffects.length > 0;
    const verb = { state_write: "write", state_read: "read", assertion: "assert", tool_call: "call" }[type];
    const { sources } = this.#innerCall(
      i,
      { id, name: `plan.${verb}:${plainly(action.id, i)}`, reads: !writes, ...(isRead && { result: json }) },
      templates,
      { bind, caught },
      keyOf(action),
    );
    this.calls.set(id, { action: i, attempt: 1, isLast: true, sources });
    if (isRead || sources.length > 0) this.exact = false;
    const present = caught === undefined ? undefined : not(variable(caught));
    const value = bind === undefined ? undefined : { name: bind, type: json, isOption: caught !== undefined };
    this.#outputs.set(action.id, { value, present });
  }

  #innerCall(
    i: number,
    {
      id,
      name,
      result,
      reads,
    }: { readonly id: string; readonly name: string; readonly result?: Type; readonly reads: boolean },
    templates: readonly Json[],
    { bind, caught }: { readonly bind: string | undefined; readonly caught: string | undefined },
    key?: string,
  ): { readonly sources: readonly Source[] } {
    const [params, args, sources]: [Field[], Argument[], Source[]] = [[], [], []];
    const give = (param: string, type: Type, value: Expr): string => {
      params.push({ name: param, type });
      args.push({ name: param, value });
      return param;
    };
    // The mark stands in the state, and people read it.
    if (key !== undefined) give("key", string, { kind: "string", value: key });
    for (const of of this.#idsIn(templates)) {
      const { value, present } = this.#outputs.get(of) ?? { value: undefined, present: undefined };
      const n = sources.length + 1;
      sources.push({
        id: of,
        has: present && give(`has${n}`, { kind: "bool" }, present),
        from: value && give(`from${n}`, value.type, heldBy(value)),
      });
    }
    const tool: Tool = {
      name: unused(name, this.#toolNames),
      params,
      ...(result && { result }),
      labels: [],
      requires: [],
      ensures: [],
      sets: [],
      ...(reads ? { reads: true } : { idempotent: true }),
    };
    this.inner.push(tool);
    this.#push(i, { kind: "call", id, tool: tool.name, args, ...options({ bind, when: undefined, caught }) });
    return { sources };
  }

  /** Ids of actions whose outputs are referred to, each once. */
  #idsIn(templates: readonly Json[]): ReadonlySet<string> {
    const ids = new Set<string>();
    for (const template of templates)
      eachString(template, (text) => {
        const reference = referenceIn(text);
        if (reference !== undefined) ids.add(reference.id);
      });
    return ids;
  }

  #push(i: number, command: Command): void {
    this.blocks[i]?.push(command);
  }

  #name(name: string): string {
    return unused(name, this.#names);
  }
}

/** Without a value, the plainest one of its type. */
function heldBy({ name, isOption: isMaybe }: { readonly name: string; readonly isOption: boolean }): Expr {
  return isMaybe ? { kind: "op", op: "value", args: [variable(name)] } : variable(name);
}

/** Returns whether every value of the type has the part. */
function hasPart(type: Type, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  const field = type.kind === "record" ? fieldOf(type, name) : undefined;
  return field !== undefined && !field.optional && hasPart(field.type, rest);
}

/** For the name of a tool: no dots, and not long. */
function plainly(name: string, i: number): string {
  return /^[\p{L}\p{N}_ -]{1,80}$/u.test(name) ? name : `#${i + 1}`;
}

function attempted(name: string, attempt: number): string {
  return attempt === 1 ? name : `${name}, try ${attempt}`;
}

function options({
  bind,
  when,
  caught,
}: {
  readonly bind: string | undefined;
  readonly when: Expr | undefined;
  readonly caught: string | undefined;
}) {
  return {
    ...(bind !== undefined && { bind }),
    ...(when !== undefined && { when }),
    ...(caught !== undefined && { catch: caught }),
  };
}
