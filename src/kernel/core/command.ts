/**
 * Commands: everything that can be asked of the kernel, as plain data, read from the value that stands in an entry.
 * Part of what must be trusted.
 */
import { isList, isRecord, type Json, list, type Value } from "../../ir/index.ts";
import { type Attestation, attestationValue, readAttestation } from "../attestation.ts";
import { limits } from "../limits.ts";
import { type Decoded, decoded, type KernelCode, refuse } from "../problem.ts";
import { type Args, isReason, reasons, type Why } from "../reasons.ts";
import { publicKeyOf } from "../signature.ts";
import { argsIn, keptArgs, valueOfArg } from "../values/args.ts";
import { checkText, dataOf, Reader, readWritten, writtenReader } from "../values/decode.ts";
import { countOf, Fields } from "../values/fields.ts";
import {
  type Action,
  actionBody,
  costValue,
  frozenAction,
  readAction,
  readCosts,
  type Tariff,
  withAround,
} from "./action.ts";
import type { Charges } from "./budget.ts";
import { fieldsValue, type Policy } from "./policy.ts";
import { checkLease } from "./principal.ts";

export type Command =
  | ({ readonly kind: "execute"; readonly action: Action } & Attested)
  | ({
      readonly kind: "reserve";
      readonly action: Action;
      readonly key?: string;
      readonly leaseMs?: number;
    } & Attested)
  | Settle
  | { readonly kind: "release"; readonly receipt: string; readonly reason: string; readonly body: Value }
  | { readonly kind: "renew"; readonly receipt: string; readonly leaseMs: number; readonly body: Value }
  | Delegate
  | { readonly kind: "reclaim"; readonly from: string; readonly body: Value }
  | Amend
  | { readonly kind: "rollback"; readonly from: string; readonly to: string; readonly body: Value }
  | { readonly kind: "grant"; readonly key: string; readonly value: Value; readonly body: Value }
  | Observe
  | { readonly kind: "stop"; readonly reason: string; readonly body: Value }
  | { readonly kind: "resume"; readonly reason: string; readonly body: Value }
  /** A command that failed to decode; the kernel refuses it and records the refusal. */
  | Malformed;

export interface Attested {
  /** Statements that the action may be done. */
  readonly attestations?: readonly Attestation[];
}

export interface Malformed {
  readonly kind: "malformed";
  readonly of: CommandKind;
  readonly code: KernelCode;
  readonly why: Why;
  readonly body: Value;
}

export interface Settle {
  readonly kind: "settle";
  readonly receipt: string;
  /** Actual cost; undefined charges the whole reservation. */
  readonly charges?: Charges;
  /** True if settling drops the effects, because the state has moved on. */
  readonly drop: boolean;
  readonly body: Value;
}

/** Gives a part of one's share to another principal. */
export interface Delegate {
  readonly kind: "delegate";
  readonly to: string;
  readonly charges: Charges;
  /** Public key of a principal that no policy declares. */
  readonly key?: string;
  readonly body: Value;
}

/** Replaces the policy. */
export interface Amend {
  readonly kind: "policy";
  readonly policy: Policy;
  /** Digest of the policy that it replaces. */
  readonly replaces: string;
  readonly body: Value;
}

export interface Observe {
  readonly kind: "observe";
  readonly probe: string;
  /** Observed values at the keys of the probe. */
  readonly values: Readonly<Record<string, Value>>;
  /** True if the state adopts the observed values. */
  readonly take: boolean;
  /** Set if it names its own keys, which are cells of the fluent `probe`, and the version that it compared with. */
  readonly cells?: { readonly keys: readonly string[]; readonly reads: number };
  readonly body: Value;
}

export const commandKinds = [
  "execute",
  "reserve",
  "settle",
  "release",
  "renew",
  "delegate",
  "reclaim",
  "policy",
  "rollback",
  "grant",
  "observe",
  "stop",
  "resume",
] as const;
export type CommandKind = (typeof commandKinds)[number];

/** From anything, without ever failing: what cannot be read is a malformed command. */
export function decodeCommand(kind: CommandKind, input: unknown, tariff: Tariff): Command {
  const read = decoded(() => readCommand(kind, new Reader(), input, tariff));
  if (!read.ok) return malformed(kind, read.problem);
  if ("action" in read.value) frozenAction(read.value.action);
  return read.value;
}

