/** Opens sessions: tool modules and guarantees are compiled as for a program that states them, and each must stand. */
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import {
  type CompiledStated,
  compileStated,
  type Failure,
  guaranteeText,
  loadPolicy,
  nodeFiles,
  type SourceFiles,
} from "../app/index.ts";
import {
  answerLabel,
  type Checked,
  check,
  type Document,
  type Expr,
  isBuiltin,
  ok,
  quoted,
  type Result,
  referencesIn,
} from "../ir/index.ts";
import { Kernel, MemoryLog } from "../kernel/index.ts";
import { type Ledger, openLedger } from "../ledger/index.ts";
import { startingProblems } from "../run/index.ts";
import type { SessionCode } from "./codes.ts";
import { CallPolicy } from "./policy.ts";
import { type Refusal, Session } from "./session.ts";

export interface SessionSetup {
  /** The tools that the session may call, by their full names. */
  readonly tools: readonly string[];
  /** The folder whose tool modules are meant; the current one if omitted. */
  readonly folder?: string;
  /** Folders of trusted tool modules, in place of the usual ones. */
  readonly modules?: readonly string[];
  /** Contracts with their arguments, such as `mail.only(['bob@x.org'])`, that hold of all calls together. */
  readonly guarantees?: readonly string[];
  /** Budget of all calls: an amount, or amounts by name. */
  readonly budget?: unknown;
  /** Rules of the kernel. */
  readonly rules?: unknown;
  /** The file of an approval policy that decides about each call. */
  readonly policy?: string;
  /** Storage of the trace: a kernel, or the address of a ledger. */
  readonly ledger?: string | Kernel;
  /** The name of the kernel on its ledger. */
  readonly kernel?: string;
  readonly observe?: boolean;
  readonly id?: string;
  readonly onRefusal?: (tool: string, refusals: readonly Refusal[]) => void;
  readonly clock?: () => number;
  readonly fs?: SourceFiles;
}

/** A session, and how it is ended. */
export interface OpenSession {
  readonly session: Session;
  readonly checked: Checked;
  readonly kernel?: Kernel;
  readonly close: () => Promise<void>;
}

export async function openSession(setup: SessionSetup): Promise<Result<OpenSession, Failure>> {
  const { fs = nodeFiles, folder = ".", modules, guarantees = [], tools } = setup;
  const stated = { fs, folder: resolve(folder), tools: modules, file: "guarantees" };
  const policy = setup.policy === undefined ? ok(undefined) : await loadPolicy(fs, setup.policy);
  if (!policy.ok) return policy;
  const clauses = policy.value?.policy.rules.flatMap((rule) => rule.clauses) ?? [];
  if (policy.value?.policy.rules.some(({ limits }) => limits.length > 0) === true)
    return wrong(
      "a rule with `limits` decides about programs, and not about single calls",
      "give the session a budget",
    );
  const compiled = await compileStated(stated, [...guarantees, ...clauses], new Set(tools));
  if (!compiled.ok) return compiled;
  const document = sessionDocument(compiled.value, tools);
  const missing = tools.find((name) => !document.tools.some((tool) => tool.name === name));
  if (missing !== undefined)
    return wrong(
      `no tool module declares ${quoted(missing)}`,
      "declare it in a tool module, or leave it out",
    );
  // Guarantees come first, then the clauses of the policy, then what coverage requires.
  const asked = document.guarantees.slice(guarantees.length, guarantees.length + clauses.length);
  const standing = document.guarantees.filter((one) => !asked.includes(one));
  const checked = check({ ...document, guarantees: standing });
  const whole = check(document);
  if (!checked.ok || !whole.ok) throw new TypeError("what was compiled is a document");
  const kernel = await kernelFor(setup);
  if (!kernel.ok) return kernel;
  const close = async () => {
    if (kernel.value.isOwn) await kernel.value.kernel?.close();
    await kernel.value.ledger?.close();
  };
  const opened = sessionOn(
    setup,
    checked.value,
    kernel.value.kernel,
    policyFor(policy.value?.policy, whole.value, clauses, guarantees.length),
  );
  if (!opened.ok) {
    await close();
    return opened;
  }
  return ok({
    session: opened.value,
    checked: checked.value,
    ...(kernel.value.kernel && { kernel: kernel.value.kernel }),
    close,
  });
}

