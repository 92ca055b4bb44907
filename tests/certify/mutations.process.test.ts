/**
 * Every changed field of a certificate, with a new integrity hash, is refused. So the checker looks at every field.
 */
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { checkCertificate, type Replayer } from "../../src/certificate/index.ts";
import { compileProgram } from "../../src/frontend/index.ts";
import { type Checked, check } from "../../src/ir/check/index.ts";
import type { Command } from "../../src/ir/document.ts";
import { hashDocument } from "../../src/ir/hash.ts";
import { canonicalJson, type PlainJson } from "../../src/ir/json/canonical.ts";
import { documentFromJsonText } from "../../src/ir/json/decode.ts";
import { sha256Hex } from "../../src/ir/json/digest.ts";
import { type Certified, certify, Disagreement } from "../../src/prove/certify/certify.ts";
import { replayerOf } from "../../src/prove/certify/replayer.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { folder, readFile } from "../examples/examples.ts";
import { anyProgram, type ProgramCase } from "../support/arbitrary-program.ts";
import { Chance } from "../support/program/chance.ts";
import { atLeast, runs, seed } from "../support/runs.ts";

const solver = z3Wasm();
afterAll(() => solver.close());
/** LIMIT: of one question; what is hard for the solver is left to other tests. */
const limits = { timeoutMs: 500, resources: 20_000 };
const replayer = async (): Promise<Replayer> => ({
  ...(await replayerOf(solver)),
  ask: async (text) => (await solver.check({ text, values: [] }, limits)).kind,
});
const options = { solvers: async (): Promise<readonly Replayer[]> => [await replayer()] };

const programs = anyProgram({ failing: 10, fluents: 1, tools: 2, commands: 3, guarantees: 1, fuel: 2 });

test("a change of one field of a random certificate is refused", {
  timeout: 600_000,
}, async () => {
  let certificates = 0;
  let changes = 0;
  let asked = 0;
  let withLoops = 0;
  const look = async ({ checked, behaviour }: ProgramCase) => {
    const found = await certifiedPart(checked);
    if (found?.kind !== "certified") return;
    certificates++;
    if (found.certificate.solver !== null) asked++;
    if (found.certificate.loops.length > 0) withLoops++;
    expect((await checkCertificate(found.text, options)).kind).toBe("valid");
    const chance = Chance.seeded(behaviour.seed);
    const share = certificates <= wholly ? 1 : 0.1;
    changes += await refusedChanges(found.text, chance, share);
    for (const { place, changed } of changesOf(JSON.parse(found.text).document, chance, share / 4)) {
      const other = withDocument(JSON.parse(found.text), changed);
      if (other === undefined) continue;
      // It may be a certificate, but of another document, and a caller who knows which one it must be of is told so.
      const known = { ...options, document: found.certificate.documentHash };
      expect((await checkCertificate(other, known)).kind, `document ${place}`).not.toBe("valid");
    }
  };
  await fc.assert(fc.asyncProperty(programs, look), { numRuns: runs(120) });
  expect(certificates).toBeGreaterThan(atLeast(60));
  expect(asked).toBeGreaterThan(atLeast(2));
  expect(withLoops).toBeGreaterThan(atLeast(0));
  expect(changes).toBeGreaterThan(atLeast(350));
});

test.each([
  "club/pay-within-budget",
  "club/teams-in-a-loop",
  "http/crawl",
  "order/confirm-every-second",
  "policies/one-at-a-time",
  "warehouse/one-of-each",
])("a change of one field of a certificate with invariants is refused: %s", async (name) => {
  const compiled = compileProgram(join(folder, `${name}.ts`), { readFile });
  const checked = compiled.ok ? check(compiled.value.document) : compiled;
  if (!checked.ok) throw new Error("it is expected to compile");
  const found = await certify(checked.value, () => replayerOf(solver));
  if (found.kind !== "certified") throw new Error(found.why);
  expect(found.certificate.loops.flatMap(({ invariants }) => invariants).length).toBeGreaterThan(0);
  expect(await refusedChanges(found.text, Chance.seeded(seed() ?? 1), 0.1)).toBeGreaterThan(60);
});

/** Expects every change to be refused. @returns how many there were */
async function refusedChanges(text: string, chance: Chance, share: number): Promise<number> {
  const all = changesOf(JSON.parse(text), chance, share);
  for (const { place, changed } of all) {
    const checking = await checkCertificate(rehashed(changed), options);
    expect(checking.kind, `${place}\n${text}`).not.toBe("valid");
  }
  return all.length;
}

