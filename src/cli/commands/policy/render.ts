/** Renders the decision of a policy about a program. */

import { type AppliedPolicy, listed } from "../../../app/index.ts";
import { type AskedClause, type RuleFinding, stopText } from "../../../approve/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { columnsOf, paintOf } from "../../failure.ts";
import type { Output } from "../../host.ts";
import type { Paint } from "../../text/paint.ts";
import { wrap } from "../../text/width.ts";
import { verdictWord } from "../prove/render.ts";

export function policyText(file: string, applied: AppliedPolicy, output: Output): string {
  const paint = paintOf(output);
  const width = columnsOf(output);
  const lines = [
    ...wrap(`${paint.bold(visibleText(file))}: ${decisionWords(applied, paint)}`, width),
    ...applied.rules.flatMap((finding) => ["", ...ruleLines(finding, applied, width, paint)]),
  ];
  const { rule, decision, unmentioned } = applied;
  if (rule !== undefined && decision === "auto_approved" && unmentioned.length > 0) {
    const tools = listed(unmentioned.map((tool) => `\`${visibleText(tool)}\``));
    const note = `note: it also calls ${tools}, which no clause of this rule is about`;
    lines.push("", ...wrap(paint.yellow(note), width));
  }
  return `${lines.join("\n")}\n`;
}

function decisionWords({ decision, rule, verdict }: AppliedPolicy, paint: Paint): string {
  const by =
    rule === undefined ? "" : ` by the rule \`${visibleText(rule.name)}\`: ${visibleText(rule.reason)}`;
  switch (decision) {
    case "auto_approved":
      return `${paint.green("approved")}${by}`;
    case "auto_rejected":
      return `${paint.red("rejected")}${by}`;
    case "ask":
      return verdict === "proved"
        ? `${paint.yellow("a person decides")}: no rule does`
        : `${paint.yellow("not approved")}: its own guarantees are not proved`;
  }
}

function ruleLines(
  { rule, applies, clauses, required, others }: RuleFinding,
  applied: AppliedPolicy,
  width: number,
  paint: Paint,
): string[] {
  const word = rule.decision === "auto_approved" ? "approves" : "rejects";
  const when = rule.when === "whenProven" ? "when proven" : "unless proven";
  const decides = applied.rule === rule;
  const found = decides ? "decides" : applies ? "would apply" : "does not apply";
  const head = `${visibleText(rule.name)}: ${word} ${when}, ${decides ? paint.bold(found) : found}`;
  const taken = decides ? applied.charges : [];
  const clauseLines = (one: AskedClause, more = "") => [
    `  ${verdictWord(one.verdict, paint)}  ${visibleText(one.clause)}${more}`,
    ...stopLines(one, width, paint),
  ];
  return [
    head,
    ...clauses.flatMap((one) => clauseLines(one)),
    ...required.flatMap((one) => clauseLines(one, ", which coverage requires")),
    ...(others.length > 0
      ? [`  calls ${listed(others.map((tool) => `\`${visibleText(tool)}\``))}, which it does not allow`]
      : []),
    ...taken.map(
      ({ limit, amount, atMost }) => `  takes ${amount} of the limit \`${visibleText(limit)}\` of ${atMost}`,
    ),
  ];
}

/** Renders the stopping points at which a proved clause may be violated, and the rule's judgment of them. */
function stopLines(one: AskedClause, width: number, paint: Paint): string[] {
  if (one.counts === null || one.verdict !== "proved" || one.interruption?.safe === true) return [];
  const counted = one.counts ? "the rule allows that" : "it does not count";
  const indent = 4;
  return wrap(visibleText(`${stopText(one)}: ${counted}`), Math.max(20, width - indent)).map(
    (line) => " ".repeat(indent) + paint.yellow(line),
  );
}
