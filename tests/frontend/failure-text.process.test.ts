/** The text of a tool's failure, from source to verdict: any text, untrusted, and nobody is known to be a reader of it. */
import { afterAll, expect, it } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import { check } from "../../src/ir/index.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const module = `
import { contract, flowsFrom, input, mayRead, tool, untrusted } from "foreclaim";
export const send = tool({ stores: [], run: async ({ to, text }: { to: string; text: string }): Promise<void> => {} });
export const secret = tool({ stores: [], reads: true, readers: (result) => result.readers, run: async ({ id }: { id: string }): Promise<{ text: string; readers: string[] }> => ({ text: "", readers: [] }) });
export const rows = tool({ stores: [], reads: true, run: async (): Promise<{ id: string }[]> => [] });
export const never = contract((text: string) => send.none((s) => s.text === text));
export const short = contract((n: number) => send.all((s) => s.text.length <= n));
export const trusted = contract(() => send.none((s) => untrusted(s.text)));
export const ownId = contract(() => send.none((s) => flowsFrom(s.text, input("id"))));
export const notFrom = contract(() => send.none((s) => flowsFrom(s.text, secret)));
export const notRows = contract(() => send.none((s) => flowsFrom(s.text, rows)));
export const discreet = contract(() => send.all((s) => mayRead(s.text, s.to)));
export const atMost = contract((n: number) => send.count() <= n);
`;

async function verdictOf(guarantee: string, body: string): Promise<string> {
  const files = new Map([
    ["/tools/t.ts", module],
    [
      "/program.ts",
      `import { program } from "foreclaim";\nimport * as t from "./tools/t";\nexport default program({ guarantees: [${guarantee}], async run({ id }: { id: string }) {\n${body}\n} });\n`,
    ],
  ]);
  const compiled = compileProgram("/program.ts", { readFile: (path) => files.get(path) });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const checked = check(compiled.value.document);
  if (!checked.ok) throw new TypeError("a compiled document does not check");
  const limits = { timeoutMs: 60_000, resources: 20_000_000 };
  const proof = await prove(checked.value, { solver: async () => solver, limits });
  return proof.guarantees.map(({ verdict }) => verdict.kind).join();
}

const told =
  'try { await t.secret({ id }); } catch (e) { await t.send({ to: "eve", text: (e as Error).message }); }';
const untold = 'try { await t.secret({ id }); } catch { await t.send({ to: "eve", text: "failed" }); }';
const inLoop =
  'try { for (const r of await t.rows()) { await t.secret({ id: r.id }); } } catch (e) { await t.send({ to: "eve", text: (e as Error).message }); }';
const guarded =
  'try { await t.secret({ id }); } catch (e) { const text = (e as Error).message; if (text.length <= 10 && text !== "pin") await t.send({ to: "eve", text }); }';

it.each<[guarantee: string, body: string, expected: string]>([
  ['t.never("pin")', told, "refuted"],
  ['t.never("pin")', inLoop, "refuted"],
  ['t.never("pin")', guarded, "proved"],
  ["t.short(10)", told, "refuted"],
  ["t.short(10)", guarded, "proved"],
  ["t.trusted()", told, "refuted"],
  ["t.trusted()", inLoop, "refuted"],
  ["t.trusted()", untold, "proved"],
  ["t.ownId()", told, "refuted"],
  ["t.notFrom()", told, "refuted"],
  ["t.notRows()", told, "proved"],
  ["t.notRows()", inLoop, "refuted"],
  ["t.discreet()", told, "refuted"],
  ["t.discreet()", inLoop, "refuted"],
  ["t.discreet()", untold, "proved"],
  ["t.atMost(1)", told, "proved"],
])("%s of %s is %s", async (guarantee, body, expected) => {
  expect(await verdictOf(guarantee, body)).toBe(expected);
});
