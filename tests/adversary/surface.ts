/** Random programs over the whole surface with values of tools, and guarantees of which runs break some. */
import { compileProgram } from "../../src/frontend/index.ts";
import { type Checked, check } from "../../src/ir/check/index.ts";
import { SurfaceSource } from "../frontend/engines/surface-source.ts";
import { labModule, sourceOf } from "../frontend/lab.ts";
import { Chance } from "../support/program/chance.ts";

const contracts = `
import { answer, flowsFrom, influencedBy } from "foreclaim";
export const any = tool({ run: async (): Promise<unknown> => null });
export const putsBelow = contract((n: number) => put.all((p) => p.n < n));
export const putsAbove = contract((n: number) => put.none((p) => p.n <= n));
export const putsAtMost = contract((n: number) => put.count() <= n);
export const putsInAll = contract((n: number) => put.sum((p) => p.n) <= n);
export const largestPut = contract((n: number) => put.max((p) => p.n, 0) <= n);
export const putsOnce = contract(() => put.distinct((p) => p.n));
export const neverOn = contract(() => flag.none((f) => f.on));
export const shortTexts = contract((n: number) => say.all((e) => e.text.length <= n));
export const onlySays = contract((a: string) => say.all((e) => e.text === a));
export const neverSays = contract((a: string) => say.none((e) => e.text === a));
export const saysAtMost = contract((n: number) => say.count() <= n);
export const saysOnce = contract(() => say.distinct((e) => e.text));
export const eachAtMost = contract((n: number) => say.perKey((e) => e.text).count() <= n);
export const shortLists = contract((n: number) => list.all((e) => e.items.length <= n));
export const lowNumbers = contract((n: number) => nums.all((e) => e.items.every((x) => x < n)));
export const readFirst = contract(() => say.before(put));
export const noSayAfterPut = contract(() => say.neverAfter(put));
export const ownTexts = contract(() => say.none((e) => flowsFrom(e.text, word)));
export const ownNumbers = contract(() => put.none((e) => flowsFrom(e.n, rows)));
export const unmoved = contract(() => put.none((e) => influencedBy(e, any)));
export const untold = contract(() => answer.none((a) => flowsFrom(a.value, rows)));
export const kept = contract(() => keep.none());
`;

const numbers = ["0", "1", "3", "7", "10"];
const texts = ['"a"', '"b"', '"SyntaxError"'];
const stated: readonly (readonly [name: string, given: readonly string[]])[] = [
  ["putsBelow", numbers],
  ["putsAbove", numbers],
  ["putsAtMost", numbers],
  ["putsInAll", numbers],
  ["largestPut", numbers],
  ["putsOnce", [""]],
  ["neverOn", [""]],
  ["shortTexts", numbers],
  ["onlySays", texts],
  ["neverSays", texts],
  ["saysAtMost", numbers],
  ["saysOnce", [""]],
  ["eachAtMost", numbers],
  ["shortLists", numbers],
  ["lowNumbers", numbers],
  ["readFirst", [""]],
  ["noSayAfterPut", [""]],
  ["ownTexts", [""]],
  ["ownNumbers", [""]],
  ["unmoved", [""]],
  ["untold", [""]],
  ["kept", [""]],
];

export interface SurfaceCase {
  readonly source: string;
  /** Undefined where the program is refused. */
  readonly checked: Checked | undefined;
  readonly used: ReadonlySet<string>;
}

export function surfaceCase(seed: number): SurfaceCase {
  const made = new SurfaceSource(seed, "unknown");
  const chance = Chance.seeded(seed);
  const guarantees = chance.times(6, 9, () => {
    const [name, given] = chance.pick(stated);
    return `lab.${name}(${chance.pick(given)})`;
  });
  const written = [...new Set(guarantees)].join(", ");
  const source = sourceOf(made.program()).replace("lab.nothing()", () => written);
  return { source, checked: compiled(source), used: made.used };
}

function compiled(source: string): Checked | undefined {
  const files: Readonly<Record<string, string>> = {
    "program.ts": source,
    "tools/lab.ts": `${labModule}${contracts}`,
  };
  const result = compileProgram("program.ts", { readFile: (path) => files[path] });
  if (!result.ok) {
    const ours = result.problems.find(({ file }) => file.includes("lab.ts"));
    if (ours !== undefined) throw new Error(JSON.stringify(ours));
    return undefined;
  }
  const checked = check(result.value.document);
  if (!checked.ok) throw new Error(`${JSON.stringify(checked.problems)}\n${source}`);
  return checked.value;
}
