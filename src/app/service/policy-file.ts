/**
 * The policy of the service: a file that is looked at again and again, and that rules are added to.
 * SOUNDNESS: a change of the file has a purpose. While it cannot be read as it is, no rule decides, also none of
 * those that were there before, and people are asked.
 */
import { rename, stat, writeFile } from "node:fs/promises";
import type { Log, PolicyKeeper, PolicyView, RuleView } from "../../approve/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { compileClauses, type LoadedPolicy, loadPolicy } from "../decide/load-policy.ts";
import type { Failure } from "../failure.ts";
import type { SourceFiles } from "../files/port.ts";
import { readSource, type Source } from "../files/source.ts";
import { closedFiles, type ToolFiles } from "./tool-files.ts";

export interface PolicyFileOptions {
  readonly fs: SourceFiles;
  readonly path: string;
  readonly tools: ToolFiles;
  readonly log: Log;
  /** Hears the policy that is in force from now on; null for no rule at all. */
  readonly changed: (policy: Source | null) => void;
}

/** The interval between two looks at the file. */
const lookMs = 500;

export class PolicyFile implements PolicyKeeper {
  readonly #options: PolicyFileOptions;
  readonly #timer: NodeJS.Timeout;
  #text: string;
  #rules: readonly RuleView[] = [];
  #problem: string | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #stamp = "";
  #reviewers = 1;

  /** Fails if something is wrong with the file at the start. */
  static async open(
    options: PolicyFileOptions,
  ): Promise<Result<{ file: PolicyFile; policy: Source }, Failure>> {
    const { fs, path } = options;
    const stamp = await stampOf(path);
    const source = await readSource(fs, path);
    if (!source.ok) return source;
    const loaded = await loadedFrom(options, source.value);
    if (!loaded.ok) return loaded;
    const policy = { file: loaded.value.file, text: loaded.value.text };
    return ok({ file: new PolicyFile(options, loaded.value, stamp), policy });
  }

  private constructor(options: PolicyFileOptions, loaded: LoadedPolicy, stamp: string) {
    this.#options = options;
    this.#text = loaded.text;
    this.#rules = rulesOf(loaded);
    this.#reviewers = loaded.policy.reviewers ?? 1;
    this.#stamp = stamp;
    this.#timer = setInterval(() => this.#inTurn(() => this.#look()), lookMs);
  }

  readonly view = (): PolicyView => ({
    rules: this.#rules,
    problem: this.#problem ?? null,
    isKept: true,
    reviewers: this.#reviewers,
  });

  /** SOUNDNESS: a file that cannot be read lets nobody decide with fewer people than before. */
  readonly reviewers = (): number => this.#reviewers;

  readonly add = (rule: string): Promise<string | undefined> =>
    this.#inTurn(async () => {
      await this.#look();
      if (this.#problem !== undefined) return `the policy cannot be read as it is: ${this.#problem}`;
      const { path } = this.#options;
      const text = withRule(this.#text, rule);
      const loaded = await loadedFrom(this.#options, { file: path, text });
      if (!loaded.ok) return loaded.problems[0]?.message ?? "it does not fit";
      // A reader of the file sees the old or the new, never a part.
      const aside = `${path}.${process.pid}.new`;
      await writeFile(aside, text, { mode: (await stat(path)).mode });
      await rename(aside, path);
      await this.#look();
      return undefined;
    });

  close(): Promise<unknown> {
    clearInterval(this.#timer);
    return this.#last;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.log("error", "policy", { why });
    });
    return done;
  }

  async #look(): Promise<void> {
    const { fs, path } = this.#options;
    const stamp = await stampOf(path);
    if (stamp === this.#stamp && this.#problem === undefined) return;
    const source = await readSource(fs, path);
    this.#stamp = stamp;
    if (source.ok && source.value.text === this.#text && this.#problem === undefined) return;
    const loaded = source.ok ? await loadedFrom(this.#options, source.value) : source;
    if (loaded.ok) this.#take(loaded.value);
    else this.#refuse(loaded.problems[0]?.message ?? "it cannot be read");
  }

  #take(loaded: LoadedPolicy): void {
    this.#text = loaded.text;
    this.#rules = rulesOf(loaded);
    this.#reviewers = loaded.policy.reviewers ?? 1;
    this.#problem = undefined;
    this.#options.log("info", "policy", { rules: this.#rules.length });
    this.#options.changed({ file: loaded.file, text: loaded.text });
  }

  #refuse(problem: string): void {
    if (this.#problem === problem) return;
    const isNew = this.#problem === undefined;
    this.#problem = problem;
    this.#rules = [];
    this.#options.log("error", "policy", { why: problem });
    if (isNew) this.#options.changed(null);
  }
}

async function stampOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? "" : `${found.mtimeMs} ${found.size} ${found.ino}`;
}

async function loadedFrom(
  { tools }: PolicyFileOptions,
  { file, text }: Source,
): Promise<Result<LoadedPolicy, Failure>> {
  const closed = closedFiles(tools, new Map([[file, text]]));
  const loaded = await loadPolicy(closed, file);
  if (!loaded.ok) return loaded;
  const clauses = await compileClauses(closed, loaded.value, tools.folder, tools.named ?? undefined);
  return clauses.ok ? loaded : clauses;
}

function rulesOf({ policy }: LoadedPolicy): readonly RuleView[] {
  return policy.rules.map(({ name, decision, when, clauses, limits, tools, stops, reason }) => ({
    name,
    decision,
    [when]: clauses,
    ...(limits.length > 0 && { limits }),
    ...(tools && { tools }),
    ...(stops && { stops }),
    reason,
  }));
}

/** At the end of its rules. */
function withRule(text: string, rule: string): string {
  // SAFETY: the policy was read as one, strictly.
  const { rules, ...rest } = JSON.parse(text) as { rules: readonly unknown[] };
  return `${JSON.stringify({ ...rest, rules: [...rules, JSON.parse(rule)] }, null, 2)}\n`;
}
