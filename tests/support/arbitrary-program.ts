/**
 * Random programs that make sense: a well-typed document together with everything that a run of it needs.
 *
 *     fc.assert(fc.asyncProperty(anyProgram(), async ({ checked, inputs, initial, tools }) => {
 *       const { outcome, trace } = await run(checked, { inputs, initial, tools: tools() });
 *       …
 *     }));
 *
 * Documents are written by type, so every operator and every form of command and formula turns up, in every place
 * where it may stand; `arbitrary-program.test.ts` counts them. Domains are small, so that values collide: keys are
 * written twice, arguments are equal, enums overlap. What the tools answer depends on the case alone: the same call
 * gets the same answer in every run, mostly one that meets `ensures`, sometimes a failure.
 * A failing case is made smaller by leaving out parts that the checker does not miss, and is printed as text.
 */
import fc from "fast-check";
import { type Checked, check } from "../../src/ir/check/index.ts";
import type { Document } from "../../src/ir/document.ts";
import type { Cell } from "../../src/ir/eval/state.ts";
import type { ToolHandler } from "../../src/ir/run/options.ts";
import { printDocument } from "../../src/ir/text/printer.ts";
import { recordOf } from "../../src/ir/type.ts";
import { isRecord, type RecordValue, type Value, valueKey } from "../../src/ir/value.ts";
import { type Behaviour, handlersFor, type SeenCall } from "./program/behaviour.ts";
import { Chance } from "./program/chance.ts";
import { type Size, someDocument, usualSize } from "./program/documents.ts";
import { smaller } from "./program/shrink.ts";
import { someValue } from "./program/types.ts";

export interface ProgramCase {
  readonly document: Document;
  readonly checked: Checked;
  readonly inputs: RecordValue;
  readonly behaviour: Behaviour;
  /** Cells that differ from the declared initial values, all known. */
  readonly initial: readonly KnownCell[];
}

export type KnownCell = Cell & { readonly value: Value };

export interface ProgramOptions extends Partial<Size> {
  /** Failing calls in a hundred; by default none in half of the cases, and up to a quarter in the others. */
  readonly failing?: number;
}

export function anyProgram(options: ProgramOptions = {}): fc.Arbitrary<ProgramCase> {
  return new AnyProgram(options);
}

/** The case that a seed stands for. */
export function programOf(seed: number, options: ProgramOptions = {}): ProgramCase {
  return someProgram(Chance.seeded(seed), options);
}

/** The tools of the case, as handlers for `run`; `seen` is told of every call that is really made. */
export function toolsOf(
  { checked, behaviour }: ProgramCase,
  seen?: (call: SeenCall) => void,
): Map<string, ToolHandler> {
  return handlersFor(checked, behaviour, seen);
}

function someProgram(chance: Chance, { failing, ...size }: ProgramOptions): ProgramCase {
  const document = someDocument(chance, { ...usualSize, ...size });
  const checked = check(document);
  // What is written here is well-typed; if the checker does not think so, one of the two is wrong.
  if (!checked.ok) {
    const problems = checked.problems.map(
      ({ code, message, path }) => `${code} ${message} at ${path.join(".")}`,
    );
    throw new Error(`${problems.join("\n")}\nin:\n${printDocument(document)}`);
  }
  const inputs = someValue(chance, recordOf(document.program.inputs));
  if (!isRecord(inputs)) throw new TypeError("inputs are a record");
  const rate = failing ?? (chance.odds(50) ? 0 : chance.int(3, 25));
  const initial = chance.odds(20) ? someCells(chance, document) : [];
  const behaviour = { seed: chance.int(0, 2 ** 31 - 1), failing: rate };
  return { document, checked: checked.value, inputs, behaviour, initial };
}

function someCells(chance: Chance, { fluents }: Document): KnownCell[] {
  return fluents.flatMap(({ name, key, value }) =>
    chance.times(0, 2, () => ({
      fluent: name,
      key: someValue(chance, key),
      value: someValue(chance, value),
    })),
  );
}

class AnyProgram extends fc.Arbitrary<ProgramCase> {
  readonly #options: ProgramOptions;

  constructor(options: ProgramOptions) {
    super();
    this.#options = options;
  }

  override generate(random: fc.Random): fc.Value<ProgramCase> {
    return new fc.Value(readable(someProgram(Chance.from(random), this.#options)), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is ProgramCase {
    return typeof value === "object" && value !== null && "checked" in value && "behaviour" in value;
  }

  override shrink(value: ProgramCase): fc.Stream<fc.Value<ProgramCase>> {
    const each = function* () {
      for (const one of smaller(value)) yield new fc.Value(readable(one), undefined);
    };
    return fc.stream(each());
  }
}

/** Prints as text what would be pages of nested objects. */
function readable(program: ProgramCase): ProgramCase {
  const { document, inputs, behaviour, initial } = program;
  const text = () =>
    [
      "",
      printDocument(document),
      `inputs: ${valueKey(inputs)}`,
      `behaviour: ${JSON.stringify(behaviour)}`,
      `initial: ${initial.map(({ fluent, key, value }) => `${fluent}[${valueKey(key)}]=${valueKey(value)}`).join(" ")}`,
      "",
    ].join("\n");
  return Object.defineProperty({ ...program }, fc.toStringMethod, { value: text, enumerable: false });
}
