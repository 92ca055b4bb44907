/** Variables in the configuration of a server, as hosts write them: `${NAME}`, `${NAME:-default}`, `${env:NAME}`. */
import { homedir } from "node:os";

/** The names and values that a configuration may refer to. */
export interface Variables {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of the configuration, for `${workspaceFolder}`. */
  readonly folder: string;
}

const reference = /\$\{(?:(env|input|command|config):)?([A-Za-z_][A-Za-z0-9_.-]*)(?::-([^}]*))?\}/g;

/**
 * Replaces variables by their values. Throws for one without a value: a server that starts with an empty token fails
 * later, and nobody sees why.
 */
export function expandedText(text: string, { environment, folder }: Variables): string {
  return text.replace(reference, (_, kind: string | undefined, name: string, otherwise?: string) => {
    if (kind === "input" || kind === "command" || kind === "config")
      throw new Error(
        `its configuration has \`\${${kind}:${name}}\`, which only an editor can fill in; name a variable of the environment instead: \`\${${variableName(name)}}\``,
      );
    if (kind === undefined && name === "workspaceFolder") return folder;
    if (kind === undefined && name === "userHome") return homedir();
    const value = environment[name];
    // An empty value counts as none where there is a default, as in shells.
    const found = value === undefined || (value === "" && otherwise !== undefined) ? otherwise : value;
    if (found === undefined)
      throw new Error(`the environment has no variable \`${name}\`, which its configuration names`);
    return found;
  });
}

/** Lists the variables of the environment that a text refers to. */
export function variablesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(reference), ([, kind, name = ""]) => ({ kind, name }))
    .filter(({ kind }) => kind === undefined || kind === "env")
    .map(({ name }) => name);
}

export function expandedTexts(
  texts: Readonly<Record<string, string>>,
  variables: Variables,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, expandedText(text, variables)]),
  );
}

function variableName(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, "_").toUpperCase();
}
