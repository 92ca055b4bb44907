/** Alpha-equivalence of programs: equal up to the names of their own variables. */
import { isDeepStrictEqual } from "node:util";
import {
  type Carry,
  type Command,
  commandsIn,
  type Expr,
  isLoop,
  namesLeftBy,
  type Program,
} from "../ir/index.ts";
import { normal, ours } from "./names.ts";

export function isSameProgram(first: Program, second: Program): boolean {
  return isDeepStrictEqual(normalProgram(first), normalProgram(second));
}

/**
 * Returns the program with numbered names in place of those that it binds, in their order.
 * SOUNDNESS: in a checked document no name hides another, so a name stands for one thing. Names of inputs stay, and no
 * numbered name begins as one of them does.
 */
function normalProgram({ inputs, body }: Program): Program {
  let prefix = ours;
  while (inputs.some(({ name }) => name.startsWith(prefix))) prefix = `${prefix}_`;
  const names = new Map<string, Expr>();
  for (const command of commandsIn(body))
    for (const name of namesBoundBy(command))
      if (!names.has(name)) names.set(name, { kind: "var", name: `${prefix}c${names.size}` });
  return { inputs, body: new Renaming(names, prefix).body(body) };
}

function namesBoundBy(command: Command): readonly string[] {
  // The commands in branches come later, with the names that they leave.
  if (command.kind === "parallel") return [];
  const own = isLoop(command) ? [command.kind === "for" ? command.var : undefined, command.index] : [];
  return [...own.filter((name) => name !== undefined), ...namesLeftBy(command)];
}

class Renaming {
  readonly #names: ReadonlyMap<string, Expr>;
  readonly #prefix: string;

  constructor(names: ReadonlyMap<string, Expr>, prefix: string) {
    this.#names = names;
    this.#prefix = prefix;
  }

  readonly body = (commands: readonly Command[]): readonly Command[] => commands.map(this.#command);

  readonly #command = (command: Command): Command => {
    switch (command.kind) {
      case "let":
        return { ...command, name: this.#name(command.name), value: this.#expr(command.value) };
      case "call":
        return {
          ...command,
          args: command.args.map((one) => ({ ...one, value: this.#expr(one.value) })),
          ...this.#guard(command),
          ...(command.bind !== undefined && { bind: this.#name(command.bind) }),
          ...(command.catch !== undefined && { catch: this.#name(command.catch) }),
          ...(command.reason !== undefined && { reason: this.#name(command.reason) }),
        };
      case "for":
        return {
          ...command,
          ...this.#loop(command),
          var: this.#name(command.var),
          list: this.#expr(command.list),
        };
      case "while":
        return { ...command, ...this.#loop(command), condition: this.#expr(command.condition) };
      case "parallel":
        return { ...command, branches: command.branches.map(this.body) };
      case "require":
        return { ...command, condition: this.#expr(command.condition), ...this.#guard(command) };
    }
  };

  #loop({
    index,
    carry,
    body,
  }: {
    readonly index?: string;
    readonly carry: readonly Carry[];
    readonly body: readonly Command[];
  }) {
    return {
      ...(index !== undefined && { index: this.#name(index) }),
      carry: carry.map((one) => ({
        ...one,
        name: this.#name(one.name),
        init: this.#expr(one.init),
        next: this.#expr(one.next),
      })),
      body: this.body(body),
    };
  }

  #guard({ when }: { readonly when?: Expr }) {
    return when === undefined ? {} : { when: this.#expr(when) };
  }

  /** Names that an expression binds itself become their depth. */
  #expr(expr: Expr): Expr {
    return normal(expr, this.#names, this.#prefix);
  }

  #name(name: string): string {
    const found = this.#names.get(name);
    return found?.kind === "var" ? found.name : name;
  }
}
