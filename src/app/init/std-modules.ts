/** Tool modules of the standard library, as `init --with` writes them into a project: readable, and its owner's from then on. */

import type { ProjectFile } from "./project.ts";
import { askModule } from "./std/ask.ts";
import { fsModule } from "./std/fs.ts";
import { gitModule } from "./std/git.ts";
import { httpModule } from "./std/http.ts";
import { llmModule } from "./std/llm.ts";
import { mailModule } from "./std/mail.ts";
import { randomModule } from "./std/random.ts";
import { shellModule } from "./std/shell.ts";
import { sqlModule } from "./std/sql.ts";
import { timeModule } from "./std/time.ts";

/** Modules by the name that `--with` takes. */
const modules: Readonly<Record<string, readonly ProjectFile[]>> = {
  fs: [
    { path: "tools/fs.ts", purpose: "files below files/, as tools", text: fsModule },
    { path: "files/hello.txt", purpose: "a file for them", text: "hello\n" },
  ],
  http: [{ path: "tools/http.ts", purpose: "requests to named hosts, as tools", text: httpModule }],
  sql: [{ path: "tools/sql.ts", purpose: "statements on a database, as tools", text: sqlModule }],
  git: [{ path: "tools/git.ts", purpose: "a repository, as tools", text: gitModule }],
  shell: [
    { path: "tools/shell.ts", purpose: "programs, as a tool", text: shellModule },
    { path: "files/hello.txt", purpose: "a file for them", text: "hello\n" },
  ],
  mail: [
    { path: "tools/mail.ts", purpose: "mails over one server, as a tool", text: mailModule },
    { path: "files/hello.txt", purpose: "a file for them", text: "hello\n" },
  ],
  time: [{ path: "tools/time.ts", purpose: "the local time, as a tool", text: timeModule }],
  random: [{ path: "tools/random.ts", purpose: "chance, as tools", text: randomModule }],
  ask: [{ path: "tools/ask.ts", purpose: "questions to a person, as tools", text: askModule }],
  llm: [{ path: "tools/llm.ts", purpose: "a model that reads texts, as a tool", text: llmModule }],
};

export const standardModules: readonly string[] = Object.keys(modules);

/** The files of these modules, each once. */
export function moduleFiles(names: readonly string[]): readonly ProjectFile[] {
  const files = names.flatMap((name) => (Object.hasOwn(modules, name) ? (modules[name] ?? []) : []));
  return [...new Map(files.map((file) => [file.path, file])).values()];
}
