/** The gate of attestations: a step without a gate, and steps that pass 1 of 1, 2 of 3 and 8 of 16 attestations. */
import { type Attestation, Kernel, MemoryLog, newKeys, signAttestation } from "../src/kernel/index.ts";
import { report, type Timing } from "./harness.ts";

const hour = 3_600_000;
const keys = Array.from({ length: 16 }, () => newKeys());
const action = { id: "pay", cost: "1", effects: [{ key: "paid", op: "increment", value: 1 }] };

/** Steps between two readings of the clock. */
const STEPS = 500;

async function measured(name: string, quorum: number, of: number): Promise<Timing> {
  const pems = keys.slice(0, of).map(({ publicKey }) => publicKey);
  const rules =
    of === 0 ? [] : [{ name: "gate", enforcement: "blocking", rule: "attested", keys: pems, quorum }];
  const policy = { budgets: { usd: "1000000" }, rules };
  const opened = await Kernel.open({
    ledger: new MemoryLog(),
    clock: () => hour,
    policy,
    state: { paid: 0 },
  });
  if (!opened.ok) throw new Error(opened.problem.message);
  const kernel = opened.value;
  let nonces = 0;
  const statements = (): readonly (Attestation & { readonly v: 1 })[] => {
    const asked = kernel.attestationsFor(action);
    if (asked === undefined) throw new Error("not an action");
    return keys.slice(0, quorum).map(({ privateKey }) => {
      const nonce = String(++nonces).padStart(32, "0");
      const about = {
        action: asked.action,
        kernel: asked.kernel,
        version: null,
        notBefore: 0,
        expires: 2 * hour,
      };
      return { v: 1, ...signAttestation({ ...about, nonce, by: "bench" }, privateKey) };
    });
  };
  const given = Array.from({ length: STEPS }, () => (quorum === 0 ? undefined : statements()));
  const before = process.cpuUsage();
  for (const list of given) {
    const { verdict } = await kernel.execute(action, list);
    if (verdict !== "allowed") throw new Error("a step was refused");
  }
  // Time of the processor, so that others on the machine do not count.
  const { user, system } = process.cpuUsage(before);
  return { name, size: Math.max(1, quorum), nsPerRun: ((user + system) * 1_000) / STEPS };
}

await measured("warm", 2, 3);
const timings: Timing[] = [];
for (const [name, quorum, of] of [
  ["no gate", 0, 0],
  ["1 of 1", 1, 1],
  ["2 of 3", 2, 3],
  ["8 of 16", 8, 16],
] as const)
  timings.push(await measured(name, quorum, of));
report("a step that a gate of attestations holds", timings);
