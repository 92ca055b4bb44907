/**
 * Every reason to refuse something: a code of a closed set, the arguments it takes, and the sentence that people are told.
 * Entries hold the code and the arguments; a sentence is made when somebody is told, and nothing is decided by one.
 * A code that stands in an entry keeps its name and its arguments for good; its sentence may change with every version.
 */
import { quoted, quotedList } from "../ir/index.ts";
import type { KernelCode } from "./problem.ts";

/** Argument values as entries store them. Numbers are safe integers; amounts are texts. */
export type Arg = null | boolean | number | string | readonly Arg[] | { readonly [name: string]: Arg };

/** The subject of a message: `["field", "id", "action"]` is `id` of the action. */
export type Part =
  | keyof typeof plainParts
  | readonly [keyof typeof namedParts, string]
  | readonly ["field", string, Part]
  | readonly [keyof typeof around, Part];

const plainParts = {
  action: "the action",
  attestation: "an attestation",
  attestations: "`attestations`",
  budget: "a budget",
  change: "a step",
  checkpoint: "the checkpoint",
  cost: "the cost",
  counts: "the counts",
  definitions: "`$defs`",
  effect: "an effect",
  emergency: "an emergency action",
  "field name": "the name of a field",
  function: "a function",
  initial: "the initial state",
  "initial key": "a key of the initial state",
  kernel: "the name of the kernel",
  key: "a key",
  malformed: "a malformed command",
  "min cost": "`minCost`",
  policy: "the policy",
  principal: "a principal",
  probe: "a probe",
  properties: "`properties`",
  "protected key": "a protected key",
  reason: "`reason`",
  reservation: "a reservation",
  rule: "a rule",
  schema: "a schema",
  snapshot: "the snapshot",
  string: "a string",
  threshold: "the threshold of a probe",
  values: "`values`",
  writer: "the writer of an entry",
} as const;

const namedParts = {
  "the budget": (name: string) => `the budget ${quoted(name)}`,
  "the command": (kind: string) => `the command \`${kind}\``,
  "the cost": (budget: string) => `the cost of ${quoted(budget)}`,
  "the principal": (name: string) => `the principal ${quoted(name)}`,
  "the function": (name: string) => `the function ${quoted(name)}`,
  "the rule": (name: string) => `the rule ${quoted(name)}`,
} as const;

const around = {
  item: "an item",
  limit: "the limit",
  quantum: "the quantum",
  minCost: "the least cost",
  window: "the window",
  share: "the share",
  maxGross: "the gross limit",
  warnAt: "the soft limit",
} as const;

function partText(part: Part): string {
  if (typeof part === "string") return plainParts[part];
  if (part.length === 3) return `\`${part[1]}\` of ${partText(part[2])}`;
  const [name, of] = part;
  if (isAround(name)) {
    // SAFETY: the second of such a pair is a part.
    return `${around[name]} of ${partText(of as Part)}`;
  }
  return namedParts[name](String(of));
}

function isAround(name: string): name is keyof typeof around {
  return Object.hasOwn(around, name);
}

/** A place in a value: a key of the state, and then names of fields and numbers of items. */
export type Place = readonly (string | number)[];

function placeText(place: Place): string {
  return place
    .map((one, i) => (typeof one === "number" ? `[${one}]` : `${i > 0 ? "." : ""}${quoted(one)}`))
    .join("");
}

/** A reason with its arguments. */
export interface Why {
  readonly reason: Reason;
  readonly args: Args;
}

export type Reason = keyof typeof reasons;
export type ArgsOf<R extends Reason> = (typeof reasons)[R] extends Entry<infer A> ? A : never;

interface Entry<A> {
  readonly code: KernelCode;
  readonly say: (args: A) => string;
}

function as(code: KernelCode) {
  return <A = Nothing>(say: (args: A) => string): Entry<A> => ({ code, say });
}

/** Things with unique names or a maximum count. */
type Plural = "budgets" | "emergency actions" | "principals" | "probes" | "rules";

