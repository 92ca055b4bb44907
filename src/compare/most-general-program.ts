/**
 * Programs that make any calls. The most general one makes any number of calls of the tools, in any order, with any
 * arguments, and goes on after calls that fail: every trace that the tools allow is a trace of one of its completed runs,
 * so what it guarantees holds on every trace. Another makes a few calls, and is as general otherwise.
 * SOUNDNESS: that every trace is one of their runs is what a "yes" rests on. What a call needs of its arguments alone is
 * the guard of the call. What it needs of the state is left with the tool: a run in which it does not hold stops, and
 * what is proved of a program is proved of the runs that complete.
 */
import {
  type Argument,
  append,
  type CallCommand,
  type Command,
  type Expr,
  type Field,
  type Program,
  type Tool,
  type Type,
} from "../ir/index.ts";
import { neededOf, neededOfState } from "./layer.ts";
import { allOf } from "./logic.ts";
import { ours } from "./names.ts";

export function anyProgram(tools: readonly Tool[], params: readonly Field[]): Program {
  if (tools.length === 0) return { inputs: params, body: [] };
  const [steps, step] = [`${ours}steps`, `${ours}step`];
  const of: Expr = { kind: "var", name: step };
  const slot = new Slot(tools, "", (name) => ({ kind: "field", of, name }));
  const element: Type = { kind: "record", fields: slot.fields };
  const list: Expr = { kind: "var", name: steps };
  return {
    inputs: [...params, { name: steps, type: { kind: "list", element } }],
    body: [{ kind: "for", var: step, list, carry: [], body: slot.calls("") }],
  };
}

/** At most so many calls; without failures it is less general, and good only for finding a trace. */
export function fewCalls(
  tools: readonly Tool[],
  most: number,
  params: readonly Field[],
  mayFail = true,
): Program {
  const inputs: Field[] = [...params];
  const body: Command[] = [];
  for (let i = 0; i < most && tools.length > 0; i++) {
    const slot = new Slot(tools, `${ours}${i}_`, (name) => ({ kind: "var", name }));
    append(inputs, slot.fields);
    append(
      body,
      slot.calls(`${i}_`).map((call) => (mayFail ? call : answered(call))),
    );
  }
  return { inputs, body };
}

/** A call that does not fail in a run that completes. */
function answered({ catch: _, reason: __, ...call }: CallCommand): CallCommand {
  return call;
}

/** The tools as these programs call them: without what has become the guard of the call. */
export function asCalled(tools: readonly Tool[]): Tool[] {
  return tools.map((tool) => {
    const { cost: _, ...others } = tool;
    return { ...others, ...neededOfState(tool) };
  });
}

/** The place of one call: which tool it is of, or none, and the arguments it has if it is of that one. */
class Slot {
  readonly fields: readonly Field[];
  readonly #tools: readonly Tool[];
  readonly #prefix: string;
  readonly #read: (name: string) => Expr;

  constructor(tools: readonly Tool[], prefix: string, read: (name: string) => Expr) {
    this.#tools = tools;
    this.#prefix = prefix;
    this.#read = read;
    const values = [...tools.map((_, t) => `t${t}`), "none"];
    this.fields = [
      { name: `${prefix}which`, type: { kind: "enum", values } },
      ...tools.flatMap(({ params }, t) =>
        params.map((field, i) => ({ ...field, name: this.#argument(t, i) })),
      ),
    ];
  }

  calls(id: string): CallCommand[] {
    return this.#tools.map((tool, t) => this.#call(tool, t, id));
  }

  #argument(tool: number, place: number): string {
    return `${this.#prefix}a${tool}_${place}`;
  }

  #call(tool: Tool, t: number, id: string): CallCommand {
    const values = tool.params.map(({ name }, i) => [name, this.#read(this.#argument(t, i))] as const);
    const args = values.map(
      ([name, value], i): Argument =>
        tool.params[i]?.optional ? { name, value, optional: true } : { name, value },
    );
    const chosen: Expr = {
      kind: "op",
      op: "==",
      args: [this.#read(`${this.#prefix}which`), { kind: "string", value: `t${t}` }],
    };
    return {
      kind: "call",
      id: `c${id}${t}`,
      tool: tool.name,
      args,
      when: allOf([chosen, ...neededOf(tool, new Map(values))]),
      catch: `${ours}failed${id}${t}`,
    };
  }
}
