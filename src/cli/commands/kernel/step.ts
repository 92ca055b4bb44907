/** `kernel exec` and `kernel eval`: a verdict for each action, in order and as they come. */
import {
  type AttestorFiles,
  grouped,
  judgedJson,
  type KernelChoice,
  stepKernel,
} from "../../../app/index.ts";
import type { Ended } from "../../command-spec.ts";
import { badInput, fine, notSo } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { judgedText } from "./render.ts";

export const executeActions = stepsOf("execute");
export const evaluateActions = stepsOf("evaluate");

function stepsOf(what: "execute" | "evaluate") {
  return async (
    host: Host,
    ledger: string,
    path = "-",
    options: KernelChoice & AttestorFiles,
  ): Promise<Ended> => {
    const { stdout } = host;
    if (path === "-" && host.isTyped)
      await host.stderr.write("reading actions from the terminal, one on each line; end with Ctrl-D\n");
    const done = await stepKernel(host, ledger, path, options, what, (name, judged) => {
      const place = what === "execute" ? `entry ${judged.seq}, version ${judged.version}` : "not executed";
      return stdout.write(options.json ? judgedJson(judged) : judgedText(name, judged, place, stdout));
    });
    if (!done.ok) return done;
    const { allowed, refused, unreadable } = done.value;
    if (!options.json && allowed + refused > 1)
      await stdout.write(`\n${grouped(allowed)} allowed, ${grouped(refused)} refused\n`);
    return unreadable > 0 ? badInput : refused > 0 ? notSo : fine;
  };
}
