/** The VS Code extension: it bundles, and starts nothing that a workspace brings along before the workspace is trusted. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../cli/built.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-vscode-"));
const manifest = JSON.parse(readFileSync(join(root, "integrations/vscode/package.json"), "utf8"));

beforeAll(() => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/vscode.mjs", folder], {
    cwd: root,
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Loads the bundle with an editor that records what it is asked for. */
function activated(isTrusted: boolean): unknown {
  writeFileSync(
    join(folder, "load.cjs"),
    `const Module = require("node:module");
const said = [];
const anything = new Proxy(class {}, { get: (target, name) => (name in target ? target[name] : anything) });
const vscode = new Proxy({
  commands: { registerCommand: (name) => (said.push("command " + name), {}) },
  workspace: {
    isTrusted: ${isTrusted},
    workspaceFolders: undefined,
    getConfiguration: () => ({ get: (name, given) => (said.push("setting " + name), given) }),
    onDidGrantWorkspaceTrust: () => (said.push("waits for trust"), {}),
  },
}, { get: (target, name) => target[name] ?? anything });
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const { activate, deactivate } = require("./extension.js");
activate({ subscriptions: [] }).then(deactivate).then(() => console.log(JSON.stringify(said)));`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, ["load.cjs"], { cwd: folder, encoding: "utf8" });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

it("registers the command of its manifest, and looks for foreclaim in the workspace", () => {
  const [{ command }] = manifest.contributes.commands;
  expect(activated(true)).toEqual([`command ${command}`, "setting command"]);
});

it("starts nothing in a workspace that is not trusted", () => {
  expect(activated(false)).toEqual(["command foreclaim.restart", "waits for trust"]);
});
