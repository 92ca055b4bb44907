/** Context of the checker: declarations, visible names, problems so far. Part of what must be trusted. */

import { type Code, type Diagnostic, Trail } from "../diagnostic.ts";
import type { Expr, Fluent, Tool } from "../document.ts";
import type { Limits } from "../limits.ts";
import { isSubtype, type Type } from "../type.ts";
import { closest } from "./closest.ts";
import type { Binding, Scope } from "./scope.ts";

/** LIMIT: a document that is wrong everywhere need not be told so more often than this. */
const maxProblems = 100;

/** LIMIT: a suggestion is a courtesy; it must not cost more than the check itself. */
const maxCandidates = 1000;

function first(names: Iterable<string>, most: number): string[] {
  const found: string[] = [];
  for (const name of names) {
    if (found.length === most) break;
    found.push(name);
  }
  return found;
}

/** The inputs of an expression besides its names. */
export type View =
  /** Nothing: program expressions, `ensures`, `cost`. */
  | "values"
  /** The state before the call: `requires` and `sets`. */
  | "state"
  /** The whole trace: a guarantee. */
  | "trace"
  /** One state of the run: below `always`. */
  | "always";

export class Context {
  readonly tools = new Map<string, Tool>();
  readonly fluents = new Map<string, Fluent>();
  readonly labels = new Map<string, Tool[]>();
  readonly inputs = new Set<string>();
  readonly types = new Map<Expr, Type>();
  readonly problems: Diagnostic[] = [];
  readonly limits: Limits;
  #nodes = 0;
  #depth = 0;

  constructor(limits: Limits) {
    this.limits = limits;
  }

  problem(code: Code, trail: Trail, message: string, help?: string): void {
    if (this.problems.length >= maxProblems) return;
    const path = trail.path();
    this.problems.push(help === undefined ? { code, message, path } : { code, message, path, help });
  }

  /** Runs `body` one level deeper, unless that is too deep or the document too big. */
  node<T>(trail: Trail, body: () => T): T | undefined {
    this.#nodes++;
    if (this.#nodes > this.limits.nodes) {
      if (this.#nodes === this.limits.nodes + 1) {
        this.problem("FC1403", Trail.root, `the document has more than ${this.limits.nodes} nodes`);
      }
      return undefined;
    }
    if (this.#depth >= this.limits.depth) {
      this.problem(
        "FC1402",
        trail,
        `this is nested more than ${this.limits.depth} levels deep`,
        "name parts of it with `let`",
      );
      return undefined;
    }
    this.#depth++;
    try {
      return body();
    } finally {
      this.#depth--;
    }
  }

  declare(scope: Scope, name: string, binding: Binding, trail: Trail): void {
    this.name(name, trail);
    if (scope.declare(name, binding)) return;
    this.problem(
      "FC1202",
      trail,
      `the name \`${name}\` is already taken here`,
      "choose another name; names never hide one another",
    );
  }

  /** Reports a name that is computed at the same time. */
  readable(scope: Scope, name: string, trail: Trail): void {
    const closed = scope.closed(name);
    if (closed === "branch") {
      const message = `\`${name}\` is computed by another branch, which runs at the same time`;
      this.problem("FC1223", trail, message, "read it after the `parallel` command, or in its own branch");
    } else if (closed === "carry") {
      const message = `\`${name}\` is carried by a loop whose iterations run at the same time`;
      this.problem("FC1223", trail, message, "read it in `next` or after the loop, or leave `parallel` out");
    }
  }

  /** A name that is not empty and not too long. */
  name(name: string, trail: Trail): void {
    if (name === "") this.problem("FC1214", trail, "a name is empty");
    if (name.length > this.limits.nameLength) {
      this.problem("FC1408", trail, `a name has more than ${this.limits.nameLength} code units`);
    }
  }

  /** A dotted name without empty parts. */
  dottedName(name: string, trail: Trail): void {
    this.name(name, trail);
    if (name !== "" && name.split(".").includes("")) {
      this.problem("FC1214", trail, `the name \`${name}\` has an empty part`, "write `module.name`");
    }
  }

  /** Says what was meant, if a known name is near; otherwise `help`, or the names there are if they are few. */
  unknown(
    code: Code,
    what: string,
    name: string,
    known: Iterable<string>,
    trail: Trail,
    help?: string,
  ): void {
    if (this.problems.length >= maxProblems) return;
    const candidates = first(known, maxCandidates);
    const near = closest(name, candidates);
    const few = candidates.length > 0 && candidates.length <= 8;
    const there = few ? `there is ${candidates.map((one) => `\`${one}\``).join(", ")}` : undefined;
    const advice = help ?? (near === undefined ? there : `did you mean \`${near}\`?`);
    this.problem(code, trail, `there is no ${what} \`${name}\` here`, advice);
  }

  tool(name: string, trail: Trail): Tool | undefined {
    const tool = this.tools.get(name);
    if (tool === undefined) this.unknown("FC1203", "tool", name, this.tools.keys(), trail);
    return tool;
  }

  fluent(name: string, trail: Trail): Fluent | undefined {
    const fluent = this.fluents.get(name);
    if (fluent === undefined) this.unknown("FC1204", "fluent", name, this.fluents.keys(), trail);
    return fluent;
  }

  label(name: string, trail: Trail): readonly Tool[] | undefined {
    const tools = this.labels.get(name);
    if (tools === undefined) this.unknown("FC1205", "tool with the label", name, this.labels.keys(), trail);
    return tools;
  }

  /** Remembers the type of an expression; one that is shared between two places must have one type. */
  typed(expr: Expr, type: Type, trail: Trail): Type {
    const before = this.types.get(expr);
    if (before === undefined) this.types.set(expr, type);
    else if (!(isSubtype(before, type) && isSubtype(type, before))) {
      this.problem(
        "FC1316",
        trail,
        "one expression object is used in two places with different types",
        "build it twice",
      );
    }
    return type;
  }
}
