/** A gate that lets an action pass only with k of n attestations about it. Part of what must be trusted. */
import { isList } from "../../ir/index.ts";
import { limits } from "../limits.ts";
import { refuse } from "../problem.ts";
import { fingerprintOf, type KeyObject, publicKeyOf } from "../signature.ts";
import { nameOf } from "../values/decode.ts";
import type { Fields } from "../values/fields.ts";
import type { ReadRule } from "./rule.ts";

export interface AttestationGate {
  /** By their fingerprints, so that no key counts twice. */
  readonly keys: ReadonlyMap<string, KeyObject>;
  readonly quorum: number;
  /** Actions that it is about: those that fit one of these; without any, all. */
  readonly ids: ReadonlySet<string> | undefined;
  readonly tools: ReadonlySet<string> | undefined;
  readonly writes: ReadonlySet<string> | undefined;
  /** The longest lifetime of an attestation. */
  readonly maxAgeMs: number;
}

const day = 86_400_000;

export const attested: ReadRule = (fields) => {
  const keys = new Map<string, KeyObject>();
  for (const pem of fields.list("keys")) {
    const key = typeof pem === "string" ? publicKeyOf(pem) : undefined;
    if (key === undefined) return refuse("not a public key", { what: ["field", "keys", fields.what] });
    keys.set(fingerprintOf(key), key);
  }
  const given = fields.list("keys").length;
  if (given > limits.principals) refuse("is above", { field: "keys", most: limits.principals });
  const quorum = fields.count("quorum");
  if (keys.size !== given || quorum < 1 || quorum > keys.size) refuse("quorum of keys", { keys: keys.size });
  const maxAgeMs = fields.optionalCount("maxAgeMs") ?? day;
  if (maxAgeMs < 1 || maxAgeMs > limits.jumpMs)
    refuse("is above", { field: "maxAgeMs", most: limits.jumpMs });
  const [ids, tools, writes] = [named(fields, "ids"), named(fields, "tools"), named(fields, "writes")];
  return { attests: { keys, quorum, ids, tools, writes, maxAgeMs } };
};

/** An empty list would let everything pass that it seems to be about. */
function named(fields: Fields, field: string): ReadonlySet<string> | undefined {
  const value = fields.optional(field);
  if (value === undefined) return undefined;
  const what = ["field", field, fields.what] as const;
  if (!isList(value)) return refuse("not a list", { what });
  if (value.length === 0) return refuse("is empty", { what });
  return new Set(value.map((one) => nameOf(one, ["item", what])));
}
