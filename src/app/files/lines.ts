/** Lines and columns of a text, as editors count them: from 1, columns in UTF-16 code units. */

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Offsets of a line without its end. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

export class Lines {
  readonly text: string;
  /** The start of each line, and the end without its line break. */
  readonly #starts: number[] = [0];
  readonly #ends: number[] = [];

  /** A line ends with `\n`, `\r\n` or `\r`, as in the Language Server Protocol. */
  constructor(text: string) {
    this.text = text;
    const ends = /\r\n|\n|\r/g;
    for (let match = ends.exec(text); match !== null; match = ends.exec(text)) {
      this.#ends.push(match.index);
      this.#starts.push(ends.lastIndex);
    }
    this.#ends.push(text.length);
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Returns the position of an offset; one beyond the text stands at its end. */
  positionOf(offset: number): Position {
    const at = Math.min(Math.max(offset, 0), this.text.length);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: at - (this.#starts[low] ?? 0) + 1 };
  }

  lineSpan(line: number): LineSpan {
    const start = this.#starts[line - 1];
    const end = this.#ends[line - 1];
    if (start === undefined || end === undefined) throw new RangeError(`there is no line ${line}`);
    return { start, end };
  }

  isBlank(line: number): boolean {
    const { start, end } = this.lineSpan(line);
    return this.text.slice(start, end).trim() === "";
  }
}
