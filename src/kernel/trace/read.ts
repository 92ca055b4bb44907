/**
 * Reads an entry and does it again: the same command on the same state must give the same entry, byte for byte, but for the
 * sentences of the first form. This is how a trace is verified and how a kernel follows what others wrote. Part of what must be trusted.
 */
import {
  isJsonArray,
  isJsonObject,
  type Json,
  JsonNumber,
  type JsonObject,
  readJson,
  type Value,
} from "../../ir/index.ts";
import { commandOfBody } from "../core/command.ts";
import { inForm, newestForm } from "../core/form.ts";
import type { FunctionInvariant } from "../core/function.ts";
import { functionsOf, type StandIn } from "../core/functions.ts";
import { type Policy, policyOfBody } from "../core/policy.ts";
import { localPrincipal } from "../core/principal.ts";
import type { KernelState } from "../core/state.ts";
import { decide } from "../core/step.ts";
import { type Written, withWritten } from "../core/written.ts";
import { sha256 } from "../digest.ts";
import { limits } from "../limits.ts";
import { type Decoded, decoded, Refused, refuse } from "../problem.ts";
import { isReason, noArgs, sentenceOf, type Why } from "../reasons.ts";
import { isSignature } from "../signature.ts";
import { unicodeVersion } from "../tables.ts";
import { argsIn } from "../values/args.ts";
import { sameValue } from "../values/canonical.ts";
import { checkText, readWritten } from "../values/decode.ts";
import { type Form, type Mark, type Step, seal } from "./entry.ts";
import { firstForm, whyThen } from "./first-form.ts";
import { decodeInitial, openKernel } from "./open.ts";

/** An entry as a ledger keeps it. */
export interface StoredEntry {
  readonly seq: number;
  readonly hash: string;
  readonly bytes: Uint8Array;
  /** Set on what is appended if it may use the room that a ledger keeps for emergencies. */
  readonly urgent?: true;
}

/** The parts of an entry that replay needs. */
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
  /** The form that it is written in. */
  readonly v: number;
  /** The tables of Unicode that it was decided with, if they may matter. */
  readonly unicode: string;
  /** The principal that asked; `local` before the fourth form. */
  readonly principal: string;
  /** The clock of the asker, if it told another time. */
  readonly clock?: number;
  /** Refusals before it that were not recorded. */
  readonly folded: number;
  readonly signature?: string;
}

/** The entry again, after the state that it came after; the first one opens the kernel. */
export function again(
  state: KernelState | undefined,
  stored: StoredEntry,
  reading: Reading = {},
): Decoded<Step> {
  return decoded(() => {
    const text = textIn(stored);
    const quick = state === undefined ? undefined : quickly(state, stored, text, reading);
    if (quick !== undefined) return quick;
    const parts = partsOf(stored.seq, text);
    return state === undefined ? taken(reopen(parts, reading)) : carefully(state, parts, stored, reading);
  });
}

/** Checks the hash, and reads. */
export function readStored(stored: StoredEntry): Decoded<EntryParts> {
  return decoded(() => partsOf(stored.seq, textIn(stored)));
}

function textIn({ hash, bytes }: StoredEntry): string {
  const text = textOfBytes(bytes) ?? refuse("entry is no text");
  return sha256(bytes) === hash ? text : refuse("entry of another hash");
}

function partsOf(seq: number, text: string): EntryParts {
  const parts = taken(readEntry(text));
  return parts.seq === seq ? parts : refuse("another entry", { seq: parts.seq });
}

/**
 * Takes from an entry what goes into a decision, where the kernel writes it, and reads it with what is built in. That is
 * quick, and wrong about long numbers, names given twice, and texts that look like a part of an entry. It does no harm:
 * the entry that comes of it must be the same text to the last character, for every writer, so everything else in it is
 * compared with what this kernel would write; if it is not the same, it is read with care.
 */
