/**
 * A policy from JSON text. Strict: a field that is not known may be a misspelt one, and a rule that says less than was
 * meant decides more than it should.
 */
import {
  type Code,
  closest,
  type Diagnostic,
  defaultLimits,
  failed,
  isJsonArray,
  isJsonObject,
  type Json,
  JsonNumber,
  type JsonObject,
  type Locator,
  ok,
  type Path,
  quoted,
  type Result,
  readJson,
  withSpans,
} from "../ir/index.ts";
import { limitArgument } from "./limit-clause.ts";
import type { Policy, PolicyLimit, PolicyRule, RuleDecision } from "./policy.ts";

/** LIMIT: of a policy; a person has to keep it in mind. */
export const policyLimits = {
  rules: 1_000,
  clauses: 100,
  limits: 20,
  tools: 1_000,
  most: 1_000_000_000,
  reviewers: 10,
  text: 10_000,
} as const;

export interface ReadPolicy {
  readonly policy: Policy;
  readonly locate: Locator;
}

export function readPolicy(text: string): Result<ReadPolicy> {
  const read = readJson(text, defaultLimits);
  if (!read.ok) return read;
  const { value, locate } = read.value;
  const reader = new Reader();
  const policy = reader.policy(value);
  if (policy === undefined || reader.problems.length > 0) return failed(withSpans(reader.problems, locate));
  return ok({ policy, locate });
}

const decisions: readonly RuleDecision[] = ["auto_approved", "auto_rejected"];
const periods = ["hour", "day", "week"] as const;
const conditions = ["whenProven", "unlessProven"] as const;
const ruleFields = ["name", "decision", ...conditions, "tools", "limits", "stops", "reason"];
const limitFields = ["name", "clause", "atMost", "per"];

class Reader {
  readonly problems: Diagnostic[] = [];

  policy(json: Json): Policy | undefined {
    const fields = this.#object(json, [], "a policy", ["version", "rules", "forms", "reviewers"]);
    if (fields === undefined) return undefined;
    this.#version(fields);
    const forms = this.#forms(fields);
    const reviewers = this.#reviewers(fields);
    const { rules } = fields;
    if (rules === undefined) return this.#problem("FC1103", [], "a policy needs `rules`");
    if (!isJsonArray(rules)) return this.#problem("FC1102", ["rules"], "the rules of a policy are a list");
    if (rules.length > policyLimits.rules) {
      const message = `a policy has at most ${policyLimits.rules} rules, and this one has ${rules.length}`;
      return this.#problem("FC1405", ["rules"], message);
    }
    const seen = new Set<string>();
    const read = rules.map((rule, i) => this.#rule(rule, ["rules", i], seen));
    return {
      version: 1,
      rules: read.filter((rule) => rule !== undefined),
      ...(forms && { forms }),
      ...(reviewers !== undefined && { reviewers }),
    };
  }

  #reviewers({ reviewers }: JsonObject): number | undefined {
    if (reviewers === undefined) return undefined;
    const found =
      reviewers instanceof JsonNumber && /^[0-9]{1,3}$/.test(reviewers.text) ? Number(reviewers.text) : 0;
    if (found >= 1 && found <= policyLimits.reviewers) return found;
    const message = `\`reviewers\` is a whole number from 1 to ${policyLimits.reviewers}`;
    return this.#problem("FC1102", ["reviewers"], message);
  }

