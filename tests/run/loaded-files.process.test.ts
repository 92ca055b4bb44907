/** The part of the package that commands and tool modules load. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { build, foreclaim, root } from "../cli/built.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-files-"));
beforeAll(build);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Coverage {
  readonly result: readonly { readonly url: string }[];
}

/** Runs the command and returns the files of this package that Node executed. */
async function executed(name: string, ...args: readonly string[]): Promise<ReadonlySet<string>> {
  const into = join(folder, name);
  const { code, err } = await foreclaim(args, { env: { ...process.env, NODE_V8_COVERAGE: into } });
  expect(code, err).toBe(0);
  // SAFETY: Node writes these files.
  const reports = readdirSync(into).map(
    (file) => JSON.parse(readFileSync(join(into, file), "utf8")) as Coverage,
  );
  const urls = reports.flatMap(({ result }) => result.map(({ url }) => url));
  return new Set(urls.filter((url) => url.startsWith("file:") && !url.includes("/node_modules/")));
}

const payCard = join(root, "examples/bank/pay-card.ts");

test("prove executes at most half of the 175 files that it once did", async () => {
  expect((await executed("prove", "prove", payCard)).size).toBeLessThanOrEqual(87);
});

test("run executes at most half of the 260 files that it once did", async () => {
  expect((await executed("run", "run", payCard, "--yes")).size).toBeLessThanOrEqual(130);
});

/** The front end refuses static imports of other names; modules that a tool imports when it runs may have them. */
test("a module that a tool imports late may use more of the package than declarations", async () => {
  mkdirSync(join(folder, "late/tools/lib"), { recursive: true });
  writeFileSync(
    join(folder, "late/tools/lib/kinds.ts"),
    `import { ir } from "foreclaim";\n` +
      `export const kinds = async () => [typeof ir.check, typeof (await import("foreclaim")).ir.check].join();\n`,
  );
  writeFileSync(
    join(folder, "late/tools/kit.ts"),
    `import { contract, tool } from "foreclaim";\n` +
      "export const kind = tool({\n" +
      `  run: async (): Promise<string> => await (await import("./lib/kinds")).kinds(),\n});\n` +
      "export const few = contract((n: number) => kind.count() <= n);\n",
  );
  const program = join(folder, "late/ask.ts");
  writeFileSync(
    program,
    `import { program } from "foreclaim";\nimport * as kit from "./tools/kit";\n` +
      "export default program({ guarantees: [kit.few(1)], async run() { return await kit.kind(); } });\n",
  );
  const { code, out, err } = await foreclaim(["run", program, "--yes", "--json"]);
  expect(code, out + err).toBe(0);
  expect(JSON.parse(out).result).toBe("function,function");
});
