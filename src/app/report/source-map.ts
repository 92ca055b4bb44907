/** Finds the parts of a document: in its own text, or in the sources that it was compiled from. */
import { commandsAt, type Path, placeOf } from "../../ir/index.ts";
import { Lines, type Position } from "../files/lines.ts";
import { posix, shown } from "../files/paths.ts";
import type { LoadedDocument } from "../load/documents.ts";
import { type LoadedProgram, offsetIn } from "../load/typescript.ts";

/** A place in a file; offsets in code units, the end exclusive. */
export interface Located {
  readonly file: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly from: Position;
}

export type PlaceReport = {
  readonly line: number | null;
  readonly column: number | null;
  /** Set where it is another file than the program's. */
  readonly file?: string;
};

export class SourceMap {
  readonly #document: LoadedDocument | LoadedProgram;
  readonly #lines = new Map<string, Lines>();

  readonly #calls = new Map<string, Path>();

  constructor(document: LoadedDocument | LoadedProgram) {
    this.#document = document;
    const { body } = document.checked.document.program;
    for (const [command, path] of commandsAt(body, ["program", "body"]))
      if (command.kind === "call") this.#calls.set(command.id, path);
  }

  /** Returns the place of the call with this id. */
  call(id: string): Located | undefined {
    const path = this.#calls.get(id);
    return path && this.at(path);
  }

  /** Line and column, and the file if it is another than that of the program. */
  toJson(place: Located | undefined): PlaceReport {
    const { line, column } = place?.from ?? { line: null, column: null };
    return place === undefined || this.isOwn(place) ? { line, column } : { line, column, file: place.file };
  }

  /** `line 7`, or `helpers.ts:7`. */
  words(place: Located): string {
    return this.isOwn(place) ? `line ${place.from.line}` : `${place.file}:${place.from.line}`;
  }

  isOwn({ file }: Located): boolean {
    return file === this.#document.file;
  }

  /** Returns the place of the smallest enclosing part that has one. */
  at(path: Path): Located | undefined {
    const document = this.#document;
    const isCompiled = "sources" in document && document.sourceMap !== undefined;
    // A part of the document itself has its place there, also if the rest was taken from elsewhere.
    const span = isCompiled && !("own" in document) ? undefined : document.locate(path);
    if (span !== undefined) return this.#located(document.file, document.text, span.start, span.end);
    if (!isCompiled || document.sourceMap === undefined) return undefined;
    const place = placeOf(document.sourceMap, path);
    const text = place && document.sources.get(place.name);
    if (place === undefined || text === undefined) return undefined;
    const file = place.name === posix(document.file) ? document.file : shown(place.name);
    const start = offsetIn(text, place.startLine, place.startColumn);
    return this.#located(file, text, start, offsetIn(text, place.endLine, place.endColumn));
  }

  #located(file: string, text: string, start: number, end: number): Located {
    let lines = this.#lines.get(file);
    if (lines === undefined) {
      lines = new Lines(text);
      this.#lines.set(file, lines);
    }
    return { file, text, start, end, from: lines.positionOf(start) };
  }
}
