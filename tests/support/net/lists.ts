/**
 * Random programs with one loop over a list that is made of others: sorted, without repetitions, with positions, one after
 * the other. Few constants and short texts, so that random values meet them.
 */
import type { Checked } from "../../../src/ir/check/index.ts";
import { readDocument } from "../../../src/ir/read.ts";
import { Chance } from "../program/chance.ts";

export function listCase(seed: number): { readonly checked: Checked; readonly text: string } {
  const chance = Chance.seeded(seed);
  const number = (...names: readonly string[]): string =>
    chance.odds(40) ? String(chance.int(0, 3)) : chance.pick([...names, "k"]);
  const compared = () => chance.pick(["==", "<=", "<", ">", ">=", "!="]);
  const made = (depth: number): string => {
    const of = depth > 1 ? made(depth - 1) : chance.pick(["xs", "ys", "zs"]);
    const before = chance.pick(["s2 <= z", "s2 > z", "s2 == z"]);
    return chance.weighted([
      [2, of],
      [2, `unique(${of})`],
      [2, `filter(${of}, e => e ${compared()} ${number("e")})`],
      [2, `map(${of}, e => e + ${number()})`],
      [1, `map(${of}, e => min(e, ${number()}))`],
      [1, `slice(${of}, ${chance.int(0, 1)}, ${chance.int(1, 4)})`],
      [1, `reverse(${of})`],
      [
        2,
        `fold(${of}, [], (s: list<int>, z) => filter(s, s2 => ${before}) ++ [z] ++ filter(s, s2 => not ${before}))`,
      ],
      [
        1,
        `fold(${of}, [], (s: list<int>, z) => filter(s, s2 => ${before}) ++ [z] ++ filter(s, s2 => ${before}))`,
      ],
      [1, `map(entries(${of}), e => ${chance.pick(["e.index", "e.value", "e.index + e.value"])})`],
      [1, `map(filter(entries(${of}), e => e.index ${compared()} ${number()}), e => e.value)`],
      [1, `flatMap(${of}, e => if e ${compared()} ${number()} then [e, ${number("e")}] else [])`],
      [1, `${of} ++ ${chance.pick(["xs", "ys", "[1]", "unique(ys)"])}`],
    ]);
  };
  const list = made(chance.int(1, 3));
  const other = made(chance.int(1, 2));
  const position = () => chance.pick(["i", "i + 1", "i - 1", "k", "0", "length(us) - 1"]);
  const reading = () => `orElse(at(${chance.pick(["us", "vs", "xs"])}, ${position()}), ${number()})`;
  const condition = () =>
    chance.weighted([
      [3, `${number("e", "i")} ${compared()} ${number("e", "i")}`],
      [2, `${reading()} ${compared()} ${number("e", "i")}`],
      [1, `isSome(at(${chance.pick(["us", "vs"])}, ${position()}))`],
      [1, `any(${chance.pick(["us", "vs", "xs"])}, y => y ${compared()} ${number("e", "i")})`],
      [1, `every(${chance.pick(["us", "vs", "xs"])}, y => y ${compared()} ${number("e", "i")})`],
      [1, `contains(${chance.pick(["vs", "ys"])}, ${number("e", "i")})`],
      [
        1,
        `orElse(mapGet(mapOf([{ key: "a", value: 1 }, { key: "b", value: ${number("e")} }]), w), 0) ${compared()} 1`,
      ],
    ]);
  const said = () =>
    chance.weighted([
      [4, "e"],
      [2, reading()],
      [1, "i"],
      [1, `e + ${number()}`],
    ]);
  const when = () => (chance.odds(60) ? ` when ${condition()}` : "");
  const required = chance.odds(30) ? `  require ${condition()}: "said"\n` : "";
  const promise = (): string =>
    chance.weighted([
      [3, "distinct(l in t.log: l.n)"],
      [2, `count(l in t.log) <= ${chance.int(0, 5)}`],
      [1, `count(l in t.log) <= length(xs)`],
      [2, `forall l in t.log: l.n ${compared()} ${chance.int(0, 3)}`],
      [2, `forall l in t.log: contains(${chance.pick(["xs", "zs", "xs ++ zs"])}, l.n)`],
      [2, `forall l in t.log: any(xs, y => y ${compared()} l.n)`],
      [1, `forall l in t.log: every(zs, y => y ${compared()} l.n)`],
      [1, `exists l in t.log: l.n ${compared()} ${chance.int(0, 3)}`],
      [1, `sum(l in t.log: l.n) <= ${chance.int(0, 6)}`],
      [
        2,
        `forall l in t.log: exists r in t.rows: precedes(r, l) and isSome(result(r)) and any(value(result(r)), y => y ${compared()} l.n)`,
      ],
    ]);
  const call = () => `  call t.log(n: ${said()}, w: w)${when()}\n`;
  const text = `effect-ir 1
tool t.rows() -> list<int>
tool t.log(n: int, w: string)
program (xs: list<int>, zs: list<int>, k: int, w: string) {
  let ys = call t.rows()
  let us = ${list}
  let vs = ${other}
  for e, i in ${chance.pick(["us", "us", "vs", "unique(us)"])} {
${required}${call()}${chance.odds(30) ? call() : ""}  }
}
guarantee a(): ${promise()}
guarantee b(): ${promise()}
guarantee c(): ${promise()}
`;
  const read = readDocument(text);
  if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${text}`);
  return { checked: read.value.checked, text };
}
