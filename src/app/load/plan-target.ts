/** A plan with what is to be proved of it: contracts of tool modules, named with `--guarantee`. */
import { dirname } from "node:path";
import type { Locator } from "../../ir/index.ts";
import {
  type CheckedPlan,
  checkLowered,
  type Lowered,
  lower,
  type Plan,
  structureOf,
} from "../../plan/index.ts";
import type { Failure } from "../failure.ts";
import type { SourceFiles } from "../files/port.ts";
import type { LoadedDocument } from "./documents.ts";
import { compileGuarantees } from "./parse-guarantee.ts";
import { bookOf, brokenFailure, type LoadedPlan, loadPlan } from "./plan.ts";
import { toolFolders } from "./tool-folders.ts";
import type { LoadedProgram, LoweredPlan, NotLoaded } from "./typescript.ts";
import { visibleTools } from "./visible-tools.ts";

export type PlanTarget =
  | { readonly kind: "loaded"; readonly document: LoadedProgram & { readonly plan: LoweredPlan } }
  | NotLoaded;

export async function loadPlanTarget(
  fs: SourceFiles,
  path: string,
  tools: readonly string[] | undefined,
  stated: readonly string[],
): Promise<PlanTarget> {
  const loaded = await loadPlan(fs, path, undefined);
  if (!loaded.ok) return { kind: "unreadable", failure: loaded };
  const folder = path === "-" ? "." : dirname(path);
  // A plan that works on its own state alone needs no tools.
  const guarantees = [...loaded.value.plan.guarantees, ...stated];
  const needsTools = tools !== undefined || guarantees.length > 0 || callsTools(loaded.value.plan);
  const visible = needsTools ? await visibleTools(fs, [folder], tools) : undefined;
  if (visible?.kind === "failed") return toolsFailed(visible.failures);
  const compiled = visible?.folders.map((one) => one.compiled) ?? [];
  const book = bookOf(compiled);
  if (!book.ok) return { kind: "invalid", failures: [book] };
  const structure = structureOf(loaded.value.plan, { book: book.value });
  if (structure.kind === "broken") {
    return { kind: "invalid", failures: [brokenFailure(loaded.value, structure.findings)] };
  }
  const { plan } = loaded.value;
  const called = new Set([...structure.calls.values()].map(({ tool }) => tool.name));
  // A compensating call may happen too.
  for (const { compensation } of plan.actions)
    if (compensation?.type === "tool") called.add(compensation.tool);
  const folders = await toolFolders(fs, folder, tools);
  if (!folders.ok) return { kind: "unreadable", failure: folders };
  const where = { fs, folder, folders: folders.value, compiled, file: "--guarantee" };
  const promised = compileGuarantees(where, guarantees, called);
  if (promised.kind !== "compiled") return promised;
  const { document, modules, sources, used, docs } = promised.value;
  const lowered = lower(plan, structure, {
    book: book.value,
    declarations: {
      tools: compiled.flatMap((one) => one.tools),
      fluents: compiled.flatMap((one) => one.fluents),
    },
    guarantees: document.guarantees,
    modules,
  });
  if (lowered.kind === "refused") {
    return { kind: "invalid", failures: [brokenFailure(loaded.value, lowered.findings)] };
  }
  const checked = checkLowered(lowered);
  if (!checked.ok) {
    const { file, text } = loaded.value;
    const problems = checked.problems.map(({ span: _, ...problem }) => problem);
    return { kind: "invalid", failures: [{ ok: false, file, source: text, problems }] };
  }
  const declared = compiled.flatMap(({ declarations }) => declarations);
  const placesOf = (kind: "tool" | "fluent", wanted: readonly { readonly name: string }[]) =>
    declared.flatMap(({ kind: is, name, file }) =>
      is === kind && wanted.some((one) => one.name === name) ? [{ name, file }] : [],
    );
  const places = placesOf("tool", lowered.document.tools);
  const fluents = placesOf("fluent", lowered.document.fluents);
  const { warnings } = loaded.value;
  return {
    kind: "loaded",
    document: {
      ...documentOf(loaded.value, checked.value, lowered),
      modules,
      sources,
      used,
      docs,
      plan: { plan, warnings, lowered, book: book.value, places, fluents, stated },
    },
  };
}

function callsTools({ actions }: Plan): boolean {
  return actions.some(({ type, compensation }) => type === "tool_call" || compensation !== undefined);
}

/** Tells a file that cannot be read from a module that is wrong. */
function toolsFailed(failures: readonly Failure[]): NotLoaded {
  const [first] = failures;
  const isUnread = first?.problems.some(({ code }) => code.startsWith("FC90")) === true;
  return isUnread ? { kind: "unreadable", failure: first } : { kind: "invalid", failures };
}

/** Places in the document are those of the actions in the plan. */
function documentOf(
  { file, text, locate: locatePlan }: LoadedPlan,
  { checked }: CheckedPlan,
  { document, actionOf }: Lowered,
): LoadedDocument {
  const locate: Locator = (path) => {
    // The innermost command on the way.
    let [node, action]: [unknown, number | undefined] = [document, undefined];
    for (const step of path) {
      if (typeof node !== "object" || node === null) break;
      node = Reflect.get(node, step);
      if (typeof node === "object" && node !== null) action = actionOf(node) ?? action;
    }
    return action === undefined ? undefined : locatePlan(["actions", action]);
  };
  return { form: "json", checked, locate, file, text };
}
