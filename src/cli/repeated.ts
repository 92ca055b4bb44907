/** Options that are given once for each value. None of them takes the words after its value, so a program may follow. */
import { Option } from "commander";

/** Collects the values of an option in the order in which they are given. */
export function each(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}

/** Names the folders of trusted tool modules. */
export function toolsOption(description = toolsWords): Option {
  return new Option("--tools <folder>", description).argParser(each);
}

const toolsWords =
  "a folder of trusted tool modules, or a saved layer, in place of the usual ones; once for each";

/** For commands that execute the modules, which a saved layer does not hold. */
export const foldersWords = "a folder of trusted tool modules, in place of the usual ones; once for each";

/** One option of a command line, followed by its value and by a further word. */
export interface ListedOption {
  readonly option: string;
  readonly value: string;
  readonly next: string;
}

/** Finds an option that is followed by several words, as if it took a list. */
export function listedIn(args: readonly string[], options: readonly string[]): ListedOption | undefined {
  for (const [i, arg] of args.entries()) {
    const option = options.find((one) => arg === one || arg.startsWith(`${one}=`));
    if (arg === "--" || option === undefined) continue;
    const at = arg === option ? i + 1 : i;
    const value = arg === option ? args[at] : arg.slice(option.length + 1);
    const next = args[at + 1];
    if (value !== undefined && next !== undefined && !next.startsWith("-")) return { option, value, next };
  }
  return undefined;
}

/** Says how several values are given. */
export function repeatedHelp({ option, value, next }: ListedOption): string {
  return `give each value its own option, as in \`${option} ${value} ${option} ${next}\``;
}