/** A certificate of the document with those of its guarantees that hold, and without what may stop it. */
async function certifiedPart({ document }: Checked): Promise<Certified | undefined> {
  const tools = document.tools.map(({ cost, ...tool }) => ({ ...tool, requires: [] }));
  const program = { ...document.program, body: withoutRequires(document.program.body) };
  const holds = await Promise.all(
    document.guarantees.map(async (guarantee) => {
      const alone = check({ ...document, tools, program, guarantees: [guarantee] });
      const found = alone.ok ? await certifiedOrNot(alone.value) : undefined;
      return found?.kind === "certified" ? [guarantee] : [];
    }),
  );
  const part = check({ ...document, tools, program, guarantees: holds.flat() });
  return part.ok ? certifiedOrNot(part.value) : undefined;
}

function withoutRequires(body: readonly Command[]): readonly Command[] {
  return body
    .filter(({ kind }) => kind !== "require")
    .map((command) => {
      if (command.kind !== "for") return command;
      const { max, ...loop } = command;
      return { ...loop, body: withoutRequires(command.body) };
    });
}

function certifiedOrNot(checked: Checked): Promise<Certified | undefined> {
  return certify(checked, replayer).catch((thrown: unknown) => {
    // It was not asked whether it is proved.
    if (thrown instanceof Disagreement) return undefined;
    throw thrown;
  });
}

/** Every field of the first certificates is changed; in the others every one outside the document, and some in it. */
const wholly = process.env.FORECLAIM_SOAK === undefined ? 20 : Number.POSITIVE_INFINITY;

interface Change {
  readonly place: string;
  readonly changed: Plain;
}
type Plain = { [key: string]: PlainJson };

/** Each field changed in one way or another; of those in a document only a share, which are many. */
function changesOf(whole: Plain, chance: Chance, share: number): Change[] {
  const found: Change[] = [];
  const visit = (value: PlainJson, path: readonly (string | number)[]): void => {
    const isInDocument = path[0] === "document" || !("documentHash" in whole);
    if (path[0] === "integrity") return;
    const isLeftOut = isInDocument && path.length > 1 && chance.int(0, 999) >= 1_000 * share;
    const other = path.length === 0 || isLeftOut ? undefined : chance.pick(others(value, chance));
    if (other !== undefined)
      found.push({
        place: `${path.join(".")} ${JSON.stringify(other)}`,
        changed: replaced(whole, path, other),
      });
    if (Array.isArray(value)) for (const [i, item] of value.entries()) visit(item, [...path, i]);
    else if (typeof value === "object" && value !== null)
      for (const [name, part] of Object.entries(value)) visit(part, [...path, name]);
  };
  visit(whole, []);
  return found;
}

const opposites = new Map([
  ["unsat", "sat"],
  ["sat", "unsat"],
  ["evaluation", "solver"],
  ["solver", "evaluation"],
]);

/** Other values in its place: of its kind and not. */
function others(value: PlainJson, chance: Chance): PlainJson[] {
  if (value === null) return ["", { name: "z3" }];
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number") return [value + 1, value === 0 ? 7 : 0, String(value)];
  if (typeof value === "string") {
    const at = chance.int(0, Math.max(0, value.length - 1));
    const other = [`${value}x`, `${value.slice(0, at)}${value.slice(at + 1)}`, `x${value.slice(1)}`, ""];
    const swapped = opposites.get(value);
    return [...other, ...(swapped === undefined ? [] : [swapped])].filter((one) => one !== value);
  }
  if (Array.isArray(value)) {
    const [first = 0] = value;
    return [...(value.length > 0 ? [value.slice(1), value.slice(0, -1), [...value, first]] : [[0]]), null];
  }
  const entries = Object.entries(value);
  return [
    { ...value, more: 1 },
    ...entries.map(([name]) => Object.fromEntries(entries.filter(([one]) => one !== name))),
  ];
}

function replaced(whole: Plain, path: readonly (string | number)[], other: PlainJson): Plain {
  const copy: Plain = structuredClone(whole);
  let at: unknown = copy;
  for (const step of path.slice(0, -1)) at = Reflect.get(Object(at), step);
  Reflect.set(Object(at), path.at(-1) ?? "", other);
  return copy;
}

function rehashed({ integrity, ...rest }: Plain): string {
  void integrity;
  return `${canonicalJson({ ...rest, integrity: sha256Hex(canonicalJson(rest)) })}\n`;
}

/** The certificate with another document and its hash, if it is one. */
function withDocument(certificate: Plain, document: Plain): string | undefined {
  const read = documentFromJsonText(JSON.stringify(document));
  if (!read.ok) return undefined;
  const documentHash = hashDocument(read.value.document);
  if (documentHash === certificate.documentHash) return undefined;
  return rehashed({ ...certificate, document, documentHash });
}
