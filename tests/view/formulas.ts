/** Random formulas of the kinds that views are about, over tools that have every kind of value. */
import { printValue } from "../../src/ir/index.ts";
import { bool, int, real, string } from "../../src/ir/type.ts";
import type { Chance } from "../support/program/chance.ts";
import { someValue } from "../support/program/types.ts";

export const declarations = `effect-ir 1
fluent t.open[string]: bool = false
tool t.pay(to: enum{"x", "y"}, n: int, note?: string, tags: list<string>, who: record{name: string, age?: int})
  labels "l", "m"
tool t.ask(to: enum{"x", "y"}, n: int, note?: string) -> record{ok: bool, left?: real}
  labels "l"
tool t.list(kind?: string, only?: list<string>) -> list<record{name: string, due: real, open?: bool}>
tool t.names() -> list<string>
tool t.put(share: real, when: option<string>)
  labels "m"
  sets t.open["x"] = true

program (vip: bool, limit: real, hint?: string) {}
`;

const relations = [
  "t.pay",
  "t.ask",
  "t.list",
  "t.put",
  'label "l"',
  'label "m"',
  "rows t.list",
  "rows t.names",
];

const literal = (chance: Chance, type: Parameters<typeof someValue>[1]) =>
  printValue(someValue(chance, type));
const number = (chance: Chance) => (chance.odds(60) ? literal(chance, int) : literal(chance, real));
const op = (chance: Chance) => chance.pick(["<=", "<", ">=", ">", "==", "!="]);

export function someFormula(chance: Chance, depth = 2): string {
  const again = () => `(${someFormula(chance, depth - 1)})`;
  const relation = chance.pick(relations);
  const x = `x${depth}`;
  const where = chance.odds(30) ? ` where ${ofRow(chance, x, relation, 1)}` : "";
  switch (chance.int(0, depth > 0 ? 11 : 7)) {
    case 0:
    case 1:
    case 2:
      return `forall ${x} in ${relation}${where}: ${ofRow(chance, x, relation, depth)}`;
    case 3:
      return `exists ${x} in ${relation}${where}: ${ofRow(chance, x, relation, depth)}`;
    case 4:
    case 5:
      return chance.odds(80)
        ? `count(${x} in ${relation}${where}) ${op(chance)} ${chance.odds(80) ? chance.int(0, 3) : "1.5"}`
        : `${chance.int(0, 3)} ${op(chance)} count(${x} in ${relation}${where})`;
    case 6: {
      const from = chance.pick(["t.pay", "t.ask", 'label "l"']);
      const chosen = chance.odds(30) ? ` where ${ofRow(chance, x, from, 1)}` : "";
      const key = chance.pick([`${x}.to`, `[${x}.to, ${x}.to]`, `{ a: ${x}.to, b: ${x}.n }`, x, `${x}.note`]);
      return chance.odds(60)
        ? `distinct(${x} in ${from}${chosen}: ${key})`
        : `forall m${depth} = count(${x} in ${from}${chosen} by ${key}): m${depth} ${chance.pick(["<= 1", "< 2", "== 1", "<= 2"])}`;
    }
    case 7:
      return ofRun(chance);
    case 8:
      return `${again()} and ${again()}`;
    case 9:
      return `${again()} or ${again()}`;
    case 10:
      return `not ${again()}`;
    default:
      return chance.odds(50)
        ? `${again()} implies ${again()}`
        : `if ${again()} then ${again()} else ${again()}`;
  }
}

function ofRun(chance: Chance): string {
  return chance.pick([
    "vip",
    `limit ${op(chance)} ${number(chance)}`,
    `orElse(hint, "a") == ${literal(chance, string)}`,
    "isSome(hint)",
    'final t.open["x"]',
    "sum(s in t.pay: s.n) <= 4",
    "let k = 2 in count(s in t.pay) <= k",
  ]);
}

function ofRow(chance: Chance, x: string, relation: string, depth: number): string {
  const again = () => `(${ofRow(chance, x, relation, depth - 1)})`;
  switch (chance.int(0, depth > 0 ? 8 : 4)) {
    case 5:
      return `${again()} and ${again()}`;
    case 6:
      return `${again()} or ${again()}`;
    case 7:
      return chance.odds(50) ? `not ${again()}` : `${again()} implies ${again()}`;
    case 8:
      if (depth < 2) return again();
      return chance.odds(60)
        ? `(exists y in ${chance.pick(["t.pay", "t.ask", "rows t.names"])}: true)`
        : `(exists y in t.pay: ${chance.pick([`precedes(y, ${x})`, "y.n >= 0"])} and y.to == "x")`.replace(
            /precedes\(y, \w+\)/,
            relation.startsWith("rows") ? "true" : "$&",
          );
    default:
      return chance.odds(8) ? ofRun(chance) : atom(chance, x, relation);
  }
}

function atom(chance: Chance, x: string, relation: string): string {
  const text = () => literal(chance, string);
  const texts = () => `[${chance.times(0, 3, text).join(", ")}]`;
  const same = () => chance.pick(["==", "!="]);
  const ofNote = () => [
    `isSome(${x}.note)`,
    `${x}.note ${same()} none`,
    `${x}.note == some(${text()})`,
    `value(${x}.note) ${same()} ${text()}`,
    `orElse(${x}.note, ${text()}) == ${text()}`,
    `contains(${texts()}, value(${x}.note))`,
  ];
  const shared = () => [`${x}.to ${same()} "x"`, `${x}.n ${op(chance)} ${number(chance)}`, ...ofNote()];
  switch (relation) {
    case "t.pay":
      return chance.pick([
        ...shared(),
        `contains(${x}.tags, ${text()})`,
        `every(${x}.tags, e => e ${same()} ${text()})`,
        `any(${x}.tags, e => not contains(${texts()}, e))`,
        `${x}.who.name == ${text()}`,
        `value(${x}.who.age) ${op(chance)} ${number(chance)}`,
        `isSome(${x}.who.age)`,
        `contains(${texts()}, ${x}.who.name)`,
        `startsWith(${x}.who.name, ${text()})`,
      ]);
    case "t.ask":
      return chance.pick([
        ...shared(),
        `isSome(result(${x}))`,
        `value(result(${x})).ok`,
        `isSome(value(result(${x})).left)`,
        `value(value(result(${x})).left) ${op(chance)} ${number(chance)}`,
      ]);
    case 'label "l"':
      return chance.pick(shared());
    case "t.list":
      return chance.pick([
        `isSome(${x}.kind)`,
        `isSome(${x}.only)`,
        `contains(value(${x}.only), ${text()})`,
        `every(value(${x}.only), e => contains(${texts()}, e))`,
        `isSome(result(${x}))`,
      ]);
    case "t.put":
      return chance.pick([
        `${x}.share ${op(chance)} ${number(chance)}`,
        `isInteger(${x}.share)`,
        `contains([${number(chance)}, ${number(chance)}], ${x}.share)`,
        `${x}.when == some(${text()})`,
        `${number(chance)} < ${x}.share`,
        `value(${x}.when) == ${text()}`,
        `${x}.share * 2 <= 4`,
      ]);
    case "rows t.list":
      return chance.pick([
        `${x}.name == ${text()}`,
        `${x}.due ${op(chance)} ${number(chance)}`,
        `value(${x}.open)`,
        `orElse(${x}.open, true)`,
        `${x}.due <= limit`,
      ]);
    case "rows t.names":
      return chance.pick([`${x} == ${text()}`, `contains(${texts()}, ${x})`, `length(${x}) <= 1`]);
    default:
      return literal(chance, bool);
  }
}
