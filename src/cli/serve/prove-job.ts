/** One request, compiled and proved: what runs in a process of its own, where nothing but tool modules can be read. */
import {
  type Found,
  givenUp,
  inputsDigest,
  nobodyDecides,
  openClauses,
  type PolicyOutcome,
  type ProblemView,
  type ProofView,
  type Proved,
  type Wire,
} from "../../approve/index.ts";
import { defaultLimits, readInputs, readJson } from "../../ir/index.ts";
import type { Proof, ProveOptions } from "../../prove/index.ts";
import type { Failure } from "../failure.ts";
import type { LoadedProgram } from "../load-program.ts";
import { loadRunnable, looksLikeDocument } from "../load-written.ts";
import { applyPolicy } from "../policy/apply-policy.ts";
import type { Clauses, LoadedPolicy } from "../policy/load-policy.ts";
import { coverageOfSubject } from "../prove/coverage.ts";
import { proveLoaded } from "../prove/prove-loaded.ts";
import type { Terminal } from "../terminal.ts";
import { Lines } from "../text/lines.ts";
import { proofView } from "./proof-view.ts";
import { closedTerminal, type ToolFiles } from "./tool-files.ts";

export interface Job {
  readonly text: string;
  readonly inputs: { readonly [name: string]: Wire };
}

export interface Workshop {
  readonly terminal: Terminal;
  readonly tools: ToolFiles;
  readonly policy: { readonly loaded: LoadedPolicy; readonly clauses: Clauses } | undefined;
  readonly options: ProveOptions;
}

/** There is no such file; it is where the program would lie. Its name is in no hash. */
const entryName = "filed-program";

/** `compiled` is told what is known before anything is proved, should the proof not come to its end. */
export async function proveJob(
  shop: Workshop,
  { text, inputs }: Job,
  compiled: (view: ProofView) => void,
): Promise<Proved> {
  const { tools, terminal: base, options, policy } = shop;
  const startMs = base.nowMs();
  const path = `${tools.folder}/${entryName}.${looksLikeDocument(text) ? "eir" : "ts"}`;
  const terminal = closedTerminal(base, tools, new Map([[path, text]]));
  const load = await loadRunnable(terminal, path, tools.named ?? undefined);
  if (load.kind !== "loaded") {
    const failures = load.kind === "invalid" ? load.failures : [load.failure];
    return invalid(failures.flatMap((failure) => problemsOf(failure, path, tools)));
  }
  const { document } = load;
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
  const proof = await proveLoaded(document, options);
  const coverage = await coverageOfSubject(document, proof, options);
  const view = proofView({ document, proof, coverage, docs, ms: base.nowMs() - startMs });
  const binding = {
    program: view.hash,
    modules: document.modules,
    inputs: inputsDigest(checked, given.value),
  };
  const found: Found = { kind: "proof", view, binding };
  if (policy === undefined || view.verdict !== "proved") return { found, policy: nobodyDecides };
  const applied = await applyPolicy(policy.loaded.policy, policy.clauses, document, options);
  // SOUNDNESS: a policy that cannot be asked might have rejected it, so nobody is asked in its place.
  if (!applied.ok)
    return givenUp(applied.failure.problems[0]?.message ?? "the policy cannot be applied", view);
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
