/** One small world of tools, and the answer to a program in it: proved only if everything about it is. */
import { afterAll, expect, it } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import { check } from "../../src/ir/index.ts";
import type { Solver } from "../../src/prove/decide/solver/port.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { type Proof, prove } from "../../src/prove/prove.ts";

export const world = `import { contract, coverage, flowsFrom, fluent, type Int, labelled, pathInside, tool, unknown, urlInside } from "foreclaim";
export const send = tool({
  labels: ["message"],
  requires: ({ to }) => to.length > 0,
  run: async ({ to, body, cc }: { to: string; body: string; cc?: string }): Promise<void> => {},
});
export const post = tool({ labels: ["message"], run: async ({ to, topic }: { to: string; topic: string }): Promise<void> => {} });
export const pay = tool({ requires: ({ n }) => n >= 0, run: async ({ n }: { n: number }): Promise<void> => {} });
export const number = tool({ run: async (): Promise<number> => 0 });
export const owed = tool({ requires: ({ id }) => id !== "", ensures: (r) => r >= 0 && r <= 100, run: async ({ id }: { id: string }): Promise<number> => 0 });
export const word = tool({ run: async (): Promise<string> => "" });
export const asked = tool({ run: async (): Promise<boolean> => true });
export const maybe = tool({ run: async (): Promise<string | undefined> => undefined });
export const anything = tool({ run: async (): Promise<unknown> => null });
export const names = tool({ run: async (): Promise<string[]> => [] });
export const locked = fluent<string, boolean>({ initial: true });
export const unlock = tool({ effects: ({ door }) => [locked.set(door, false)], run: async ({ door }: { door: string }): Promise<void> => {} });
export const lock = tool({ effects: ({ door }) => [locked.set(door, true)], run: async ({ door }: { door: string }): Promise<void> => {} });
export const only = contract((to: string) => send.all((e) => e.to === to));
export const oneOf = contract((to: string[]) => send.all((e) => to.includes(e.to)));
export const silent = contract(() => send.none());
export const atMost = contract((n: number) => send.count() <= n);
export const some = contract(() => send.some());
export const spend = contract((n: number) => pay.sum((p) => p.n) <= n);
export const allLocked = contract(() => locked.final.all((d) => d.value));
export const nothing = contract(() => true);
`;

export interface Case {
  /** The body of \`run\`. */
  readonly body?: string;
  readonly guarantees?: string;
  /** Code above the program. */
  readonly top?: string;
  /** The type of the inputs. */
  readonly input?: string;
  /** Added to the tool module. */
  readonly tools?: string;
  /** The program as a whole, instead of the parts above. */
  readonly program?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** \`proved\`, \`refuted\`, \`unknown\`, or the codes of the problems. */
export type Answer = string;

export function programOf({ body = "", guarantees = "t.silent()", top = "", input }: Case): string {
  return `import { program } from "foreclaim";
import * as t from "./tools/t";
${top}
export default program({ guarantees: [${guarantees}], async run(${input === undefined ? "" : `input: ${input}`}) {
${body}
} });`;
}

export function compiled(one: Case) {
  const files: Readonly<Record<string, string>> = {
    "tools/t.ts": `${world}${one.tools ?? ""}`,
    "program.ts": one.program ?? programOf(one),
    ...one.files,
  };
  return compileProgram("program.ts", { readFile: (path) => files[path] });
}

let solver: Solver | undefined;
afterAll(async () => {
  await solver?.close();
  solver = undefined; // the next file in this process asks for one of its own
});

export async function proofOf(one: Case): Promise<Proof | readonly string[]> {
  const result = compiled(one);
  if (!result.ok) return [...new Set(result.problems.map((problem) => problem.code))];
  const checked = check(result.value.document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return prove(checked.value, {
    solver: async () => {
      solver ??= z3Wasm();
      return solver;
    },
    limits: { timeoutMs: 20_000, resources: 20_000_000 },
  });
}

export async function answerTo(one: Case): Promise<Answer> {
  const proof = await proofOf(one);
  if (!("guarantees" in proof)) return proof.join(" ");
  const kinds = [...proof.guarantees, ...proof.obligations].map(({ verdict }) => verdict.kind);
  if (kinds.includes("refuted")) return "refuted";
  return kinds.includes("unknown") ? "unknown" : "proved";
}

/** A lesson: each variant of the mistake has its answer, and what is right beside it is proved. */
export function lesson(name: string, cases: readonly (readonly [what: string, one: Case, answer: Answer])[]) {
  it.each(cases)(`${name}: %s`, async (_, one, answer) => {
    expect(await answerTo(one)).toBe(answer);
  });
}
