/** The table of programs: a program that is not in it is refused. */

import type { Call } from "../context.ts";
import { type Reason, reason } from "../reason.ts";
import { shown } from "../values/argument.ts";
import { builtins } from "./builtins.ts";
import { databasePrograms } from "./databases.ts";
import { filePrograms } from "./files.ts";
import { git } from "./git.ts";
import { interpreters } from "./interpreters.ts";
import { networkPrograms } from "./network.ts";
import { packagePrograms } from "./packages.ts";
import { asksVersion, type Judge, runsCode } from "./rule.ts";
import { systemPrograms } from "./system.ts";
import { textPrograms } from "./text.ts";
import { wrappers } from "./wrappers.ts";

const PROGRAMS: Readonly<Record<string, Judge>> = {
  ...textPrograms,
  ...filePrograms,
  ...systemPrograms,
  ...networkPrograms,
  ...interpreters,
  ...packagePrograms,
  ...databasePrograms,
  ...wrappers,
  ...builtins,
  git,
};

/** Folders of the system's own programs. */
const SYSTEM_BINARIES = /^\/(usr\/(local\/)?)?s?bin\/([^/]+)$/;

/** Reasons against one program with its arguments. */
export function judgeProgram(call: Call): readonly Reason[] {
  const name = SYSTEM_BINARIES.exec(call.name)?.[3] ?? call.name;
  if (name.includes("/")) return judgeFile(call, name);
  const judge = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  if (judge === undefined) return reason("unknown-program", `\`${shown(name)}\` is not known to be harmless`);
  const named: Call = { ...call, name };
  if (
    call.args.length === 1 &&
    /^--(version|help)$/.test(call.args[0]?.text ?? "") &&
    asksVersion(named) &&
    !TAKES_ALL.has(name)
  )
    return [];
  return judge(named);
}

/** Programs for which `--version` is no question. */
const TAKES_ALL = new Set([
  "rm",
  "mv",
  "eval",
  "exec",
  "source",
  ".",
  "sudo",
  "su",
  "doas",
  "pkexec",
  "xargs",
  "env",
]);

/** A program named by its path: one of the project runs code, others are not known. */
function judgeFile(call: Call, path: string): readonly Reason[] {
  const ofProject =
    /^(\.\/)?[\w@][\w.@+-]*(\/[\w.@+-]+)*$/.test(path) &&
    call.context.folder.current.base === "work" &&
    call.context.folder.current.up === 0;
  if (!ofProject || path.split("/").includes(".."))
    return reason("unknown-program", `\`${shown(path)}\` is not known to be harmless`);
  return runsCode(call, path);
}
