/** `kernel status`: what a kernel has spent, holds and is in doubt about, from its whole trace, which is verified by that. */

import {
  addressOf,
  entriesText,
  grouped,
  type KernelChoice,
  requireKernel,
  traceOf,
  withLedger,
} from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { ok } from "../../../ir/index.ts";
import {
  canonicalText,
  entriesOf as cellsOf,
  type KernelState,
  LedgerBroken,
  type Status,
  statusOf,
  textOf,
} from "../../../kernel/index.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import { columnsOf, lookOf } from "../../failure.ts";
import type { Host, Output } from "../../host.ts";
import { paintFor } from "../../text/paint.ts";
import { cut } from "../../text/width.ts";
import { verifiedWithProgress } from "../trace/verified.ts";
import { answered } from "./render.ts";
import { timeText } from "./time.ts";

export async function kernelStatus(host: Host, ledger: string, options: KernelChoice): Promise<ExitCode> {
  const address = addressOf(ledger);
  if (!address.ok) return answered(host, address, options.json);
  const { stdout } = host;
  const told = await withLedger(host, address.value, async (opened) => {
    const absent = await requireKernel(opened, address.value, options.kernel);
    if (absent !== undefined) return absent;
    // Functions of the policy are not at hand; what they answered stands in the trace.
    const { problem, state } = await verifiedWithProgress(
      host,
      traceOf(opened, address.value, options.kernel),
    );
    if (problem !== undefined || state === undefined) {
      throw new LedgerBroken(`entry ${problem?.seq}: ${problem?.what}`);
    }
    const status = statusOf(state, host.wallMs());
    const text = options.json ? statusJson(status) : statusText(state, status, address.value.shown, stdout);
    await stdout.write(text);
    return ok<ExitCode>(fine);
  });
  return answered(host, told, options.json);
}

/** Values keep all their digits. */
function statusJson({
  version,
  state,
  steps,
  budgets,
  inDoubt,
  seq,
  head,
  refusals,
  stopped,
}: Status): string {
  return [
    `{"version":${version}`,
    `"state":${state}`,
    `"steps":${steps}`,
    `"budgets":${JSON.stringify(budgets)}`,
    `"inDoubt":${JSON.stringify(inDoubt)}`,
    `"refusals":${refusals}`,
    `"seq":${seq}`,
    `"head":${textOf(head)}`,
    ...(stopped === undefined ? [] : [`"stopped":${textOf(stopped)}`]),
  ]
    .join(",")
    .concat("}\n");
}

/** LIMIT: of keys that people see; `--json` has all of them. */
const mostKeys = 50;

function statusText(state: KernelState, status: Status, shown: string, output: Output): string {
  const { bold, dim, red, yellow } = paintFor(lookOf(output));
  const { maxSteps } = state.policy;
  const most = maxSteps === undefined ? "" : ` of ${grouped(maxSteps)}`;
  const lines = [
    `${bold(visibleText(shown))}  kernel \`${visibleText(state.name)}\`, version ${status.version}, ${entriesText(status.seq)}`,
    ...(status.stopped === undefined ? [] : [`${red("stopped")}  ${visibleText(status.stopped)}`]),
    "",
    ...Object.entries(status.budgets).map(
      ([name, { limit, net, reserved, left }]) =>
        `  ${dim("budget")}  ${visibleText(name)}: ${net} of ${limit} spent${reserved === "0" ? "" : `, ${reserved} held`}, ${left} left`,
    ),
    `  ${dim("steps")}   ${grouped(status.steps)}${most}, and ${grouped(status.refusals)} refused`,
    ...stateLines(state, output),
  ];
  if (status.inDoubt.length > 0) {
    lines.push("", `${yellow("in doubt")}: nobody said what became of`);
    for (const { receipt, action, key, time } of status.inDoubt) {
      lines.push(
        `  ${visibleText(action)}  since ${timeText(time)}${key === undefined ? "" : `, key \`${visibleText(key)}\``}`,
        `    ${dim("receipt")} ${receipt}`,
      );
    }
    lines.push(
      `  ask the tool or a person, then \`foreclaim kernel resolve ${visibleText(shown)} <receipt>\` with --settle or --release`,
    );
  }
  return `${lines.join("\n")}\n`;
}

function stateLines({ data }: KernelState, output: Output): string[] {
  const { dim, signs } = paintFor(lookOf(output));
  const cells = [...cellsOf(data)].sort(([a], [b]) => (a < b ? -1 : 1));
  if (cells.length === 0) return [`  ${dim("state")}   no keys`];
  const shown = cells.slice(0, mostKeys).map(([key, value], i) => {
    const line = `${visibleText(key)} = ${visibleText(canonicalText(value))}`;
    return `  ${dim(i === 0 ? "state " : "      ")}  ${cut(line, columnsOf(output) - 10, signs.cut)}`;
  });
  const more = cells.length - shown.length;
  return more > 0 ? [...shown, `          ${dim(`and ${grouped(more)} more; --json has them all`)}`] : shown;
}
