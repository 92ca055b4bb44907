/** The origin and the readers of data, as statements about one value. */
import type { Expr, Source } from "../ir/index.ts";
import type { Relation } from "./relation.ts";
import { fieldWord, nameWord, type Scene, typeOf } from "./scene.ts";
import { operand } from "./term.ts";
import { atom, say, type Text } from "./text.ts";
import { quotedText } from "./visible.ts";

export function flow(left: Expr, from: Source, yes: boolean): Relation {
  const source = sourceWords(from);
  const verb = () => (yes ? say`may carry data from ${source}` : say`carries no data from ${source}`);
  return { left, adjective: () => say`that ${verb()}`, verb, loose: false };
}

export function influence(call: string, from: Source, yes: boolean): Relation {
  const source = sourceWords(from);
  const verb = () =>
    yes ? say`may be influenced by data from ${source}` : say`is not influenced by data from ${source}`;
  const noun = () => say`${yes ? "a possible" : "no"} influence of data from ${source}`;
  return {
    left: { kind: "var", name: call },
    adjective: () => say`that ${verb()}`,
    verb,
    noun,
    loose: false,
  };
}

export function reading(left: Expr, reader: Expr, yes: boolean, scene: Scene): Relation {
  const each = () => (typeOf(scene, reader)?.kind === "list" ? "each of " : "");
  const verb = () =>
    say`${yes ? "may be read by" : "is not known to be readable by"} ${each()}${operand(reader, scene)}`;
  return { left, adjective: () => say`that ${verb()}`, verb, loose: reader.kind !== "string" };
}

function sourceWords(from: Source): Text {
  switch (from.kind) {
    case "tool":
      return from.field === undefined
        ? nameWord(from.tool)
        : say`the field ${fieldWord([from.field])} of ${nameWord(from.tool)}`;
    case "label":
      return say`a tool labeled ${atom(quotedText(from.label))}`;
    case "input":
      return from.input === undefined ? "any input" : say`the input ${fieldWord([from.input])}`;
    case "untrusted":
      return "an untrusted tool";
  }
}
