/**
 * A request on one card, for the person who decides: risks first, then effects. Everything is from facts: verdicts, flows and
 * the calls that runs can make.
 * SOUNDNESS: the card is green only if every verdict is "proved", every guarantee also holds if the run stops early, every
 * tool that changes something has a proved guarantee, untrusted data decides about no change, every contract that a tool
 * module recommends or requires is stated or follows, no result that only some may read is told, and no text has letters
 * that look like others.
 */
import type { ProofView, RiskCard, RiskLevel } from "../../approve/index.ts";
import { codeText, costQuestion, quotedText, type Risks, type UntrustedChoice } from "../../explain/index.ts";

type Fact = RiskCard["facts"][number];
type Seen = Pick<ProofView, "guarantees" | "obligations" | "mayDo" | "coverage">;

export function riskCard(proof: Seen, { changes, choices, tells, lookAlikes }: Risks): RiskCard {
  const unsaid = changes.filter(({ isGuaranteed }) => !isGuaranteed).map(({ tool }) => tool);
  const risks = [
    ...verdicts(proof),
    ...chosen(choices, new Set(unsaid)),
    ...looks(lookAlikes),
    ...tellsPrivate(tells),
    ...silent(unsaid),
    ...openAtStops(proof),
    ...unstated(proof),
  ];
  const level = worstOf(risks);
  return {
    level,
    headline: headlineOf(risks, proof, changes.length),
    facts: [...risks, ...effects(proof, changes)],
  };
}

function headlineOf(risks: readonly Fact[], { guarantees }: Seen, changing: number): string {
  const level = worstOf(risks);
  const worst = risks.find((one) => one.level === level);
  if (worst !== undefined) {
    const others = risks.length - 1;
    const said = saidOf(worst);
    return others === 0 ? said : `${said}; and ${others === 1 ? "one more risk" : `${others} more risks`}`;
  }
  const isOne = guarantees.length === 1;
  const held = isOne ? "Its guarantee holds" : `All ${guarantees.length} guarantees hold`;
  if (changing > 0)
    return `${held} in every run, and ${isOne ? "covers" : "cover"} every change that it makes`;
  return guarantees.length === 0 ? "It changes nothing" : `${held} in every run, and it changes nothing`;
}

/** LIMIT: of a statement in the headline, in characters; the card has all of it. */
const mostSaid = 120;

/** The risk in one sentence, with the first of its items where that says more than a number. */
function saidOf({ kind, title, items: [first] }: Fact): string {
  if (first === undefined || first.length > mostSaid) return title;
  switch (kind) {
    case "chosen":
      return `Untrusted text ${verbFor(first)} ${first}`;
    case "verdict":
      return `${title.startsWith("Refuted") ? "Refuted" : "Not proved"}: ${first}`;
    case "unsaid":
      return `Nothing is guaranteed about ${first}`;
    case "looks":
      return `${first} has letters that look like others`;
    case "private":
      return `It tells the agent results of ${first}, which only some may read`;
    case "unstated":
      return `Recommended, but not guaranteed: ${first}`;
    default:
      return title;
  }
}

function verbFor(choice: string): string {
  return choice.startsWith("whether ") ? "decides" : "chooses";
}

function worstOf(facts: readonly Fact[]): RiskLevel {
  if (facts.some(({ level }) => level === "red")) return "red";
  return facts.some(({ level }) => level === "amber") ? "amber" : "green";
}

// ── risks ────────────────────────────────────────────────────────────────────────────────────────────────

function verdicts({ guarantees, obligations }: Seen): Fact[] {
  const all = [...guarantees, ...obligations];
  const refuted = all.filter(({ verdict }) => verdict === "refuted").map(({ text }) => text);
  const unknown = all.filter(({ verdict }) => verdict === "unknown").map(({ text }) => text);
  return [
    ...(refuted.length === 0
      ? []
      : [
          red(
            "verdict",
            refuted.length === 1
              ? "Refuted: a run breaks it"
              : `Refuted: runs break ${refuted.length} statements`,
            refuted,
          ),
        ]),
    ...(unknown.length === 0
      ? []
      : [
          red(
            "verdict",
            unknown.length === 1 ? "Not proved: one statement" : `Not proved: ${unknown.length} statements`,
            unknown,
          ),
        ]),
  ];
}

