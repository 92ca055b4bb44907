/** Random programs in TypeScript with loops in loops, as people write them, and what their tools' contracts say of them. */
import { compileProgram } from "../../../src/frontend/index.ts";
import { type Checked, check } from "../../../src/ir/check/index.ts";
import { Chance } from "../program/chance.ts";

const clubModule = `
import { contract, fluent, labelled, tool } from "foreclaim";
export interface Member { id: string; fee: number; paid: boolean; marks: number[] }
export const members = tool({ ensures: (r) => r.every((m) => m.fee >= 0 && m.fee <= 10), run: async (): Promise<Member[]> => [] });
export const guests = tool({ run: async (): Promise<Member[]> => [] });
export const debt = fluent<string, number>({ initial: 0 });
export const barred = fluent<string, boolean>({ initial: false });
export const pay = tool({ labels: ["out"], run: async ({ to, amount }: { to: string; amount: number }): Promise<void> => {} });
export const remind = tool({ labels: ["out"], run: async ({ to, amount }: { to: string; amount: number }): Promise<void> => {} });
export const owe = tool({ effects: ({ who, n }) => [debt.set(who, n)], run: async ({ who, n }: { who: string; n: number }): Promise<void> => {} });
export const bar = tool({ effects: ({ who }) => [barred.set(who, true)], run: async ({ who }: { who: string }): Promise<void> => {} });
export const eachAtMost = contract((limit: number) => pay.all((p) => p.amount <= limit));
export const eachAtLeast = contract((limit: number) => pay.all((p) => p.amount >= limit));
export const nobodyPaid = contract(() => pay.none());
export const noneOf = contract((n: number) => pay.none((p) => p.amount === n));
export const payments = contract((n: number) => pay.count() <= n);
export const paidInAll = contract((n: number) => pay.sum((p) => p.amount) <= n);
export const largest = contract((n: number) => pay.max((p) => p.amount, 0) <= n);
export const smallest = contract((n: number) => pay.min((p) => p.amount, n) >= n);
export const onceEach = contract(() => pay.distinct((p) => p.to));
export const perPerson = contract((n: number) => pay.perKey((p) => p.to).sum((p) => p.amount) <= n);
export const timesPerPerson = contract((n: number) => pay.perKey((p) => p.to).count() <= n);
export const remindFirst = contract(() => remind.before(pay));
export const remindSame = contract(() => remind.precedes(pay, (r, p) => r.to === p.to));
export const noRemindAfter = contract(() => remind.neverAfter(pay));
export const outgoing = contract((n: number) => labelled<{ to: string; amount: number }>("out").count((o) => o.amount > 0) <= n);
export const noDebt = contract((n: number) => debt.final.all((d) => d.value <= n));
export const neverDebt = contract((n: number) => debt.always.all((d) => d.value <= n));
export const nobodyBarred = contract(() => barred.final.none((b) => b.value));
`;

const stated: readonly (readonly [name: string, takes: boolean])[] = [
  ["eachAtMost", true],
  ["eachAtMost", true],
  ["eachAtLeast", true],
  ["nobodyPaid", false],
  ["noneOf", true],
  ["payments", true],
  ["paidInAll", true],
  ["largest", true],
  ["smallest", true],
  ["onceEach", false],
  ["perPerson", true],
  ["timesPerPerson", true],
  ["remindFirst", false],
  ["remindSame", false],
  ["noRemindAfter", false],
  ["outgoing", true],
  ["noDebt", true],
  ["neverDebt", true],
  ["nobodyBarred", false],
];

export interface TypeScriptCase {
  readonly source: string;
  readonly checked: Checked;
  readonly constructs: ReadonlySet<string>;
}

/** The case that a seed stands for. */
export function typeScriptCase(seed: number): TypeScriptCase {
  const chance = Chance.seeded(seed);
  const constructs = new Set<string>();
  const body = bodyOf(chance, constructs);
  const numbers = ["0", "5", "7", "10", "20", "40"];
  const guarantees = chance.times(6, 9, () => {
    const [name, takes] = chance.pick(stated);
    constructs.add(`contract: ${name}`);
    return `club.${name}(${takes ? chance.pick(numbers) : ""})`;
  });
  const source = sourceWith([...new Set(guarantees)], body);
  return { source, checked: compiled(source), constructs };
}

/** A program of the club with these guarantees. */
export function sourceWith(guarantees: readonly string[], body: string): string {
  return `import { program } from "foreclaim";
import * as club from "./tools/club";
export default program({
  guarantees: [${guarantees.join(", ")}],
  async run({ people, limits, quick }: { people: string[]; limits: number[]; quick: boolean }) {
${body}
  },
});
`;
}

export function compiled(source: string, module: string = clubModule): Checked {
  const files: Record<string, string> = { "program.ts": source, "tools/club.ts": module };
  const result = compileProgram("program.ts", { readFile: (path) => files[path] });
  if (!result.ok) throw new Error(`${JSON.stringify(result.problems, null, 1)}\n${source}`);
  const checked = check(result.value.document);
  if (!checked.ok) throw new Error(`${JSON.stringify(checked.problems)}\n${source}`);
  return checked.value;
}

interface Scope {
  readonly numbers: readonly string[];
  readonly texts: readonly string[];
  readonly flags: readonly string[];
}

