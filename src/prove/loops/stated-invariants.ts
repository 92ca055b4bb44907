/**
 * Invariant candidates from the commands of a loop: the requirements at the start of an iteration, before any effect.
 * Each is proved like any candidate, and the requirement is still an obligation of its own.
 */
import {
  type Expr,
  type LetCommand,
  type LoopCommand,
  namesLeftBy,
  printExpr,
  type RequireCommand,
  variablesOf,
} from "../../ir/index.ts";
import { compile, compileBool } from "../symbolic/compile.ts";
import type { Progress } from "../symbolic/symbolic-state.ts";
import { scalar } from "../symbolic/symbolic-value.ts";
import type { Candidate } from "./invariant-candidates.ts";

export function statedInvariants(progress: Progress, command: LoopCommand): readonly Candidate[] {
  return requiredFirst(command).map(({ required, lets }, i) => ({
    id: `stated ${i}`,
    at: ({ index, carried }, { outside }) => {
      const { terms } = progress;
      const scene = { ...progress.at.scene, names: new Map(outside), command: undefined };
      command.carry.forEach(({ name }, j) => {
        const value = carried[j];
        if (value !== undefined) scene.names.set(name, value);
      });
      if (command.index !== undefined) scene.names.set(command.index, scalar(index));
      for (const { name, value } of lets) scene.names.set(name, compile(value, scene));
      const { when, condition } = required;
      const holds = compileBool(condition, scene);
      return when === undefined ? holds : terms.implies(compileBool(when, scene), holds);
    },
  }));
}

interface Required {
  readonly required: RequireCommand;
  /** The names that it may read, in order. */
  readonly lets: readonly LetCommand[];
}

/** Conditions on what the loop carries alone, before the first call and the first loop in it. */
export function requiredFirst(loop: LoopCommand): readonly Required[] {
  const { body } = loop;
  const found: Required[] = [];
  const lets: LetCommand[] = [];
  const ofElement = new Set(loop.kind === "for" ? [loop.var] : []);
  const isOfElement = (names: ReadonlySet<string>) => [...names].some((name) => ofElement.has(name));
  for (const command of body) {
    if (command.kind === "let") {
      if (isOfElement(variablesOf(command.value))) ofElement.add(command.name);
      else lets.push(command);
    } else if (command.kind === "require") {
      const { condition, when } = command;
      const names = [condition, ...(when === undefined ? [] : [when])].flatMap((part) => [
        ...variablesOf(part),
      ]);
      if (!isOfElement(new Set(names))) found.push({ required: command, lets: [...lets] });
    } else return found;
  }
  return found;
}

/** LIMIT: of conditions from before a loop that its calls depend on. */
const mostGuards = 2;

/** Conditions that are the same in every iteration and decide whether calls in it are made. */
export function outerGuards(loop: LoopCommand): readonly Expr[] {
  const { body, carry, index } = loop;
  const element = loop.kind === "for" ? [loop.var] : [];
  const inner = new Set([
    ...element,
    ...(index === undefined ? [] : [index]),
    ...carry.map(({ name }) => name),
  ]);
  const found = new Map<string, Expr>();
  for (const command of body) {
    for (const name of namesLeftBy(command)) inner.add(name);
    if (command.kind !== "call" || command.when === undefined) continue;
    for (const part of conjuncts(command.when)) {
      const names = [...variablesOf(part)];
      if (names.length > 0 && !names.some((name) => inner.has(name))) found.set(printExpr(part), part);
    }
  }
  return [...found.values()].slice(0, mostGuards);
}

/** Splits an expression into conjuncts, through double negations. */
function conjuncts(expr: Expr): readonly Expr[] {
  if (expr.kind !== "op") return [expr];
  return expr.op === "and" || expr.op === "not" ? expr.args.flatMap(conjuncts) : [expr];
}
