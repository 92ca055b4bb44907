/**
 * Reads mock tool results from a JSON file:
 *
 *   { "bank.balance": { "returns": 320.5 },
 *     "bank.transfer": [{ "fails": "timeout" }, { "returns": null }] }
 *
 * One result serves every call of the tool; from an array each call takes the next. The run checks the type of a result,
 * because a tool that returns a wrong one is worth trying out too.
 */
import {
  type Checked,
  type Code,
  closest,
  type Diagnostic,
  isJsonArray,
  isJsonObject,
  type Json,
  quoted,
  type Result,
  type Tool,
} from "../../ir/index.ts";

export type Answer =
  | { readonly kind: "returns"; readonly value: Json }
  | { readonly kind: "fails"; readonly reason: string };

export type Mock =
  | { readonly kind: "always"; readonly answer: Answer }
  | { readonly kind: "each"; readonly answers: readonly Answer[] };

export type Mocks = ReadonlyMap<string, Mock>;

export function readMocks(checked: Checked, json: Json): Result<Mocks> {
  const reader = new Reader(checked);
  const mocks = reader.mocks(json);
  return reader.problems.length > 0 ? { ok: false, problems: reader.problems } : { ok: true, value: mocks };
}

const forms = 'write {"returns": ...} or {"fails": "reason"}, or an array of these';

class Reader {
  readonly problems: Diagnostic[] = [];
  readonly #checked: Checked;

  constructor(checked: Checked) {
    this.#checked = checked;
  }

  mocks(json: Json): Mocks {
    const mocks = new Map<string, Mock>();
    if (!isJsonObject(json)) {
      this.#problem("FC1102", [], "mocks must be an object from tool names to tool results", forms);
      return mocks;
    }
    for (const [name, value] of Object.entries(json)) {
      const tool = this.#checked.tools.get(name);
      if (tool === undefined) {
        this.#unknownTool(name);
        continue;
      }
      if (isJsonArray(value)) {
        const answers = value.map((item, i) => this.#answer(tool, item, [name, i]));
        mocks.set(name, { kind: "each", answers: answers.filter((answer) => answer !== undefined) });
      } else {
        const answer = this.#answer(tool, value, [name]);
        if (answer !== undefined) mocks.set(name, { kind: "always", answer });
      }
    }
    return mocks;
  }

  #answer(tool: Tool, json: Json, path: readonly (string | number)[]): Answer | undefined {
    if (!isJsonObject(json)) return this.#problem("FC1102", path, "a tool result is an object", forms);
    const [field, other] = Object.keys(json);
    const value = field === undefined ? undefined : json[field];
    if (field === undefined || value === undefined) {
      return this.#problem("FC1103", path, "a tool result needs `returns` or `fails`", forms);
    }
    if (other !== undefined && isKnown(field) && isKnown(other)) {
      return this.#problem("FC1104", path, "a tool result cannot both return and fail", forms);
    }
    const unknown = Object.keys(json).find((name) => !isKnown(name));
    if (unknown !== undefined) {
      return this.#problem(
        "FC1104",
        [...path, unknown],
        `a tool result has no field ${quoted(unknown)}`,
        forms,
      );
    }
    if (field === "fails") {
      if (typeof value === "string") return { kind: "fails", reason: value };
      return this.#problem("FC1102", [...path, field], "the reason of a failure is a string");
    }
    if (tool.result !== undefined || value === null) return { kind: "returns", value };
    return this.#problem(
      "FC1102",
      [...path, field],
      `\`${tool.name}\` returns nothing`,
      'write {"returns": null}',
    );
  }

  #unknownTool(name: string): void {
    const known = [...this.#checked.tools.keys()];
    const near = closest(name, known);
    const help =
      near !== undefined
        ? `did you mean ${quoted(near)}?`
        : known.length > 0
          ? `its tools are ${known.slice(0, 10).map(quoted).join(", ")}${known.length > 10 ? " and others" : ""}`
          : "it has no tools at all";
    this.#problem("FC1203", [name], `the document has no tool ${quoted(name)}`, help);
  }

  #problem(code: Code, path: readonly (string | number)[], message: string, help?: string): undefined {
    // LIMIT: a file that is wrong everywhere need not be told so more often.
    if (this.problems.length >= 100) return;
    this.problems.push(help === undefined ? { code, message, path } : { code, message, path, help });
  }
}

function isKnown(name: string): boolean {
  return name === "returns" || name === "fails";
}
