/**
 * A process of its own, of a build that may differ from this one: `child write <url> <about>` writes all kernels of the
 * golden ledgers, with the program of that file; `child go-on <url>` verifies every kernel, continues it, and verifies
 * it again. Prints what came out as JSON.
 */
import { readFileSync } from "node:fs";
import { Kernel, newKeys, verify } from "../../../src/kernel/index.ts";
import { openLedger } from "../../../src/ledger/open.ts";
import { functionKernel, functions, gates, rules } from "./rules.ts";
import { limits, programOf, programs } from "./runs.ts";
import { malformed, steps } from "./steps.ts";

const [command, url = "", about = ""] = process.argv.slice(2);
const ledger = await openLedger(url);
if (command === "write") await write();
else process.stdout.write(JSON.stringify(Object.fromEntries(await goOn())));
await ledger.close();

async function write(): Promise<void> {
  const keys = newKeys();
  await steps(ledger, () => {}, keys.privateKey);
  await malformed(ledger);
  await rules(ledger);
  await gates(ledger);
  await functionKernel(ledger);
  const { program } = JSON.parse(readFileSync(about, "utf8"));
  await programs(ledger, programOf(program.document, program.everywhere), keys);
  await limits(ledger);
}

/** By kernel: whether it is fine before and after, what is taken from the trace, and why a step is refused. */
async function goOn(): Promise<[string, unknown][]> {
  const found: [string, unknown][] = [];
  for (const name of await ledger.kernels()) {
    const before = await verify(await ledger.read(name, 1, 10_000));
    const given = name === "functions" ? { functions } : {};
    const opened = await Kernel.open({ ledger, name, clock: () => 8_000_000, ...given });
    if (!opened.ok) throw new Error(`${name}: ${opened.problem.message}`);
    const kernel = opened.value;
    const refused = await kernel.execute({ id: "on", effects: [{ key: "nowhere", op: "delete" }] });
    await kernel.execute({ id: "on", effects: [{ key: "said", op: "set", value: "ÉTAGE 4, straße" }] });
    await kernel.close();
    const after = await verify(await ledger.read(name, 1, 10_000));
    const { problem, notReplayed } = before;
    found.push([
      name,
      {
        before: problem ?? before.ok,
        after: after.problem ?? after.ok,
        taken: notReplayed,
        reasons: refused.reasons.map(({ reason }) => reason),
        words: refused.reasons.map(({ message }) => message),
      },
    ]);
  }
  return found;
}
