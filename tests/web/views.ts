/** Requests as the service gives them, made by the real prover of the programs under examples/. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { loadProgram } from "../../src/app/load/typescript.ts";
import { coverageOfTarget } from "../../src/app/prove/coverage.ts";
import { proofView } from "../../src/app/report/proof-view.ts";
import { detailOf, type Found, type RequestRecord } from "../../src/approve/requests/record.ts";
import type { RequestDetail, RequestStatus } from "../../src/approve/wire.ts";
import { processHost } from "../../src/cli/host.ts";
import type { Solver } from "../../src/prove/decide/solver/port.ts";
import { prove } from "../../src/prove/prove.ts";
import { folder, readFile } from "../examples/examples.ts";

const limits = { timeoutMs: 20_000, resources: 20_000_000 };

/** @param name `email/first-mail` */
export function requestOf(name: string, solver: Solver): Promise<RequestDetail> {
  return requestAt(join(folder, `${name}.ts`), name, solver);
}

/** The request for a program that lies beside its tool modules. */
export async function requestAt(path: string, name: string, solver: Solver): Promise<RequestDetail> {
  const found = await foundOf(path, solver);
  const program = { file: `${name.split("/").at(-1)}.ts`, text: readFile(path) ?? "" };
  const filed = { program, inputs: {}, budget: null, kernel: "0".repeat(64), words: null, follows: null };
  const record: RequestRecord = {
    id: `r-${name.replace("/", "-")}`,
    revision: 1,
    status: statusOf(found),
    agent: "billing-agent",
    filedAt: Date.now() - 65_000,
    expiresAt: Date.now() + 3_500_000,
    filed,
    found,
    decided: null,
    receipt: null,
    progress: null,
  };
  return detailOf(record, true);
}

function statusOf(found: Found): RequestStatus {
  if (found.kind === "invalid") return "invalid";
  return found.view.verdict === "proved" ? "pending" : "not_proved";
}

async function foundOf(path: string, solver: Solver): Promise<Found> {
  const load = await loadProgram(processHost(process), path, undefined);
  if (load.kind === "unreadable") throw new Error(`${path} cannot be read`);
  if (load.kind === "invalid") {
    const problems = load.failures.flatMap((failure) =>
      failure.problems.map(({ code, message, help }) => ({
        code,
        message,
        help: help ?? null,
        line: 1,
        column: 1,
      })),
    );
    return { kind: "invalid", problems };
  }
  const { document } = load;
  const options = { solver: async () => solver, limits };
  const proof = await prove(document.checked, options);
  const coverage = await coverageOfTarget(document, proof, options);
  const docs = docsIn(join(path, "../tools"));
  return { kind: "proof", view: proofView({ document, proof, coverage, docs, ms: 12 }), binding: null };
}

/** Returns the doc comments of contracts. */
function docsIn(tools: string): Map<string, string> {
  const docs = new Map<string, string>();
  for (const file of readdirSync(tools)) {
    const text = readFile(join(tools, file)) ?? "";
    for (const [, doc = "", name = ""] of text.matchAll(/\/\*\* (.+) \*\/\nexport const (\w+) = contract/g))
      docs.set(`${file.replace(/\.ts$/, "")}.${name}`, doc);
  }
  return docs;
}