/** Untrusted choices; those of a tool without a guarantee are the worst, since nothing limits them. */
function chosen(choices: readonly UntrustedChoice[], unsaid: ReadonlySet<string>): Fact[] {
  const free = choices.filter(({ tool }) => unsaid.has(tool));
  const bound = choices.filter(({ tool }) => !unsaid.has(tool));
  return [
    ...(free.length === 0
      ? []
      : [red("chosen", "Untrusted text makes choices that nothing limits", free.map(choiceText))]),
    ...(bound.length === 0 ? [] : [amber("chosen", "Untrusted text makes choices", bound.map(choiceText))]),
  ];
}

function choiceText({ tool, argument, from, line }: UntrustedChoice): string {
  const source = from.length === 0 ? "the text of a failure" : `results of ${from.map(codeText).join(", ")}`;
  const what =
    argument === null
      ? `whether or how often ${codeText(tool)} is called`
      : `${codeText(argument)} of ${codeText(tool)}`;
  return `${what}, by ${source}${line === null ? "" : ` (line ${line})`}`;
}

function silent(unsaid: readonly string[]): Fact[] {
  if (unsaid.length === 0) return [];
  const title =
    unsaid.length === 1
      ? "Nothing is guaranteed about a change that it makes"
      : "Nothing is guaranteed about some changes that it makes";
  return [amber("unsaid", title, unsaid.map(codeText))];
}

function openAtStops({ guarantees }: Seen): Fact[] {
  const open = guarantees.filter(
    ({ verdict, interruption }) => verdict === "proved" && interruption?.safe !== true,
  );
  if (open.length === 0) return [];
  const title =
    open.length === 1
      ? "A guarantee may not hold if the run stops early"
      : `${open.length} guarantees may not hold if the run stops early`;
  return [
    amber(
      "open",
      title,
      open.map(({ text }) => text),
    ),
  ];
}

function looks(texts: readonly string[]): Fact[] {
  if (texts.length === 0) return [];
  return [amber("looks", "A text has letters that look like others", texts.map(quotedText))];
}

function tellsPrivate(tools: readonly string[]): Fact[] {
  if (tools.length === 0) return [];
  return [amber("private", "It tells the agent what only some may read: results of", tools.map(codeText))];
}

/** A contract that was added and proved is no gap; one that is required and refuted is among the verdicts. */
function unstated({ coverage }: Seen): Fact[] {
  const missing = coverage.flatMap(({ missingRecommended, missingRequired, enforced, openAtStops = [] }) => [
    ...missingRequired.filter((one) => !enforced.includes(one) && !openAtStops.includes(one)),
    ...missingRecommended,
  ]);
  if (missing.length === 0) return [];
  return [amber("unstated", "Recommended by its tools, but not guaranteed", missing.map(codeText))];
}

// ── effects ──────────────────────────────────────────────────────────────────────────────────────────────

const reachQuestion = /^(?:who can be reached|which (?:addresses|accounts|files)|what does)/;

function effects({ mayDo }: Seen, changes: Risks["changes"]): Fact[] {
  const told = (mayDo.told ?? []).filter(({ kind }) => kind === "answer").map(jsonText);
  const reached = mayDo.answers.filter(({ question }) => reachQuestion.test(question));
  const costs = mayDo.answers.find(({ question }) => question === costQuestion)?.answer ?? [];
  return [
    green(
      "changes",
      changes.length === 0 ? "It changes nothing" : "It changes",
      changes.map(({ tool, often }) => `${codeText(tool)}: ${often.join("; ")}`),
    ),
    ...reached.map(({ question, answer }) => green("reaches", question, answer)),
    ...(costs.length === 0 ? [] : [green("costs", "The most that it can cost", costs)]),
    ...(told.length === 0 ? [] : [green("answers", "It answers with", [...new Set(told)])]),
  ];
}

/** A constant answer is a JSON value, and reads better without saying so. */
function jsonText({ value, isConstant }: { readonly value: string; readonly isConstant: boolean }): string {
  const [, inner] = isConstant ? (/^`?json\((.*)\)`?$/s.exec(value) ?? []) : [];
  return inner ?? value;
}

const fact =
  (level: RiskLevel) =>
  (kind: Fact["kind"], title: string, items: readonly string[]): Fact => ({
    kind,
    level,
    title,
    items: [...items],
  });
const [red, amber, green] = [fact("red"), fact("amber"), fact("green")];