  #forms({ forms }: JsonObject): Policy["forms"] {
    if (forms === undefined) return undefined;
    const word = this.#string(forms, ["forms"], "`forms`");
    if (word === undefined || word === "refused") return word;
    const help = 'write "refused", or omit it';
    return this.#problem("FC1105", ["forms"], `\`forms\` cannot be ${quoted(word)}`, help);
  }

  #version({ version }: JsonObject): void {
    if (version === undefined) this.#problem("FC1103", [], "a policy needs `version`", 'write "version": 1');
    else if (!(version instanceof JsonNumber) || version.text !== "1")
      this.#problem("FC1006", ["version"], "the version of a policy is 1");
  }

  #rule(json: Json, path: Path, seen: Set<string>): PolicyRule | undefined {
    const fields = this.#object(json, path, "a rule", ruleFields);
    if (fields === undefined) return undefined;
    const name = this.#text(fields, "name", path);
    const decision = this.#decision(fields, path);
    const condition = this.#condition(fields, path);
    const limits = this.#limits(fields, decision, path);
    const tools = this.#tools(fields, decision, path);
    const stops = this.#stops(fields, decision, condition?.when, path);
    const reason = this.#text(fields, "reason", path);
    if (name !== undefined && seen.has(name))
      this.#problem("FC1202", [...path, "name"], `there is a rule ${quoted(name)} already`);
    if (name === undefined || decision === undefined || condition === undefined || reason === undefined)
      return undefined;
    seen.add(name);
    return { name, decision, ...condition, limits, ...(tools && { tools }), ...(stops && { stops }), reason };
  }

  #stops(
    fields: JsonObject,
    decision: RuleDecision | undefined,
    when: PolicyRule["when"] | undefined,
    path: Path,
  ): PolicyRule["stops"] {
    if (fields.stops === undefined) return undefined;
    const place = [...path, "stops"];
    const word = this.#string(fields.stops, place, "`stops`");
    if (word === undefined) return undefined;
    if (word !== "allowed") {
      const help = 'write "allowed", or omit it: clauses must then hold at every stopping point';
      return this.#problem("FC1105", place, `\`stops\` cannot be ${quoted(word)}`, help);
    }
    if (decision === "auto_rejected" && when === "whenProven") {
      const help = "omit it: the rule rejects every program whose clauses are not refuted";
      return this.#problem("FC1104", place, "a rule that rejects `whenProven` has no `stops`", help);
    }
    return word;
  }

  #tools(
    { tools }: JsonObject,
    decision: RuleDecision | undefined,
    path: Path,
  ): readonly string[] | undefined {
    const place = [...path, "tools"];
    if (tools === undefined) return undefined;
    if (!isJsonArray(tools)) return this.#problem("FC1102", place, "`tools` is a list of names of tools");
    if (decision === "auto_rejected") {
      const message = "a rule that rejects has no `tools`";
      return this.#problem("FC1104", place, message, "they say what a rule that approves allows");
    }
    if (tools.length > policyLimits.tools)
      return this.#problem("FC1405", place, `a rule has at most ${policyLimits.tools} tools`);
    const names = tools.map((tool, i) => this.#string(tool, [...place, i], "the name of a tool"));
    return names.filter((name) => name !== undefined);
  }

  #limits(fields: JsonObject, decision: RuleDecision | undefined, path: Path): readonly PolicyLimit[] {
    const { limits } = fields;
    const place = [...path, "limits"];
    if (limits === undefined) return [];
    if (!isJsonArray(limits)) this.#problem("FC1102", place, "`limits` is a list");
    else if (decision === "auto_rejected")
      this.#problem(
        "FC1104",
        place,
        "a rule that rejects has no `limits`",
        "give them to a rule that approves",
      );
    else if (limits.length > policyLimits.limits)
      this.#problem("FC1405", place, `a rule has at most ${policyLimits.limits} limits`);
    else return limits.map((one, i) => this.#limit(one, [...place, i])).filter((one) => one !== undefined);
    return [];
  }

  #limit(json: Json, path: Path): PolicyLimit | undefined {
    const fields = this.#object(json, path, "a limit", limitFields);
    if (fields === undefined) return undefined;
    const name = this.#text(fields, "name", path, "a limit");
    const clause = this.#text(fields, "clause", path, "a limit");
    const word = this.#text(fields, "per", path, "a limit");
    const per = periods.find((one) => one === word);
    if (word !== undefined && per === undefined) {
      const help = `write ${periods.map((one) => `"${one}"`).join(", ")}`;
      this.#problem("FC1105", [...path, "per"], `a limit cannot be per ${quoted(word)}`, help);
    }
    if (clause !== undefined && limitArgument(clause) === undefined) {
      const help = "write `?` once, as an argument of its own and not in a text: `email.atMost(?)`";
      const message = "the clause of a limit has one `?`, which is one of its arguments";
      return this.#problem("FC1102", [...path, "clause"], message, help);
    }
    const { atMost } = fields;
    const most = atMost instanceof JsonNumber && /^[0-9]{1,10}$/.test(atMost.text) ? Number(atMost.text) : -1;
    if (most < 0 || most > policyLimits.most) {
      const message = `\`atMost\` is a whole number from 0 to ${policyLimits.most}`;
      return this.#problem(atMost === undefined ? "FC1103" : "FC1102", path, message);
    }
    if (name === undefined || clause === undefined || per === undefined) return undefined;
    return { name, clause, atMost: most, per };
  }

  #decision(fields: JsonObject, path: Path): RuleDecision | undefined {
    const word = this.#text(fields, "decision", path);
    if (word === undefined) return undefined;
    const found = decisions.find((one) => one === word);
    if (found !== undefined) return found;
    const help = `write ${decisions.map((one) => `"${one}"`).join(" or ")}`;
    return this.#problem("FC1105", [...path, "decision"], `a rule cannot decide ${quoted(word)}`, help);
  }

  #condition(fields: JsonObject, path: Path): Pick<PolicyRule, "when" | "clauses"> | undefined {
    const [when, other] = conditions.filter((name) => fields[name] !== undefined);
    if (when === undefined || other !== undefined) {
      const [code, message] =
        when === undefined
          ? (["FC1103", "a rule needs `whenProven` or `unlessProven`"] as const)
          : (["FC1104", "a rule cannot have both `whenProven` and `unlessProven`"] as const);
      return this.#problem(code, path, message, "give one of them; another rule can have the other");
    }
    const clauses = fields[when];
    const place = [...path, when];
    if (clauses === undefined || !isJsonArray(clauses))
      return this.#problem("FC1102", place, `\`${when}\` is a list of guarantees`);
    if (clauses.length === 0) {
      const message = `\`${when}\` names no guarantee, so the rule would decide on every program`;
      return this.#problem("FC1102", place, message);
    }
    if (clauses.length > policyLimits.clauses) {
      const message = `a rule has at most ${policyLimits.clauses} clauses, and this one has ${clauses.length}`;
      return this.#problem("FC1405", place, message);
    }
    const texts = clauses.map((clause, i) => this.#string(clause, [...place, i], "a clause"));
    return { when, clauses: texts.filter((text) => text !== undefined) };
  }

  #text(fields: JsonObject, name: string, path: Path, whose = "a rule"): string | undefined {
    const value = fields[name];
    if (value === undefined) return this.#problem("FC1103", path, `${whose} needs \`${name}\``);
    return this.#string(value, [...path, name], `\`${name}\``);
  }

  #string(value: Json, path: Path, what: string): string | undefined {
    if (typeof value !== "string") return this.#problem("FC1102", path, `${what} is a text`);
    if (value.trim() === "") return this.#problem("FC1102", path, `${what} is empty`);
    if (value.length > policyLimits.text)
      return this.#problem("FC1404", path, `${what} is longer than ${policyLimits.text} characters`);
    return value;
  }

  #object(json: Json, path: Path, what: string, known: readonly string[]): JsonObject | undefined {
    if (!isJsonObject(json)) return this.#problem("FC1102", path, `${what} is an object`);
    for (const name of Object.keys(json)) {
      if (known.includes(name)) continue;
      const near = closest(name, known);
      const help = near === undefined ? `there are ${known.join(", ")}` : `did you mean \`${near}\`?`;
      this.#problem("FC1104", [...path, name], `${what} has no field ${quoted(name)}`, help);
    }
    return json;
  }

  #problem(code: Code, path: Path, message: string, help?: string): undefined {
    const problem = { code, message, path };
    this.problems.push(help === undefined ? problem : { ...problem, help });
  }
}
