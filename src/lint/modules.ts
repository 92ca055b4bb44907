/** Lints the contracts, tools and coverage policies of tool modules. Reports only what is proved. */

import {
  allOf,
  anyOf,
  decided,
  implies,
  inlined,
  negated,
  no,
  normal,
  openNames,
  type RelateOptions,
  readsState,
} from "../compare/index.ts";
import type { Expr, Field, Fluent, Tool } from "../ir/index.ts";
import { beginningsIn } from "./beginnings.ts";
import type { Finding, Linted, Subject } from "./codes.ts";

export interface LintedModules {
  readonly tools: readonly Tool[];
  readonly fluents: readonly Fluent[];
  readonly contracts: readonly OpenContract[];
  readonly coverage: readonly ListedPolicy[];
}

/** Its formula speaks of its parameters by name. */
export interface OpenContract {
  readonly name: string;
  readonly params: readonly Field[];
  readonly formula: Expr;
}

export interface ListedPolicy {
  readonly name: string;
  readonly whenUsed: readonly string[];
  readonly required: readonly { readonly contract: string; readonly args?: readonly Expr[] }[];
}

/** @param wanted whether something is to be said of what has this name */
export async function lintModules(
  modules: LintedModules,
  wanted: (name: string) => boolean,
  options: RelateOptions,
): Promise<Linted> {
  const lint = new ModuleLint(modules, options);
  for (const tool of modules.tools) if (wanted(tool.name)) await lint.tool(tool);
  for (const contract of modules.contracts) if (wanted(contract.name)) await lint.contract(contract);
  for (const policy of modules.coverage) if (wanted(policy.name)) await lint.coverage(policy);
  return lint;
}

class ModuleLint implements Linted {
  readonly findings: Finding[] = [];
  readonly undecided: { readonly about: Subject; readonly message: string }[] = [];
  readonly #modules: LintedModules;
  readonly #options: RelateOptions;

  constructor(modules: LintedModules, options: RelateOptions) {
    this.#modules = modules;
    this.#options = options;
  }

