/** Tool modules of the page about contracts, in a folder of their own, for tests that compile against them. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes a project with `tools/desk.ts`, and returns its folder. */
export function deskProject(): string {
  const folder = mkdtempSync(join(tmpdir(), "foreclaim-desk-"));
  mkdirSync(join(folder, "tools"));
  const page = readFileSync("docs/reference/contracts.md", "utf8");
  const [, source] = /```ts file=tools\/desk\.ts\n([\s\S]*?)```/.exec(page) ?? [];
  if (source === undefined) throw new Error("the page about contracts has lost its module");
  writeFileSync(join(folder, "tools/desk.ts"), source);
  return folder;
}
