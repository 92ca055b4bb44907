/** Limits of approval policies: the kernel's state counts each approval, so the trace records it. */
import { isJsonArray, type Json, JsonNumber, readJson } from "../ir/index.ts";
import type { Kernel } from "../kernel/index.ts";
import { type LimitCharge, limitPeriods } from "./policy.ts";

/** A limit of which not enough is left. */
export interface LimitUsedUp {
  readonly limit: string;
  /** Amount used within the window. */
  readonly used: number;
}

export type Charged =
  | { readonly kind: "charged" }
  | { readonly kind: "used up"; readonly by: LimitUsedUp }
  | { readonly kind: "refused"; readonly reason: string };

/** LIMIT: moments that are kept apart; beyond, earlier ones count as long as the next. */
const mostMoments = 256;
/** LIMIT: how often it is tried anew because the state moved on. */
const mostRounds = 20;

type Moment = readonly [atMs: number, amount: number];

/** Charges all of them, or none. */
export async function chargeLimits(
  kernel: Kernel,
  charges: readonly LimitCharge[],
  nowMs: number,
): Promise<Charged> {
  if (charges.every(({ amount }) => amount === 0)) return { kind: "charged" };
  for (let round = 1; ; round++) {
    await kernel.refresh();
    const { version } = kernel;
    const charged = new Map<string, readonly Moment[]>();
    for (const { limit, amount, atMost, windowMs } of charges) {
      const key = `limit ${limit}`;
      // A clock that went back makes nothing forgotten, and another rule may count by a longer time.
      const before = charged.get(key) ?? momentsIn(kernel.cell(key));
      const recent = before.filter(([at]) => at > nowMs - limitPeriods.week);
      const used = recent.reduce((sum, [at, n]) => (at > nowMs - windowMs ? sum + n : sum), 0);
      if (used + amount > atMost) return { kind: "used up", by: { limit, used } };
      charged.set(key, fewer([...recent, [nowMs, amount]]));
    }
    const effects = Array.from(charged, ([key, value]) => ({ key, op: "set", value }));
    const action = { id: "limits of a policy", reads: version, effects };
    const { verdict, reasons } = await kernel.execute(action);
    if (verdict === "allowed") return { kind: "charged" };
    const isMoved = reasons.every(({ code }) => code === "version");
    if (!isMoved || round === mostRounds)
      return { kind: "refused", reason: reasons.map(({ message }) => message).join("; ") };
  }
}

/** SOUNDNESS: what cannot be read is not nothing. */
function momentsIn(cell: string | undefined): readonly Moment[] {
  if (cell === undefined) return [];
  const read = readJson(cell);
  const list = read.ok ? read.value.value : null;
  if (!isJsonArray(list)) throw new TypeError("the recorded charges of a limit cannot be read");
  return list.map((one) => {
    const [at, amount] = isJsonArray(one) ? one.map(numberIn) : [];
    if (at === undefined || amount === undefined)
      throw new TypeError("the recorded charges of a limit cannot be read");
    return [at, amount];
  });
}

function numberIn(json: Json): number | undefined {
  const value = JsonNumber.is(json) ? Number(json.text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

function fewer(moments: readonly Moment[]): readonly Moment[] {
  const [first, second, ...rest] = moments;
  if (first === undefined || second === undefined || moments.length <= mostMoments) return moments;
  return fewer([[second[0], first[1] + second[1]], ...rest]);
}
