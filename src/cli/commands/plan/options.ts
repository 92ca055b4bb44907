/** Options and the maker of commands that the commands of plans share. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { toolsOption } from "../../repeated.ts";

export type MakeCommand = (name: string, description: string) => Command;

export function compatOption(): Option {
  return new Option("--compat <runtime>", "answer as another runtime does, its mistakes included").choices([
    "car",
  ]);
}

export function stateOption(): Option {
  return new Option("--state <file>", "the whole state at the start, a JSON object");
}

export function knownToolsOption(): Option {
  return new Option("--known-tools <names>", "the tools there are, with commas between them").argParser(
    (text) => text.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()])),
  );
}

export function believedOption(): Option {
  const words = "a folder of trusted tool modules, believed instead of the plan; once for each";
  return toolsOption(words).conflicts("compat");
}

export function maxActionsOption(): Option {
  return new Option(
    "--max-actions <n>",
    "how many actions a plan may have (100000; 30 with --compat car)",
  ).argParser((text) => {
    const number = Number(text);
    if (/^[0-9]+$/.test(text) && Number.isSafeInteger(number)) return number;
    throw new InvalidArgumentError("expected an integer from 0");
  });
}
