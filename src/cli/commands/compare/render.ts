/** Relations between guarantees or programs, for people. */

import { argumentsText, type Side } from "../../../app/index.ts";
import {
  type Answer,
  type BoundChange,
  type Difference,
  type GuaranteeChange,
  isSame,
  type NewCall,
  type Relation,
  type RelationKind,
  wordsOf,
} from "../../../compare/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { compare, type Guarantee, type Num, printExpr, printName } from "../../../ir/index.ts";
import { columnsOf, paintOf } from "../../failure.ts";
import type { Output } from "../../host.ts";
import type { Paint } from "../../text/paint.ts";
import { wrap } from "../../text/width.ts";
import { witnessLines } from "./witness-text.ts";

/** The names of both sides in sentences. */
interface Names {
  readonly first: string;
  readonly second: string;
}

export function relationText(first: Side, second: Side, relation: Relation, output: Output): string {
  const writer = new Writer(output);
  const names = { first: nameOf(first), second: nameOf(second) };
  const lines = [
    ...writer.wrapped(writer.paint.bold(headline(relation.kind, names))),
    ...writer.direction(relation.forward, names.first, names.second),
    ...writer.direction(relation.backward, names.second, names.first),
    ...(relation.apart === undefined ? [] : writer.apart(relation.apart, names)),
  ];
  return `${lines.join("\n")}\n`;
}

function nameOf({ kind, text }: Side): string {
  return kind === "program" ? `what \`${visibleText(text)}\` guarantees` : `\`${visibleText(text)}\``;
}

function headline(kind: RelationKind, { first, second }: Names): string {
  switch (kind) {
    case "equivalent":
      return `equivalent: the same traces satisfy ${first} and ${second}`;
    case "stronger":
      return `stronger: ${first} implies ${second}, and not conversely`;
    case "weaker":
      return `weaker: ${second} implies ${first}, and not conversely`;
    case "contradictory":
      return `contradictory: no trace satisfies both ${first} and ${second}`;
    case "different":
      return `different: neither of ${first} and ${second} implies the other`;
    case "unknown":
      return `undecided: the relation of ${first} and ${second}`;
  }
}

class Writer {
  readonly paint: Paint;
  readonly #width: number;

  constructor(output: Output) {
    this.paint = paintOf(output);
    this.#width = columnsOf(output);
  }

