/** Where the parts of a document stand: in its own text, or in the sources that it was compiled from. */
import { commandsAt, type Path, type PlainJson, placeOf } from "../../ir/index.ts";
import { posix, shown } from "../config.ts";
import type { LoadedDocument } from "../load.ts";
import { type LoadedProgram, offsetIn } from "../load-program.ts";
import { Lines, type Position } from "../text/lines.ts";

/** A place in a file; offsets in code units, the end exclusive. */
export interface Located {
  readonly file: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly from: Position;
}

export class Places {
  readonly #document: LoadedDocument | LoadedProgram;
  readonly #lines = new Map<string, Lines>();

  readonly #calls = new Map<string, Path>();

  constructor(document: LoadedDocument | LoadedProgram) {
    this.#document = document;
    const { body } = document.checked.document.program;
    for (const [command, path] of commandsAt(body, ["program", "body"]))
      if (command.kind === "call") this.#calls.set(command.id, path);
  }

  /** Of the call with this id. */
  call(id: string): Located | undefined {
    const path = this.#calls.get(id);
    return path && this.at(path);
  }

  /** Line and column, and the file if it is another than that of the program. */
  toJson(place: Located | undefined): { readonly [key: string]: PlainJson } {
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

  /** Of the smallest enclosing part that has a place. */
  at(path: Path): Located | undefined {
    const document = this.#document;
    const isCompiled = "sources" in document && document.sourceMap !== undefined;
    // What stands in a document itself has its place there, also if the rest was taken from elsewhere.
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
