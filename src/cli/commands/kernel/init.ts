/** `kernel init`: makes a kernel on a ledger, with its key. All of it is looked at before anything is made. */

import { addressOf, count, type KernelInitOptions, type MadeKernel, makeKernel } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import { paintOf, writeJsonLine } from "../../failure.ts";
import type { Host } from "../../host.ts";

export async function initKernel(host: Host, ledger: string, options: KernelInitOptions): Promise<Ended> {
  const made = await makeKernel(host, ledger, options);
  if (!made.ok) return made;
  await tell(host, ledger, options, made.value);
  return fine;
}

// ── what is said ─────────────────────────────────────────────────────────────────────────────────────────

async function tell(
  { stdout }: Host,
  ledger: string,
  { kernel, json }: KernelInitOptions,
  { status, rules, keys }: MadeKernel,
): Promise<void> {
  const { version, seq, head, budgets } = status;
  if (json) {
    const paths = keys === undefined ? {} : { key: keys.privatePath, publicKey: keys.publicPath };
    const told = Object.fromEntries(Object.entries(budgets).map(([name, budget]) => [name, { ...budget }]));
    return writeJsonLine(stdout, {
      ok: true,
      kernel,
      version,
      seq,
      hash: head,
      budgets: told,
      rules,
      ...paths,
    });
  }
  const { dim, green } = paintOf(stdout);
  const address = addressOf(ledger);
  const shown = address.ok ? address.value.shown : ledger;
  const names = Object.entries(budgets).map(([name, { limit }]) => `${limit} ${visibleText(name)}`);
  await stdout.write(
    [
      `${green("made")}  the kernel \`${visibleText(kernel)}\` in ${visibleText(shown)}`,
      `  ${dim("budgets")}  ${names.join(", ") || "none, so no action may cost anything"}`,
      `  ${dim("rules")}    ${count(rules, "rule")}`,
      ...(keys === undefined
        ? [`  ${dim("key")}      none; \`trace checkpoint\` will need one, given with --key`]
        : [
            `  ${dim("key")}      ${visibleText(keys.privatePath)} signs checkpoints${keys.wereThere ? "; it existed already" : ""}: hide it from writers of the ledger`,
            `           ${visibleText(keys.publicPath)} verifies them: give it to everybody who verifies`,
          ]),
      "",
      `${dim("next")}  foreclaim kernel exec ${visibleText(shown)} action.json`,
      `      where action.json is {"id": "pay", "effects": [{"key": "paid", "op": "set", "value": true}]${names.length === 0 ? "" : ', "cost": "1.50"'}}`,
      "",
    ].join("\n"),
  );
}
