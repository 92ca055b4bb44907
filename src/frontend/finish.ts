/** The last pass over the commands: what nobody reads goes, calls get their ids, and every node stands once. */
import {
  type Argument,
  append,
  type CallCommand,
  type Command,
  commandsIn,
  type Expr,
  type LoopCommand,
  mapParts,
  mapSelections,
  noOtherKind,
  type ParallelCommand,
  partsOf,
} from "../ir/index.ts";
import type { Spot } from "./refusal.ts";

export interface Finished {
  readonly body: readonly Command[];
  readonly spots: ReadonlyMap<Command, Spot>;
}

export function finishBody(body: readonly Command[], spots: ReadonlyMap<Command, Spot>): Finished {
  const live = liveNames(body);
  const kept = new Map<Command, Spot>();
  let calls = 0;
  const finish = (commands: readonly Command[]): Command[] =>
    commands.flatMap((command): readonly Command[] => {
      if (command.kind === "parallel") return together(command);
      const made = one(command);
      return made === undefined ? [] : [keep(command, made)];
    });
  const keep = (command: Command, made: Command): Command => {
    const spot = spots.get(command);
    if (spot !== undefined) kept.set(made, spot);
    return made;
  };
  /** Branches in which nothing is left go, and one alone is no branch. */
  const together = (command: ParallelCommand): readonly Command[] => {
    const branches = command.branches.map(finish).filter((branch) => branch.length > 0);
    return branches.length > 1 ? [keep(command, { ...command, branches })] : (branches[0] ?? []);
  };
  const one = (command: Exclude<Command, ParallelCommand>): Command | undefined => {
    switch (command.kind) {
      case "let":
        return live.has(command.name) ? { ...command, value: copy(command.value) } : undefined;
      case "require":
        return {
          ...command,
          condition: copy(command.condition),
          ...(command.when ? { when: copy(command.when) } : {}),
        };
      case "call": {
        const { bind, ...rest } = command;
        const call: CallCommand = {
          ...rest,
          id: `c${++calls}`,
          args: copyArguments(command.args),
          ...(command.when ? { when: copy(command.when) } : {}),
        };
        return bind !== undefined && live.has(bind) ? { ...call, bind } : call;
      }
      case "while":
        return {
          ...command,
          condition: copy(command.condition),
          carry: carried(command),
          body: finish(command.body),
        };
      case "for": {
        const { index, parallel, ...rest } = command;
        const inside = finish(command.body);
        const carry = carried(command);
        if (inside.length === 0 && carry.length === 0) return undefined;
        // Without a call, nothing happens at the same time.
        const isParallel = parallel && [...commandsIn(inside)].some(({ kind }) => kind === "call");
        const loop = {
          ...rest,
          list: copy(command.list),
          ...(isParallel ? { parallel } : {}),
          carry,
          body: inside,
        };
        return index !== undefined && live.has(index) ? { ...loop, index } : loop;
      }
    }
  };
  const carried = ({ carry }: LoopCommand) =>
    carry
      .filter((each) => live.has(each.name))
      .map((each) => ({ ...each, init: copy(each.init), next: copy(each.next) }));
  return { body: finish(body), spots: kept };
}

/** Names that something with an effect depends on. */
function liveNames(body: readonly Command[]): Set<string> {
  const uses = new Map<string, Expr[]>();
  const roots: Expr[] = [];
  const walk = (commands: readonly Command[]): void => {
    for (const command of commands) {
      switch (command.kind) {
        case "let":
          add(uses, command.name, command.value);
          break;
        case "require":
          roots.push(command.condition, ...(command.when ? [command.when] : []));
          break;
        case "call":
          append(
            roots,
            command.args.map((arg) => arg.value),
          );
          if (command.when) roots.push(command.when);
          break;
        case "for":
        case "while":
          roots.push(command.kind === "for" ? command.list : command.condition);
          for (const { name, init, next } of command.carry) {
            add(uses, name, init);
            add(uses, name, next);
          }
          walk(command.body);
          break;
        case "parallel":
          command.branches.forEach(walk);
          break;
        default:
          noOtherKind(command);
      }
    }
  };
  walk(body);
  const live = new Set<string>();
  const seen = new Set<Expr>();
  const pending = roots;
  for (let expr = pending.pop(); expr !== undefined; expr = pending.pop()) {
    if (seen.has(expr)) continue;
    seen.add(expr);
    if (expr.kind === "var" && !live.has(expr.name)) {
      live.add(expr.name);
      append(pending, uses.get(expr.name) ?? []);
    }
    append(pending, partsOf(expr));
  }
  return live;
}

function add(uses: Map<string, Expr[]>, name: string, expr: Expr): void {
  const known = uses.get(name);
  if (known === undefined) uses.set(name, [expr]);
  else known.push(expr);
}

/** Written out without sharing: one object that stands in two places must not have two types. */
export function copy(expr: Expr): Expr {
  const made = mapSelections(mapParts(expr, copy), (over) => ({ ...over }));
  if (made.kind === "flows") return { ...made, from: { ...made.from } };
  if (made.kind === "influenced") return { ...made, from: { ...made.from } };
  return { ...made };
}

function copyArguments(args: readonly Argument[]): Argument[] {
  return args.map((arg) => ({ ...arg, value: copy(arg.value) }));
}
