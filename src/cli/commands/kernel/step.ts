/** `kernel exec` and `kernel eval`: actions in, a verdict for each out, in order and as they come. */

import {
  actionsIn,
  addressOf,
  type Failure,
  type Given,
  grouped,
  type KernelChoice,
  plainFailure,
  systemCode,
  systemWords,
  withKernel,
} from "../../../app/index.ts";
import { isJsonObject, ok, type Result } from "../../../ir/index.ts";
import { type Kernel, problem, type Status } from "../../../kernel/index.ts";
import { badInput, type ExitCode, fine, notSo } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { answered, type Judged, judgedJson, judgedText } from "./render.ts";

/** LIMIT: actions under way; they share transactions, and their answers wait for each other. */
const mostUnderWay = 256;

export async function stepKernel(
  host: Host,
  what: "execute" | "evaluate",
  ledger: string,
  path: string,
  options: KernelChoice,
): Promise<ExitCode> {
  const address = addressOf(ledger);
  if (!address.ok) return answered(host, address, options.json);
  if (path === "-" && host.isTyped) {
    await host.stderr.write("reading actions from the terminal, one on each line; end with Ctrl-D\n");
  }
  const done = await withKernel(host, address.value, options.kernel, async (kernel) => {
    const steps = new Steps(host, kernel, what, options.json === true);
    try {
      for await (const given of actionsIn(host, path)) {
        await steps.add(given);
        if (steps.hasFailed) break;
      }
    } catch (thrown) {
      await steps.end();
      return plainFailure(
        "FC9002",
        `cannot read \`${path}\`: ${systemWords(systemCode(thrown))}`,
        'an action is `{"id": "pay", "effects": [], "cost": "1.50"}`',
      );
    }
    return steps.end();
  });
  return answered(host, done, options.json);
}

class Steps {
  readonly #host: Host;
  readonly #kernel: Kernel;
  readonly #what: "execute" | "evaluate";
  readonly #json: boolean;
  readonly #counts = { allowed: 0, refused: 0, unreadable: 0 };
  #status: Status | undefined;
  #underWay = 0;
  #written: Promise<void> = Promise.resolve();
  #failure: { readonly thrown: unknown } | undefined;

  constructor(host: Host, kernel: Kernel, what: "execute" | "evaluate", json: boolean) {
    this.#host = host;
    this.#kernel = kernel;
    this.#what = what;
    this.#json = json;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  async add(given: Given): Promise<void> {
    const judged = this.#judged(given);
    // It is waited for in its turn; until then nobody must take its failure for one that nobody handles.
    judged.catch(() => undefined);
    this.#underWay++;
    this.#written = this.#written.then(() => this.#write(given, judged));
    if (this.#underWay >= mostUnderWay) await this.#written;
  }

  async end(): Promise<Result<ExitCode, Failure>> {
    await this.#written;
    if (this.#failure !== undefined) throw this.#failure.thrown;
    const { allowed, refused, unreadable } = this.#counts;
    const all = allowed + refused;
    if (all === 0) {
      return plainFailure(
        "FC9002",
        "there is no action in the input",
        'give one on each line: `{"id": "pay", "effects": [], "cost": "1.50"}`',
      );
    }
    if (!this.#json && all > 1) {
      await this.#host.stdout.write(`\n${grouped(allowed)} allowed, ${grouped(refused)} refused\n`);
    }
    return ok(unreadable > 0 ? badInput : refused > 0 ? notSo : fine);
  }

  async #judged(given: Given): Promise<Judged> {
    if (this.#what === "execute") {
      return given.kind === "action" ? this.#kernel.execute(given.action) : this.#kernel.refuse(given.why);
    }
    // Dry runs change nothing, so what is known at first stays true.
    this.#status ??= this.#kernel.status();
    const { seq, head: hash, version } = this.#status;
    if (given.kind === "action") return { ...this.#kernel.evaluate(given.action), seq, hash };
    return { verdict: "refused", reasons: [problem("said", { text: given.why })], version, seq, hash };
  }

  async #write(given: Given, judging: Promise<Judged>): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      const judged = await judging;
      this.#counts[judged.verdict]++;
      if (given.kind === "unreadable") this.#counts.unreadable++;
      const { stdout } = this.#host;
      const place =
        this.#what === "execute" ? `entry ${judged.seq}, version ${judged.version}` : "not executed";
      await stdout.write(this.#json ? judgedJson(judged) : judgedText(nameOf(given), judged, place, stdout));
    } catch (thrown) {
      this.#failure = { thrown };
    } finally {
      this.#underWay--;
    }
  }
}

/** What a person calls it. */
function nameOf(given: Given): string {
  if (given.kind === "unreadable" || !isJsonObject(given.action)) return "(no action)";
  const { id } = given.action;
  return typeof id === "string" ? id : "(no id)";
}
