/**
 * Programs as a language model writes them, kept as plain text beside this file: `=== name`, what stands above the
 * program, `---`, and the body of `run`; without `---` there is only a body. `inputs TYPE = JSON` gives inputs.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { officeModules } from "./office.ts";

export interface NaturalProgram {
  readonly name: string;
  readonly source: string;
  readonly inputs: readonly unknown[];
}

export const naturalPrograms: readonly NaturalProgram[] = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".txt"))
  .sort()
  .flatMap((file) => programsIn(readFileSync(join(import.meta.dirname, file), "utf8"), file));

function programsIn(text: string, file: string): NaturalProgram[] {
  const [, ...parts] = text.split(/^=== /m);
  return parts.map((part) => {
    const at = part.indexOf("\n");
    return naturalProgram(`${file.replace(".txt", "")}: ${part.slice(0, at)}`, part.slice(at + 1));
  });
}

function naturalProgram(name: string, text: string): NaturalProgram {
  const given = /^inputs (.*) = (\[.*\])\n/m.exec(text);
  const [first = "", second] = text.replace(given?.[0] ?? "", "").split(/^---\n/m);
  const [top, body] = second === undefined ? ["", first] : [first, second];
  const used = Object.keys(officeModules).filter((module) => new RegExp(`\\b${module}\\.`).test(top + body));
  const modules = used.includes("email") ? used : ["email", ...used];
  const imports = modules.map((module) => `import * as ${module} from "./tools/${module}";`);
  const source = `import { program } from "foreclaim";
${imports.join("\n")}
${top}
export default program({
  guarantees: [email.anything()],
  async run(${given?.[1] === undefined ? "" : `input: ${given[1]}`}) {
${body.replace(/^(?=.)/gm, "    ")}  },
});
`;
  return { name, source, inputs: given?.[2] === undefined ? [undefined] : JSON.parse(given[2]) };
}
