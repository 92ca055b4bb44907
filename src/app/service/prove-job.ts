/** One request, compiled and proved: what runs in a process of its own, where nothing but tool modules can be read. */
import {
  type Found,
  inputsDigest,
  nobodyDecides,
  openClauses,
  type PolicyOutcome,
  type ProblemView,
  type ProofView,
  type Proved,
  unprovedResult,
  type Wire,
} from "../../approve/index.ts";
import { defaultLimits, readInputs, readJson } from "../../ir/index.ts";
import type { Proof } from "../../prove/index.ts";
import { applyPolicy } from "../decide/apply-policy.ts";
import type { Clauses, LoadedPolicy } from "../decide/load-policy.ts";
import type { Failure } from "../failure.ts";
import { Lines } from "../files/lines.ts";
import { looksLikeDocument } from "../load/form.ts";
import type { LoadedProgram } from "../load/typescript.ts";
import { loadRunnable } from "../load.ts";
import { type ProveHow, prove } from "../prove.ts";
import { proofView } from "../report/proof-view.ts";
import { closedFiles, type ToolFiles } from "./tool-files.ts";

export interface Job {
  readonly text: string;
  readonly inputs: { readonly [name: string]: Wire };
}

export interface JobContext {
  readonly tools: ToolFiles;
  readonly policy: { readonly loaded: LoadedPolicy; readonly clauses: Clauses } | undefined;
  readonly how: ProveHow;
  readonly nowMs: () => number;
}

/** There is no such file; it is where the program would lie. Its name is in no hash. */
const entryName = "filed-program";

/** `compiled` is told what is known before anything is proved, should the proof not come to its end. */
export async function proveJob(
  { tools, how, nowMs, policy }: JobContext,
  { text, inputs }: Job,
  compiled: (view: ProofView) => void,
): Promise<Proved> {
  const startMs = nowMs();
  const path = `${tools.folder}/${entryName}.${looksLikeDocument(text) ? "eir" : "ts"}`;
  const fs = closedFiles(tools, new Map([[path, text]]));
  const loading = await loadRunnable({ path, tools: tools.named ?? undefined }, { fs });
  if (loading.kind !== "loaded") {
    const failures = loading.kind === "invalid" ? loading.failures : [loading.failure];
    return invalid(failures.flatMap((failure) => problemsOf(failure, path, tools)));
  }
  const { document } = loading.loaded;
  const { checked } = document;
  const json = readJson(JSON.stringify(inputs), { ...defaultLimits, depth: 3 * defaultLimits.depth + 10 });
  const given = json.ok ? readInputs(checked, json.value.value) : json;
  if (!given.ok)
    return invalid(
      given.problems.map(({ code, message, help, path: at }) => ({
        code,
        message:
          at.length === 0 ? `the inputs: ${message}` : `the inputs, at \`${at.join(".")}\`: ${message}`,
        help: help ?? null,
        line: null,
        column: null,
      })),
    );
  const docs = new Map(tools.docs);
  compiled(unprovedView(document, docs));
  const proved = await prove(loading.loaded, how);
  if (!proved.ok) return unprovedResult(proved.problems[0]?.message ?? "it cannot be proved here");
  const { proof, coverage } = proved.value;
  const view = proofView({ document, proof, coverage, docs, ms: nowMs() - startMs });
  const binding = {
    program: view.hash,
    modules: document.modules,
    inputs: inputsDigest(checked, given.value),
  };
  const found: Found = { kind: "proof", view, binding };
  if (policy === undefined || view.verdict !== "proved") return { found, policy: nobodyDecides };
  const applied = await applyPolicy(policy.loaded.policy, policy.clauses, loading.loaded, how);
  // SOUNDNESS: a policy that cannot be asked might have rejected it, so nobody is asked in its place.
  if (!applied.ok)
    return unprovedResult(applied.problems[0]?.message ?? "the policy cannot be applied", view);
  const { decision, rule, charges } = applied.value;
  const outcome: PolicyOutcome = {
    decision,
    rule: rule?.name ?? null,
    reason: rule?.reason ?? null,
    charges,
  };
  return { found: { ...found, policyStops: openClauses(applied.value) }, policy: outcome };
}

/** Everything that is stated, and nothing proved. */
function unprovedView(document: LoadedProgram, docs: ReadonlyMap<string, string>): ProofView {
  const why = "the proof did not come to its end";
  const proof: Proof = {
    guarantees: document.checked.document.guarantees.map((guarantee) => ({
      guarantee,
      verdict: { kind: "unknown", why },
    })),
    obligations: [],
  };
  const coverage = { domains: [], added: new Map(), statedBy: "program" } as const;
  const view = proofView({ document, proof, coverage, docs, ms: 0 });
  return { ...view, obligations: [] };
}

function invalid(problems: readonly ProblemView[]): Proved {
  return { found: { kind: "invalid", problems }, policy: nobodyDecides };
}

/** LIMIT: of problems that are told. */
const mostProblems = 100;

/** With their place, if it is in the program; the folders of the service are nobody's business. */
function problemsOf({ file, source, problems }: Failure, path: string, tools: ToolFiles): ProblemView[] {
  const isOwn = file === undefined || file === path;
  const lines = isOwn && source !== undefined ? new Lines(source) : undefined;
  const near = (text: string) => text.replaceAll(`${tools.folder}/`, "");
  return problems.slice(0, mostProblems).map(({ code, message, help, span }) => {
    const place = lines && span && lines.positionOf(span.start);
    return {
      code,
      message: isOwn ? near(message) : `${near(file)}: ${near(message)}`,
      help: help === undefined ? null : near(help),
      line: place?.line ?? null,
      column: place?.column ?? null,
    };
  });
}
