/**
 * Task: Read the service configs (*.json) of a folder and report which ones are invalid JSON or lack the fields "name" and "port".
 * Verdict: holds
 * Why: Only list and read are called, and the answer has paths and fixed texts.
 * Features: JSON.parse, unknown, try/catch, hasOwn, typeof checks, array of problems, Object.hasOwn
 */
import { program } from "foreclaim";
import * as files from "./tools/files";

function problemsOf(text: string): string[] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return ["not valid JSON"];
  }
  if (typeof data !== "object" || data === null || Array.isArray(data)) return ["not an object"];

  const problems: string[] = [];
  for (const field of ["name", "port"]) {
    if (!Object.hasOwn(data, field)) problems.push(`missing field "${field}"`);
  }
  const { port } = data as { port?: unknown };
  if (port !== undefined && (typeof port !== "number" || port < 1 || port > 65535))
    problems.push("port is out of range");
  return problems;
}

export default program({
  guarantees: [files.readOnly(), files.contentsHidden()],
  async run({ folder }: { folder: string }) {
    const configs = (await files.list({ folder })).filter(
      (e) => e.kind === "file" && e.name.endsWith(".json"),
    );
    const result: { path: string; problems: string[] }[] = [];

    for (const { path } of configs) {
      const problems = problemsOf(await files.read({ path }));
      if (problems.length > 0) result.push({ path, problems });
    }
    return { checked: configs.length, ok: configs.length - result.length, invalid: result };
  },
});
