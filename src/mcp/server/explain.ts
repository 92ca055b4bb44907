/** The pages of error codes, as the package brings them along. */
import { join } from "node:path";
import { codeTitle, type SourceFiles } from "../../app/index.ts";

/** LIMIT: a page is a few kilobytes. */
const mostBytes = 256 * 1024;

/** Returns the page of a code, or the one line that is known of it; undefined for no code of ours. */
export async function explainCode(
  fs: Pick<SourceFiles, "readFile">,
  pages: string,
  code: string,
): Promise<string | undefined> {
  const name = code.toUpperCase();
  if (!/^FC[0-9]{4}$/.test(name)) return undefined;
  const read = await fs.readFile(join(pages, `${name}.md`), mostBytes);
  if (read.kind === "bytes") return Buffer.from(read.bytes).toString("utf8");
  const title = codeTitle(name);
  return title === undefined ? undefined : `# ${name}: ${title}\n`;
}
