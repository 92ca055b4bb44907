/** Proofs about paths, URLs and patterns, from the source to the verdict, with the solver. */
import { afterAll, describe, expect, it } from "vitest";
import { compileProgram } from "../../src/frontend/index.ts";
import { check } from "../../src/ir/index.ts";
import { z3Wasm } from "../../src/prove/decide/solver/z3-wasm.ts";
import { prove } from "../../src/prove/prove.ts";

const solver = z3Wasm();
afterAll(() => solver.close());

const tools = `import { contract, pathInside, tool, urlInside } from "foreclaim";
const SLUG = /^[a-z0-9-]{1,40}$/;
export const write = tool({ run: async ({ path }: { path: string }): Promise<void> => {} });
export const fetch = tool({ run: async ({ url }: { url: string }): Promise<void> => {} });
export const mail = tool({
  requires: ({ to }) => /^[^\\s@]+@example\\.org$/.test(to),
  run: async ({ to }: { to: string }): Promise<void> => {},
});
export const slug = tool({ ensures: (name) => SLUG.test(name), run: async (): Promise<string> => "" });
export const text = tool({ run: async (): Promise<string> => "" });
export const under = contract((root: string) => write.all((w) => pathInside(w.path, root)));
export const outside = contract((root: string) => write.none((w) => pathInside(w.path, root)));
export const at = contract((origin: string) => fetch.all((f) => urlInside(f.url, origin)));
export const plainNames = contract(() => write.all((w) => /^\\/sandbox\\/[a-z]+\\.txt$/.test(w.path)));
export const fine = contract(() => true);
`;

/** `<name>` stands for a hole in a template. */
async function verdicts(guarantee: string, body: string): Promise<string> {
  const files: Readonly<Record<string, string>> = {
    "tools/t.ts": tools,
    "program.ts": `import { pathInside, program } from "foreclaim";
import * as t from "./tools/t";
export default program({ guarantees: [${guarantee}], async run() { ${body.replaceAll("<name>", `$${"{name}"}`)} } });`,
  };
  const compiled = compileProgram("program.ts", { readFile: (path) => files[path] });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems, null, 1));
  const checked = check(compiled.value.document);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems, null, 1));
  const limits = { timeoutMs: 20_000, resources: 50_000_000 };
  const proof = await prove(checked.value, { solver: async () => solver, limits });
  const all = [...proof.guarantees, ...proof.obligations].map(({ verdict }) => verdict.kind);
  return [...new Set(all)].join();
}

const write = (path: string) => `await t.write({ path: ${path} });`;
const get = (url: string) => `await t.fetch({ url: ${url} });`;
const sandbox = 't.under("/sandbox")';
const named = "const name = await t.text();";
const guarded = (pattern: string, then: string) => `${named} if (${pattern}.test(name)) { ${then} }`;
const api = 't.at("https://api.example.com/v1")';

describe("proved", () => {
  it.each([
    [sandbox, write('"/sandbox/a.txt"')],
    [sandbox, write('"/sandbox/a/../b"')],
    [sandbox, guarded("/^[a-z0-9]+$/", write("`/sandbox/<name>.txt`"))],
    [sandbox, guarded("/^[a-z0-9]+$/i", write("`/sandbox/<name>`"))],
    [sandbox, guarded("/^[\\w-]{1,20}$/", write("`/sandbox/logs/<name>/today.log`"))],
    [sandbox, `const name = await t.slug(); ${write("`/sandbox/<name>.md`")}`],
    [sandbox, `${named} if (pathInside(name, "/sandbox")) { ${write("name")} }`],
    [sandbox, `${named} if (!/^\\/sandbox\\/[a-z]+$/.test(name)) return; ${write("name")}`],
    ['t.under("/")', guarded("/^[a-z.]+$/", write("`/<name>`"))],
    ['t.under("jobs")', guarded("/^[a-z0-9]+$/", write("`jobs/<name>`"))],
    ['t.outside("/etc")', guarded("/^[a-z0-9]+$/", write("`/sandbox/<name>.txt`"))],
    ["t.plainNames()", guarded("/^[a-z]+$/", write("`/sandbox/<name>.txt`"))],
    ["t.fine()", guarded("/^[a-z.]+$/", "await t.mail({ to: `<name>@example.org` });")],
    [api, get('"https://API.example.com:443/v1/users?all=1"')],
    [api, guarded("/^[0-9]+$/", get("`https://api.example.com/v1/users/<name>`"))],
    [api, guarded("/^[A-Za-z0-9]+$/", get("`https://api.example.com/v1/search?q=<name>#top`"))],
  ])("%s: %s", async (guarantee, body) => {
    expect(await verdicts(guarantee, body)).toBe("proved");
  });
});

/** Each is one step from something proved above. */
describe("not proved", () => {
  it.each([
    [sandbox, write('"/sandbox/../etc/passwd"')],
    [sandbox, write('"/sandbox-evil/x"')],
    [sandbox, write('"/sandbox/%2e%2e/etc"')],
    [sandbox, write('"/sandbox/..\\\\etc"')],
    [sandbox, `${named} ${write("name")}`],
    [sandbox, guarded("/^[a-z0-9]+$/", write("`/sandbox<name>.txt`"))],
    [sandbox, guarded("/^[a-z0-9]+/", write("`/sandbox/<name>`"))],
    [sandbox, guarded("/^[a-z0-9/]+$/", write("`/sandbox-<name>`"))],
    ["t.plainNames()", guarded("/^[a-z]*$/", write("`/sandbox/<name>.txt`"))],
    ["t.plainNames()", guarded("/^[a-z]+$/i", write("`/sandbox/<name>.txt`"))],
    ["t.fine()", guarded("/^.+$/", "await t.mail({ to: `<name>@example.org` });")],
    ['t.outside("/sandbox")', guarded("/^[a-z0-9]+$/", write("`/sandbox/<name>.txt`"))],
    ['t.under("jobs")', guarded("/^[a-z0-9]+$/", write("`/jobs/<name>`"))],
    [api, get('"https://api.example.com/v1/../admin"')],
    [api, get('"https://api.example.com@evil.com/v1/x"')],
    [api, get('"https://api.example.com/v10"')],
    [api, guarded("/^[0-9]+$/", get("`https://api.example.com/v1<name>`"))],
    [api, guarded("/^[0-9]+$/", get("`http://api.example.com/v1/<name>`"))],
    [api, guarded("/^[0-9@]+$/", get("`https://api.example.com<name>/v1/`"))],
  ])("%s: %s", async (guarantee, body) => {
    expect(await verdicts(guarantee, body)).toMatch(/refuted/);
  });

  it.each([
    [sandbox, guarded("/[a-z0-9]+/", write("`/sandbox/<name>.txt`"))],
    [sandbox, guarded("/^[a-z0-9.]+$/", write("`/sandbox/<name>`"))],
    [sandbox, guarded("/^[a-z0-9./]+$/", write("`/sandbox/<name>`"))],
    [sandbox, `${named} ${write("`/sandbox/<name>`")}`],
    [sandbox, `${named} if (name.startsWith("/sandbox/")) { ${write("name")} }`],
    [api, guarded("/^[0-9./]+$/", get("`https://api.example.com/v1/<name>`"))],
    [api, `${named} ${get("`https://api.example.com/v1/<name>`")}`],
  ])("maybe for want of a run: %s: %s", async (guarantee, body) => {
    expect(await verdicts(guarantee, body)).not.toContain("proved");
  });
});
