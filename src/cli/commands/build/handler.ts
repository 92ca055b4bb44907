/** `build`: the tool modules of a folder as one file, to prove with where the modules themselves are not. */
import { buildLayer as build, count } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import { paintOf, writeJson } from "../../failure.ts";
import type { Host } from "../../host.ts";
import type { JsonOption } from "../../options.ts";

export interface BuildCommandOptions extends JsonOption {
  readonly output: string;
}

export async function buildLayer(
  host: Host,
  folder: string,
  { output, json }: BuildCommandOptions,
): Promise<Ended> {
  const built = await build(host, folder, output);
  if (!built.ok) return built;
  const { hash, tools, fluents, contracts } = built.value;
  const counts = [count(tools, "tool"), count(fluents, "fluent"), count(contracts, "contract")].join(", ");
  if (json) await writeJson(host.stdout, { ok: true, file: output, ...built.value });
  else
    await host.stdout.write(
      `${paintOf(host.stdout).green("built")}  ${hash}  ${counts}\nwrote ${visibleText(output)}, with the text of the modules\n`,
    );
  return fine;
}
