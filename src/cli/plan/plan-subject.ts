/** A plan with what is to be proved of it: contracts of tool modules, named with `--guarantee`. */
import { dirname, posix as paths } from "node:path";
import { type Compiled, type CompiledTools, compileProgram } from "../../frontend/index.ts";
import { closest } from "../../ir/check/closest.ts";
import { defaultLimits, type Locator, readJson } from "../../ir/index.ts";
import { type CheckedPlan, checkLowered, type Lowered, lower } from "../../plan/index.ts";
import { structureOf } from "../../plan/strict/structure.ts";
import { writtenText } from "../../plan/values.ts";
import { posix, toolFolders } from "../config.ts";
import { type Attempt, attained, type Failure, failedAttempt, plainFailure } from "../failure.ts";
import { failuresOf, type LoadedProgram, Modules } from "../load-program.ts";
import type { Terminal } from "../terminal.ts";
import { visibleTools } from "../tools/visible.ts";
import { bookOf, brokenFailure, type LoadedPlan, loadPlan } from "./load-plan.ts";

export type PlanSubject =
  | { readonly kind: "loaded"; readonly document: LoadedProgram; readonly plan: CheckedPlan }
  | { readonly kind: "invalid"; readonly failures: readonly Failure[] }
  | { readonly kind: "unreadable"; readonly failure: Failure };

export async function loadPlanSubject(
  terminal: Terminal,
  path: string,
  tools: readonly string[] | undefined,
  stated: readonly string[],
): Promise<PlanSubject> {
  const loaded = await loadPlan(terminal, path, undefined);
  if (!loaded.ok) return { kind: "unreadable", failure: loaded.failure };
  const folder = path === "-" ? "." : dirname(path);
  const visible = await visibleTools(terminal, [folder], tools);
  if (visible.kind === "failed") return toolsFailed(visible.failures);
  const compiled = visible.folders.map((one) => one.compiled);
  const book = bookOf(compiled);
  if (!book.ok) return { kind: "invalid", failures: [book.failure] };
  const structure = structureOf(loaded.value.plan, { book: book.value });
  if (structure.kind === "broken") {
    return { kind: "invalid", failures: [brokenFailure(loaded.value, structure.findings)] };
  }
  const { plan } = loaded.value;
  const called = new Set([...structure.calls.values()].map(({ tool }) => tool.name));
  const folders = await toolFolders(terminal, folder, tools);
  if (!folders.ok) return { kind: "unreadable", failure: folders.failure };
  const promised = guaranteesOf(terminal, folder, folders.value, compiled, stated, called);
  if (promised.kind !== "compiled") return promised;
  const { document, modules, sources } = promised.value;
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
    return { kind: "invalid", failures: [{ file, source: text, problems }] };
  }
  return {
    kind: "loaded",
    plan: checked.value,
    document: documentOf(loaded.value, checked.value, lowered, modules, sources),
  };
}

/** What could not be read is no fault of a module. */
function toolsFailed(failures: readonly Failure[]): Exclude<PlanSubject, { readonly kind: "loaded" }> {
  const [first] = failures;
  const isUnread = first?.problems.some(({ code }) => code.startsWith("FC90")) === true;
  return isUnread ? { kind: "unreadable", failure: first } : { kind: "invalid", failures };
}

/** Places in the document are those of the actions in the plan. */
function documentOf(
  { file, text, locate: locatePlan }: LoadedPlan,
  { whole }: CheckedPlan,
  lowered: Lowered,
  modules: string,
  sources: LoadedProgram["sources"],
): LoadedProgram {
  const locate: Locator = (path) => {
    const [part, list, at] = path;
    const action = part === "program" && list === "body" ? lowered.whole.actions[Number(at)] : undefined;
    return action === undefined ? undefined : locatePlan(["actions", action]);
  };
  return { form: "json", checked: whole, locate, file, text, modules, sources };
}

// ── what is to be proved ─────────────────────────────────────────────────────────────────────────────────

