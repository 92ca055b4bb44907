/** Research: the tools and contracts of `tools.md`. */
import { answer, contract, flowsFrom, labelled, resultOf, tool } from "foreclaim";
import { mock } from "../../mock.ts";

export type Hit = { url: string; title: string; snippet: string; publishedAt?: string };
export type Note = {
  id: string;
  title: string;
  text: string;
  folder: string;
  tags: string[];
  updatedAt: string;        // ISO date-time
  links?: string[];         // ids of other notes
};

export const webSearch = tool({
  reads: true,
  source: "untrusted",
  run: async (args: { query: string; count?: number; site?: string }): Promise<{ results: Hit[] }> => mock("research.webSearch", args),
});

/** Page as plain text, untrusted */
export const fetchPage = tool({
  reads: true,
  source: "untrusted",
  run: async (args: { url: string }): Promise<string> => mock("research.fetchPage", args),
});

/** A model call, priced by characters */
export const summarize = tool({
  reads: true,
  source: "untrusted",
  run: async (args: { text: string; maxWords?: number }): Promise<string> => mock("research.summarize", args),
});

/** Normally { title, year, references: string[] } */
export const citations = tool({
  reads: true,
  source: "untrusted",
  run: async (args: { doi: string }): Promise<unknown> => mock("research.citations", args),
});

export const listNotes = tool({
  reads: true,
  run: async (args: { folder?: string; tag?: string }): Promise<Note[]> => mock("research.listNotes", args),
});

export const getNote = tool({
  reads: true,
  run: async (args: { id: string }): Promise<Note | null> => mock("research.getNote", args),
});


export const saveNote = tool({
  labels: ["change"],
  run: async (args: { title: string; text: string; folder: string; tags?: string[]; sources?: string[] }): Promise<{ id: string }> => mock("research.saveNote", args),
});

export const updateNote = tool({
  labels: ["change"],
  run: async (args: { id: string; text: string }): Promise<void> => mock("research.updateNote", args),
});

export const deleteNote = tool({
  labels: ["change"],
  run: async (args: { id: string }): Promise<void> => mock("research.deleteNote", args),
});

export const share = tool({
  labels: ["change"],
  run: async (args: { noteId: string; with: string }): Promise<{ link: string }> => mock("research.share", args),
});

/** The run never calls `saveNote`, `updateNote`, `deleteNote` or `share`. */
export const readOnly = contract(() => labelled("change").none());

/** Every `url` given to `fetchPage` is the `url` of a result of an earlier `webSearch` of the run. */
export const fetchesOnlyFound = contract(() =>
  webSearch.precedes(fetchPage, (s, f) => resultOf(s)?.results.some((hit) => hit.url === f.url) ?? false));

/** Every `url` given to `fetchPage` begins with `"https://" + host + "/"`. */
export const onlyFetches = contract((host: string) => fetchPage.all((f) => f.url.startsWith(`https://${host}/`)));

/** At most n calls of `fetchPage`. */
export const maxFetches = contract((n: number) => fetchPage.count() <= n);

/** The sum of `text.length` over all `summarize` calls is ≤ chars. */
export const summarizeBudget = contract((chars: number) => summarize.sum((s) => s.text.length) <= chars);

/** Every `saveNote` has this `folder`. */
export const savesOnlyIn = contract((folder: string) => saveNote.all((n) => n.folder === folder));

/** Every `saveNote` has a `text` of at most this length. */
export const noteMax = contract((chars: number) => saveNote.all((n) => n.text.length <= chars));

/**
 * Every `saveNote` has a non-empty `sources`, and each of its entries was given before to a `fetchPage` call that has resolved.
 * @weaker The page may be read after the note is saved.
 */
export const everyNoteCited = contract(() =>
  saveNote.all((n) => (n.sources ?? []).length > 0 && (n.sources ?? []).every((url) => fetchPage.some((f) => f.url === url && resultOf(f) !== undefined))));

/**
 * Every `updateNote` has the `id` of a note that an earlier `listNotes` or `getNote` of the run returned with this tag among its `tags`.
 * @stronger All updated notes come from one of the two tools.
 */
export const updatesOnlyTagged = contract((tag: string) =>
  listNotes.precedes(updateNote, (l, u) => resultOf(l)?.some((n) => n.id === u.id && n.tags.includes(tag)) ?? false) ||
  getNote.precedes(updateNote, (g, u) => resultOf(g)?.id === u.id && (resultOf(g)?.tags.includes(tag) ?? false)));

/**
 * Every `deleteNote` has the `id` of a note that an earlier `listNotes` or `getNote` of the run returned without this tag.
 * @stronger All deleted notes come from one of the two tools.
 */
export const deletesOnlyUntagged = contract((tag: string) =>
  listNotes.precedes(deleteNote, (l, u) => resultOf(l)?.some((n) => n.id === u.id && !n.tags.includes(tag)) ?? false) ||
  getNote.precedes(deleteNote, (g, u) => resultOf(g)?.id === u.id && !(resultOf(g)?.tags.includes(tag) ?? true)));

/** The run never calls `deleteNote`. */
export const neverDeletes = contract(() => deleteNote.none());

/** Every `share` has `with` equal to address. */
export const sharesOnlyWith = contract((address: string) => share.all((s) => s.with === address));

/**
 * The answer would be the same if only the values of that field of notes were different.
 * @stronger A source is a whole tool result or one of its fields, not a field of a row inside it. A decision that rests on the field and leaves no trace in a value is not seen.
 */
export const answerHides = contract((field: "text" | "title") =>
  (field !== "text" || answer.none((a) => flowsFrom(a.value, listNotes, "text") || flowsFrom(a.value, getNote))) &&
  (field !== "title" || answer.none((a) => flowsFrom(a.value, listNotes, "title") || flowsFrom(a.value, getNote))));
