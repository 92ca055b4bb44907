/** One conversion under way: the problems found so far, and what may still be spent. Part of what must be trusted. */
import { type Code, type Diagnostic, failed, ok, type Result, type Trail } from "../diagnostic.ts";
import { defaultLimits, type Limits } from "../limits.ts";
import { bits, type Num } from "../number.ts";

export interface ConvertOptions {
  readonly limits?: Limits;
}

export class Conversion {
  readonly limits: Limits;
  private readonly problems: Diagnostic[] = [];
  private nodes = 0;
  private exhausted = false;

  constructor(limits: Limits = defaultLimits) {
    this.limits = limits;
  }

  /** Notes a problem. Returns what stands for "no value" here, so that a caller can return it in turn. */
  fail(code: Code, trail: Trail, message: string, help?: string): undefined {
    // LIMIT: nobody reads more, and a long list may be wrong in every item.
    if (this.stopped) return;
    const problem = { code, message, path: trail.path() };
    this.problems.push(help === undefined ? problem : { ...problem, help });
  }

  /** No further problem would be noted, so there is no point in going on. */
  get stopped(): boolean {
    return this.exhausted || this.problems.length >= 10;
  }

  result<T>(value: T | undefined): Result<T> {
    return value === undefined || this.problems.length > 0 ? failed(this.problems) : ok(value);
  }

  // Each of the following notes a problem and returns false when a limit is passed.

  countNode(trail: Trail): boolean {
    if (!this.fitsNodes(1, trail)) return false;
    this.nodes++;
    return true;
  }

  /** Charges a number of parts; reports a problem beyond the limit. */
  fitsNodes(count: number, trail: Trail): boolean {
    const most = this.limits.nodes;
    const fits = this.nodes + count <= most;
    if (!fits) {
      this.fail("FC1403", trail, `the value has more than ${most} parts`);
      this.exhausted = true;
    }
    return fits;
  }

  fitsDepth(depth: number, trail: Trail): boolean {
    const most = this.limits.depth;
    if (depth > most) this.fail("FC1402", trail, `the value is nested more than ${most} deep`);
    return depth <= most;
  }

  fitsLength(length: number, trail: Trail): boolean {
    const most = this.limits.listLength;
    if (length > most) this.fail("FC1405", trail, `the list has ${length} items, more than ${most}`);
    return length <= most;
  }

  fitsString(text: string, trail: Trail): boolean {
    const most = this.limits.stringLength;
    if (text.length > most) {
      this.fail("FC1404", trail, `the string is ${text.length} characters long, more than ${most}`);
    }
    return text.length <= most;
  }

  fitsNumber(x: Num, trail: Trail): boolean {
    const most = this.limits.numberBits;
    const fits = bits(x) <= most;
    if (!fits) this.fail("FC1406", trail, `the number needs more than ${most} bits`);
    return fits;
  }
}
