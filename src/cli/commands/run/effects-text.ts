/** Every call that any run of a program can make, in English, for people who are asked at the terminal. */

import { type LoadedProgram, listed, SourceMap } from "../../../app/index.ts";
import { costQuestion, type MayTell, mayDo, visibleText } from "../../../explain/index.ts";
import { type Command, commandsIn, isBuiltin, printName, type RecordValue } from "../../../ir/index.ts";
import type { Proof } from "../../../prove/index.ts";
import { wrap } from "../../text/width.ts";

/** Renders lines without their ends. */
export function mayDoLines(
  document: LoadedProgram,
  proof: Proof,
  inputs: RecordValue,
  width: number,
): string[] {
  const places = new SourceMap(document);
  const lineOf = (path: Parameters<SourceMap["at"]>[0]) => {
    const place = places.at(path);
    // A line of a tool module would be taken for one of the program.
    return place !== undefined && places.isOwn(place) ? place.from.line : undefined;
  };
  const { calls, told = [], answers } = mayDo(document.checked, proof, lineOf, inputs);
  if (calls.length + told.length === 0) return ["  nothing"];
  const ids = idsIn(document.checked.document.program.body);
  const indent = ids.reduce((most, id) => Math.max(most, id.length), 0) + 4;
  const below = (text: string) =>
    wrap(visibleText(text), Math.max(20, width - indent - 2)).map(
      (line, i) => " ".repeat(i === 0 ? indent : indent + 2) + line,
    );
  const conditions = ({ when, each }: Pick<MayTell, "when" | "each">) => [
    ...(when === null ? [] : below(/^(?:never|depending on)\b/.test(when) ? when : `when ${when}`)),
    ...(each === null ? [] : below(`for ${each}`)),
  ];
  const said = told.flatMap(({ kind, value, line, ...where }) => {
    const words = `it ${kind === "answer" ? "returns" : "notes"} ${value}${line ? `, line ${line}` : ""}`;
    return [
      ...below(words).map((text, i) => (i === 0 ? `  ${text.trimStart()}` : text)),
      ...conditions(where),
    ];
  });
  const made = calls.flatMap(({ tool, args, beside = [], reads, line, ...where }, i) => {
    const about = [
      printName(tool),
      ...(reads ? ["which only reads"] : []),
      ...(line ? [`line ${line}`] : []),
    ];
    return [
      `  ${visibleText(ids[i] ?? "").padEnd(indent - 4)}  ${visibleText(about.join(", "))}`,
      ...args.flatMap(({ name, value }) => below(`${printName(name)}: ${value}`)),
      ...conditions(where),
      ...(beside.length === 0
        ? []
        : below(`at the same time as ${listed(beside.map((one) => ids[one - 1] ?? ""))}`)),
    ];
  });
  const [most] = answers.find(({ question }) => question === costQuestion)?.answer ?? [];
  const cost = most?.startsWith("at most ") ? [`  cost: ${visibleText(most)}`] : [];
  return [...made, ...said, ...cost];
}

/** Returns the ids of the calls, in the order of the program. */
function idsIn(commands: readonly Command[]): string[] {
  return [...commandsIn(commands)].flatMap((command) =>
    command.kind === "call" && !isBuiltin(command.tool) ? [command.id] : [],
  );
}
