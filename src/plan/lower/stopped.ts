/**
 * The commands that stand for runs of a plan that end early: any call may be made or not and may fail, and so may the calls
 * that compensate. Inputs stand for what is not known.
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
  type Tool,
  type Type,
} from "../../ir/index.ts";
import type { Action, Plan } from "../plan.ts";
import { referenceIn } from "../references.ts";
import type { Structure } from "../strict/structure.ts";
import type { CallModel, ToolBook } from "../strict/tool-book.ts";
import { constant } from "./constant.ts";
import { allOf, unused } from "./parts.ts";
import { mostUndoTries, triesOf } from "./refusals.ts";

type Sound = Extract<Structure, { readonly kind: "sound" }>;

/** The result of the tool, if it returned one. */
interface Output {
  readonly name: string;
  readonly type: Type;
}

/** The arguments of a call, and what must be there for it to be made. */
interface Arguments {
  readonly args: readonly Argument[];
  readonly needed: readonly Expr[];
}

export class StoppedBody {
  readonly commands: Command[] = [];
  readonly inputs: Field[] = [];
  readonly tools: string[] = [];
  readonly #plan: Plan;
  readonly #structure: Sound;
  readonly #outputs = new Map<string, Output>();
  readonly #names = new Set<string>();
  readonly #ids = new Set<string>();

  constructor(plan: Plan, structure: Sound, book: ToolBook) {
    this.#plan = plan;
    this.#structure = structure;
    for (const i of structure.graph.order) {
      const [action, call] = [plan.actions[i], structure.calls.get(i)];
      if (action !== undefined && call !== undefined) this.#action(action, call);
    }
    for (const action of plan.actions) this.#undo(action, book);
  }

  #action(action: Action, call: CallModel): void {
    const { id } = action;
    const { args, needed } = this.#arguments(call, action, id);
    const guards = [...needed, this.#input(`${id} is reached`, { kind: "bool" })];
    const tries = triesOf(action);
    const results: string[] = [];
    let failed: Expr | undefined;
    for (let at = 1; at <= tries; at++) {
      const again =
        at === 1 ? [] : [failed ?? no, this.#input(`try ${at} of ${id} is made`, { kind: "bool" })];
      const caught = this.#name(`${id} failed${at === 1 ? "" : ` at try ${at}`}`);
      const when = allOf([...(at === 1 ? guards : []), ...again]);
      const bind = call.tool.result && this.#name(`output of ${id}${at === 1 ? "" : `, try ${at}`}`);
      this.#call(call.tool, args, at === 1 ? id : `${id}, try ${at}`, { when, bind, caught });
      if (bind !== undefined) results.push(bind);
      failed = { kind: "var", name: caught };
    }
    this.#output(action, call.tool, results);
  }

  /** The try that was answered. */
  #output({ id }: Action, { result: type }: Tool, results: readonly string[]): void {
    const [first, ...others] = results;
    if (type === undefined || first === undefined) return;
    if (others.length === 0) {
      this.#outputs.set(id, { name: first, type });
      return;
    }
    const last: Expr = { kind: "var", name: results.at(-1) ?? first };
    const value = results.slice(0, -1).reduceRight<Expr>((rest, name) => {
      const one: Expr = { kind: "var", name };
      return { kind: "op", op: "if", args: [{ kind: "op", op: "isSome", args: [one] }, one, rest] };
    }, last);
    const name = this.#name(`output of ${id} at last`);
    this.commands.push({ kind: "let", name, value });
    this.#outputs.set(id, { name, type });
  }

  /** A compensation may happen or not, and happens at the end. */
  #undo(action: Action, book: ToolBook): void {
    const { compensation, id } = action;
    if (compensation === undefined) return;
    if (compensation.type === "tool") {
      const read = book.read(compensation);
      if (read.kind !== "modelled") throw new TypeError("what compensates was looked at before");
      this.#undoWith(read.call, compensation, `compensation of ${id}`);
      return;
    }
    const of = this.#structure.numbers.get(compensation.actionId) ?? -1;
    const [other, call] = [this.#plan.actions[of], this.#structure.calls.get(of)];
    if (other !== undefined && call !== undefined) this.#undoWith(call, other, `compensation of ${id}`);
  }

