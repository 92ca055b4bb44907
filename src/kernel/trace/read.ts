/**
 * Reads an entry and does it again: the same command on the same state must give the same entry, byte for byte.
 * This is how a trace is verified and how a kernel follows what others wrote. Part of what must be trusted.
 */
import {
  isJsonArray,
  isJsonObject,
  type Json,
  JsonNumber,
  type JsonObject,
  readJson,
} from "../../ir/json/reader.ts";
import { commandOfBody } from "../core/command.ts";
import { type FunctionInvariant, withWritten } from "../core/function.ts";
import { functionsOf, type StandIn } from "../core/functions.ts";
import { type Policy, policyOfBody } from "../core/policy.ts";
import type { KernelState } from "../core/state.ts";
import { decide } from "../core/step.ts";
import { sha256 } from "../digest.ts";
import { limits } from "../limits.ts";
import { type Decoded, decoded, type Problem, refuse } from "../problem.ts";
import { sameValue } from "../values/canonical.ts";
import { checkText, readWritten } from "../values/decode.ts";
import { type Step, seal } from "./entry.ts";
import { decodeInitial, openKernel } from "./open.ts";

/** An entry as a ledger keeps it. */
export interface StoredEntry {
  readonly seq: number;
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** What is needed of an entry to do it again. */
export interface EntryParts {
  readonly text: string;
  /** All of it. */
  readonly json: JsonObject;
  readonly seq: number;
  readonly time: number;
  readonly kind: string;
  readonly kernel: string;
  readonly prev: string;
  /** Absent in the first entry, which everyone who makes the kernel would write the same. */
  readonly writer?: string;
  readonly command: Json;
  readonly checks: Json;
}

/** The entry again, after the state that it came after; the first one opens the kernel. */
export function again(
  state: KernelState | undefined,
  stored: StoredEntry,
  reading: Reading = {},
): Decoded<Step> {
  return decoded(() => {
    const text = textIn(stored);
    const quick = state === undefined ? undefined : quickly(state, stored, text);
    if (quick !== undefined) return quick;
    const parts = partsOf(stored.seq, text);
    return state === undefined ? taken(reopen(parts, reading)) : carefully(state, parts, stored);
  });
}

/** Checks the hash, and reads. */
export function readStored(stored: StoredEntry): Decoded<EntryParts> {
  return decoded(() => partsOf(stored.seq, textIn(stored)));
}

function textIn({ hash, bytes }: StoredEntry): string {
  const text = textOfBytes(bytes) ?? refuse("shape", "the entry is not a text");
  return sha256(bytes) === hash ? text : refuse("shape", "the hash is not that of the entry");
}

function partsOf(seq: number, text: string): EntryParts {
  const parts = taken(readEntry(text));
  return parts.seq === seq ? parts : refuse("shape", `it says that it is entry ${parts.seq}`);
}

/**
 * Takes from an entry what goes into a decision, where the kernel writes it, and reads it with what is built in. That is
 * quick, and wrong about long numbers, names given twice, and texts that look like a part of an entry. It does no harm:
 * the entry that comes of it must be the same text to the last character, whoever wrote it, so everything else in it is
 * compared with what this kernel would write; if it is not the same, it is read with care.
 */
function quickly(state: KernelState, stored: StoredEntry, text: string): Step | undefined {
  if (stored.seq !== state.seq + 1) return undefined;
  const checksAt = text.indexOf(',"checks":');
  const commandAt = text.indexOf(',"command":', checksAt);
  const costAt = text.lastIndexOf(',"cost":{');
  const writerAt = text.lastIndexOf(',"writer":"');
  const kind = between(text, costAt, ',"kind":"', '"');
  const time = between(text, costAt, ',"time":', ",");
  const writer = text.slice(writerAt + 11, -2);
  if (checksAt < 0 || commandAt < 0 || costAt < commandAt || writerAt < costAt || writer.includes("\\"))
    return undefined;
  try {
    // SAFETY: but for numbers, which are JavaScript's own; whoever reads them here takes those as well.
    const part = (from: number, to: number) => JSON.parse(text.slice(from, to)) as Json;
    const command = part(commandAt + 11, costAt);
    const checks = state.policy.hasFunctions ? part(checksAt + 10, commandAt) : [];
    const inputs = { kind, time: Number(time), writer, command, checks };
    checkText(writer, limits.nameLength, "the writer of an entry");
    return replay(state, inputs, text, stored);
  } catch {
    return undefined;
  }
}

/** What stands between two texts, from a position on; empty if they are not there. */
function between(text: string, from: number, open: string, close: string): string {
  const at = text.indexOf(open, from);
  return at < 0 ? "" : text.slice(at + open.length, text.indexOf(close, at + open.length));
}

export function readEntry(text: string): Decoded<EntryParts> {
  return decoded(() => {
    const read = readJson(text);
    if (!read.ok) return refuse("shape", `an entry is not JSON: ${read.problems[0]?.message}`);
    const json = read.value.value;
    if (!isJsonObject(json)) return refuse("shape", "an entry is not an object");
    return taken(entryParts(text, json));
  });
}

function entryParts(text: string, json: JsonObject): Decoded<EntryParts> {
  return decoded(() => {
    const { seq, time, kind, kernel, prev, writer, command, checks } = json;
    if (typeof kind !== "string" || typeof kernel !== "string" || typeof prev !== "string") {
      return refuse("shape", "an entry has no kind, kernel or predecessor");
    }
    if (command === undefined || checks === undefined)
      return refuse("shape", "an entry has no command or checks");
    const parts = { text, json, seq: countOf(seq), time: countOf(time), kind, kernel, prev, command, checks };
    if (writer === undefined) return parts;
    if (typeof writer !== "string") return refuse("shape", "the writer of an entry is not a text");
    checkText(writer, limits.nameLength, "the writer of an entry");
    return { ...parts, writer };
  });
}

export interface Reading {
  /** The functions of the policy; without them, `standIn` says what is judged in their place. */
  readonly functions?: readonly FunctionInvariant[];
  readonly standIn?: StandIn;
  /** A policy that was read already, if it is this one. */
  readonly known?: Policy;
}

/** The first entry again. */
export function reopen(parts: EntryParts, reading: Reading): Decoded<Step> {
  return decoded(() => {
    const policy = taken(policyIn(parts, reading));
    const state = taken(decodeInitial(openingOf(parts).state));
    const opened = taken(openKernel(parts.kernel, policy, state, parts.time));
    return opened.entry.text === parts.text ? opened : otherwise();
  });
}

/** The policy in the first entry. */
export function policyIn(parts: EntryParts, { functions, standIn, known }: Reading): Decoded<Policy> {
  return decoded(() => {
    const body = readWritten(openingOf(parts).policy);
    if (known !== undefined && sameValue(known.body, body)) return known;
    return taken(policyOfBody(body, functions ?? functionsOf(body), standIn));
  });
}

function openingOf({ kind, seq, command }: EntryParts): { readonly policy: Json; readonly state: Json } {
  if (kind !== "open" || seq !== 1) return refuse("shape", "the first entry does not open a kernel");
  const { policy, state } = isJsonObject(command) ? command : {};
  if (policy === undefined || state === undefined)
    return refuse("shape", "the first entry has no policy or state");
  return { policy, state };
}

/** Any later entry again, with the first thing that is wrong with it. Throws `Refused`. */
function carefully(state: KernelState, parts: EntryParts, stored: StoredEntry): Step {
  if (parts.seq !== state.seq + 1) refuse("shape", `entry ${parts.seq} comes after entry ${state.seq}`);
  if (parts.prev !== state.head) refuse("shape", "the entry does not follow the one before it");
  const { kind, time, writer, command, checks, text } = parts;
  if (writer === undefined) {
    taken(commandOfBody(commandKind(kind), command, state.policy));
    return refuse("shape", "the entry has no writer");
  }
  return replay(state, { kind, time, writer, command, checks }, text, stored);
}

/** What goes into a decision; all else in an entry comes of it and of the state. */
type Inputs = Pick<EntryParts, "kind" | "time" | "command" | "checks"> & { readonly writer: string };

/**
 * Decides again and seals, if that gives this text; that `stored` is the text with its hash was seen before. Throws
 * `Refused`.
 */
function replay(
  state: KernelState,
  { kind, time, writer, command, checks }: Inputs,
  text: string,
  stored: StoredEntry,
): Step {
  const read = taken(commandOfBody(commandKind(kind), command, state.policy));
  const decided = () => decide(state, read, time);
  const decision = state.policy.hasFunctions ? withWritten(messagesIn(checks), decided) : decided();
  return seal(state, decision, writer, (made) => (made === text ? stored : otherwise()));
}

function commandKind(kind: string): string {
  return kind === "emergency" ? "execute" : kind;
}

/** What the checks of an entry say, by their names. */
function messagesIn(checks: Json): Map<string, string> {
  const messages = new Map<string, string>();
  for (const one of isJsonArray(checks) ? checks : []) {
    if (!isJsonObject(one)) continue;
    const { check, message } = one;
    if (typeof check === "string" && typeof message === "string") messages.set(check, message);
  }
  return messages;
}

function otherwise(): never {
  return refuse("shape", "the kernel decides otherwise than the entry says");
}

function taken<T>(result: Decoded<T>): T {
  return result.ok ? result.value : fail(result.problem);
}

function fail({ code, message }: Problem): never {
  return refuse(code, message);
}

function countOf(json: unknown): number {
  const value = JsonNumber.is(json) ? Number(json.value) : json;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    return refuse("shape", "an entry has no number or time");
  }
  return value;
}

function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
