/** Our own entry in the configuration of a host: the gateway, which observes until a person wants more. */
import { readHostText } from "./host-text.ts";
import { fieldOf } from "./hosts.ts";
import { isObject, type Json } from "./json.ts";

/** The command of the entry. */
export function ownCommand(ledger: string): { readonly command: string; readonly args: readonly string[] } {
  return { command: "npx", args: ["foreclaim", "mcp", "serve", "--observe", "--ledger", ledger] };
}

/** Returns the file with the entry in it; undefined where only a person can write it without losing a comment. */
export async function withOwnEntry(file: string, text: string, ledger: string): Promise<string | undefined> {
  const read = await readHostText(file, text);
  if (!read.ok || !isObject(read.json)) return undefined;
  const field = fieldOf(file);
  if (file.endsWith(".toml")) {
    const added = `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}\n${ownEntryText(file, ledger)}`;
    // A configuration that defines its servers in one line takes no further table.
    return (await readHostText(file, added)).ok ? added : undefined;
  }
  if (!read.isPlain) return undefined;
  const servers = read.json[field];
  if (servers !== undefined && !isObject(servers)) return undefined;
  const whole: Json = { ...read.json, [field]: { ...servers, foreclaim: ownCommand(ledger) } };
  const indent = /^[{[]\r?\n([ \t]+)/.exec(text.trimStart())?.[1] ?? "  ";
  return `${JSON.stringify(whole, undefined, indent)}\n`;
}

/** The entry for a person to paste. */
export function ownEntryText(file: string, ledger: string): string {
  const own = ownCommand(ledger);
  if (file.endsWith(".toml"))
    return `[mcp_servers.foreclaim]\ncommand = ${JSON.stringify(own.command)}\nargs = ${JSON.stringify(own.args).replaceAll(",", ", ")}\n`;
  const [command, args] = [JSON.stringify(own.command), JSON.stringify(own.args).replaceAll(",", ", ")];
  return `{\n  "${fieldOf(file)}": {\n    "foreclaim": { "command": ${command}, "args": ${args} }\n  }\n}\n`;
}
