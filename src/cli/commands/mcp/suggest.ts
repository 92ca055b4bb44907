/** `mcp suggest`: from observed sessions to standing guarantees that a person accepts line by line. */
import { join } from "node:path";
import { type Failure, plainFailure } from "../../../app/index.ts";
import { type Suggestion, sessionCalls, suggest } from "../../../guard/index.ts";
import { ok, type Result } from "../../../ir/index.ts";
import { acceptGuarantees, configuredSettings } from "../../../mcp/index.ts";
import { type ExitCode, fine } from "../../exit-code.ts";
import { reportFailure, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import { acceptedText, suggestionsText } from "./render.ts";

export interface SuggestCommandOptions {
  readonly folder: string;
  readonly tools?: readonly string[];
  readonly ledger?: string;
  readonly kernel?: string;
  readonly accept?: readonly string[];
  readonly json?: boolean;
}

export async function suggestCommand(
  host: Host,
  { folder, tools, ledger, kernel, accept = [], json = false }: SuggestCommandOptions,
): Promise<ExitCode> {
  const configured = configuredSettings(host, folder);
  if (!configured.ok) return reportFailure(host, configured, json);
  const address = ledger ?? configured.value.ledger;
  if (address === undefined) {
    const help = "name the ledger that `foreclaim mcp serve --observe --ledger` has kept with --ledger";
    return reportFailure(
      host,
      plainFailure("FC9001", "there is no ledger to read sessions from", help),
      json,
    );
  }
  const history = await sessionCalls(host, address, kernel ?? configured.value.kernel ?? "main");
  if (!history.ok) return reportFailure(host, history, json);
  const found = await suggest(history.value, { folder, ...(tools && { modules: tools }) });
  if (!found.ok) return reportFailure(host, found, json);
  const chosen = chosenFrom(found.value.suggestions, accept);
  if (!chosen.ok) return reportFailure(host, chosen, json);
  const accepted = chosen.value.map(({ stated }) => stated);
  const kept =
    accepted.length === 0 ? ok(undefined) : await acceptGuarantees(host, join(folder, "tools"), accepted);
  if (!kept.ok) return reportFailure(host, kept, json);
  if (json)
    await writeJson(host.stdout, {
      ...found.value,
      suggestions: found.value.suggestions.map((one) => ({ ...one })),
      accepted,
    });
  else
    await host.stdout.write(
      kept.value === undefined ? suggestionsText(found.value) : acceptedText(kept.value, accepted),
    );
  return fine;
}

/** By the numbers of the lines, from 1, or all. */
function chosenFrom(
  suggestions: readonly Suggestion[],
  accept: readonly string[],
): Result<readonly Suggestion[], Failure> {
  if (accept.includes("all")) return ok(suggestions);
  const chosen: Suggestion[] = [];
  for (const text of accept.flatMap((one) => one.split(","))) {
    const found = /^[1-9][0-9]*$/.test(text) ? suggestions[Number(text) - 1] : undefined;
    if (found === undefined)
      return plainFailure(
        "FC9001",
        `there is no suggestion \`${text}\``,
        `there are ${suggestions.length}: give numbers, or \`all\``,
      );
    chosen.push(found);
  }
  return ok(chosen);
}
