/** The worker that proves: it loads the parser when it starts, and the solver when a question is left for one. */
import { SolverPool } from "../../app/index.ts";
import type { FromProver, ToProver } from "../messages.ts";
import { setParser } from "./parser.ts";
import { proveTexts } from "./prove-texts.ts";
import { setSolver } from "./solver-engine.ts";
import { compileFrom, type Module } from "./web-assembly.ts";
import { scope } from "./web-worker.ts";

const pool = new SolverPool();
let begin: (starting: Promise<void>) => void = () => {};
/** Settles once the parser is there, or cannot be. A proof may be asked for earlier. */
const started = new Promise<void>((resolve) => {
  begin = resolve;
});

scope.onmessage = ({ data }) => {
  // SAFETY: the page sends nothing else.
  const message = data as ToProver;
  if (message.kind === "start") begin(start(message));
  else void answer(message);
};

function tell(message: FromProver): void {
  scope.postMessage(message);
}

async function start({ assets, compiled }: ToProver & { readonly kind: "start" }): Promise<void> {
  // SAFETY: the page hands on what an earlier worker sent.
  const known = compiled as { readonly parser?: Module; readonly solver?: Module };
  setSolver(assets.solver, known.solver, (solver) => tell({ kind: "compiled", compiled: { solver } }));
  const parser = known.parser ?? (await compileFrom(assets.parser));
  if (known.parser === undefined) tell({ kind: "compiled", compiled: { parser } });
  setParser(parser);
  tell({ kind: "ready" });
}

async function answer({ id, entry, files }: ToProver & { readonly kind: "prove" }): Promise<void> {
  const startMs = performance.now();
  let isAsking = false;
  const asking = () => {
    if (!isAsking) tell({ kind: "asking", id });
    isAsking = true;
  };
  const done = (outcome: Extract<FromProver, { kind: "done" }>["outcome"], report: object | null) =>
    tell({ kind: "done", id, outcome, report, ms: performance.now() - startMs });
  try {
    await started;
    const { outcome, report } = await proveTexts(entry, files, pool, asking);
    done(outcome, report);
  } catch (error) {
    done({ kind: "failed", message: error instanceof Error ? error.message : String(error) }, null);
  }
}
