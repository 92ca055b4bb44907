/** How guarantees or programs stand to each other, for people and as JSON. */
import type {
  Answer,
  BoundChange,
  Difference,
  GuaranteeChange,
  Relation,
  RelationKind,
} from "../../analyze/index.ts";
import { isSame } from "../../analyze/index.ts";
import {
  compare,
  type Guarantee,
  type Num,
  numText,
  type PlainJson,
  printExpr,
  printName,
} from "../../ir/index.ts";
import { columnsOf, lookOf } from "../failure.ts";
import type { Output } from "../terminal.ts";
import { type Paint, paintFor } from "../text/paint.ts";
import { visible, wrap } from "../text/width.ts";
import type { Side } from "./side.ts";
import { answerToJson, witnessLines } from "./witness-text.ts";

type JsonObject = { readonly [key: string]: PlainJson };

/** What both are called in sentences. */
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
  return kind === "program" ? `what \`${visible(text)}\` guarantees` : `\`${visible(text)}\``;
}

function headline(kind: RelationKind, { first, second }: Names): string {
  switch (kind) {
    case "equivalent":
      return `equivalent: ${first} and ${second} are kept by the same traces`;
    case "stronger":
      return `stronger: ${first} implies ${second}, and not the other way round`;
    case "weaker":
      return `weaker: ${second} implies ${first}, and not the other way round`;
    case "contradictory":
      return `contradictory: no trace keeps both ${first} and ${second}`;
    case "different":
      return `different: neither of ${first} and ${second} implies the other`;
    case "unknown":
      return `not decided: how ${first} and ${second} stand to each other`;
  }
}

class Writer {
  readonly paint: Paint;
  readonly #width: number;

  constructor(output: Output) {
    this.paint = paintFor(lookOf(output));
    this.#width = columnsOf(output);
  }