/** Builds a malformed command. Its text may have any size, so it is truncated to fit an entry. */
export function malformed(of: CommandKind, { reason, args }: Why): Malformed {
  return malformedWith(of, reasons[reason].code, { reason, args: keptArgs(args) });
}

function malformedWith(of: CommandKind, code: KernelCode, { reason, args }: Why): Malformed {
  const body = fieldsValue({ of, code, reason, args: valueOfArg(args) });
  return { kind: "malformed", of, code, why: { reason, args }, body };
}

/** From the body of an entry. */
export function commandOfBody(kind: string, body: Json, tariff: Tariff): Decoded<Command> {
  return decoded(() => {
    if (kind === "malformed") return readMalformed(readWritten(body));
    const known = commandKinds.find((one) => one === kind);
    return known === undefined
      ? refuse("entry of an unknown kind")
      : readCommand(known, writtenReader(), body, tariff);
  });
}

export function bodyOf(command: Command): Value {
  switch (command.kind) {
    case "execute":
      return fieldsValue({ action: actionBody(command.action), attestations: attestationsOf(command) });
    case "reserve":
      return fieldsValue({
        action: actionBody(command.action),
        attestations: attestationsOf(command),
        key: command.key,
        leaseMs: command.leaseMs === undefined ? undefined : BigInt(command.leaseMs),
      });
    default:
      return command.body;
  }
}

function attestationsOf({ attestations }: Attested): Value | undefined {
  return attestations && list(attestations.map(attestationValue));
}

/** Reads a list of attestations; throws `Refused`. */
export function readAttestations(value: Value): readonly Attestation[] {
  if (!isList(value)) return refuse("not a list", { what: "attestations" });
  if (value.length > limits.attestations)
    return refuse("too many attestations", { most: limits.attestations });
  return Object.freeze(value.map(readAttestation));
}

function readCommand(kind: CommandKind, reader: Reader, input: unknown, tariff: Tariff): Command {
  if (kind === "execute" || kind === "reserve") return readWithAction(kind, reader, input, tariff);
  const fields = new Fields(reader.read(input), ["the command", kind]);
  const command = readOther(kind, fields, tariff);
  fields.end();
  return command;
}

function readWithAction(
  kind: "execute" | "reserve",
  reader: Reader,
  input: unknown,
  tariff: Tariff,
): Command {
  let action: Action | undefined;
  let key: string | undefined;
  let leaseMs: number | undefined;
  let attestations: readonly Attestation[] | undefined;
  for (const name of reader.open(input, ["the command", kind])) {
    // SAFETY: what was opened is an object.
    const field = dataOf(input as object, name);
    if (name === "action") action = readAction(reader, field, tariff);
    else if (name === "key" && kind === "reserve")
      key = reader.name(field, ["field", "key", ["the command", kind]]);
    else if (name === "leaseMs" && kind === "reserve")
      leaseMs = checkLease(countOf(reader.read(field), ["field", "leaseMs", ["the command", kind]]));
    else if (name === "attestations") attestations = readAttestations(reader.read(field));
    else reader.unknown(name, ["the command", kind]);
  }
  reader.close();
  if (action === undefined) return refuse("no field", { what: ["the command", kind], field: "action" });
  const given = attestations === undefined ? {} : { attestations };
  if (kind === "execute") return { kind, action, ...given };
  return {
    kind,
    action,
    ...given,
    ...(key === undefined ? {} : { key }),
    ...(leaseMs === undefined ? {} : { leaseMs }),
  };
}

function readOther(
  kind: Exclude<CommandKind, "execute" | "reserve">,
  fields: Fields,
  tariff: Tariff,
): Command {
  switch (kind) {
    case "settle":
      return readSettle(fields, tariff);
    case "release": {
      const [receipt, reason] = [fields.name("receipt"), reasonOf(fields)];
      return { kind, receipt, reason, body: fieldsValue({ receipt, reason }) };
    }
    case "renew": {
      const [receipt, leaseMs] = [fields.name("receipt"), checkLease(fields.count("leaseMs"))];
      return { kind, receipt, leaseMs, body: fieldsValue({ receipt, leaseMs: BigInt(leaseMs) }) };
    }
    case "delegate":
      return readDelegate(fields, tariff);
    case "reclaim": {
      const from = fields.name("from");
      return { kind, from, body: fieldsValue({ from }) };
    }
    case "policy":
      return readAmend(fields, tariff);
    case "rollback": {
      const from = fields.name("from");
      const to = fields.optionalName("to") ?? from;
      return { kind, from, to, body: fieldsValue({ from, to }) };
    }
    case "grant": {
      const [key, value, by] = [fields.name("key"), fields.required("value"), fields.optionalName("by")];
      return { kind, key, value, body: fieldsValue({ key, value, by }) };
    }
    case "observe":
      return readObserve(fields);
    case "stop":
    case "resume": {
      const reason = reasonOf(fields);
      return { kind, reason, body: fieldsValue({ reason }) };
    }
  }
}

