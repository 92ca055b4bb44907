/** Variables and functions that a script defines, wherever in it. */

import type { Source } from "../context.ts";
import type { Command, Redirect, Word } from "../syntax/tree.ts";
import { outputOf, plainText } from "./output.ts";

export interface Definitions {
  readonly variables: ReadonlyMap<string, readonly Source[]>;
  readonly functions: ReadonlyMap<string, Command>;
}

const DECLARES = new Set(["export", "declare", "typeset", "local", "readonly"]);

/** Collects the definitions of a script; substitutions inside words define nothing outside them. */
export function definitions(script: Command, outer?: Definitions): Definitions {
  const variables = new Map<string, Source[]>(
    [...(outer?.variables ?? [])].map(([name, sources]) => [name, [...sources]]),
  );
  const functions = new Map<string, Command>(outer?.functions ?? []);
  const callWords: (readonly Word[])[] = [];
  const assign = (name: string, source: Source) => {
    const known = variables.get(name);
    if (known === undefined) variables.set(name, [source]);
    else if (!known.includes(source)) known.push(source);
  };
  const visit = (command: Command, outerInput: Source): void => {
    switch (command.kind) {
      case "simple": {
        const input = fed(command.redirects, outerInput);
        for (const { name, values } of command.assignments) assign(name, { kind: "words", words: values });
        for (const [name, source] of declared(command.words, input)) assign(name, source);
        callWords.push(command.words);
        return;
      }
      case "pipeline": {
        let input: Source = outerInput;
        for (const stage of command.stages) {
          visit(stage, input);
          input = written(stage);
        }
        return;
      }
      case "list":
        for (const item of command.items) visit(item, outerInput);
        return;
      case "block":
        visit(command.body, fed(command.redirects, outerInput));
        return;
      case "for":
        assign(
          command.name,
          command.words === undefined
            ? { kind: "unknown", origin: "variable" }
            : { kind: "words", words: command.words },
        );
        visit(command.body, outerInput);
        return;
      case "count":
        for (const name of plainText(command.header[0] ?? [])?.match(/[A-Za-z_]\w*/g) ?? []) {
          assign(name, { kind: "unknown", origin: "harmless" });
        }
        visit(command.body, outerInput);
        return;
      case "while":
        visit(command.test, fed(command.redirects, outerInput));
        visit(command.body, fed(command.redirects, outerInput));
        return;
      case "if":
        for (const part of command.parts) visit(part, outerInput);
        return;
      case "case":
        for (const body of command.bodies) visit(body, outerInput);
        return;
      case "function":
        functions.set(command.name, command.body);
        visit(command.body, outerInput);
        return;
      case "test":
      case "arithmetic":
        return;
    }
  };
  visit(script, { kind: "unknown", origin: "output" });
  for (const words of callWords) {
    const name = plainText(words[0]) ?? "";
    const args = words.slice(1);
    if (!functions.has(name) && name !== "set") continue;
    for (const each of ["@", "*", ...args.map((_, at) => String(at + 1))]) {
      assign(each, { kind: "unknown", origin: "variable" });
      // `shift` moves the arguments, so that each name stands for all of them.
      assign(each, { kind: "words", words: args });
    }
  }
  return { variables, functions };
}

/** The input that redirections give to a command. */
function fed(redirects: readonly Redirect[], input: Source): Source {
  for (const { operator, target } of redirects) {
    const [part] = target;
    if (operator === "<" && part?.kind === "process") return written(part.body);
    if (operator.startsWith("<<")) return { kind: "words", words: [target] };
    if (operator.startsWith("<")) return { kind: "unknown", origin: "output" };
  }
  return input;
}

/** The output of a command as the input of the next: its words if it only writes them. */
function written(command: Command): Source {
  if (command.kind === "list" && command.items.length === 1 && command.items[0] !== undefined)
    return written(command.items[0]);
  const name = command.kind === "simple" ? plainText(command.words[0]) : undefined;
  if (command.kind === "simple" && (name === "echo" || name === "printf"))
    return { kind: "words", words: command.words.slice(1) };
  return { kind: "unknown", origin: outputOf(command) };
}

function declared(words: readonly Word[], input: Source): readonly (readonly [string, Source])[] {
  const name = plainText(words[0]) ?? "";
  if (DECLARES.has(name)) return words.slice(1).flatMap(declaredWord);
  if (name === "read" || name === "mapfile" || name === "readarray") {
    return words.slice(1).flatMap((word): [string, Source][] => {
      const text = plainText(word) ?? "";
      return /^[A-Za-z_]\w*$/.test(text) ? [[text, input]] : [];
    });
  }
  if (name === "printf" && plainText(words[1]) === "-v") {
    const target = plainText(words[2]) ?? "";
    return [[target, { kind: "words", words: words.slice(3) }]];
  }
  return [];
}

function declaredWord(word: Word): readonly (readonly [string, Source])[] {
  let text = "";
  for (let at = 0; at < word.length; at += 1) {
    const part = word[at];
    if (part?.kind !== "text") return [];
    const equals = part.text.indexOf("=");
    if (equals < 0) {
      text += part.text;
      continue;
    }
    const name = (text + part.text.slice(0, equals)).replace(/\+$/, "");
    const rest: Word = [{ ...part, text: part.text.slice(equals + 1) }, ...word.slice(at + 1)];
    return /^[A-Za-z_]\w*$/.test(name) ? [[name, { kind: "words", words: [rest] }]] : [];
  }
  return [];
}
