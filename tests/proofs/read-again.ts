/** Reads a recorded ledger with the extracted model. */
import { createHash } from "node:crypto";
import { JsonNumber, readJson } from "../../src/ir/index.ts";
import type { StoredEntry } from "../../src/kernel/index.ts";
import {
  commandText,
  type GivenCommand,
  type GivenPolicy,
  type Json,
  modelledRules,
  policyText,
} from "./command-text.ts";
import { entryProblem } from "./entry-text.ts";
import { atom, items, jsonValue, LongNumber, model, parse, type Tree, whole } from "./model.ts";

export interface Read {
  /** Entries that the model did again. */
  readonly entries: number;
  readonly problem?: string;
  /** The reason why the model cannot read the ledger. */
  readonly beyond?: string;
}

interface EntryJson {
  readonly v: number;
  readonly seq: number;
  readonly prev: string;
  readonly time: number;
  readonly kind: string;
  readonly command: Readonly<Record<string, Json>>;
  readonly version: { readonly before: number };
}

const decoder = new TextDecoder();

export function readAgain(stored: readonly StoredEntry[]): Read {
  let id: string | undefined;
  let given: GivenPolicy | undefined;
  let [head, version, entries] = ["", 0, 0];
  for (const { bytes, hash } of stored) {
    const text = decoder.decode(bytes);
    const entry = exactJson(text) as EntryJson;
    if (createHash("sha256").update(bytes).digest("hex") !== hash)
      return { entries, problem: `entry ${entry.seq}: hash` };
    if (id === undefined || given === undefined) {
      const read = policyIn(entry.command.policy);
      if (typeof read === "string") return { entries, beyond: read };
      given = read;
      const cells = Object.entries(entry.command.state as object).map(([key, value]) =>
        items(atom(key), jsonValue(value)),
      );
      const made = parse(
        model.open(items(policyText(given, entry.v >= 3), items(...cells), whole(entry.time), atom(hash))),
      );
      if (made[0] === undefined) return { entries, problem: "the model does not open it" };
      id = String(made[0]);
    } else {
      const command = commandIn(entry, given);
      const answer = parse(
        model.step(items(atom(id), command, items(whole(entry.time)), atom(hash), atom("1"))),
      ) as Tree[];
      const problem = entryProblem(text, answer, { head, version }, given);
      if (problem !== undefined) return { entries, problem: `entry ${entry.seq}: ${problem}\n${text}` };
      const state = answer[6] as Tree[];
      version = Number.parseInt(String(state[3]), 2);
    }
    head = hash;
    entries++;
  }
  if (id !== undefined) model.drop(id);
  return { entries };
}

/** As `JSON.parse`, but a number that it would round is kept as it is written. */
function exactJson(text: string): unknown {
  const read = readJson(text);
  if (!read.ok) throw new TypeError("an entry that is no JSON");
  const plain = (json: unknown): unknown => {
    if (JsonNumber.is(json))
      return String(Number(json.text)) === json.text ? Number(json.text) : new LongNumber(json.text);
    if (Array.isArray(json)) return json.map(plain);
    if (typeof json !== "object" || json === null) return json;
    return Object.fromEntries(Object.entries(json).map(([name, part]) => [name, plain(part)]));
  };
  return plain(read.value.value);
}

function commandIn({ kind, command }: EntryJson, given: GivenPolicy): string {
  if (kind === "malformed") return items(atom("malformed"), atom(String(command.code)));
  // SAFETY of the cast: a kind that the model does not know makes `commandText` throw.
  const known = (kind === "emergency" ? "execute" : kind) as GivenCommand["kind"];
  return commandText({ kind: known, input: command }, given);
}

/** The policy as the first entry has it; a reason if the model cannot judge by it. */
function policyIn(body: Json | undefined): GivenPolicy | string {
  const policy = body as Readonly<Record<string, Json>>;
  const rules = (policy.rules ?? []) as unknown as GivenPolicy["rules"];
  const stray = rules.find((rule) => !modelledRules.has(rule.rule));
  if (stray !== undefined) return `the rule ${stray.name}`;
  if (((policy.functions as Json[] | undefined) ?? []).length > 0) return "functions";
  return {
    budgets: (policy.budgets ?? []) as unknown as GivenPolicy["budgets"],
    rules,
    emergencies: (policy.emergencies ?? []) as unknown as GivenPolicy["emergencies"],
    protected: (policy.protected ?? []) as unknown as GivenPolicy["protected"],
    probes: (policy.probes ?? []) as unknown as GivenPolicy["probes"],
    undoSteps: Number(policy.undoSteps),
    ...(policy.maxSteps === undefined ? {} : { maxSteps: Number(policy.maxSteps) }),
  };
}
