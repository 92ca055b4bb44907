/**
 * `demo`: an injected program that is refuted, and the mended one from its proof to its trace, in a folder of its own.
 * It is what `npm start` runs. Where no person is at a terminal, a policy decides, so that it ends by itself.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exampleProgram, plainFailure, projectFiles } from "../../../app/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine, notSo } from "../../exit-code.ts";
import { columnsOf, paintOf } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { wrap } from "../../text/width.ts";
import { provePrograms } from "../prove/handler.ts";
import { runProgramFile } from "../run/handler.ts";
import { showTrace } from "../trace/show.ts";
import { verifyTrace } from "../trace/verify.ts";

export interface DemoOptions {
  readonly yes?: boolean;
}

/** The example of every project, paying somebody whom a mail named and no person did. */
const injectedProgram = exampleProgram.replace('pay({ to: "power"', 'pay({ to: "attacker"');

const policy = {
  version: 1,
  rules: [
    {
      name: "power bill",
      decision: "auto_approved",
      whenProven: ["bank.maxSpend(100)", "bank.onlyPays(['power'])"],
      reason: "at most 100, and to nobody but the power company",
    },
  ],
};

export async function runDemo(host: Host, version: string, options: DemoOptions): Promise<Ended> {
  const folder = await mkdtemp(join(tmpdir(), "foreclaim-demo-"));
  const files = new Map([
    ...projectFiles("demo", version).map(({ path, text }) => [join(folder, path), text] as const),
    [join(folder, "injected.ts"), injectedProgram],
    [join(folder, "policy.json"), `${JSON.stringify(policy, undefined, 2)}\n`],
  ]);
  const problem = await host.createFiles(files);
  if (problem !== undefined) return plainFailure("FC9004", `cannot write to \`${folder}\``);
  const say = sayer(host);
  await say(
    "Foreclaim: know what an agent's program will do before any of it runs",
    "An agent was asked to pay the power bill. A mail told it to pay somebody else instead, and it wrote this program:",
  );
  await host.stdout.write(`\n${injectedProgram.replace(/^(?=.)/gm, "  ").trimEnd()}\n`);
  await say(
    "1. The injected program is refuted",
    "Foreclaim proves each guarantee for every input and every tool result, or shows a run that violates it.",
  );
  const refuted = await provePrograms(host, [join(folder, "injected.ts")], proving);
  // A proof of it would be wrong.
  if (refuted !== notSo) return refuted === fine ? notSo : refuted;
  const ran = await runMended(host, folder, say, options);
  if (ran !== fine) return ran;
  await say(
    "3. The trace is verified",
    "Every entry holds the hash of the one before. To verify it, every decision is made again.",
  );
  const ledger = join(folder, "ledger.db");
  const shown = await showTrace(host, ledger, { kernel: "main" });
  const verified = shown === fine ? await verifyTrace(host, ledger, { kernel: "main" }) : shown;
  if (verified === fine) await say("", `All files are in ${folder}.`);
  return verified;
}

const proving = { timeout: 10, solver: "z3" } as const;

async function runMended(host: Host, folder: string, say: Say, { yes }: DemoOptions): Promise<Ended> {
  const program = join(folder, "pay-power.ts");
  const approve = yes === true || (host.isTyped && host.stdout.isTTY) ? "page" : "policy";
  const title = "2. The mended program is proved, approved and run";
  const mended = "The agent pays the power company again.";
  if (yes) await say(title, `${mended} \`--yes\` approves it.`);
  else if (approve === "policy")
    await say(
      title,
      `${mended} No person is at a terminal, so a policy decides: policy.json approves programs that are proved to pay at most 100, and nobody but the power company.`,
    );
  else {
    await say(title, `${mended} You decide about it on a page.`);
    const proved = await provePrograms(host, [program], proving);
    if (proved !== fine) return proved;
    await host.stdout.write("\n");
  }
  return runProgramFile(host, program, {
    ...proving,
    ledger: join(folder, "ledger.db"),
    budget: "100",
    kernel: "main",
    approve,
    callTimeout: 60,
    ...(approve === "policy" && { policy: join(folder, "policy.json") }),
    ...(approve === "page" && { words: "The power bill is due; please let me pay it." }),
    ...(yes === true && { yes }),
  });
}

type Say = (title: string, text: string) => Promise<void>;

function sayer({ stdout }: Host): Say {
  const { bold } = paintOf(stdout);
  const width = Math.min(columnsOf(stdout), 90);
  return async (title, text) => {
    const head = title === "" ? [] : [bold(title)];
    await stdout.write(`${["", ...head, ...wrap(text, width)].join("\n")}\n`);
  };
}
