/** `demo`: one program from its proof to its trace, in a folder of its own. It is what `npm start` runs. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ExitCode, fine } from "../exit-code.ts";
import { columnsOf, lookOf, plainFailure, reportFailure } from "../failure.ts";
import { projectFiles } from "../init/project.ts";
import type { Terminal } from "../terminal.ts";
import { paintFor } from "../text/paint.ts";
import { wrap } from "../text/width.ts";
import { initKernel } from "./kernel-init.ts";
import { provePrograms } from "./prove.ts";
import { runProgramFile } from "./run-program.ts";
import { showTrace } from "./trace-show.ts";
import { verifyTrace } from "./trace-verify.ts";

export interface DemoOptions {
  readonly yes?: boolean;
}

export async function demo(terminal: Terminal, version: string, { yes }: DemoOptions): Promise<ExitCode> {
  const folder = await mkdtemp(join(tmpdir(), "foreclaim-demo-"));
  const files = projectFiles("demo", version).map(({ path, text }) => [join(folder, path), text] as const);
  const problem = await terminal.createFiles(new Map(files));
  if (problem !== undefined) {
    const failure = plainFailure("FC9004", `cannot write to \`${folder}\``);
    return reportFailure(terminal, failure, false);
  }
  const [program, ledger] = [join(folder, "pay-power.ts"), join(folder, "ledger.db")];
  const source = files.find(([path]) => path === program)?.[1] ?? "";
  const say = sayer(terminal);
  await say(
    "Foreclaim: know what an agent's program will do before any of it runs",
    "An agent wrote this program against the tools of a bank. It states what it guarantees.",
  );
  await terminal.stdout.write(`\n${source.replace(/^(?=.)/gm, "  ").trimEnd()}\n`);
  const quiet = { ...terminal, stdout: { ...terminal.stdout, write: async () => {} } };
  const made = await initKernel(quiet, ledger, { kernel: "main", budget: ["usd=100"] });
  if (made !== fine) return made;
  await say("The proof", "For every input and every answer of the tools, or a run that breaks it.");
  if (!yes) {
    const proved = await provePrograms(terminal, [program], proving);
    if (proved !== fine) return proved;
    await say("The approval", "A person approves the guarantees, not the code. Open the address below.");
  }
  const ran = await runProgramFile(terminal, program, {
    ...proving,
    ledger,
    kernel: "main",
    approve: "page",
    callTimeout: 60,
    words: "The power bill is due; please let me pay it.",
    ...(yes === true && { yes }),
  });
  if (ran !== fine) return ran;
  await say("The trace", "Every entry is bound to the one before, and all of it is done again to verify it.");
  const shown = await showTrace(terminal, ledger, { kernel: "main" });
  const verified = shown === fine ? await verifyTrace(terminal, ledger, { kernel: "main" }) : shown;
  if (verified === fine) await say("", `All of it is in ${folder}.`);
  return verified;
}

const proving = { timeout: 10, solver: "z3" } as const;

function sayer({ stdout }: Terminal): (title: string, text: string) => Promise<void> {
  const { bold } = paintFor(lookOf(stdout));
  const width = Math.min(columnsOf(stdout), 90);
  return async (title, text) => {
    const head = title === "" ? [] : [bold(title)];
    await stdout.write(`${["", ...head, ...wrap(text, width)].join("\n")}\n`);
  };
}