function bodyOf(chance: Chance, constructs: Set<string>): string {
  const lists = chance.odds(70) ? ["members"] : ["members", "guests"];
  const lines = lists.map((list) => `const ${list} = await club.${list}();`);
  let names = 0;
  const tag = (construct: string) => constructs.add(construct);
  const constant = () => chance.pick(["0", "1", "5", "7", "10", "40"]);
  const plain = ({ numbers }: Scope) => (chance.odds(65) ? chance.pick(numbers) : constant());
  const fold = (scope: Scope, place: string): string => {
    const list = chance.pick(lists);
    const [name, text] = chance.weighted<readonly [string, string]>([
      [5, ["reduce", `${list}.reduce((sum, z) => sum + z.fee, 0)`]],
      [2, ["reduce of numbers", "limits.reduce((sum, z) => sum + z, 0)"]],
      [
        2,
        [
          "reduce with a condition",
          `${list}.reduce((sum, z) => (z.fee === ${plain(scope)} ? sum + 1 : sum), 0)`,
        ],
      ],
      [
        2,
        [
          "reduce by key",
          `${list}.reduce((sum, z) => (z.id === ${chance.pick(scope.texts)} ? sum + z.fee : sum), 0)`,
        ],
      ],
      [1, ["greatest", "limits.reduce((most, z) => Math.max(most, z), 0)"]],
      [2, ["filter and length", `${list}.filter((z) => z.fee === ${plain(scope)}).length`]],
      [1, ["indexOf", `limits.indexOf(${plain(scope)})`]],
      [1, ["length", `${chance.pick([...lists, "limits", "people"])}.length`]],
    ]);
    tag(`${name} ${place}`);
    tag(name);
    return text;
  };
  const condition = (scope: Scope, place: string): string =>
    chance.weighted([
      [3, () => `${fold(scope, place)} ${chance.pick(["===", "<=", ">"])} ${plain(scope)}`],
      [2, () => `${chance.pick(scope.texts)} === ${chance.pick(scope.texts)}`],
      [2, () => `${plain(scope)} ${chance.pick(["===", "<", ">"])} ${plain(scope)}`],
      [1, () => chance.pick(scope.flags)],
      [1, () => `${chance.pick(lists)}.${chance.pick(["some", "every"])}((z) => z.fee > ${plain(scope)})`],
      [1, () => `limits.includes(${plain(scope)})`],
    ])();
  const number = (scope: Scope, place: string) => (chance.odds(40) ? fold(scope, place) : plain(scope));
  const call = (scope: Scope, place: string): string => {
    const who = chance.pick(scope.texts);
    tag(`call ${place}`);
    const made = chance.weighted([
      [5, () => `await club.pay({ to: ${who}, amount: ${number(scope, place)} });`],
      [2, () => `await club.remind({ to: ${who}, amount: ${number(scope, place)} });`],
      [2, () => `await club.owe({ who: ${who}, n: ${number(scope, place)} });`],
      [1, () => `await club.bar({ who: ${who} });`],
    ])();
    return chance.odds(55) ? `if (${condition(scope, place)}) ${made}` : made;
  };
  const straight = (given: Scope, place: string): readonly [string[], Scope] => {
    if (chance.odds(45)) return [[], given];
    if (chance.odds(50)) return [[call(given, place)], given];
    const name = `v${names++}`;
    return [[`const ${name} = ${fold(given, place)};`], { ...given, numbers: [...given.numbers, name] }];
  };
  const loop = (outer: Scope, depth: number): readonly [string[], Scope] => {
    const element = `e${names++}`;
    const over = chance.pick([...lists, ...lists, "people", "limits"]);
    const own: Scope =
      over === "people"
        ? { ...outer, texts: [...outer.texts, element] }
        : over === "limits"
          ? { ...outer, numbers: [...outer.numbers, element] }
          : {
              numbers: [...outer.numbers, `${element}.fee`],
              texts: [...outer.texts, `${element}.id`],
              flags: [...outer.flags, `${element}.paid`],
            };
    const before: string[] = [];
    const after: string[] = [];
    let [inner, left] = [own, outer];
    if (chance.odds(30)) {
      const carry = `c${names++}`;
      tag("carried variable");
      before.push(`let ${carry} = ${chance.pick(["0", "0", constant()])};`);
      after.push(
        chance.odds(50)
          ? `${carry} += ${number(inner, "carried")};`
          : `if (${condition(inner, "carried")}) ${carry} = ${number(inner, "carried")};`,
      );
      inner = { ...inner, numbers: [...inner.numbers, carry] };
      left = { ...left, numbers: [...left.numbers, carry] };
    }
    if (chance.odds(15)) {
      const carry = `l${names++}`;
      tag("list that is built");
      before.push(`const ${carry}: number[] = [];`);
      after.push(`${carry}.push(${number(inner, "carried")});`);
      const total = `${carry}.reduce((sum, z) => sum + z, 0)`;
      left = { ...left, numbers: [...left.numbers, `${carry}.length`, total] };
    }
    if (chance.odds(10)) {
      const carry = `m${names++}`;
      tag("Map that is filled");
      const key = chance.pick(inner.texts);
      before.push(`const ${carry} = new Map<string, number>();`);
      after.push(`${carry}.set(${key}, (${carry}.get(${key}) ?? 0) + ${plain(inner)});`);
      left = { ...left, numbers: [...left.numbers, `${carry}.size`] };
    }
    const [above, scope] = straight(inner, depth > 1 ? "above the inner loop" : "innermost");
    const lines = [...before, `for (const ${element} of ${over}) {`, ...above];
    if (depth > 1) {
      const [nested, below] = loop(scope, depth - 1);
      lines.push(...nested, ...straight(below, "below the inner loop")[0]);
    } else lines.push(call(scope, "innermost"));
    return [[...lines, ...after, "}"], left];
  };
  const first: Scope = { numbers: ["limits.length"], texts: ['"ann"', '"a"'], flags: ["quick"] };
  const [above, scope] = straight(first, "before");
  const depth = chance.odds(15) ? 3 : 2;
  tag(`depth ${depth}`);
  const [nest, rest] = loop(scope, depth);
  return [...lines, ...above, ...nest, ...straight(rest, "after")[0]].join("\n");
}