  wrapped(text: string, indent = 0): string[] {
    return wrap(text, Math.max(20, this.#width - indent)).map((line) => " ".repeat(indent) + line);
  }

  direction(answer: Answer, from: string, to: string): string[] {
    switch (answer.kind) {
      case "yes":
        return ["", ...this.wrapped(`every trace that keeps ${from} keeps ${to}`)];
      case "no": {
        const told = `this trace keeps ${from}, and breaks ${to}:`;
        return ["", ...this.wrapped(told), ...witnessLines(answer.witness, this.#width, this.paint)];
      }
      case "unknown":
        return ["", ...this.wrapped(`whether ${from} implies ${to} is not decided: ${visible(answer.why)}`)];
    }
  }

  apart(answer: Answer, { first, second }: Names): string[] {
    switch (answer.kind) {
      case "yes":
        return [];
      case "no":
        return [
          "",
          ...this.wrapped(`this trace keeps both:`),
          ...witnessLines(answer.witness, this.#width, this.paint),
        ];
      case "unknown":
        return ["", ...this.wrapped(`whether a trace keeps both ${first} and ${second} is not decided`)];
    }
  }

  change(change: GuaranteeChange): string[] {
    const { yellow, dim } = this.paint;
    const trace =
      change.answer.kind === "no"
        ? [
            ...this.wrapped(
              dim("a trace that the other program's guarantees allow, and this one does not:"),
              4,
            ),
            ...witnessLines(change.answer.witness, this.#width - 4, this.paint).map((line) => `  ${line}`),
          ]
        : change.answer.kind === "unknown"
          ? this.wrapped(
              dim(
                `whether the other program's guarantees imply it is not decided: ${visible(change.answer.why)}`,
              ),
              4,
            )
          : [];
    return [
      ...this.wrapped(`${yellow(changeWord(change))}: ${changeText(change)}`, 2),
      ...this.wrapped(dim(thereWords(change)), 4),
      ...trace,
    ];
  }
}

export function differenceText(first: Side, second: Side, difference: Difference, output: Output): string {
  const writer = new Writer(output);
  const { calls, bounds, guarantees, unproved } = difference;
  const { bold, yellow } = writer.paint;
  const head = `${visible(first.text)} → ${visible(second.text)}`.replace("→", writer.paint.signs.arrow);
  if (isSame(difference) && unproved.length === 0)
    return `${bold(head)}: no difference in the tools they call, in how much they do, or in what they guarantee\n`;
  const tools = [
    ...calls.added.map((tool) => `${yellow("now may also call")} \`${visible(printName(tool))}\``),
    ...calls.removed.map((tool) => `${yellow("no longer calls")} \`${visible(printName(tool))}\``),
  ];
  const most = bounds.flatMap((change) => boundText(change, difference));
  const lines = [
    ...writer.wrapped(bold(head)),
    ...[...tools, ...most].flatMap((line) => writer.wrapped(line, 2)),
    ...guarantees.flatMap((change) => writer.change(change)),
    ...unproved.flatMap(({ side, stated }) =>
      writer.wrapped(
        `${yellow("not proved")}: \`${statedText(stated)}\`, which \`${visible(side === "first" ? first.text : second.text)}\` states`,
        2,
      ),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

/** Of calls of a tool that only one of them calls nothing more is said. */
function boundText({ of, before, after }: BoundChange, { calls }: Difference): string[] {
  if (of.tool !== undefined && [...calls.added, ...calls.removed].includes(of.tool)) return [];
  const what =
    of.tool === undefined
      ? `the most that \`${visible(printExpr(of.number))}\` may be`
      : `the most calls of \`${visible(printName(of.tool))}\``;
  if (before === undefined) return [`${what}: no bound was found before, now ${numberText(after)}`];
  if (after === undefined) return [`${what}: ${numberText(before)} before, now no bound is found`];
  const rose = compare(after, before) > 0;
  return [`${what} ${rose ? "rose" : "fell"} from ${numberText(before)} to ${numberText(after)}`];
}

function numberText(value: Num = 0n): string {
  return printExpr({ kind: "number", value });
}

function changeWord({ change }: GuaranteeChange): string {
  switch (change) {
    case "gone":
      return "gone";
    case "weaker":
      return "weaker";
    case "changed":
      return "changed";
    case "stronger":
      return "stronger";
    case "new":
      return "new";
  }
}

function changeText({ change, stated, other }: GuaranteeChange): string {
  const mine = `\`${statedText(stated)}\``;
  if (other === undefined) return mine;
  const theirs = `\`${statedText(other)}\``;
  return change === "stronger" ? `${theirs} became ${mine}` : `${mine} became ${theirs}`;
}

function thereWords({ change, there }: GuaranteeChange): string {
  const which = change === "new" || change === "stronger" ? "the first program" : "the second program";
  switch (there.kind) {
    case "proved":
      return `${which} keeps it all the same, and does not promise it`;
    case "refuted":
      return `${which} may break it`;
    case "unknown":
      return `whether ${which} keeps it is not decided`;
  }
}

function statedText({ name, args }: Guarantee): string {
  return visible(`${printName(name)}(${args.map(printExpr).join(", ")})`);
}

// ── as JSON ──────────────────────────────────────────────────────────────────────────────────────────────

export function relationToJson(first: Side, second: Side, relation: Relation): JsonObject {
  return {
    first: first.text,
    second: second.text,
    relation: relation.kind,
    forward: answerToJson(relation.forward),
    backward: answerToJson(relation.backward),
    apart: relation.apart === undefined ? null : answerToJson(relation.apart),
  };
}

export function differenceToJson(first: Side, second: Side, difference: Difference): JsonObject {
  const { calls, bounds, guarantees, unproved } = difference;
  return {
    first: first.text,
    second: second.text,
    same: isSame(difference) && unproved.length === 0,
    calls: { added: calls.added, removed: calls.removed },
    bounds: bounds.map(({ of, before, after }) => ({
      of: printExpr(of.number),
      tool: of.tool ?? null,
      before: before === undefined ? null : numText(before),
      after: after === undefined ? null : numText(after),
    })),
    guarantees: guarantees.map(({ change, stated, other, answer, there }) => ({
      change,
      stated: `${printName(stated.name)}(${stated.args.map(printExpr).join(", ")})`,
      other: other === undefined ? null : `${printName(other.name)}(${other.args.map(printExpr).join(", ")})`,
      implied: answerToJson(answer),
      there: there.kind,
    })),
    unproved: unproved.map(({ side, stated }) => ({
      side,
      stated: `${printName(stated.name)}(${stated.args.map(printExpr).join(", ")})`,
    })),
  };
}
