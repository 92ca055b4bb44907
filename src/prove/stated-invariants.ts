/**
 * What the program itself requires at the beginning of an iteration, before it does anything: tried as something that
 * is true of every iteration. It is shown like any guess, and what is required is still an obligation of its own.
 */
import { type ForCommand, type LetCommand, type RequireCommand, variablesOf } from "../ir/document.ts";
import { compile, compileBool } from "./compile.ts";
import type { Candidate } from "./invariants.ts";
import type { Progress } from "./progress.ts";
import { type Symbolic, scalar } from "./symbolic.ts";

export function statedInvariants(progress: Progress, command: ForCommand): readonly Candidate[] {
  const outside: ReadonlyMap<string, Symbolic> = new Map(progress.at.scene.names);
  return requiredFirst(command).map(({ required, lets }, i) => ({
    id: `stated ${i}`,
    at: ({ index, carried }) => {
      const { terms } = progress;
      const scene = { ...progress.at.scene, names: new Map(outside) };
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
function requiredFirst({ var: element, body }: ForCommand): readonly Required[] {
  const found: Required[] = [];
  const lets: LetCommand[] = [];
  const ofElement = new Set([element]);
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
