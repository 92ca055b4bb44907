/**
 * Task: Compare two folder trees (for example two releases) and tell me which files were added, removed, or changed in size, plus a summary per top-level folder. Don't open or change any file.
 * Verdict: holds
 * Why: Only tree is called, so nothing is read, shared, moved or written.
 * Features: recursion with path accumulator, generator with yield*, Map, Set union, sort, padStart, grouping, ternary, Promise.all, Math.sign
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

type Leaf = { path: string; size: number };

function* leaves(node: files.TreeNode, prefix = ""): Generator<Leaf> {
  for (const child of node.children ?? []) {
    const path = `${prefix}/${child.name}`;
    if (child.kind === "folder") yield* leaves(child, path);
    else yield { path, size: child.size ?? -1 };
  }
}

function index(node: files.TreeNode): Map<string, number> {
  const map = new Map<string, number>();
  for (const { path, size } of leaves(node)) map.set(path, size);
  return map;
}

function topFolder(path: string): string {
  const [, first, ...rest] = path.split("/");
  return rest.length > 0 ? first : "(root)";
}

const signed = (n: number) => (Math.sign(n) > 0 ? `+${n}` : String(n));

export default program({
  guarantees: [files.readOnly(), files.neverReads("/"), files.contentsHidden()],
  async run({ before, after }: { before: string; after: string }) {
    const [oldTree, newTree] = await Promise.all([files.tree({ root: before }), files.tree({ root: after })]);
    const oldFiles = index(oldTree);
    const newFiles = index(newTree);

    const added: string[] = [];
    const removed: string[] = [];
    const changed: string[] = [];
    const perFolder = new Map<string, { files: number; bytes: number }>();

    const count = (path: string, files: number, bytes: number) => {
      const key = topFolder(path);
      const row = perFolder.get(key) ?? { files: 0, bytes: 0 };
      perFolder.set(key, { files: row.files + files, bytes: row.bytes + bytes });
    };

    for (const path of [...new Set([...oldFiles.keys(), ...newFiles.keys()])].sort()) {
      const was = oldFiles.get(path);
      const is = newFiles.get(path);
      if (was === undefined && is !== undefined) {
        added.push(path);
        count(path, 1, Math.max(is, 0));
      } else if (was !== undefined && is === undefined) {
        removed.push(path);
        count(path, -1, -Math.max(was, 0));
      } else if (was !== undefined && is !== undefined && was !== is) {
        const known = was >= 0 && is >= 0;
        changed.push(known ? `${path} (${signed(is - was)} bytes)` : `${path} (size unknown)`);
        if (known) count(path, 0, is - was);
      }
    }

    const summary = [...perFolder]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([folder, row]) => `${folder}: ${signed(row.files)} files, ${signed(row.bytes)} bytes`);
    const same = added.length + removed.length + changed.length === 0;
    return same
      ? { identical: true, files: oldFiles.size }
      : { identical: false, added, removed, changed, summary };
  },
});