/** Builds the document of a session with all tools that it may call: contracts about labels cover those tools too. */
function sessionDocument(
  { compiled: { document }, layer }: CompiledStated,
  names: readonly string[],
): Document {
  const known = new Set(document.tools.map(({ name }) => name));
  const more = layer.tools.filter(({ name }) => names.includes(name) && !known.has(name));
  const fluents = new Set(document.fluents.map(({ name }) => name));
  return {
    ...document,
    tools: [...document.tools, ...more],
    fluents: [...document.fluents, ...layer.fluents.filter(({ name }) => !fluents.has(name))],
  };
}

function policyFor(
  policy: ConstructorParameters<typeof CallPolicy>[0] | undefined,
  checked: Checked,
  clauses: readonly string[],
  from: number,
): CallPolicy | undefined {
  if (policy === undefined) return undefined;
  const formulas = new Map<string, Expr>();
  for (const [i, clause] of clauses.entries()) {
    const formula = checked.document.guarantees[from + i]?.formula;
    if (formula !== undefined) formulas.set(clause, formula);
  }
  return new CallPolicy(policy, checked, formulas);
}

function sessionOn(
  { id = randomUUID(), observe, onRefusal }: SessionSetup,
  checked: Checked,
  kernel: Kernel | undefined,
  policy: CallPolicy | undefined,
): Result<Session, Failure> {
  const [problem] = kernel === undefined ? [] : startingProblems(checked, kernel);
  if (problem !== undefined) return wrong(problem.message, problem.help);
  const session = new Session({
    checked,
    id,
    ...(kernel && { kernel }),
    ...(policy && { policy }),
    ...(observe !== undefined && { observe }),
    ...(onRefusal && { onRefusal }),
  });
  for (const guarantee of checked.document.guarantees) {
    const { tools, labels } = referencesIn(guarantee.formula);
    const isOfAnswers = labels.has(answerLabel) || [...tools].some(isBuiltin);
    const why = isOfAnswers
      ? "it speaks of the answer of a program, and a session gives none"
      : session.whyNot(guarantee);
    if (why === undefined) continue;
    const { stated } = guaranteeText(checked, guarantee);
    return wrong(
      `${quoted(stated)} cannot stand for a session: ${why}`,
      "state it in a program, or choose another contract",
    );
  }
  return ok(session);
}

interface KernelOf {
  readonly kernel?: Kernel;
  readonly ledger?: Ledger;
  readonly isOwn: boolean;
}

async function kernelFor(setup: SessionSetup): Promise<Result<KernelOf, Failure>> {
  const { ledger: given, budget, rules, clock = Date.now, kernel: name } = setup;
  if (typeof given === "object") {
    if (budget !== undefined || rules !== undefined)
      return wrong("a kernel that is there has its own budget and rules", "leave out `budget` and `rules`");
    return ok({ kernel: given, isOwn: false });
  }
  const isNeeded = given !== undefined || budget !== undefined || rules !== undefined;
  if (!isNeeded) return ok({ isOwn: false });
  const ledger =
    given === undefined ? undefined : await openLedger(/^[a-z]+:/.test(given) ? given : `sqlite:${given}`);
  const isAmount = typeof budget !== "object";
  const policy = {
    ...(budget !== undefined && { budgets: isAmount ? { budget } : budget }),
    ...(rules !== undefined && { rules }),
  };
  const opened = await Kernel.open({
    ledger: ledger ?? new MemoryLog(),
    ...(name !== undefined && { name }),
    ...(Object.keys(policy).length > 0 && { policy }),
    clock,
  });
  if (opened.ok) return ok({ kernel: opened.value, isOwn: true, ...(ledger && { ledger }) });
  await ledger?.close();
  return wrong(opened.problem.message);
}

function wrong(message: string, help?: string): Failure {
  const problem = { code: "FC4601" satisfies SessionCode, message, path: [] };
  return { ok: false, problems: [help === undefined ? problem : { ...problem, help }] };
}
