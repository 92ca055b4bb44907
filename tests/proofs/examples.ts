/** The examples as checked documents. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/tools.mjs";
import { compileProgram } from "../../src/frontend/index.ts";
import { type Checked, check } from "../../src/ir/index.ts";

const folder = join(ROOT, "examples");

export interface Example {
  readonly name: string;
  readonly checked: Checked;
  /** The expected verdict of each guarantee. */
  readonly verdicts: readonly string[];
}

function readFile(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** One part of the examples of several: all of them take several seconds to compile. */
export function examplesOf(part: number, parts: number): readonly Example[] {
  const paths = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(folder, name))
        .filter((file) => file.endsWith(".ts"))
        .map((file) => [name, file.replace(/\.ts$/, "")] as const),
    )
    .sort(([a, b], [c, d]) => (`${a}/${b}` < `${c}/${d}` ? -1 : 1));
  return paths
    .filter((_, i) => i % parts === part)
    .flatMap(([domain, name]) => {
      const expected = readFile(join(folder, domain, "expected.json"));
      if (expected === undefined) return [];
      const compiled = compileProgram(join(folder, domain, `${name}.ts`), { readFile });
      const checked = compiled.ok ? check(compiled.value.document) : undefined;
      if (!checked?.ok) return [];
      const guarantees: readonly { readonly verdict: string }[] =
        JSON.parse(expected)[name]?.guarantees ?? [];
      return [
        {
          name: `${domain}/${name}`,
          checked: checked.value,
          verdicts: guarantees.map(({ verdict }) => verdict),
        },
      ];
    });
}