type Promised =
  | { readonly kind: "compiled"; readonly value: Compiled }
  | Exclude<PlanSubject, { readonly kind: "loaded" }>;

/**
 * Compiled as a program would be that states the same and does nothing, so that the guarantees are the same. Modules of
 * tools that the plan calls are part of it, so that their hash is in the document.
 */
function guaranteesOf(
  terminal: Terminal,
  folder: string,
  folders: readonly string[] | undefined,
  compiled: readonly CompiledTools[],
  stated: readonly string[],
  called: ReadonlySet<string>,
): Promised {
  const declarations = compiled.flatMap((one) => one.declarations);
  const contracts = new Map(
    declarations.flatMap((one) => (one.kind === "contract" ? [[one.name, one.file] as const] : [])),
  );
  const files = new Map<string, string>();
  const moduleOf = (file: string): string => {
    const known = files.get(file) ?? `module${files.size}`;
    files.set(file, known);
    return known;
  };
  for (const { kind, name, file } of declarations) if (kind === "tool" && called.has(name)) moduleOf(file);
  const calls: string[] = [];
  for (const text of stated) {
    const call = contractCall(text, contracts);
    if (!call.ok) return { kind: "unreadable", failure: call.failure };
    const { file, name, args } = call.value;
    calls.push(`${moduleOf(file)}.${name}(${args})`);
  }
  const entry = `${posix(folder)}/${entryName}`;
  const imports = Array.from(files, ([file, name]) => {
    const near = paths.relative(paths.dirname(entry), file);
    return `import * as ${name} from ${JSON.stringify(near.startsWith(".") ? near : `./${near}`)};\n`;
  });
  const source = `import { program } from "foreclaim";\n${imports.join("")}export default program({\n  guarantees: [\n    ${calls.join(",\n    ")},\n  ],\n  async run() {},\n});\n`;
  const modules = new Modules(terminal, new Map([[entry, source]]));
  const result = compileProgram(entry, modules.host(folders));
  if (modules.failure !== undefined) return { kind: "unreadable", failure: modules.failure };
  if (result.ok) return { kind: "compiled", value: result.value };
  const failures = failuresOf(result.problems, result.sources, entry);
  return {
    kind: "invalid",
    failures: failures.map((one) => (one.file === entry ? { ...one, file: "--guarantee" } : one)),
  };
}

/** There is no such file; it is what the guarantees would stand in. */
const entryName = "guarantees-of-a-plan.ts";

interface ContractCall {
  readonly file: string;
  readonly name: string;
  /** As they stand in a program. */
  readonly args: string;
}

function contractCall(text: string, contracts: ReadonlyMap<string, string>): Attempt<ContractCall> {
  const [, whole = "", given = ""] = /^\s*([^\s(]+)\s*\(([\s\S]*)\)\s*$/.exec(text) ?? [];
  const file = contracts.get(whole);
  if (whole === "") {
    const message = `\`${text}\` is no contract with its arguments`;
    return failedAttempt(plainFailure("FC9001", message, "write it as `bank.maxSpend(500)`"));
  }
  if (file === undefined) {
    const near = closest(whole, contracts.keys());
    const help =
      near === undefined ? "`foreclaim tools` lists the contracts there are" : `did you mean \`${near}\`?`;
    return failedAttempt(plainFailure("FC9001", `there is no contract \`${whole}\``, help));
  }
  // Read as data and written again, so that it cannot be anything but arguments.
  const read = readJson(`[${given}]`, defaultLimits);
  if (!read.ok || !Array.isArray(read.value.value)) {
    const message = `the arguments of \`${text}\` are not JSON`;
    return failedAttempt(plainFailure("FC9001", message, 'write texts as in `mail.only(["bob@x.org"])`'));
  }
  const args = read.value.value.map(writtenText).join(", ");
  return attained({ file, name: whole.slice(whole.lastIndexOf(".") + 1), args });
}
