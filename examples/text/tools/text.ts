/** Texts: documents in memory, and promises about what is written into them. */
import { contract, coverage, fluent, type Int, labelled, tool } from "foreclaim";

const documents = new Map<string, string>([["readme", "Hello"]]);

/** The number of characters that this run wrote into a document. */
export const written = fluent<string, Int>({ initial: 0 });

/** The text of a document. */
export const read = tool({
  reads: true,
  source: "untrusted",
  ensures: (text) => text.length <= 10_000,
  run: async ({ name }: { name: string }): Promise<string> => documents.get(name) ?? "",
});

/** The first line of a document, or undefined if there is no such document. */
export const title = tool({
  reads: true,
  ensures: (line) => line === undefined || (line.length <= 60 && !line.includes("\n")),
  run: async ({ name }: { name: string }): Promise<string | undefined> => documents.get(name)?.split("\n")[0],
});

/** The words of a document. */
export const words = tool({
  reads: true,
  ensures: (list) => list.length <= 1000,
  run: async ({ name }: { name: string }): Promise<string[]> =>
    (documents.get(name) ?? "").split(/\s+/).filter((word) => word !== ""),
});

/** Replaces a document. */
export const write = tool({
  labels: ["change"],
  requires: ({ name }) => name.length > 0 && !name.startsWith("."),
  effects: ({ name, text }) => [written.set(name, text.length)],
  run: async ({ name, text }: { name: string; text: string }): Promise<void> => {
    documents.set(name, text);
  },
});

/** Adds to the end of a document. */
export const append = tool({
  labels: ["change"],
  requires: ({ text }) => text !== "",
  effects: ({ name, text }) => [written.set(name, written.get(name) + text.length)],
  run: async ({ name, text }: { name: string; text: string }): Promise<void> => {
    documents.set(name, (documents.get(name) ?? "") + text);
  },
});

/** Writes a headline above several lines. */
export const publish = tool({
  requires: ({ lines, level }) => lines.length > 0 && level >= 1 && level <= 6,
  run: async ({ level, lines, lang }: { level: Int; lines: string[]; lang?: "en" | "de" }): Promise<void> => {
    console.log(lang ?? "en", "#".repeat(level), lines.join("\n"));
  },
});

/** Only these documents are changed. */
export const onlyDocuments = contract((names: string[]) =>
  labelled<{ name: string; text: string }>("change").all((c) => names.includes(c.name)),
);

/** None of these words is written anywhere. */
export const neverSays = contract((banned: string[]) =>
  labelled<{ name: string; text: string }>("change").none((c) =>
    banned.some((word) => c.text.includes(word)),
  ),
);

/** Every text that is written into a document starts with this prefix. */
export const startsWith = contract((prefix: string) => write.all((w) => w.text.startsWith(prefix)));

/** Every text that is written is one line. */
export const oneLine = contract(
  () => write.all((w) => !w.text.includes("\n")) && append.all((a) => !a.text.includes("\n")),
);

/** This is written into the document, word for word. */
export const says = contract((name: string, text: string) =>
  write.some((w) => w.name === name && w.text === text),
);

/** No document is given more than so many characters. */
export const shortAtEnd = contract((n: number) => written.final.all((d) => d.value <= n));

/** The longest text is at most so much longer than the shortest. */
export const even = contract(
  (n: number) => write.max((w) => w.text.length, 0) - write.min((w) => w.text.length, 0) <= n,
);

/** A document is read before it is replaced. */
export const readsFirst = contract(() => read.precedes(write, (r, w) => r.name === w.name));

/** Every line that is published is one of these. */
export const publishesOnly = contract((lines: string[]) =>
  publish.all((p) => p.lines.every((line) => lines.includes(line))),
);

/** Headlines are of one of these levels. */
export const levels = contract((allowed: number[]) => publish.all((p) => allowed.includes(p.level)));

export const policy = coverage({
  whenUsed: [write, append],
  recommended: [onlyDocuments, neverSays],
  label: "text",
});