function quickly(state: KernelState, stored: StoredEntry, text: string, reading: Reading): Step | undefined {
  if (stored.seq !== state.seq + 1) return undefined;
  const checksAt = text.indexOf(',"checks":');
  const commandAt = text.indexOf(',"command":', checksAt);
  const costAt = text.lastIndexOf(',"cost":{');
  const writerAt = text.lastIndexOf(',"writer":"');
  const kind = between(text, costAt, ',"kind":"', '"');
  const time = between(text, costAt, ',"time":', ",");
  const v = Number(between(text, costAt, ',"v":', ","));
  const principal = v >= 4 ? between(text, costAt, ',"principal":"', '"') : localPrincipal;
  // Fields that few entries have take the slow path.
  if (principal === "" || principal.includes("\\") || text.includes(',"folded":', costAt)) return undefined;
  if (text.includes(',"signature":"', costAt) || text.slice(checksAt, commandAt).includes(',"clock":'))
    return undefined;
  const unicode = between(text, costAt, ',"unicode":"', '"');
  const writer = text.slice(writerAt + 11, -2);
  if (checksAt < 0 || commandAt < 0 || costAt < commandAt || writerAt < costAt || writer.includes("\\"))
    return undefined;
  try {
    // SAFETY: except numbers, which are JavaScript's own; readers here accept those as well.
    const part = (from: number, to: number) => JSON.parse(text.slice(from, to)) as Json;
    const command = part(commandAt + 11, costAt);
    const checks = v === 1 || isTold(state.policy) ? part(checksAt + 10, commandAt) : [];
    const inputs = { kind, time: Number(time), writer, command, checks, v, unicode, principal, folded: 0 };
    checkText(writer, limits.nameLength, "writer");
    return replay(state, inputs, text, stored, reading);
  } catch {
    return undefined;
  }
}

/** Returns the text between two delimiters, from a position on; empty if they are missing. */
function between(text: string, from: number, open: string, close: string): string {
  const at = text.indexOf(open, from);
  return at < 0 ? "" : text.slice(at + open.length, text.indexOf(close, at + open.length));
}

export function readEntry(text: string): Decoded<EntryParts> {
  return decoded(() => {
    const read = readJson(text);
    if (!read.ok) return refuse("entry is not JSON", { why: read.problems[0]?.message ?? "" });
    const json = read.value.value;
    if (!isJsonObject(json)) return refuse("entry is no object");
    return taken(entryParts(text, json));
  });
}

function entryParts(text: string, json: JsonObject): Decoded<EntryParts> {
  return decoded(() => {
    const { seq, time, kind, kernel, prev, writer, command, checks, signature } = json;
    const [v, unicode] = [countOf(json.v), typeof json.unicode === "string" ? json.unicode : ""];
    if (typeof kind !== "string" || typeof kernel !== "string" || typeof prev !== "string") {
      return refuse("entry without a kind");
    }
    if (command === undefined || checks === undefined) return refuse("entry without a command");
    const folded = json.folded === undefined ? 0 : countOf(json.folded);
    const numbers = { seq: countOf(seq), time: countOf(time), v, folded };
    const principal = v < 4 ? localPrincipal : principalIn(json.principal);
    const parts = {
      text,
      json,
      ...numbers,
      kind,
      kernel,
      prev,
      command,
      checks,
      unicode,
      principal,
      ...(json.clock === undefined ? {} : { clock: countOf(json.clock) }),
      ...(typeof signature === "string" ? { signature } : {}),
    };
    if (writer === undefined) return parts;
    if (typeof writer !== "string") return refuse("not a text", { what: "writer" });
    checkText(writer, limits.nameLength, "writer");
    return { ...parts, writer };
  });
}

function principalIn(json: Json | undefined): string {
  if (typeof json !== "string" || json === "") return refuse("not a text", { what: "principal" });
  checkText(json, limits.nameLength, "principal");
  return json;
}

export interface Reading {
  /** The functions of the policy; without them, `standIn` says what is judged in their place. */
  readonly functions?: readonly FunctionInvariant[];
  readonly standIn?: StandIn;
  /** A policy that was read already, if it is this one. */
  readonly known?: Policy;
  /** Told of a rule whose answer was taken from the entry, since other tables of Unicode decide otherwise now. */
  readonly differs?: (rule: string) => void;
}

/** The first entry again. */
export function reopen(parts: EntryParts, reading: Reading): Decoded<Step> {
  return decoded(() => {
    const policy = taken(policyIn(parts, reading));
    const state = taken(decodeInitial(openingOf(parts).state));
    const form = formOf(parts);
    // It was opened, so no blocking rule was broken then.
    const written = writtenIn({ ...parts, checks: [] }, reading);
    const opened = inForm(form.v, () =>
      withWritten(written, () =>
        taken(openKernel(parts.kernel, policy, state, parts.time, form, parts.principal)),
      ),
    );
    return opened.entry.text === parts.text ? opened : refuse("decided otherwise");
  });
}

/** The policy in the first entry. */
function policyIn(parts: EntryParts, reading: Reading): Decoded<Policy> {
  return decoded(() => taken(policyOfWritten(readWritten(openingOf(parts).policy), reading)));
}

/** The policy of a body that was written. */
export function policyOfWritten(body: Value, { functions, standIn, known }: Reading): Decoded<Policy> {
  return decoded(() => {
    if (known !== undefined && sameValue(known.body, body)) return known;
    return taken(policyOfBody(body, functions ?? functionsOf(body), standIn));
  });
}

