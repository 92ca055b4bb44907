/** Files in memory, as a host of the app: what is not in the map is not there. */
import type { FolderEntry, ReadBytes, SourceFiles } from "../../src/app/files/port.ts";

export class MemoryFiles implements SourceFiles {
  /** Absolute paths, which a test may change. */
  readonly texts: Map<string, string>;
  /** Every path that was asked for. */
  readonly asked = new Set<string>();

  constructor(texts: Readonly<Record<string, string>>) {
    this.texts = new Map(Object.entries(texts));
  }

  readonly readFile = async (path: string, limitBytes: number): Promise<ReadBytes> =>
    this.readFileNow(path, limitBytes);

  readonly readFileNow = (path: string, limitBytes: number): ReadBytes => {
    this.asked.add(path);
    const text = this.texts.get(path);
    if (text === undefined) return { kind: "failed", code: "ENOENT" };
    const bytes = new TextEncoder().encode(text);
    return bytes.length > limitBytes ? { kind: "tooBig" } : { kind: "bytes", bytes };
  };

  readonly listFolder: SourceFiles["listFolder"] = async (path) => {
    const found = new Map<string, FolderEntry>();
    for (const file of this.texts.keys()) {
      if (!file.startsWith(`${path}/`)) continue;
      const [name = "", ...deeper] = file.slice(path.length + 1).split("/");
      found.set(name, { name, kind: deeper.length === 0 ? "file" : "folder" });
    }
    const entries = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return entries.length === 0 ? { kind: "failed", code: "ENOENT" } : { kind: "entries", entries };
  };

  readonly realPath = (path: string): string => path;
}