  async tool(tool: Tool): Promise<void> {
    const about: Subject = { kind: "tool", name: tool.name };
    if (tool.requires.length > 0 || tool.cost !== undefined) {
      const over = { var: "call", in: { kind: "calls", tool: tool.name } } as const;
      const goal: Expr = { kind: "quantifier", quantifier: "forall", over, body: no };
      const answer = await implies({ given: [], goal }, this.#modules, this.#options);
      const asked = `whether \`${tool.name}\` can be called`;
      if (answer.kind === "unknown") this.undecided.push({ about, message: `${asked}: ${answer.why}` });
      if (answer.kind === "yes") {
        const message = `\`${tool.name}\` can never be called: nothing satisfies its \`requires\``;
        this.findings.push({
          code: "FC5211",
          about,
          message,
          help: "correct its `requires`, or remove the tool",
        });
        return;
      }
    }
    await this.#answers(tool, about);
    this.#beginnings(tool.requires, about, tool.name);
  }

  /** Checks that some arguments have a result that satisfies `ensures`. */
  async #answers({ name, params, result, requires, ensures }: Tool, about: Subject): Promise<void> {
    if (result === undefined || ensures.length === 0) return;
    const inputs: Field[] = [...params, { name: "result", type: result }];
    const needed = requires.filter((one) => !readsState(one));
    const formula = negated(allOf([...needed, ...ensures]));
    const verdict = await decided([], [], { inputs, body: [] }, formula, this.#options);
    if (verdict.kind === "unknown")
      this.undecided.push({ about, message: `whether \`${name}\` can return: ${verdict.why}` });
    if (verdict.kind !== "proved") return;
    const message = `\`${name}\` can never return: no result satisfies its \`ensures\``;
    this.findings.push({
      code: "FC5212",
      about,
      message,
      help: "correct its `ensures`; now every call fails",
    });
  }

  async contract({ name, params, formula }: OpenContract): Promise<void> {
    const about = { kind: "contract", name } as const;
    const own = inlined(formula);
    const read = openNames(own);
    for (const param of params.filter((one) => !read.has(one.name))) this.#ignores(param, about, name);
    this.#beginnings([formula], about, name);
    // A contract that is written as `true` says on purpose that nothing is promised.
    if (own.kind === "bool" && own.value) return;
    const always = await implies({ given: [], goal: formula, params }, this.#modules, this.#options);
    if (always.kind === "yes") {
      const message = `\`${name}\` holds on every trace, so it guarantees nothing`;
      const help = "correct the contract; to guarantee nothing on purpose, write `contract(() => true)`";
      this.findings.push({ code: "FC5201", about, message, help });
      return;
    }
    const never = await implies({ given: [formula], goal: no, params }, this.#modules, this.#options);
    if (never.kind === "yes") {
      const message = `\`${name}\` holds on no trace, so no program can keep it`;
      this.findings.push({ code: "FC5202", about, message, help: "correct the contract, or remove it" });
      return;
    }
    for (const param of params.filter((one) => read.has(one.name)))
      await this.#matters(param, about, own, params);
    for (const [answer, what] of [
      [always, "holds on every trace"],
      [never, "holds on no trace"],
    ] as const)
      if (answer.kind === "unknown")
        this.undecided.push({ about, message: `whether \`${name}\` ${what}: ${answer.why}` });
  }

  #ignores(param: Field, about: Subject, name: string): void {
    const message = `\`${name}\` does not depend on \`${param.name}\``;
    this.findings.push({ code: "FC5203", about, message, help: "use the parameter, or remove it" });
  }

  /** A parameter that is read may still not matter: then the contract with one value of it implies that with any other. */
  async #matters(
    param: Field,
    about: Extract<Subject, { readonly kind: "contract" | "tool" | "coverage" }>,
    formula: Expr,
    params: readonly Field[],
  ): Promise<void> {
    const another: Field = { ...param, name: `another_${param.name}` };
    if (params.some(({ name }) => name === another.name)) return;
    const goal = normal(formula, new Map([[param.name, { kind: "var", name: another.name }]]));
    const question = { given: [formula], goal, params: [...params, another] };
    const answer = await implies(question, this.#modules, this.#options);
    if (answer.kind === "yes") this.#ignores(param, about, about.name);
    if (answer.kind !== "unknown") return;
    const message = `whether \`${param.name}\` matters to \`${about.name}\`: ${answer.why}`;
    this.undecided.push({ about, message });
  }

  async coverage({ name, whenUsed, required }: ListedPolicy): Promise<void> {
    const about: Subject = { kind: "coverage", name };
    const formulas = required.flatMap((one) => this.#closed(one) ?? []);
    if (formulas.length === 0) return;
    const used = anyOf(
      whenUsed.map((tool): Expr => {
        const over = { var: "call", in: { kind: "calls", tool } } as const;
        return { kind: "quantifier", quantifier: "exists", over, body: { kind: "bool", value: true } };
      }),
    );
    const answer = await implies({ given: [...formulas, used], goal: no }, this.#modules, this.#options);
    if (answer.kind === "unknown")
      this.undecided.push({ about, message: `whether \`${name}\` can be met: ${answer.why}` });
    if (answer.kind !== "yes") return;
    const tools = whenUsed.map((tool) => `\`${tool}\``).join(" or ");
    const message = `no trace with a call of ${tools} keeps what \`${name}\` requires`;
    const help = "correct the contracts that it requires, or require fewer of them";
    this.findings.push({ code: "FC5221", about, message, help });
  }

  /** The formula of a contract with its arguments. */
  #closed({ contract, args = [] }: ListedPolicy["required"][number]): Expr | undefined {
    const found = this.#modules.contracts.find(({ name }) => name === contract);
    if (found === undefined) return undefined;
    const values = found.params.map(({ name, optional }, i): readonly [string, Expr] => {
      const given = args[i];
      if (given === undefined) return [name, { kind: "none" }];
      return [name, optional ? { kind: "op", op: "some", args: [given] } : given];
    });
    return normal(inlined(found.formula), new Map(values));
  }

  #beginnings(exprs: readonly Expr[], about: Subject, name: string): void {
    for (const { field, kind } of beginningsIn(exprs)) {
      const [better, what] =
        kind === "path"
          ? ["pathInside", "`/a` and `/a/../b`"]
          : ["urlInside", "`https://a.org` and `https://a.org.evil.net`"];
      const message = `\`${name}\` tests only the prefix of \`${field}\`, and ${what} have the same prefix`;
      const help = `compare it with \`${better}\`, which normalizes first`;
      this.findings.push({ code: "FC5204", about, message, help });
    }
  }
}