function readSettle(fields: Fields, tariff: Tariff): Settle {
  const receipt = fields.name("receipt");
  const given = fields.optional("cost");
  const costs = given === undefined ? undefined : readCosts(given, tariff);
  const [outcome, drop] = [fields.optional("outcome"), fields.optional("drop")];
  if (drop !== undefined && typeof drop !== "boolean") refuse("not a boolean", { what: "drop" });
  const cost = costs === undefined ? undefined : costValue(costs, tariff);
  const body = fieldsValue({ receipt, cost, outcome, drop: drop === true ? true : undefined });
  const settle: Settle = { kind: "settle", receipt, drop: drop === true, body };
  return costs === undefined ? settle : { ...settle, charges: withAround(costs, tariff) };
}

function readDelegate(fields: Fields, tariff: Tariff): Delegate {
  const to = fields.name("to");
  const costs = readCosts(fields.required("amounts"), tariff);
  const key = fields.optional("key");
  if (key !== undefined && (typeof key !== "string" || publicKeyOf(key) === undefined))
    return refuse("not a public key", { what: ["field", "key", fields.what] });
  const body = fieldsValue({ to, amounts: costValue(costs, tariff), key });
  // Those around are shared by all children, and are not divided.
  return { kind: "delegate", to, charges: costs, body, ...(typeof key === "string" ? { key } : {}) };
}

function readAmend(fields: Fields, tariff: Tariff): Amend {
  const value = fields.required("policy");
  const replaces = fields.name("replaces");
  if (tariff.amended === undefined) return refuse("entry of an unknown kind");
  const policy = tariff.amended(value);
  return { kind: "policy", policy, replaces, body: fieldsValue({ policy: policy.body, replaces }) };
}

function readObserve(fields: Fields): Observe {
  const probe = fields.name("probe");
  const values = fields.required("values");
  if (!isRecord(values)) return refuse("not an object", { what: "values" });
  const take = fields.optional("take") ?? false;
  if (typeof take !== "boolean") return refuse("not a boolean", { what: "take" });
  const seen = { kind: "observe", probe, values: values.fields, take } as const;
  if (fields.optional("keys") === undefined) return { ...seen, body: fieldsValue({ probe, values, take }) };
  const [keys, reads] = [fields.names("keys"), fields.count("reads")];
  if (keys.length > limits.effects) refuse("too many effects", { most: limits.effects });
  const body = fieldsValue({ probe, values, take, keys: list(keys), reads: BigInt(reads) });
  return { ...seen, cells: { keys, reads }, body };
}

function reasonOf(fields: Fields): string {
  const reason = fields.required("reason");
  if (typeof reason !== "string") return refuse("not a text", { what: "reason" });
  checkText(reason, limits.stringLength, "reason");
  return reason;
}

function readMalformed(body: Value): Malformed {
  const fields = new Fields(body, "malformed");
  const of = fields.oneOf("of", commandKinds);
  const words: KernelCode[] = ["shape", "limit"];
  const code = fields.oneOf("code", words);
  const message = fields.optional("message");
  const reason = message === undefined ? fields.name("reason") : "said then";
  const args = message === undefined ? argsIn(fields.required("args")) : saidThen(message);
  fields.end();
  if (!isReason(reason) || args === undefined) return refuse("unknown reason");
  if (message === undefined) return malformedWith(of, code, { reason, args });
  return { kind: "malformed", of, code, why: { reason, args }, body };
}

/** Entries of the first form hold the sentence. */
function saidThen(message: Value): Args | undefined {
  return typeof message === "string" ? { text: message } : undefined;
}