/** No arguments. */
export type Nothing = { readonly [name: string]: never };
type Of = { readonly what: Part };
type At = { readonly key: string };
type In = { readonly place: Place };
type Most = { readonly most: number };

const [shape, limit, effect, invariant] = [as("shape"), as("limit"), as("effect"), as("invariant")];
const [emergency, guarded, held, budget] = [as("emergency"), as("protected"), as("held"), as("budget")];
const [receipt, keyed] = [as("receipt"), as("idempotency-key")];
const [principal, quota] = [as("principal"), as("quota")];

export const reasons = {
  // ── words of others
  /** The caller's own words: an operator's reason, a line that is not JSON. */
  said: shape(({ text }: { text: string }) => text),
  /** The sentence of an entry that holds no code and arguments. */
  "said then": shape(({ text }: { text: string }) => text),

  // ── data of any kind
  "not data": shape(
    ({ kind }: { kind: string }) => `${kind === "undefined" ? "`undefined`" : `a ${kind}`} is not data`,
  ),
  "class of its own": shape(() => "an object with a class of its own is not data"),
  "threw when read": shape(() => "an object threw an error when it was read"),
  "symbol property": shape(() => "a property is named by a symbol"),
  "computed property": shape(({ key }: At) => `the property ${quoted(key)} is computed or hidden`),
  "list with a gap": shape(() => "a list has a gap"),
  "list with properties": shape(() => "a list has properties besides its items"),
  "list without length": shape(() => "a list has no length"),
  "contains itself": shape(() => "a value contains itself"),
  "negative zero": shape(() => "negative zero is not a number here"),
  "not finite": shape(({ number }: { number: string }) => `\`${number}\` cannot be stored as a number`),
  "not exact": shape(
    ({ number }: { number: string }) => `the integer \`${number}\` may not be exact as a number`,
  ),
  "no decimal form": shape(() => "a number has no finite decimal form"),
  "half a pair": shape(({ what }: Of) => `${partText(what)} has a lone surrogate`),
  "number too long": limit(({ most }: Most) => `a number has more than ${most} bits`),
  "text too long": limit(({ what, most }: Of & Most) => `${partText(what)} has more than ${most} code units`),
  "too many parts": limit(({ most }: Most) => `a value has more than ${most} parts`),
  "nested too deep": limit(({ most }: Most) => `a value is nested more than ${most} deep`),
  "too many fields": limit(({ most }: Most) => `an object has more than ${most} fields`),
  "too many items": limit(({ most }: Most) => `a list has more than ${most} items`),

  // ── fields
  "not an object": shape(({ what }: Of) => `${partText(what)} is not an object`),
  "not a list": shape(({ what }: Of) => `${partText(what)} is not a list`),
  "not a name": shape(({ what }: Of) => `${partText(what)} is not a name`),
  "not a text": shape(({ what }: Of) => `${partText(what)} is not a text`),
  "not a boolean": shape(({ what }: { what: string }) => `\`${what}\` is not a boolean`),
  "not a count": shape(({ what }: Of) => `${partText(what)} is not a whole number from 0 to 2^53 - 1`),
  "not one of": shape(
    ({ what, words }: Of & { words: readonly string[] }) =>
      `${partText(what)} is not one of ${quotedList(words, quoted, 9)}`,
  ),
  "no field": shape(({ what, field }: Of & { field: string }) => `${partText(what)} has no ${quoted(field)}`),
  "unknown field": shape(
    ({ what, field }: Of & { field: string }) => `${partText(what)} has an unknown field ${quoted(field)}`,
  ),
  "is empty": shape(({ what }: Of) => `${partText(what)} is empty`),

  // ── amounts
  "not an amount": shape(({ what }: Of) => `${partText(what)} is not a number or a decimal text`),
  "not a decimal": shape(
    ({ what, text }: Of & { text: string }) => `${partText(what)} is not a decimal: ${quoted(text)}`,
  ),
  "finer than the quantum": shape(
    ({ what, quantum }: Of & { quantum: string }) =>
      `${partText(what)} is finer than the quantum \`${quantum}\``,
  ),
  "not positive": shape(({ what }: Of) => `${partText(what)} is not positive`),
  "is negative": shape(({ what }: Of) => `${partText(what)} is negative`),
  "no such budget": shape(
    ({ budget }: { budget: string }) => `the cost names a budget ${quoted(budget)} that is not there`,
  ),
  "cost without a budget": shape(() => "there is a cost and no budget"),

  // ── actions and commands
  "idempotency key is no name": shape(() => "the idempotency key is not a name"),
  "value of a delete": shape(({ key }: At) => `\`delete\` of ${quoted(key)} takes no value`),
  "effect without a value": shape(
    ({ key, op }: At & { op: string }) => `\`${op}\` of ${quoted(key)} has no value`,
  ),
  "too many effects": limit(({ most }: Most) => `the action has more than ${most} effects`),

  // ── effects
  "nothing to delete": effect(({ key }: At) => `there is no ${quoted(key)} to delete`),
  "nothing to change": effect(
    ({ key, op }: At & { op: string }) => `there is no ${quoted(key)} to \`${op}\``,
  ),
  "nothing to remove": effect(({ key }: At) => `${quoted(key)} does not hold what \`remove\` names`),
  "number expected": effect(
    ({ key, op }: At & { op: string }) => `${quoted(key)} is not a number, so it has no \`${op}\``,
  ),
  "number wanted": effect(
    ({ key, op }: At & { op: string }) => `the value of \`${op}\` of ${quoted(key)} is not a number`,
  ),
  "list expected": effect(
    ({ key, op }: At & { op: string }) => `${quoted(key)} is not a list, so it has no \`${op}\``,
  ),
  "too many keys": limit(({ most }: Most) => `there are ${most} keys already`),

  // ── steps
  "made for another version": as("version")(
    ({ reads, version }: { reads: number; version: number }) =>
      `it was made for version ${reads} and the state has version ${version}`,
  ),
  stopped: as("stopped")(({ because }: { because: Arg }) => `the kernel was stopped: ${saidIn(because)}`),
  "protected key": guarded(({ key }: At) => `actions cannot write ${quoted(key)}`),
  "counter only goes up": guarded(({ key }: At) => `the counter ${quoted(key)} can only be incremented`),
  "not a protected key": guarded(({ key }: At) => `${quoted(key)} is not a protected key`),
  "held key": held(
    ({ key, receipt }: At & { receipt: string }) =>
      `${quoted(key)} is held by the reservation \`${receipt}\``,
  ),
  "over budget": budget(
    ({ budget, cost, left }: { budget: string; cost: string; left: string }) =>
      `it costs \`${cost}\` of ${quoted(budget)}, and \`${left}\` is left`,
  ),
  "over the reservation": budget(() => "it cost more than was reserved"),
  "too cheap": as("min-cost")(
    ({ budget, least }: { budget: string; least: string }) =>
      `a step costs at least \`${least}\` of ${quoted(budget)}`,
  ),
  "no step left": as("step-limit")(({ most }: Most) => `the limit of ${most} steps is reached`),
  "too many tools": limit(({ most }: Most) => `there were steps of ${most} tools already`),

  "over the gross limit": budget(
    ({ budget, cost, left }: { budget: string; cost: string; left: string }) =>
      `it costs \`${cost}\` of ${quoted(budget)}, and \`${left}\` of its gross limit is left; a rollback gives none back`,
  ),
  "over the share": budget(
    ({ budget, cost, left, principal }: { budget: string; cost: string; left: string; principal: string }) =>
      `it costs \`${cost}\` of ${quoted(budget)}, and \`${left}\` of the share of ${quoted(principal)} is left`,
  ),
  "soft limit": budget(
    ({ budget, left, warnAt }: { budget: string; left: string; warnAt: string }) =>
      `${quoted(budget)} is past its soft limit \`${warnAt}\`; \`${left}\` is left`,
  ),
  "soft limit of steps": as("step-limit")(
    ({ steps, most }: { steps: number } & Most) => `${steps} of ${most} steps are taken`,
  ),

  // ── principals
  "no such principal": principal(
    ({ principal }: { principal: string }) => `there is no principal ${quoted(principal)}`,
  ),
  "for operators": principal(
    ({ principal, kind }: { principal: string; kind: string }) =>
      `${quoted(principal)} is no operator, and \`${kind}\` is for operators`,
  ),
  "of another principal": principal(
    ({ receipt, owner }: { receipt: string; owner: string }) =>
      `${quoted(receipt)} belongs to ${quoted(owner)}`,
  ),
  "no step left of its own": quota(
    ({ principal, most }: { principal: string } & Most) => `${quoted(principal)} has taken its ${most} steps`,
  ),
  "too many of its own reservations": quota(
    ({ principal, most }: { principal: string } & Most) =>
      `${quoted(principal)} has ${most} reservations without an outcome, which is its quota`,
  ),
  "too much to write": quota(
    ({ principal, most, windowMs }: { principal: string; windowMs: number } & Most) =>
      `${quoted(principal)} may write ${most} code units within ${windowMs} ms`,
  ),
  "share not left": principal(
    ({ budget, principal, left }: { budget: string; principal: string; left: string }) =>
      `\`${left}\` of the share of ${quoted(principal)} in ${quoted(budget)} is left`,
  ),
  "delegated by another": principal(
    ({ principal, parent }: { principal: string; parent: string }) =>
      `${quoted(principal)} has its share from ${quoted(parent)}`,
  ),
  "nothing delegated": principal(
    ({ principal }: { principal: string }) => `${quoted(principal)} has no share that was delegated to it`,
  ),
  "delegated to itself": principal(
    () => "a principal cannot delegate to itself or to one that its share comes from",
  ),
  "share of its own": principal(
    ({ principal }: { principal: string }) => `${quoted(principal)} has a share of its own, by the policy`,
  ),
  "too many principals": limit(({ most }: Most) => `there are ${most} principals already`),
  "lease is too long": limit(({ most }: Most) => `a lease is from 1 to ${most} ms`),
  "no lease": receipt(
    ({ receipt }: { receipt: string }) => `the reservation ${quoted(receipt)} has no lease`,
  ),
  "not signed": principal(
    ({ principal }: { principal: string }) => `the entry is not signed with the key of ${quoted(principal)}`,
  ),
  "not a public key": shape(({ what }: Of) => `${partText(what)} is not an Ed25519 public key in PEM`),
  "key of another": principal(
    ({ principal }: { principal: string }) => `the private key is not that of ${quoted(principal)}`,
  ),
  "key needed": principal(
    ({ principal }: { principal: string }) =>
      `${quoted(principal)} has a key, and commands need its private part`,
  ),

  "quorum of keys": shape(
    ({ keys }: { keys: number }) =>
      `\`quorum\` of \`checkpoints\` is not from 1 to ${keys}, or a key is there twice`,
  ),

  // ── changes of the policy
  "replaces another policy": as("version")(() => "the policy is no longer the one that this was made for"),
  "budget stays": shape(
    ({ budget }: { budget: string }) =>
      `the budget ${quoted(budget)} stays in its place, with its quantum, its window and the budget around it`,
  ),
  "spent already": budget(
    ({ budget, spent }: { budget: string; spent: string }) =>
      `\`${spent}\` of ${quoted(budget)} is spent or held already`,
  ),
  "undo steps stay": shape(() => "`undoSteps` stays as it is"),
  "state breaks": invariant(
    ({ check, why }: { check: string; why: Arg }) => `the state breaks the ${check}: ${saidIn(why)}`,
  ),
  "another function": shape(
    ({ name }: { name: string }) => `the function ${quoted(name)} is not the one of the kernel`,
  ),

  // ── emergency actions
  "effects not declared": emergency(
    ({ id }: { id: string }) => `\`${id}\` has effects that were not declared`,
  ),
  "not free": emergency(({ id }: { id: string }) => `\`${id}\` has a cost, and an emergency action is free`),
  "cap reached": emergency(
    ({ id, cap }: { id: string; cap: number }) => `\`${id}\` was used ${cap} times, which is its cap`,
  ),
  "not to be reserved": emergency(
    ({ id }: { id: string }) => `${quoted(id)} is an emergency action, which is executed, not reserved`,
  ),

  // ── reservations and rollbacks
  "key of another action": keyed(({ key }: At) => `the key ${quoted(key)} was used for another action`),
  "key in doubt": keyed(
    ({ key, receipt }: At & { receipt: string }) =>
      `the key ${quoted(key)} is in doubt: \`${receipt}\` has no outcome yet`,
  ),
  "too many idempotency keys": limit(({ most }: Most) => `there were ${most} keys already`),
  "too many reservations": limit(({ most }: Most) => `there are ${most} reservations without an outcome`),
  "no such reservation": receipt(
    ({ receipt }: { receipt: string }) => `there is no reservation ${quoted(receipt)} without an outcome`,
  ),
  "no such step": receipt(
    ({ receipt }: { receipt: string }) => `there is no step ${quoted(receipt)} that can be rolled back`,
  ),
  "rolled back already": receipt(
    ({ receipt }: { receipt: string }) => `${quoted(receipt)} was already rolled back`,
  ),
  "cannot be rolled back": receipt(
    ({ receipt }: { receipt: string }) => `${quoted(receipt)} cannot be rolled back`,
  ),
  "range ends first": receipt(() => "the range ends before it begins"),
  "no action made it": receipt(
    ({ version }: { version: number }) =>
      `version ${version} was not made by an action and cannot be rolled back`,
  ),
  "too much to make up for": limit(() => "the compensations of the range do not fit an entry"),
  "written later": as("dependent")(
    ({ version, key }: At & { version: number }) =>
      `the step of version ${version} also wrote ${quoted(key)}`,
  ),

  // ── observations
  "no such probe": shape(({ probe }: { probe: string }) => `there is no probe ${quoted(probe)}`),
  "not of the probe": shape(({ key }: At) => `the probe does not look at ${quoted(key)}`),
  drift: as("drift")(
    ({ keys }: { keys: readonly string[] }) => `the world differs at ${quotedList(keys, quoted, 5)}`,
  ),

  // ── rules
  absent: invariant(({ key }: At) => `there is no ${quoted(key)}`),
  "is no number": invariant(({ key }: At) => `${quoted(key)} is not a number`),
  "is no list": invariant(({ key }: At) => `${quoted(key)} is not a list`),
  "is no string": invariant(({ key }: At) => `${quoted(key)} is not a string`),
  "is no boolean": invariant(({ key }: At) => `${quoted(key)} is not a boolean`),
  above: invariant(({ key, max }: At & { max: string }) => `${quoted(key)} is above \`${max}\``),
  below: invariant(({ key, min }: At & { min: string }) => `${quoted(key)} is below \`${min}\``),
  "only goes up": invariant(({ key }: At) => `${quoted(key)} may only go up`),
  "only goes down": invariant(({ key }: At) => `${quoted(key)} may only go down`),
  "never deleted": invariant(({ key }: At) => `${quoted(key)} may not be deleted`),
  "only read": invariant(({ key }: At) => `${quoted(key)} may only be read`),
  "more items": invariant(
    ({ key, max }: At & { max: number }) => `${quoted(key)} has more than ${max} items`,
  ),
  longer: invariant(
    ({ key, max }: At & { max: number }) => `${quoted(key)} is longer than ${max} code units`,
  ),
  "has the text": invariant(
    ({ key, text }: At & { text: string }) => `${quoted(key)} has the text ${quoted(text)}`,
  ),
  "has personal data": invariant(
    ({ key, kind }: At & { kind: keyof typeof piiWords }) =>
      `${quoted(key)} looks like it has ${piiWords[kind]}`,
  ),
  "not approved": invariant(({ key }: At) => `${quoted(key)} is not approved`),
  "is over": invariant(({ key }: At) => `${quoted(key)} is true, which ends all actions`),
  "stays true": invariant(({ key }: At) => `${quoted(key)} must stay true`),
  "no step in any window": invariant(() => "no step is allowed in any window"),
  "too many in the window": invariant(
    ({ max, windowMs }: { max: number; windowMs: number }) => `there were ${max} steps within ${windowMs} ms`,
  ),
  "not allowed": invariant(({ place }: In) => `${placeText(place)} has a value that is not allowed`),
  "holds twice": invariant(({ place }: In) => `${placeText(place)} has a duplicate item`),
  "may not be there": invariant(({ place }: In) => `${placeText(place)} may not be there`),
  "wrong type": invariant(({ place }: In) => `${placeText(place)} has a wrong type`),
  breaks: invariant(({ place, word }: In & { word: string }) => `${placeText(place)} breaks \`${word}\``),
  "too long for its pattern": invariant(
    ({ place }: In) => `${placeText(place)} is too long for its \`pattern\``,
  ),
  "has no field": invariant(
    ({ place, field }: In & { field: string }) => `${placeText(place)} has no ${quoted(field)}`,
  ),
  "fits none": invariant(({ place }: In) => `${placeText(place)} fits none of \`anyOf\``),
  "fits not one": invariant(({ place }: In) => `${placeText(place)} does not fit one of \`oneOf\``),
  "fits what it may not": invariant(({ place }: In) => `${placeText(place)} fits \`not\``),
  "does not hold": invariant(() => "it does not hold"),
  "too much work": invariant(
    ({ limit }: { limit: string }) => `it takes too much work: the limit ${limit} is reached`,
  ),
  "cannot be judged": invariant(() => "it cannot be evaluated"),
  "keeps its kind": invariant(
    ({ key, kind }: At & { kind: string }) => `${quoted(key)} stays of its kind (${kind})`,
  ),
  "undefined step": invariant(({ operator }: { operator: string }) =>
    operator === "value"
      ? "it takes the `value` of something that is not there, or not of that type"
      : `it has a \`${operator}\` by zero`,
  ),
  "function answered": invariant(
    ({ kind }: { kind: string }) => `it returned ${answerWords(kind)} instead of \`true\``,
  ),
  "worker answered": invariant(() => "it returned something other than `true`"),
  "function threw": invariant(() => "it threw an error"),
  "no such function": invariant(() => "its module has no such function"),
  "no module": invariant(() => "its module could not be loaded"),
  "no answer in time": invariant(
    ({ timeoutMs }: { timeoutMs: number }) => `it returned no result within ${timeoutMs} ms`,
  ),

  "too few attestations": invariant(
    ({ have, need, rejected }: { have: number; need: number; rejected: readonly string[] }) =>
      `it has ${have} of ${need} attestations${rejected.length === 0 ? "" : ` (rejected: ${quotedList(rejected, quoted, 5)})`}`,
  ),

  // ── attestations
  "too many attestations": limit(({ most }: Most) => `there are more than ${most} attestations`),
  "attestation of an unknown version": shape(() => "an attestation is of an unknown version"),
  "attestation of no time": shape(() => "`expires` of an attestation is not within a year after `notBefore`"),
  "attestation of another shape": shape(() => "a field of an attestation has another form"),

  // ── policies
  "two of a name": shape(
    ({ what, name }: { what: Plural; name: string }) => `there are two ${what} named \`${name}\``,
  ),
  "too many of": limit(({ what, most }: { what: Plural } & Most) => `there are more than ${most} ${what}`),
  "is above": limit(({ field, most }: { field: string } & Most) => `\`${field}\` is above ${most}`),
  "functions not given": shape(() => "the policy names functions that are not given"),
  "no budget around": shape(
    ({ budget, within }: { budget: string; within: string }) =>
      `there is no budget ${quoted(within)} around ${quoted(budget)}`,
  ),
  "within itself": shape(({ budget }: { budget: string }) => `the budget ${quoted(budget)} is within itself`),
  "different quanta": shape(
    ({ budget, within }: { budget: string; within: string }) =>
      `the budgets ${quoted(budget)} and ${quoted(within)} have different quanta`,
  ),
  "least cost of no budget": shape(
    ({ budget }: { budget: string }) => `\`minCost\` names a budget ${quoted(budget)} that is not there`,
  ),
  "rule or when": shape(
    ({ rule }: { rule: string }) => `the rule ${quoted(rule)} needs either \`rule\` or \`when\``,
  ),
  "no such rule": shape(({ rule }: { rule: string }) => `there is no rule ${quoted(rule)}`),
  "may only set": shape(
    ({ id }: { id: string }) => `the emergency action ${quoted(id)} may only \`set\`, which never fails`,
  ),
  "when cannot be read": shape(({ why }: { why: string }) => `\`when\` cannot be read: ${why}`),
  "when makes no sense": shape(({ why }: { why: string }) => `\`when\` is not valid: ${why}`),
  "when is no condition": shape(() => "`when` is not a condition"),
  "not an address": shape(({ what }: Of) => `${partText(what)} is not a \`file:\` or \`data:\` address`),
  "not up to": shape(({ what, most }: Of & Most) => `${partText(what)} is not from 1 to ${most}`),
  "min above max": shape(() => "`min` is above `max`"),
  "window of no time": shape(() => "`windowMs` is zero"),
  "nothing but marks": shape(
    ({ text }: { text: string }) => `the text ${quoted(text)} is nothing but marks and spaces`,
  ),
  "schema of too many": limit(({ most }: Most) => `a schema is made of more than ${most} others`),
  "format of a schema": shape(
    () => "`format` of a schema is a note that nothing checks; say it with `pattern`",
  ),
  "reference of a schema": shape(() => "`$ref` of a schema is not `#/$defs/…` with a name that is there"),
  "schema of itself": shape(({ name }: { name: string }) => `the schema ${quoted(name)} refers to itself`),
  "type of a schema": shape(() => "`type` of a schema is not a type of JSON"),
  "required of a schema": shape(() => "`required` of a schema is not a list of names"),
  "word of a schema": shape(
    ({ word, kind }: { word: string; kind: "number" | "boolean" }) =>
      `\`${word}\` of a schema is not a ${kind}`,
  ),
  "pattern of a schema": shape(
    ({ why }: { why: string }) => `\`pattern\` of a schema cannot be used: ${why}`,
  ),
  "initial state breaks": invariant(
    ({ check, why }: { check: string; why: Arg }) => `the initial state breaks the ${check}: ${saidIn(why)}`,
  ),
  "emergency breaks a rule": emergency(
    ({ id }: { id: string }) => `the emergency action \`${id}\` breaks an invariant by itself`,
  ),
  "opening too big": limit(
    ({ most }: Most) => `the policy and the initial state have more than ${most} bytes`,
  ),
  "another policy": shape(
    ({ kernel }: { kernel: string }) => `the kernel \`${kernel}\` already exists with another policy`,
  ),

  // ── traces
  "not JSON": shape(({ why }: { why: string }) => why),
  "entry is no text": shape(() => "the entry is not a text"),
  "entry of another hash": shape(() => "the hash is not that of the entry"),
  "another entry": shape(({ seq }: { seq: number }) => `it says that it is entry ${seq}`),
  "entry is not JSON": shape(({ why }: { why: string }) => `an entry is not JSON: ${why}`),
  "entry is no object": shape(() => "an entry is not an object"),
  "entry without a kind": shape(() => "an entry has no kind, kernel or predecessor"),
  "entry without a command": shape(() => "an entry has no command or checks"),
  "entry without a time": shape(() => "an entry has no number or time"),
  "entry without a writer": shape(() => "the entry has no writer"),
  "entry of an unknown kind": shape(() => "an entry of an unknown kind"),
  "entry of an older form": shape(
    ({ form, after }: { form: number; after: number }) =>
      `the entry is of form ${form} and comes after one of form ${after}: forms never go back`,
  ),
  "entry of a newer version": shape(
    ({ version, known }: { version: number; known: number }) =>
      `the entry was written by a newer version: its form is ${version}, and this one knows ${known}`,
  ),
  "first does not open": shape(() => "the first entry does not open a kernel"),
  "first without a policy": shape(() => "the first entry has no policy or state"),
  "entry out of order": shape(
    ({ seq, after }: { seq: number; after: number }) => `entry ${seq} comes after entry ${after}`,
  ),
  "does not follow": shape(() => "the entry does not follow the one before it"),
  "decided otherwise": shape(() => "replaying the entry gives another decision"),
  "unknown reason": shape(() => "an entry has a reason that is not known"),
  "checkpoint is not JSON": shape(() => "a checkpoint is not JSON"),
  "checkpoint of an unknown version": shape(() => "the checkpoint is of an unknown version"),
  "snapshot does not fit": shape(() => "the snapshot does not fit"),

  // ── why something ended, and why the value of a cell is unknown
  "handler failed": shape(() => "the handler failed"),
  "call taken back": shape(() => "the call was canceled"),
  "step not rolled back": shape(() => "the step was not rolled back"),
  "run cut off": shape(() => "the run was interrupted before it was settled"),
  "call failed": shape(({ tool }: { tool: string }) => `a call of ${quoted(tool)} failed`),
  "call in doubt": shape(({ tool }: { tool: string }) => `it is unknown whether ${quoted(tool)} was called`),
  "marked by several": shape(
    ({ tool }: { tool: string }) => `a call of ${quoted(tool)} and another run have marked it`,
  ),
  "call tried again": shape(({ tool }: { tool: string }) => `a call of ${quoted(tool)} was tried again`),
  "call maybe repeated": shape(
    ({ tool }: { tool: string }) => `a call of ${quoted(tool)} may have happened more than once`,
  ),
  "call not taken back": shape(
    ({ tool }: { tool: string }) => `a call of ${quoted(tool)} was not compensated`,
  ),
  "undo not clear": shape(
    ({ tool }: { tool: string }) => `it is unknown whether a call of ${quoted(tool)} was undone`,
  ),
  "set from the unknown": shape(
    ({ tool }: { tool: string }) => `${quoted(tool)} set it from an unknown value`,
  ),
} as const;

