/**
 * A plan as a document of the Effect IR: the one that is proved, approved and run (`body.ts`). It begins with the digest of
 * the plan, so that its hash, and with it a receipt, covers everything that the plan says: times, conditions and
 * compensations too, which the document does not spell out.
 *
 * Where actions have compensations there is a second one, which is proved and never run: of runs that end early, with the
 * calls that compensate (`stopped.ts`).
 */
import {
  type Command,
  type Document,
  type Fluent,
  type Guarantee,
  referencesIn,
  type Tool,
} from "../../ir/index.ts";
import { planDigest } from "../digest.ts";
import type { Finding } from "../findings.ts";
import { defaultPlanLimits } from "../limits.ts";
import type { Plan } from "../plan.ts";
import { runFindings } from "../run/problems.ts";
import { anyState, unsureIn } from "../strict/observable-plan.ts";
import type { Structure } from "../strict/structure.ts";
import type { ToolBook, ToolDeclarations } from "../strict/tool-book.ts";
import { arranged } from "./arrange.ts";
import { Body, type LoweredCall } from "./body.ts";
import { unprovable } from "./refusals.ts";
import { StoppedBody } from "./stopped.ts";

export type Sound = Extract<Structure, { readonly kind: "sound" }>;

export interface Lowered {
  readonly kind: "lowered";
  readonly document: Document;
  /** Document of the runs that stop early; undefined if those make no other calls than the main document. */
  readonly stopped: Document | undefined;
  /** True if each run of the document is one of the plan, so that a counterexample really can happen. */
  readonly exact: boolean;
  /** By the ids of calls. */
  readonly calls: ReadonlyMap<string, LoweredCall>;
  /** Tools that the run carries out itself. */
  readonly innerTools: ReadonlySet<string>;
  /** The number of the action that a command comes from. */
  readonly actionOf: (command: object) => number | undefined;
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

export function lower(
  plan: Plan,
  structure: Sound,
  options: LowerOptions,
): Lowered | { readonly kind: "refused"; readonly findings: readonly Finding[] } {
  const most = options.maxCalls ?? defaultPlanLimits.calls;
  const findings = [
    ...unprovable(plan, structure, options.book, options.declarations.fluents, most),
    ...runFindings(plan),
  ];
  if (findings.length > 0) return { kind: "refused", findings };
  const body = new Body(plan, structure);
  const named: Command = {
    kind: "let",
    name: body.planName,
    value: { kind: "string", value: planDigest(plan) },
  };
  const program = { inputs: [], body: [named, ...arranged(structure.graph, body.blocks)] };
  const actions = new Map<object, number>();
  for (const [i, block] of body.blocks.entries()) for (const command of block) actions.set(command, i);
  return {
    kind: "lowered",
    document: documentOf(options, program, new Set([...body.tools, ...compensating(plan)]), body.inner),
    stopped: stoppedOf(plan, structure, options),
    exact: body.exact && !unsureIn(anyState(plan, structure, options.book)).mayFail.includes(1),
    calls: body.calls,
    innerTools: new Set(body.inner.map(({ name }) => name)),
    actionOf: (command) => actions.get(command),
  };
}

function documentOf(
  { declarations, guarantees, modules }: LowerOptions,
  program: Document["program"],
  called: ReadonlySet<string>,
  inner: readonly Tool[],
): Document {
  const tools = neededTools(declarations, guarantees, called);
  return {
    effectIr: 1,
    ...(modules !== undefined && { modules }),
    fluents: neededFluents(declarations, guarantees, tools),
    tools: [...tools, ...inner],
    program,
    guarantees,
  };
}

/** Tools that compensate a call, if the plan needs that. */
function compensating({ actions }: Plan): string[] {
  return actions.flatMap(({ compensation }) => (compensation?.type === "tool" ? [compensation.tool] : []));
}

/** SOUNDNESS: a proof of this one assumes nothing of what tools require: what compensates may be refused, and may not be. */
function stoppedOf(plan: Plan, structure: Sound, options: LowerOptions): Document | undefined {
  if (plan.actions.every(({ compensation }) => compensation === undefined)) return undefined;
  const { inputs, commands, tools } = new StoppedBody(plan, structure, options.book);
  const document = documentOf(options, { inputs, body: commands }, new Set(tools), []);
  const unbound = document.tools.map(({ cost: _, ...tool }) => ({ ...tool, requires: [] }));
  return { ...document, tools: unbound };
}

/** Those that are called or spoken of, in the order of their declaration; all with a label that is spoken of. */
function neededTools(
  { tools }: ToolDeclarations,
  guarantees: readonly Guarantee[],
  called: ReadonlySet<string>,
): Tool[] {
  const { tools: names, labels } = referencesIn(...guarantees.map(({ formula }) => formula));
  return tools.filter(
    ({ name, labels: own }) => called.has(name) || names.has(name) || own.some((one) => labels.has(one)),
  );
}

function neededFluents(
  { fluents }: ToolDeclarations,
  guarantees: readonly Guarantee[],
  tools: readonly Tool[],
): Fluent[] {
  const { fluents: names } = referencesIn(
    ...guarantees.map(({ formula }) => formula),
    ...tools.flatMap(({ requires, sets }) => [
      ...requires,
      ...sets.flatMap(({ key, value }) => [key, value]),
    ]),
  );
  const written = new Set(tools.flatMap(({ sets }) => sets.map(({ fluent }) => fluent)));
  return fluents.filter(({ name }) => names.has(name) || written.has(name));
}
