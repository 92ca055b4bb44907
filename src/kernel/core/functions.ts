/** Reads functions that a policy is given, and those that a trace only names. Part of what must be trusted. */
import { isList, isRecord, type Value } from "../../ir/index.ts";
import { sha256 } from "../digest.ts";
import type { Isolated } from "../isolated.ts";
import { limits } from "../limits.ts";
import { moduleSource } from "../module-source.ts";
import { refuse } from "../problem.ts";
import type { Part } from "../reasons.ts";
import { fieldsOf, readValue } from "../values/decode.ts";
import { Fields } from "../values/fields.ts";
import type { CheckFunction, FunctionInvariant } from "./function.ts";
import { enforcements, type Invariant } from "./invariant.ts";

/** Substitute for a function invariant: the function, or its recorded answers where a reader lacks it. */
export type StandIn = (one: FunctionInvariant) => Invariant["rule"];

/** A copy, each part looked at once; throws `Refused`. */
export function readFunction(given: FunctionInvariant): FunctionInvariant {
  const parts = new Map(fieldsOf(given));
  const check = parts.get("check");
  parts.delete("check");
  const fields = new Fields(readValue(Object.fromEntries(parts)), "function");
  const name = fields.name("name");
  const enforcement = fields.oneOf("enforcement", enforcements);
  const version = fields.optionalName("version");
  const over = fields.optional("over") === undefined ? "state" : fields.oneOf("over", ["state", "step"]);
  const digest = fields.optionalName("digest");
  fields.end();
  return Object.freeze({
    ...(digest === undefined ? {} : { digest }),
    name,
    enforcement,
    over,
    ...(version === undefined ? {} : { version }),
    check: isFunction(check) ? check : readIsolated(check, ["the function", name]),
  });
}

function isFunction(check: unknown): check is CheckFunction {
  return typeof check === "function";
}

/** Decodes the module and export where a worker finds the function. */
function readIsolated(check: unknown, what: Part): Isolated {
  if (typeof check !== "object" || check === null) return refuse("no field", { what, field: "check" });
  const fields = new Fields(readValue(check), ["field", "check", what]);
  const module = fields.required("module");
  if (typeof module !== "string" || !/^(?:file|data):/.test(module)) {
    return refuse("not an address", { what: ["field", "module", what] });
  }
  const timeoutMs = fields.count("timeoutMs");
  if (timeoutMs < 1 || timeoutMs > limits.functionMs)
    refuse("not up to", { what: ["field", "timeoutMs", what], most: limits.functionMs });
  const name = fields.optionalName("export");
  const keys = fields.optional("keys") === undefined ? undefined : fields.names("keys");
  fields.end();
  return Object.freeze({
    module,
    timeoutMs,
    ...(name === undefined ? {} : { export: name }),
    ...(keys === undefined ? {} : { keys }),
  });
}

/**
 * The digest of a function: of its source text, or of the module where a worker finds it. One with a version has none: then
 * the word of its author counts, so that it can be built and bundled anew.
 */
export function digestOfFunction({ version, check }: FunctionInvariant): string | undefined {
  if (version !== undefined) return undefined;
  if (typeof check === "function") return sha256(Function.prototype.toString.call(check));
  const { module, export: name = "default", keys } = check;
  return sha256(JSON.stringify([moduleSource(module), name, keys ?? null]));
}

/** The functions that a policy's body names, for readers of a trace that lack them. */
export function functionsOf(body: Value): FunctionInvariant[] {
  const named = isRecord(body) ? body.fields.functions : undefined;
  if (named === undefined || !isList(named)) return [];
  return named.map((one) => {
    const fields = new Fields(one, "function");
    const version = fields.optionalName("version");
    const digest = fields.optionalName("digest");
    return {
      ...(digest === undefined ? {} : { digest }),
      name: fields.name("name"),
      enforcement: fields.oneOf("enforcement", enforcements),
      over: fields.oneOf("over", ["state", "step"]),
      ...(version === undefined ? {} : { version }),
      check: () => undefined,
    };
  });
}