const piiWords = {
  "e-mail": "an e-mail address",
  card: "a card number",
  iban: "an IBAN",
  "social security": "a social security number",
  telephone: "a telephone number",
} as const;

export type PiiKind = keyof typeof piiWords;

function answerWords(kind: string): string {
  if (kind === "null") return "`null`";
  return kind === "undefined" ? "nothing" : `a value of kind ${kind}`;
}

// ── sentences ────────────────────────────────────────────────────────────────────────────────────────────

/** The sentence for a reason. Arguments that came with an entry may be anything: then the code must do. */
export function sentenceOf(reason: string, args: Arg = {}): string {
  if (!isReason(reason)) return reason;
  try {
    // SAFETY: what is thrown because they are others is caught.
    return reasons[reason].say(args as never);
  } catch {
    return reason;
  }
}

export function isReason(text: string): text is Reason {
  return Object.hasOwn(reasons, text);
}

/** Renders a recorded reason: a code with its arguments, or the sentence of an old entry. */
export function saidIn(kept: Arg): string {
  if (typeof kept === "string") return isReason(kept) ? sentenceOf(kept) : kept;
  if (typeof kept !== "object" || kept === null || !("reason" in kept)) return "";
  const { reason, args = {} } = kept;
  return typeof reason === "string" ? sentenceOf(reason, args) : "";
}

/** A reason as data, for what is kept in a state or an entry. */
export function why<R extends Reason>(
  reason: R,
  ...[args]: Given<R>
): { readonly reason: R; readonly args: Args } {
  return { reason, args: args ?? noArgs };
}

export type Args = { readonly [name: string]: Arg };

/** The arguments of a reason, if it takes any. */
export type Given<R extends Reason> = ArgsOf<R> extends Nothing ? [] : [ArgsOf<R>];

export const noArgs: Args = Object.freeze({});
