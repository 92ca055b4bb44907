/** Sources of the values that the names of a program have. Flow-insensitive: nothing rests on it. */
import {
  type Checked,
  type Command,
  commandsIn,
  type Expr,
  exprsIn,
  isLoop,
  programExprs,
} from "../../../ir/index.ts";

export interface Definitions {
  /** Expressions that a name may stand for. */
  readonly names: ReadonlyMap<string, readonly Expr[]>;
  /** Lists of which a name is an element. */
  readonly elements: ReadonlyMap<string, readonly Expr[]>;
  /** Calls whose result a name is, by id. */
  readonly results: ReadonlyMap<string, string>;
  /** Expressions that are passed to calls, by the name of the parameter. */
  readonly passed: ReadonlyMap<string, readonly Expr[]>;
  /** Values of fields of records that the program makes, by the name of the field. */
  readonly fields: ReadonlyMap<string, readonly Expr[]>;
  /** Ids of calls whose failure the program catches. */
  readonly caught: ReadonlySet<string>;
  /** Ids of the calls in each `while`, the nested ones too. */
  readonly turns: readonly ReadonlySet<string>[];
}

export function definitionsOf({ document }: Checked): Definitions {
  const names = new Map<string, Expr[]>();
  const elements = new Map<string, Expr[]>();
  const results = new Map<string, string>();
  const passed = new Map<string, Expr[]>();
  const fields = new Map<string, Expr[]>();
  const caught = new Set<string>();
  const turns: Set<string>[] = [];
  for (const command of commandsIn(document.program.body)) {
    if (command.kind === "let") add(names, command.name, command.value);
    if (command.kind === "call") {
      if (command.catch !== undefined) caught.add(command.id);
      if (command.bind !== undefined) results.set(command.bind, command.id);
      for (const { name, value } of command.args) add(passed, name, value);
    }
    if (command.kind === "for") add(elements, command.var, command.list);
    if (command.kind === "while") turns.push(callsIn(command.body));
    if (!isLoop(command)) continue;
    for (const { name, init, next } of command.carry) {
      add(names, name, init);
      add(names, name, next);
    }
  }
  for (const expr of exprsIn(...programExprs(document))) {
    if (expr.kind === "let") add(names, expr.name, expr.value);
    if (expr.kind === "record") for (const { name, value } of expr.fields) add(fields, name, value);
    if (expr.kind !== "op") continue;
    const [over] = expr.args;
    const lambda = expr.args.find((arg) => arg.kind === "lambda");
    const element = lambda?.params[expr.op === "fold" ? 1 : 0];
    if (over !== undefined && element !== undefined) add(elements, element.name, over);
  }
  return { names, elements, results, passed, fields, caught, turns };
}

function add(map: Map<string, Expr[]>, name: string, expr: Expr): void {
  const known = map.get(name);
  if (known === undefined) map.set(name, [expr]);
  else known.push(expr);
}

function callsIn(body: readonly Command[]): Set<string> {
  const ids = new Set<string>();
  for (const command of commandsIn(body)) if (command.kind === "call") ids.add(command.id);
  return ids;
}
