/** Lints sets of guarantees, and the rules of an approval policy. Reports only what is proved. */

import {
  type Answer,
  allOf,
  implies,
  impliesAll,
  type Layer,
  lookAtSet,
  negated,
  no,
  type OpenInSet,
  type RelateOptions,
} from "../compare/index.ts";
import type { Expr } from "../ir/index.ts";
import type { Finding, Linted, Subject } from "./codes.ts";

export interface StatedFormula {
  /** As it was written. */
  readonly text: string;
  readonly formula: Expr;
}

export async function lintGuarantees(
  stated: readonly StatedFormula[],
  layer: Layer,
  options: RelateOptions,
): Promise<Linted> {
  const findings: Finding[] = [];
  const text = (i: number) => `\`${stated[i]?.text ?? ""}\``;
  const formulas = stated.map(({ formula }) => formula);
  const undecided: Linted["undecided"][number][] = [];
  const open = ({ index, kind, others, why }: OpenInSet) => {
    const message = `whether ${openWords(text(index), kind, others.map(text))}: ${why}`;
    undecided.push({ about: { kind: "guarantee", index }, message });
  };
  for (const [index, found] of await lookAtSet(formulas, layer, options, open)) {
    const about: Subject = { kind: "guarantee", index };
    const isSilent = formulas[index]?.kind === "bool" && found.kind === "always";
    if (isSilent) continue;
    findings.push({ about, ...guaranteeWords(text(index), found, text) });
  }
  return { findings: findings.sort((a, b) => place(a) - place(b)), undecided };
}

function place({ about }: Finding): number {
  return about.kind === "guarantee" ? about.index : 0;
}

type Found = Awaited<ReturnType<typeof lookAtSet>> extends ReadonlyMap<number, infer T> ? T : never;

function guaranteeWords(
  stated: string,
  found: Found,
  text: (i: number) => string,
): Pick<Finding, "code" | "message" | "help"> {
  switch (found.kind) {
    case "always":
      return {
        code: "FC5243",
        message: `${stated} holds on every trace, so it guarantees nothing`,
        help: "state a guarantee that some traces violate",
      };
    case "never":
      return {
        code: "FC5242",
        message: `${stated} holds on no trace, so no program can keep it`,
        help: "state a guarantee that some traces violate",
      };
    case "contradicts":
      return {
        code: "FC5242",
        message:
          found.with.length === 1
            ? `no trace keeps both ${stated} and ${text(found.with[0] ?? 0)}`
            : `no trace keeps all of ${[...found.with.map(text), stated].join(" and ")}`,
        help: "remove one of them",
      };
    case "implied":
      return {
        code: "FC5241",
        message: `${stated} follows from ${found.by.map(text).join(" and ")}`,
        help: "remove it; it adds nothing",
      };
  }
}

function openWords(stated: string, kind: Found["kind"], others: readonly string[]): string {
  switch (kind) {
    case "always":
      return `${stated} holds on every trace`;
    case "never":
      return `${stated} holds on no trace`;
    case "contradicts":
      return `no trace keeps ${[...others, stated].join(" and ")}`;
    case "implied":
      return `${stated} follows from ${others.join(" and ")}`;
  }
}

export interface LintedRule {
  readonly name: string;
  readonly decision: "auto_approved" | "auto_rejected";
  readonly when: "whenProven" | "unlessProven";
  readonly clauses: readonly StatedFormula[];
}

export async function lintRules(
  rules: readonly LintedRule[],
  layer: Layer,
  options: RelateOptions,
): Promise<Linted> {
  const findings: Finding[] = [];
  const undecided: Linted["undecided"][number][] = [];
  const rejecting = rules.filter(({ decision }) => decision === "auto_rejected");
  for (const [index, rule] of rules.entries()) {
    const about: Subject = { kind: "rule", index };
    const silent: number[] = [];
    const open = (what: string, answer: Answer) => {
      if (answer.kind === "unknown") undecided.push({ about, message: `whether ${what}: ${answer.why}` });
      return answer;
    };
    for (const [clause, { text, formula }] of rule.clauses.entries()) {
      const answer = await implies({ given: [], goal: formula }, layer, options);
      if (open(`\`${text}\` holds on every trace`, answer).kind !== "yes") continue;
      silent.push(clause);
      const message = `\`${text}\` holds on every trace, so it asks nothing of a program`;
      const help = "remove the clause, or correct its contract";
      findings.push({ code: "FC5233", about: { ...about, clause }, message, help });
    }
    if (rule.decision !== "auto_approved") continue;
    const isOpen = (answer: Answer) => open(`\`${rule.name}\` can decide`, answer);
    const never = await neverDecides(rule, silent.length > 0, layer, options, isOpen);
    if (never !== undefined) {
      findings.push({
        code: "FC5231",
        about,
        message: `\`${rule.name}\` can never decide: ${never}`,
        help: "correct its clauses, or remove the rule",
      });
      continue;
    }
    for (const other of rejecting) {
      const answer = await rejects(rule, other, layer, options);
      if (answer === undefined) continue;
      if (open(`\`${other.name}\` rejects all that \`${rule.name}\` approves`, answer).kind !== "yes")
        continue;
      const message = `every program that \`${rule.name}\` would approve, \`${other.name}\` rejects first`;
      findings.push({ code: "FC5232", about, message, help: "correct one of the two rules" });
    }
  }
  return { findings, undecided };
}

function formulasOf({ clauses }: LintedRule): Expr[] {
  return clauses.map(({ formula }) => formula);
}

/**
 * SOUNDNESS: what is proved holds on every completed run, and nothing is proved of a program without one. So clauses that no
 * trace keeps together are never proved together, and one that every trace keeps is never refuted.
 */
async function neverDecides(
  rule: LintedRule,
  isSilent: boolean,
  layer: Layer,
  options: RelateOptions,
  open: (answer: Answer) => Answer,
): Promise<string | undefined> {
  if (rule.when === "unlessProven") return isSilent ? "one of its clauses is never refuted" : undefined;
  const answer = open(await implies({ given: formulasOf(rule), goal: no }, layer, options));
  return answer.kind === "yes" ? "no trace keeps all of its clauses" : undefined;
}

/**
 * SOUNDNESS: a rule that rejects `whenProven` applies unless a clause is refuted, and what follows from what is proved is
 * not refuted. One that rejects `unlessProven` applies unless all is proved, and what contradicts what is proved is not.
 */
async function rejects(
  rule: LintedRule,
  other: LintedRule,
  layer: Layer,
  options: RelateOptions,
): Promise<Answer | undefined> {
  if (rule.when !== "whenProven") return undefined;
  const given = formulasOf(rule);
  return other.when === "whenProven"
    ? impliesAll(given, formulasOf(other), layer, options)
    : implies({ given, goal: negated(allOf(formulasOf(other))) }, layer, options);
}
