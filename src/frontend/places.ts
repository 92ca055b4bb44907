/** The source map: where the parts of a compiled document came from. */
import { type Command, commandsAt, pointer, type SourceMap, type SourcePlace } from "../ir/index.ts";
import type { Spot } from "./refusal.ts";

export class Places {
  readonly #files: string[] = [];
  readonly #places = new Map<string, SourcePlace>();
  readonly #lines = new Map<string, readonly number[]>();
  readonly #text: (file: string) => string;

  constructor(text: (file: string) => string) {
    this.#text = text;
  }

  add(path: readonly (string | number)[], spot: Spot): void {
    let file = this.#files.indexOf(spot.file);
    if (file === -1) file = this.#files.push(spot.file) - 1;
    const [startLine, startColumn] = this.#lineColumn(spot.file, spot.start);
    const [endLine, endColumn] = this.#lineColumn(spot.file, spot.end);
    this.#places.set(pointer(path), { file, startLine, startColumn, endLine, endColumn });
  }

  addCommands(
    commands: readonly Command[],
    spots: ReadonlyMap<Command, Spot>,
    path: readonly (string | number)[],
  ): void {
    for (const [command, at] of commandsAt(commands, path)) {
      const spot = spots.get(command);
      if (spot !== undefined) this.add(at, spot);
    }
  }

  map(): SourceMap {
    return { files: this.#files, places: this.#places };
  }

  #lineColumn(file: string, offset: number): readonly [number, number] {
    const starts = this.#starts(file);
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return [low + 1, offset - (starts[low] ?? 0) + 1];
  }

  #starts(file: string): readonly number[] {
    let starts = this.#lines.get(file);
    if (starts === undefined) {
      const found = [0];
      const text = this.#text(file);
      for (let i = text.indexOf("\n"); i !== -1; i = text.indexOf("\n", i + 1)) found.push(i + 1);
      starts = found;
      this.#lines.set(file, starts);
    }
    return starts;
  }
}