function openingOf({ kind, seq, command }: EntryParts): { readonly policy: Json; readonly state: Json } {
  if (kind !== "open" || seq !== 1) return refuse("first does not open");
  const { policy, state } = isJsonObject(command) ? command : {};
  if (policy === undefined || state === undefined) return refuse("first without a policy");
  return { policy, state };
}

/** Any later entry again, with the first thing that is wrong with it. Throws `Refused`. */
function carefully(state: KernelState, parts: EntryParts, stored: StoredEntry, reading: Reading): Step {
  if (parts.seq !== state.seq + 1) refuse("entry out of order", { seq: parts.seq, after: state.seq });
  if (parts.prev !== state.head) refuse("does not follow");
  const { kind, writer, command, text } = parts;
  formOf(parts);
  if (writer === undefined) {
    taken(commandOfBody(commandKind(kind), command, state.policy));
    return refuse("entry without a writer");
  }
  return replay(state, { ...parts, writer }, text, stored, reading);
}

/** The inputs of a decision; everything else in an entry is derived from them and the state. */
type Inputs = Pick<
  EntryParts,
  "kind" | "time" | "command" | "checks" | "v" | "unicode" | "principal" | "clock" | "folded" | "signature"
> & { readonly writer: string };

/**
 * Decides again and seals, if that gives this text; that `stored` is the text with its hash was seen before. Throws
 * `Refused`.
 */
function replay(
  state: KernelState,
  inputs: Inputs,
  text: string,
  stored: StoredEntry,
  reading: Reading,
): Step {
  const form = formOf(inputs);
  // SOUNDNESS: a writer must not choose by which rules it is judged.
  if (form.v < state.form) refuse("entry of an older form", { form: form.v, after: state.form });
  const read = taken(commandOfBody(commandKind(inputs.kind), inputs.command, state.policy));
  const { clock = inputs.time, principal, folded, signature } = inputs;
  const decided = () => inForm(form.v, () => decide(state, read, clock, principal));
  const decision = isTold(state.policy) ? withWritten(writtenIn(inputs, reading), decided) : decided();
  const same = (made: string) => (made === text ? stored : refuse("decided otherwise"));
  return seal(state, decision, inputs.writer, same, form, { folded, sign: signedThen(signature) });
}

/** The signature that an entry has, if it is that of the key. */
function signedThen(signature: string | undefined): Mark["sign"] {
  return (text, key, principal) => {
    if (signature === undefined || !isSignature(signature, text, key))
      return refuse("not signed", { principal });
    return signature;
  };
}

function formOf({ v, unicode, checks }: Pick<Inputs, "v" | "unicode" | "checks">): Form {
  if (v === 1) return firstForm(checks);
  if (v === 2 || v === 3 || v === newestForm) return { v, unicode };
  return refuse("entry of a newer version", { version: v, known: newestForm });
}

/** Returns true if replay may take recorded answers from an entry. */
function isTold({ hasFunctions, restsOnTables }: Policy): boolean {
  return hasFunctions || restsOnTables;
}

function commandKind(kind: string): string {
  return kind === "emergency" ? "execute" : kind;
}

/** Entries of the first form do not say which tables of Unicode they were decided with. */
function writtenIn(
  { checks, v, unicode }: Pick<Inputs, "checks" | "v" | "unicode">,
  { differs }: Reading,
): Written {
  const answers = new Map<string, Why>();
  for (const one of isJsonArray(checks) ? checks : []) {
    if (!isJsonObject(one) || typeof one.check !== "string") continue;
    const answer = v === 1 ? whyThen(one) : whyIn(one);
    if (answer !== undefined) answers.set(one.check, answer);
  }
  const written = { answers, otherTables: v === 1 || unicode !== unicodeVersion };
  return differs === undefined ? written : { ...written, differs };
}

/** Why a check was violated, by the code and the arguments that it holds. */
export function whyIn({ reason, args }: JsonObject): Why | undefined {
  if (typeof reason !== "string" || !isReason(reason)) return undefined;
  const read = args === undefined ? noArgs : argsIn(readWritten(args));
  return read === undefined ? undefined : { reason, args: read };
}

/** The sentence for a check of an entry that is violated: of its reason, or the one that the first form holds. */
export function wordsOfCheck(check: JsonObject): string {
  const { code, message } = check;
  if (typeof message === "string") return message;
  const found = whyIn(check);
  return found === undefined ? String(code ?? "") : sentenceOf(found.reason, found.args);
}

function taken<T>(result: Decoded<T>): T {
  if (result.ok) return result.value;
  throw new Refused(result.problem);
}

function countOf(json: unknown): number {
  const value = JsonNumber.is(json) ? Number(json.value) : json;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) {
    return refuse("entry without a time");
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
