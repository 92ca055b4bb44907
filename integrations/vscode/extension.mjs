// The extension: finds the command, starts `foreclaim lsp --stdio`, and leaves everything else to it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";

const inWorkspace = "node_modules/foreclaim/dist/cli/main.js";

/** @type {LanguageClient | undefined} */
let client;

/** @param {{ subscriptions: { push(one: object): void } }} context */
export async function activate(context) {
  const restart = async () => {
    await client?.stop();
    client = await started();
  };
  context.subscriptions.push(vscode.commands.registerCommand("foreclaim.restart", restart));
  // A command that the workspace brings along is code of the workspace.
  if (vscode.workspace.isTrusted) client = await started();
  else context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(restart));
}

export async function deactivate() {
  await client?.stop();
}

/** @returns {Promise<LanguageClient | undefined>} */
async function started() {
  const settings = vscode.workspace.getConfiguration("foreclaim");
  const module = commandPath(settings.get("command", ""));
  // Most folders have no program, and need no message about it.
  if (module === undefined) return undefined;
  /** @type {string[]} */
  const tools = settings.get("tools", []);
  const args = ["lsp", ...tools.flatMap((folder) => ["--tools", folder])];
  const made = new LanguageClient(
    "foreclaim",
    "Foreclaim",
    { module, args, transport: TransportKind.stdio },
    {
      documentSelector: [
        { scheme: "file", language: "typescript" },
        { scheme: "file", pattern: "**/*.eir" },
      ],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{ts,eir}") },
    },
  );
  await made.start();
  return made;
}

/**
 * @param {string} configured
 * @returns {string | undefined}
 */
function commandPath(configured) {
  if (configured !== "") return configured;
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.map(({ uri }) => join(uri.fsPath, inWorkspace)).find((path) => existsSync(path));
}