  wrapped(text: string, indent = 0): string[] {
    return wrap(text, Math.max(20, this.#width - indent)).map((line) => " ".repeat(indent) + line);
  }

  direction(answer: Answer, from: string, to: string): string[] {
    switch (answer.kind) {
      case "yes":
        return ["", ...this.wrapped(`every trace that satisfies ${from} satisfies ${to}`)];
      case "no": {
        const told = `this trace satisfies ${from} and violates ${to}:`;
        return ["", ...this.wrapped(told), ...witnessLines(answer.witness, this.#width, this.paint)];
      }
      case "unknown":
        return ["", ...this.wrapped(undecided(`${from} implies ${to}`, answer.why))];
    }
  }

  apart(answer: Answer, { first, second }: Names): string[] {
    switch (answer.kind) {
      case "yes":
        return [];
      case "no":
        return [
          "",
          ...this.wrapped(`this trace satisfies both:`),
          ...witnessLines(answer.witness, this.#width, this.paint),
        ];
      case "unknown":
        return ["", ...this.wrapped(`undecided: some trace satisfies both ${first} and ${second}`)];
    }
  }

  change(change: GuaranteeChange): string[] {
    const { yellow, dim } = this.paint;
    const { side, stated, other: counterpart, answer } = change;
    const mine = counterpart === undefined ? "it" : `\`${statedText(stated)}\``;
    const other = side === "first" ? "the second program" : "the first program";
    return [
      ...this.wrapped(`${yellow(change.change)}: ${changeText(change)}`, 2),
      ...this.wrapped(dim(thereWords(change, other, mine)), 4),
      ...this.#answer(answer, `what ${other} guarantees`, mine),
    ];
  }

  /** Renders why the one does not imply the other. */
  #answer(answer: Answer, given: string, goal: string): string[] {
    const { dim } = this.paint;
    switch (answer.kind) {
      case "yes":
        return [];
      case "no":
        return [
          ...this.wrapped(dim(`this trace satisfies ${given} and violates ${goal}:`), 4),
          ...witnessLines(answer.witness, this.#width - 4, this.paint).map((line) => `  ${line}`),
        ];
      case "unknown":
        return this.wrapped(dim(undecided(`${given} implies ${goal}`, answer.why)), 4);
    }
  }
}

/** Some reasons of the prover say themselves that nothing was decided. */
function undecided(what: string, why: string): string {
  return `undecided: ${what} (${visibleText(why).replace(/^not decided: /, "")})`;
}

export function differenceText(first: Side, second: Side, difference: Difference, output: Output): string {
  const writer = new Writer(output);
  const { calls, bounds, guarantees, unproved, stops } = difference;
  const { bold, yellow } = writer.paint;
  const head = `${visibleText(first.text)} → ${visibleText(second.text)}`.replace(
    "→",
    writer.paint.signs.arrow,
  );
  if (isSame(difference) && unproved.length === 0)
    return `${bold(head)}: no difference in the tools they call, in how much they do, or in what they guarantee\n`;
  const tools = [
    ...calls.added.map((one) => `${yellow("now may also call")} ${newText(one)}${shownText(one)}`),
    ...calls.removed.map((one) => `${yellow("no longer calls")} ${newText(one)}`),
  ];
  const most = bounds.flatMap((change) => boundText(change, difference));
  const lines = [
    ...writer.wrapped(bold(head)),
    ...[...tools, ...most].flatMap((line) => writer.wrapped(line, 2)),
    ...guarantees.flatMap((change) => writer.change(change)),
    ...unproved.flatMap(({ side, stated }) =>
      writer.wrapped(
        `${yellow("not proved")}: \`${statedText(stated)}\`, which \`${visibleText(side === "first" ? first.text : second.text)}\` states`,
        2,
      ),
    ),
    ...stops.flatMap(({ side, stated }) =>
      writer.wrapped(
        `${yellow("stops")}: \`${statedText(stated)}\` may be violated if a run of \`${visibleText(side === "first" ? first.text : second.text)}\` stops early; in the other program it also holds then`,
        2,
      ),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function newText({ tool, given }: NewCall): string {
  const name = `\`${visibleText(printName(tool))}\``;
  if (given === undefined) return name;
  const argument = `\`${visibleText(printName(given.argument))}\``;
  return given.values.length > 0
    ? `${name} with ${argument} ${wordsOf(given.values)}`
    : `${name} with ${argument} other than ${wordsOf(given.not)}`;
}

/** A call of a run, beside what is not told by its values. */
function shownText({ tool, given, call }: NewCall): string {
  if (call === undefined || (given !== undefined && given.values.length > 0)) return "";
  return `, as in \`${visibleText(`${printName(tool)}(${argumentsText(call.args, mostShown)})`)}\``;
}

/** LIMIT: of the arguments of a call, in characters. */
const mostShown = 400;

/** Omits the bound of a tool that only one of the programs calls. */
function boundText({ of, words, before, after, change }: BoundChange, { calls }: Difference): string[] {
  const ofOne = [...calls.added, ...calls.removed].filter(({ given }) => given === undefined);
  if (of.tool !== undefined && ofOne.some(({ tool }) => tool === of.tool)) return [];
  const what =
    of.tool === undefined
      ? `the most that ${words} may be`
      : `the most calls of \`${visibleText(printName(of.tool))}\``;
  if (change === "unknown")
    return before === undefined
      ? [`${what}: no bound was found for either, so a change is unknown`]
      : [`${what}: ${numberText(before)} for both, which may be too high, so a change is unknown`];
  if (before === undefined) return [`${what}: no bound was found before, now ${numberText(after)}`];
  if (after === undefined) return [`${what}: ${numberText(before)} before, now no bound is found`];
  const rose = compare(after, before) > 0;
  return [`${what} ${rose ? "rose" : "fell"} from ${numberText(before)} to ${numberText(after)}`];
}

function numberText(value: Num = 0n): string {
  return printExpr({ kind: "number", value });
}

function changeText({ side, stated, other }: GuaranteeChange): string {
  const mine = `\`${statedText(stated)}\``;
  if (other === undefined) return mine;
  const theirs = `\`${statedText(other)}\``;
  return side === "second" ? `${theirs} became ${mine}` : `${mine} became ${theirs}`;
}

function thereWords({ there, thereEverywhere }: GuaranteeChange, which: string, stated: string): string {
  switch (there.kind) {
    case "proved":
      if (!thereEverywhere)
        return `${which} satisfies ${stated} in runs that complete, may violate it if a run stops early, and does not state it`;
      return `${which} satisfies ${stated} anyway, and does not state it`;
    case "refuted":
      return `${which} may violate ${stated}`;
    case "unknown":
      return `undecided: ${which} satisfies ${stated}`;
  }
}

function statedText({ name, args }: Guarantee): string {
  return visibleText(`${printName(name)}(${args.map(printExpr).join(", ")})`);
}
