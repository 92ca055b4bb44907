/** Guarantees from texts such as `bank.maxSpend(500)`: contracts of tool modules with constants as arguments. */
import { posix as paths } from "node:path";
import {
  type Compiled,
  type CompiledTools,
  compileProgram,
  defaultFrontLimits,
} from "../../frontend/index.ts";
import { closest, defaultLimits, ok, type Result, readJson } from "../../ir/index.ts";
import { writtenText } from "../../plan/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import { posix } from "../files/paths.ts";
import type { SourceFiles } from "../files/port.ts";
import { doubleQuoted } from "./double-quoted.ts";
import { failuresOf, Modules } from "./typescript.ts";

export interface GuaranteePlace {
  readonly fs: SourceFiles;
  /** The folder of a program that would state them. */
  readonly folder: string;
  /** Folders of trusted tool modules, in place of the usual ones. */
  readonly folders: readonly string[] | undefined;
  readonly compiled: readonly CompiledTools[];
  /** The name of the place they were written at, in the user's words. */
  readonly file: string;
}

export type CompiledGuarantees =
  | { readonly kind: "compiled"; readonly value: Compiled }
  | { readonly kind: "invalid"; readonly failures: readonly Failure[] }
  | { readonly kind: "unreadable"; readonly failure: Failure };

/**
 * Compiled as a program would be that states the same and does nothing, so that the guarantees are the same. Modules of
 * the tools in `called` are part of it, so that their hash is in the document, and so are their coverage policies.
 */
export function compileGuarantees(
  { fs, folder, folders, compiled, file: place }: GuaranteePlace,
  stated: readonly string[],
  called: ReadonlySet<string>,
): CompiledGuarantees {
  const declarations = compiled.flatMap((one) => one.declarations);
  const contracts = new Map<string, Set<string>>();
  for (const { kind, name, file } of declarations) {
    if (kind !== "contract") continue;
    const known = contracts.get(name);
    if (known === undefined) contracts.set(name, new Set([file]));
    else known.add(file);
  }
  const files = new Map<string, string>();
  const moduleOf = (file: string): string => {
    const known = files.get(file) ?? `module${files.size}`;
    files.set(file, known);
    return known;
  };
  for (const { kind, name, file } of declarations) if (kind === "tool" && called.has(name)) moduleOf(file);
  const calls: string[] = [];
  for (const text of stated) {
    const call = contractCall(text, contracts);
    if (!call.ok) return { kind: "unreadable", failure: call };
    const { file, name, args } = call.value;
    calls.push(`${moduleOf(file)}.${name}(${args})`);
  }
  const entry = `${posix(folder)}/${entryName}`;
  const imports = Array.from(files, ([file, name]) => {
    const near = paths.relative(paths.dirname(entry), file);
    return `import * as ${name} from ${JSON.stringify(near.startsWith(".") ? near : `./${near}`)};\n`;
  });
  const source = `import { program } from "foreclaim";\n${imports.join("")}export default program({\n  guarantees: [${calls.map((call) => `\n    ${call},`).join("")}\n  ],\n  async run() {},\n});\n`;
  const modules = new Modules(fs, new Map([[entry, source]]));
  const all = compiled.flatMap((one) => [...one.sources.keys()]).filter((path) => /\.[cm]?ts$/.test(path));
  const host = { ...modules.host(folders), toolModules: () => all };
  const result = compileProgram(entry, host, defaultFrontLimits, [...called]);
  if (modules.failure !== undefined) return { kind: "unreadable", failure: modules.failure };
  if (result.ok) return { kind: "compiled", value: result.value };
  const failures = failuresOf(result.problems, result.sources, entry);
  return {
    kind: "invalid",
    failures: failures.map((one) => (one.file === entry ? { ...one, file: place } : one)),
  };
}

/** There is no such file; it is what the guarantees would stand in. */
const entryName = "stated-guarantees.ts";

interface ContractCall {
  readonly file: string;
  readonly name: string;
  /** As they stand in a program. */
  readonly args: string;
}

/** @param contracts the modules that declare each */
function contractCall(
  text: string,
  contracts: ReadonlyMap<string, ReadonlySet<string>>,
): Result<ContractCall, Failure> {
  const [, whole = "", given = ""] = /^\s*([^\s(]+)\s*\(([\s\S]*)\)\s*$/.exec(text) ?? [];
  const [file, other] = contracts.get(whole) ?? [];
  if (whole === "") {
    const message = `\`${text}\` is no contract with its arguments`;
    return plainFailure("FC9001", message, "write it as `bank.maxSpend(500)`");
  }
  if (file === undefined) {
    const near = closest(whole, contracts.keys());
    const help =
      near === undefined ? "`foreclaim tools` lists the contracts there are" : `did you mean \`${near}\`?`;
    return plainFailure("FC9001", `there is no contract \`${whole}\``, help);
  }
  // SOUNDNESS: which of them is meant cannot be told, and one may promise less than the other.
  if (other !== undefined) {
    const message = `several tool modules declare the contract \`${whole}\``;
    return plainFailure("FC9001", message, "name the folder that is meant with --tools");
  }
  // Read as data and written again, so that it cannot be anything but arguments.
  const read = readJson(`[${doubleQuoted(given)}]`, defaultLimits);
  if (!read.ok || !Array.isArray(read.value.value)) {
    const message = `the arguments of \`${text}\` are not constants`;
    return plainFailure("FC9001", message, "write texts as in `mail.only(['bob@x.org'])`");
  }
  const args = read.value.value.map(writtenText).join(", ");
  return ok({ file, name: whole.slice(whole.lastIndexOf(".") + 1), args });
}
