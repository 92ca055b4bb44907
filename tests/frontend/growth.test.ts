/** Documents grow with the source and not with the number of paths through it. */
import { describe, expect, it } from "vitest";
import type { Command } from "../../src/ir/index.ts";
import { compileLab, sourceOf } from "./lab.ts";

const times = (n: number, text: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => text(i)).join("\n");

/** Each: a source of a size, and how many commands one more of it may add. */
const families: readonly (readonly [string, (n: number) => { top?: string; body: string }, most: number])[] =
  [
    [
      "helpers inside one another, each with branches and calls",
      (n) => ({
        top: `async function h0(x: number): Promise<number> { return x; }
${times(n, (i) => `async function h${i + 1}(x: number): Promise<number> { const y = await h${i}(x); if (y > ${i}) { await lab.put({ n: y }); return y * 2; } else if (y < -${i}) { return 0; } return y + 1; }`)}`,
        body: `await lab.put({ n: await h${n}(await lab.read({ key: "k" })) });`,
      }),
      8,
    ],
    [
      "ifs in a row that reassign",
      (n) => ({
        body: `let a = 0; let b = ""; const x = await lab.read({ key: "k" });
${times(n, (i) => `if (x > ${i}) { a += ${i}; b = b + "k"; } else { a -= b.length; }`)}
await lab.put({ n: a }); await lab.say({ text: b });`,
      }),
      8,
    ],
    [
      "ifs inside one another",
      (n) => ({
        body: `let a = 0; const x = await lab.read({ key: "k" }); ${times(n, (i) => `if (x > ${i}) { a += 1;`)} ${times(n, (i) => `} else { a -= ${i}; }`)} await lab.put({ n: a });`,
      }),
      8,
    ],
    [
      "ifs in a loop over rows",
      (n) => ({
        body: `let t = 0; let s = 0; for (const r of await lab.rows()) { ${times(n, (i) => `if (r.n > ${i}) { t += ${i}; if (r.ok) s += 1; }`)} } await lab.put({ n: t + s });`,
      }),
      8,
    ],
    [
      "calls in a try",
      (n) => ({
        body: `let a = 0; try { ${times(n, (i) => `a += await lab.risky({ key: "${i}" }); if (a > ${i}) a -= 1;`)} } catch { a = -1; } finally { await lab.put({ n: a }); }`,
      }),
      10,
    ],
  ];

describe("commands", () => {
  it.each(families)("grow with %s", (_, make, most) => {
    const [small, big] = [commandsOf(make(12)), commandsOf(make(30))];
    expect((big - small) / 18).toBeLessThanOrEqual(most);
    expect(big).toBeGreaterThan(small);
  });
});

function commandsOf(program: { top?: string; body: string }): number {
  const compiled = compileLab(sourceOf(program));
  if (!("document" in compiled)) throw new Error(JSON.stringify(compiled.problems));
  return count(compiled.document.program.body);
}

function count(body: readonly Command[]): number {
  return body.reduce((sum, one) => sum + 1 + (one.kind === "for" ? count(one.body) : 0), 0);
}
