/** Programs of the harness through the front end and the prover, with the tool modules of examples/agentdojo. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compileProgram } from "../../src/frontend/index.ts";
import { check } from "../../src/ir/index.ts";
import type { Solver } from "../../src/prove/decide/solver/port.ts";
import { prove } from "../../src/prove/prove.ts";
import type { SuiteName } from "./facts.ts";
import type { Level } from "./policies.ts";

export interface Found {
  /** Without a guarantee or obligation that is not proved. */
  readonly isProved: boolean;
  /** Names of the guarantees that a run breaks. */
  readonly refuted: readonly string[];
  /** Goals that are neither proved nor refuted, and obligations that the program does not meet. */
  readonly open: readonly string[];
}

/** LIMIT: many times what any of these programs needs. */
const limits = { timeoutMs: 20_000, resources: 20_000_000 };

export class Workbench {
  readonly #folder: string;
  readonly #solver: Solver;
  readonly #files = new Map<string, string | undefined>();
  readonly #before = new Map<string, Promise<Found>>();

  readonly #change: (text: string) => string;

  /**
   * @param root of the repository
   * @param change what the tool modules would be with another text
   */
  constructor(root: string, solver: Solver, change: (text: string) => string = (text) => text) {
    this.#folder = join(root, "examples/agentdojo");
    this.#solver = solver;
    this.#change = change;
  }

  /** Number of proofs: of different programs, at different levels, for different requests. */
  get proofs(): number {
    return this.#before.size;
  }

  /**
   * Proves the program under these policies; one that was proved before is not proved again.
   * @param request text of the module that fixes it
   */
  find(suite: SuiteName, text: string, levels: readonly Level[], request?: string): Promise<Found> {
    const needed = levels.includes("request") ? request : undefined;
    const key = JSON.stringify([suite, text, levels, needed]);
    const before = this.#before.get(key) ?? this.#prove(suite, text, levels, needed);
    this.#before.set(key, before);
    return before;
  }

  async #prove(
    suite: SuiteName,
    text: string,
    levels: readonly Level[],
    request: string | undefined,
  ): Promise<Found> {
    const at = (path: string) => join(this.#folder, path);
    const entry = at("program.ts");
    const requested = at("request/request.ts");
    const policies = [
      ...(levels.includes("strict") ? [at(`strict/strict-${suite}.ts`)] : []),
      ...(request === undefined ? [] : [requested]),
    ];
    const compiled = compileProgram(entry, {
      readFile: (path) => {
        if (path === entry) return text;
        if (path === requested) return request;
        return this.#read(path);
      },
      tools: [at("tools"), at("strict"), at("request")],
      toolModules: () => policies,
    });
    if (!compiled.ok)
      return {
        isProved: false,
        refuted: [],
        open: compiled.problems.map(({ code, message, file }) => `${code} ${message} (${file})`),
      };
    const checked = check(compiled.value.document);
    if (!checked.ok) throw new TypeError("a compiled document does not check");
    const { guarantees, obligations } = await prove(checked.value, {
      solver: async () => this.#solver,
      limits,
    });
    const refuted = guarantees.filter(({ verdict }) => verdict.kind === "refuted");
    const open = [
      ...guarantees.flatMap(({ guarantee: { name }, verdict }) =>
        verdict.kind === "unknown" ? [`${name}: ${verdict.why}`] : [],
      ),
      ...obligations.flatMap(({ obligation: { kind }, verdict }) =>
        verdict.kind === "proved" ? [] : [`${kind}: ${verdict.why}`],
      ),
    ];
    return {
      isProved: refuted.length === 0 && open.length === 0,
      refuted: refuted.map(({ guarantee: { name } }) => name),
      open,
    };
  }

  #read(path: string): string | undefined {
    if (!this.#files.has(path)) {
      const text = textAt(path);
      this.#files.set(path, text && this.#change(text));
    }
    return this.#files.get(path);
  }
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
