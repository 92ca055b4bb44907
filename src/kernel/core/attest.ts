/**
 * The gates of attestations: whether an action has enough of them, and that each is used once. What was used stands among the
 * idempotency keys, which no action writes and no rollback gives back. Part of what must be trusted.
 */
import { type Attestation, actionDigest, isAttestedBy } from "../attestation.ts";
import { limits } from "../limits.ts";
import type { AttestationGate } from "../rules/attestations.ts";
import { get, set } from "../trie.ts";
import type { Action } from "./action.ts";
import type { Command } from "./command.ts";
import { type Decision, refusal } from "./decision.ts";
import { type Check, type Gated, violated } from "./invariant.ts";
import { stopsNothing } from "./judge.ts";
import type { KernelState } from "./state.ts";

/** The gates of the policy that an action must pass. */
export function gatesOf(state: KernelState, action: Action): readonly Gated[] {
  return state.policy.gates.filter(({ rule }) => isAbout(rule.attests, action));
}

function isAbout({ ids, tools, writes }: AttestationGate, action: Action): boolean {
  if (ids === undefined && tools === undefined && writes === undefined) return true;
  if (ids?.has(action.id) === true) return true;
  if (action.tool !== undefined && tools?.has(action.tool) === true) return true;
  return writes !== undefined && action.writes.some((key) => writes.has(key));
}

/**
 * A decision, held to the gates. T8: an emergency action meets none. A reservation that was settled before is not done again, and
 * needs none. SOUNDNESS: attestations are used up in the same step that lets the action pass, and only by that.
 */
export function attested(state: KernelState, command: Command, decision: Decision, time: number): Decision {
  if (state.policy.gates.length === 0 || decision.kind === "emergency") return decision;
  if (command.kind !== "execute" && command.kind !== "reserve") return decision;
  if (command.kind === "reserve" && decision.verdict === "allowed" && decision.reservation === undefined)
    return decision;
  const gates = gatesOf(state, command.action);
  if (gates.length === 0) return decision;
  const { attestations = [] } = command;
  const about = { state, digest: actionDigest(command.action), time };
  const used = new Map<string, Attestation>();
  const judged = new Map<Check, Check>();
  for (const gate of gates) judged.set(gate.passes, judgeGate(gate, attestations, about, used));
  const checks = decision.checks.map((check) => judged.get(check) ?? check);
  for (const check of judged.values()) if (!checks.includes(check)) checks.push(check);
  if (state.keys.size + used.size > limits.idempotencyKeys)
    checks.push(violated("idempotency-key", "too many idempotency keys", { most: limits.idempotencyKeys }));
  if (decision.verdict === "refused") return { ...decision, checks };
  if (!checks.every(stopsNothing)) return refusal(state, command, checks, time, decision.kind);
  return {
    ...decision,
    checks,
    next: () => {
      const next = decision.next();
      let { keys } = next;
      for (const name of used.keys())
        keys = set(keys, name, { digest: about.digest, status: "settled", receipt: about.digest });
      return { ...next, keys };
    },
  };
}

interface About {
  readonly state: KernelState;
  readonly digest: string;
  readonly time: number;
}

function judgeGate(
  { passes, rule: { attests } }: Gated,
  attestations: readonly Attestation[],
  about: About,
  used: Map<string, Attestation>,
): Check {
  const signers = new Set<string>();
  const good: Attestation[] = [];
  const rejected: string[] = [];
  for (const one of attestations) {
    const why = signers.has(one.key) ? "same key" : objectionTo(one, attests, about);
    if (why !== undefined) rejected.push(why);
    else {
      signers.add(one.key);
      good.push(one);
    }
  }
  if (signers.size < attests.quorum) {
    const args = { have: signers.size, need: attests.quorum, rejected };
    return {
      ...violated(passes.check, "too few attestations", args),
      ...(passes.monitoring && { monitoring: true }),
    };
  }
  for (const one of good) used.set(useName(one), one);
  return passes;
}

/** Why an attestation does not count; undefined if it does. What was not signed is not looked into. */
function objectionTo(
  one: Attestation,
  { keys, maxAgeMs }: AttestationGate,
  about: About,
): string | undefined {
  const { state, digest, time } = about;
  const key = keys.get(one.key);
  if (key === undefined) return "unknown key";
  if (!isAttestedBy(one, key)) return "forged";
  if (one.action !== digest) return "another action";
  if (one.kernel !== state.first) return "another kernel";
  if (one.version !== null && one.version !== state.version) return "another version";
  if (time >= one.expires) return "expired";
  if (time < one.notBefore) return "not yet valid";
  if (one.expires - one.notBefore > maxAgeMs) return "valid for too long";
  return get(state.keys, useName(one)) === undefined ? undefined : "used";
}

function useName({ key, nonce }: Attestation): string {
  return `attestation ${key} ${nonce}`;
}
