/**
 * Work on data as agents' programs do it: JSON that is parsed and cast, maps with computed keys, patterns. Each is interpreted, and
 * the same function runs under Node, so that the ratio of the two is in the table. Patterns that take Node's engine exponential time
 * have no row for Node.
 */
import { compileProgram } from "../src/frontend/index.ts";
import { check, readInputs, run } from "../src/ir/index.ts";
import { bench, type Case } from "./harness.ts";

const tools = `import { contract, tool } from "foreclaim";
export const nothing = contract(() => true);`;

const jobs: Readonly<
  Record<
    string,
    { readonly body: string; readonly text: (n: number) => string; readonly sizes: readonly number[] }
  >
> = {
  "JSON and a map, rows": {
    body: `const rows = JSON.parse(text) as { id: string; n: number }[];
const counts: Record<string, number> = {};
for (const row of rows) {
  if (row.n % 2 === 0) continue;
  counts[row.id] = (counts[row.id] ?? 0) + row.n;
}
return Object.entries(counts).map(([id, n]) => id + n).join();`,
    text: (n) => JSON.stringify(Array.from({ length: n }, (_, i) => ({ id: `k${i % 50}`, n: i % 7 }))),
    sizes: [100, 1_000, 10_000],
  },
  "words counted, letters": {
    body: `const seen: Record<string, number> = {};
for (const word of text.split(" ")) seen[word.toLowerCase()] = (seen[word.toLowerCase()] ?? 0) + 1;
return Object.keys(seen).length;`,
    text: (n) => "the Cat and the hat ".repeat(Math.ceil(n / 20)).slice(0, n),
    sizes: [1_000, 10_000, 100_000],
  },
};

/** Catastrophic for an engine that backtracks. */
const patterns = ["^(a+)+$", "^(a|aa)*$", "(x+x+)+y", "^(a*)*b$"];

const cases: Case[] = [];
for (const [name, { body, text, sizes }] of Object.entries(jobs))
  for (const size of sizes) {
    const given = text(size);
    cases.push({ name: `${name}: interpreted`, size, run: interpreted(body, given) });
    cases.push({ name: `${name}: Node`, size, run: underNode(body, given) });
  }
for (const pattern of patterns)
  for (const size of [100, 1_000, 10_000])
    cases.push({
      name: `/${pattern}/, letters`,
      size,
      run: interpreted(
        `return /${pattern}/.test(text);`,
        `${(pattern.includes("x") ? "x" : "a").repeat(size)}!`,
      ),
    });

await bench("programs over JSON, maps and patterns", cases);

function interpreted(body: string, text: string): () => Promise<unknown> {
  const source = `import { program } from "foreclaim";
import * as t from "./tools/t";
export default program({ guarantees: [t.nothing()], async run({ text }: { text: string }) {
${body}
} });`;
  const files: Readonly<Record<string, string>> = { "program.ts": source, "tools/t.ts": tools };
  const compiled = compileProgram("program.ts", { readFile: (path) => files[path] });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const checked = check(compiled.value.document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  const { value } = checked;
  const inputs = readInputs(value, { text });
  if (!inputs.ok) throw new Error(JSON.stringify(inputs.problems));
  return async () => {
    const { outcome, trace } = await run(value, { inputs: inputs.value, tools: new Map() });
    if (outcome.kind !== "completed") throw new Error(outcome.problem.message);
    return trace;
  };
}

function underNode(body: string, text: string): () => unknown {
  // The benchmark's own text, never a user's.
  const job = new Function(
    "text",
    body.replace(/ as \{[^}]*\}\[\]/, "").replaceAll(": Record<string, number>", ""),
  );
  return () => job(text);
}