  #undoWith(call: CallModel, by: Pick<Action, "parameters">, what: string): void {
    const { args, needed } = this.#arguments(call, by, what);
    const isRepeated = call.tool.idempotent === true || call.tool.reads === true;
    let failed: Expr | undefined;
    for (let at = 1; at <= (isRepeated ? mostUndoTries : 1); at++) {
      const name = at === 1 ? what : `${what}, try ${at}`;
      const guards = failed === undefined ? needed : [failed];
      const when = allOf([...guards, this.#input(`${name} is made`, { kind: "bool" })]);
      const caught = this.#name(`${name} failed`);
      this.#call(call.tool, args, name, { when, bind: undefined, caught });
      failed = { kind: "var", name: caught };
    }
  }

  // ── arguments ────────────────────────────────────────────────────────────────────────────────────────────

  #arguments(
    { tool, arguments: known }: CallModel,
    { parameters }: Pick<Action, "parameters">,
    id: string,
  ): Arguments {
    const args: Argument[] = [];
    const needed: Expr[] = [];
    for (const param of tool.params) {
      const { name, type, optional } = param;
      const value = known.get(name);
      if (value === undefined) continue;
      if (isPartly(value)) {
        args.push(this.#open(param, parameters[name] ?? null, id, needed));
        continue;
      }
      const held = optional && isOption(value) ? (value.kind === "none" ? undefined : value.value) : value;
      if (held === undefined) continue;
      const expr = constant(held, type) ?? this.#input(`${name} of ${id}`, type);
      args.push({ name, value: expr });
    }
    return { args, needed };
  }

  /** A parameter with a reference in it. */
  #open({ name, type, optional }: Field, given: Json, id: string, needed: Expr[]): Argument {
    const output = typeof given === "string" ? this.#referred(given, type, needed) : undefined;
    if (output !== undefined) return { name, value: output };
    const what = `${name} of ${id}`;
    if (!optional) return { name, value: this.#input(what, type) };
    return { name, value: this.#input(what, { kind: "option", value: type }), optional: true };
  }

  /** Undefined if the output does not fit as it stands. */
  #referred(text: string, type: Type, needed: Expr[]): Expr | undefined {
    const reference = referenceIn(text);
    const output = reference && this.#outputs.get(reference.id);
    if (reference === undefined || output === undefined) return undefined;
    const variable: Expr = { kind: "var", name: output.name };
    let expr: Expr = { kind: "op", op: "value", args: [variable] };
    let at = output.type;
    for (const name of reference.field) {
      const field = at.kind === "record" ? fieldOf(at, name) : undefined;
      if (field === undefined || field.optional) return undefined;
      expr = { kind: "field", of: expr, name };
      at = field.type;
    }
    if (!isSubtype(at, type)) return undefined;
    needed.push({ kind: "op", op: "isSome", args: [variable] });
    return expr;
  }

  // ── parts ────────────────────────────────────────────────────────────────────────────────────────────────

  #call(
    tool: Tool,
    args: readonly Argument[],
    id: string,
    { when, bind, caught }: { when: Expr | undefined; bind: string | undefined; caught: string },
  ): void {
    this.tools.push(tool.name);
    this.commands.push({
      kind: "call",
      id: unused(id, this.#ids),
      tool: tool.name,
      args,
      ...(bind !== undefined && { bind }),
      ...(when !== undefined && { when }),
      catch: caught,
    });
  }

  #input(what: string, type: Type): Expr {
    const name = this.#name(what);
    this.inputs.push({ name, type });
    return { kind: "var", name };
  }

  #name(name: string): string {
    return unused(name, this.#names);
  }
}

const no: Expr = { kind: "bool", value: false };
