/**
 * Task: How much space does each folder directly under the given root take, including subfolders? Largest first.
 * Verdict: holds
 * Why: Only tree is called.
 * Features: recursion over a tree, nullish coalescing, reduce, sort, unit formatting helper
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

function totalSize(node: files.TreeNode): number {
  if (node.kind === "file") return node.size ?? 0;
  return (node.children ?? []).reduce((sum, child) => sum + totalSize(child), 0);
}

function human(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let i = 0;
  while (bytes >= 1024 && i < units.length - 1) {
    bytes /= 1024;
    i++;
  }
  return `${bytes.toFixed(i === 0 ? 0 : 1)} ${units[i]}`;
}

export default program({
  guarantees: [files.readOnly(), files.contentsHidden()],
  async run({ root = "/" }: { root?: string }) {
    const top = await files.tree({ root });
    const folders = (top.children ?? [])
      .filter((c) => c.kind === "folder")
      .map((c) => ({ name: c.name, bytes: totalSize(c) }))
      .sort((a, b) => b.bytes - a.bytes);

    return {
      total: human(totalSize(top)),
      folders: folders.map((f) => `${f.name}: ${human(f.bytes)}`),
    };
  },
});
