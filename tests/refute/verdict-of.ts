/** Proves a program of the table of broken ones, as the library does. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prove } from "../../src/library.ts";
import { type Broken, toolModule } from "./broken-programs.ts";

/** A folder with the tool module. */
export function projectOfTable(): { readonly folder: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "foreclaim-broken-"));
  mkdirSync(join(folder, "tools"));
  writeFileSync(join(folder, "tools/t.ts"), toolModule);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function proofOf([, guarantee, body, input]: Broken, folder: string) {
  const inputs = input === undefined ? "" : `{ ${input.split(":")[0]} }: { ${input} }`;
  const text = `import { program } from "foreclaim";
import * as t from "./tools/t";
export default program({ guarantees: [${guarantee}], async run(${inputs}) {
${body}
} });
`;
  return prove({ text, folder });
}
