/**
 * A plan as two documents of the Effect IR, whose runs are, as far as calls go, all that can happen when the plan runs.
 * - `whole`: runs to the end. Calls are made in the row. One that ends the plan if it fails has not failed; of a `retry`,
 *   each further try is made if the one before failed. One that may be skipped has an input that says whether it is
 *   reached, unless it asks for nothing, and may fail.
 * - `broken`: runs that end somewhere. Any call may be made or not and may fail, and so may the calls that undo.
 *
 * SOUNDNESS:
 * - Of the order: a guarantee that takes calls as a set holds for all orders if it holds for one. Calls that touch one
 *   cell of a fluent are ordered by edges (`strict/graph.ts`), so what cells hold, for `requires` and at the end, is the
 *   same in every schedule. What else depends on the order is not proved (`prove-plan.ts`).
 * - Of the state: what an action asks of it is left out, so more runs are looked at than there are. What a plan itself
 *   writes must be no cell of a fluent.
 * - Of outputs: one that does not fit as it stands is any value of the parameter's type.
 */
import type { Document, Expr, Fluent, Guarantee, Tool } from "../../ir/index.ts";
import type { Finding } from "../findings.ts";
import { defaultPlanLimits } from "../limits.ts";
import type { Plan } from "../plan.ts";
import { anyState, unsureIn } from "../strict/side.ts";
import type { Structure } from "../strict/structure.ts";
import type { ToolBook, ToolDeclarations } from "../strict/tool-book.ts";
import { Body } from "./body.ts";
import { isChain } from "./order.ts";
import { unprovable } from "./refusals.ts";

export interface Lowered {
  readonly kind: "lowered";
  readonly whole: Made;
  readonly broken: Made;
  /** Whether each run of `whole` is one of the plan, so that a run that breaks a promise really can happen. */
  readonly exact: boolean;
  /** Whether there is only one order of calls. */
  readonly chain: boolean;
}

export interface Made {
  readonly document: Document;
  /** For each command of the body the number of the action that it comes from. */
  readonly actions: readonly number[];
}

export interface LowerOptions {
  readonly book: ToolBook;
  readonly declarations: ToolDeclarations;
  readonly guarantees: readonly Guarantee[];
  /** The hash of the tool modules. */
  readonly modules?: string;
  /** Calls, each try by itself. */
  readonly maxCalls?: number;
}

type Sound = Extract<Structure, { readonly kind: "sound" }>;

export function lower(
  plan: Plan,
  structure: Sound,
  options: LowerOptions,
): Lowered | { readonly kind: "refused"; readonly findings: readonly Finding[] } {
  const most = options.maxCalls ?? defaultPlanLimits.calls;
  const findings = unprovable(plan, structure, options.book, options.declarations.fluents, most);
  if (findings.length > 0) return { kind: "refused", findings };
  const { mayFail } = unsureIn(anyState(plan, structure, options.book));
  const whole = new Body(plan, structure, options.book, "whole", mayFail);
  const broken = new Body(plan, structure, options.book, "broken", mayFail);
  return {
    kind: "lowered",
    whole: made(whole, options),
    broken: undoing(plan, made(broken, options)),
    exact: whole.exact && !mayFail.includes(1),
    chain: isChain(plan, structure.graph),
  };
}

function made(body: Body, { declarations, guarantees, modules }: LowerOptions): Made {
  const { commands, inputs, actions } = body;
  const tools = neededTools(declarations, guarantees, new Set(body.tools));
  return {
    document: {
      effectIr: 1,
      ...(modules !== undefined && { modules }),
      fluents: neededFluents(declarations, guarantees, tools),
      tools,
      program: { inputs, body: commands },
      guarantees,
    },
    actions,
  };
}

/** SOUNDNESS: what undoes an action is called whether what its tool requires holds or not, so that must not be assumed. */
function undoing({ actions }: Plan, one: Made): Made {
  if (actions.every(({ compensation }) => compensation === undefined)) return one;
  const tools = one.document.tools.map(({ cost: _, ...tool }) => ({ ...tool, requires: [] }));
  return { ...one, document: { ...one.document, tools } };
}

/** Those that are called or spoken of, in the order of their declaration; all with a label that is spoken of. */
function neededTools(
  { tools }: ToolDeclarations,
  guarantees: readonly Guarantee[],
  called: ReadonlySet<string>,
): Tool[] {
  const names = new Set<string>();
  const labels = new Set<string>();
  for (const { formula } of guarantees) {
    visit(formula, (node) => {
      const [tool, label] = [Reflect.get(node, "tool"), Reflect.get(node, "label")];
      if (typeof tool === "string") names.add(tool);
      if (typeof label === "string") labels.add(label);
    });
  }
  return tools.filter(
    ({ name, labels: own }) => called.has(name) || names.has(name) || own.some((one) => labels.has(one)),
  );
}

function neededFluents(
  { fluents }: ToolDeclarations,
  guarantees: readonly Guarantee[],
  tools: readonly Tool[],
): Fluent[] {
  const names = new Set<string>();
  const note = (node: object): void => {
    const name = Reflect.get(node, "fluent");
    if (typeof name === "string") names.add(name);
  };
  for (const { formula } of guarantees) visit(formula, note);
  for (const tool of tools) visit([tool.requires, tool.sets], note);
  return fluents.filter(({ name }) => names.has(name));
}

function visit(node: Expr | object | undefined, see: (node: object) => void): void {
  if (node === undefined) return;
  see(node);
  for (const part of Object.values(node)) if (typeof part === "object" && part !== null) visit(part, see);
}
