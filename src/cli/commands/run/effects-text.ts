/** Every call that any run of a program can make, in English, for people who are asked at the terminal. */

import { type LoadedProgram, listed, SourceMap } from "../../../app/index.ts";
import { mayDo, visibleText } from "../../../explain/index.ts";
import { type Command, commandsIn, printName } from "../../../ir/index.ts";
import type { Proof } from "../../../prove/index.ts";
import { wrap } from "../../text/width.ts";

/** Lines, without their ends. */
export function mayDoLines(document: LoadedProgram, proof: Proof, width: number): string[] {
  const places = new SourceMap(document);
  const lineOf = (path: Parameters<SourceMap["at"]>[0]) => {
    const place = places.at(path);
    // A line of a tool module would be taken for one of the program.
    return place !== undefined && places.isOwn(place) ? place.from.line : undefined;
  };
  const { calls } = mayDo(document.checked, proof, lineOf);
  if (calls.length === 0) return ["  nothing"];
  const ids = idsIn(document.checked.document.program.body);
  const indent = ids.reduce((most, id) => Math.max(most, id.length), 0) + 4;
  const below = (text: string) =>
    wrap(visibleText(text), Math.max(20, width - indent - 2)).map(
      (line, i) => " ".repeat(i === 0 ? indent : indent + 2) + line,
    );
  return calls.flatMap(({ tool, args, when, each, beside = [], reads, line }, i) => {
    const about = [
      printName(tool),
      ...(reads ? ["which only reads"] : []),
      ...(line ? [`line ${line}`] : []),
    ];
    return [
      `  ${visibleText(ids[i] ?? "").padEnd(indent - 4)}  ${visibleText(about.join(", "))}`,
      ...args.flatMap(({ name, value }) => below(`${printName(name)}: ${value}`)),
      ...(when === null ? [] : below(/^(?:never|depending on)\b/.test(when) ? when : `when ${when}`)),
      ...(each === null ? [] : below(`for ${each}`)),
      ...(beside.length === 0
        ? []
        : below(`at the same time as ${listed(beside.map((one) => ids[one - 1] ?? ""))}`)),
    ];
  });
}

/** In the order in which the calls are told. */
function idsIn(commands: readonly Command[]): string[] {
  return [...commandsIn(commands)].flatMap((command) => (command.kind === "call" ? [command.id] : []));
}
