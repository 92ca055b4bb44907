/** Every example type-checks with the package's own types, except those that are wrong in just that way. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { domains, expectedOf, folder } from "./examples.ts";

it("the examples type-check where they should", () => {
  const compiler = join(folder, "../node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], {
    encoding: "utf8",
    cwd: folder,
  });
  const errors = stdout.split("\n").filter((line) => line.includes("error TS"));
  const wrong = domains.flatMap((domain) =>
    Object.entries(expectedOf(domain)).flatMap(([name, { typeError }]) =>
      typeError ? [`${domain}/${name}.ts`] : [],
    ),
  );
  const found = errors.map((line) => line.replace(/\(.*/, "").replaceAll("\\", "/"));
  expect([...new Set(found)].toSorted(), errors.join("\n")).toEqual(wrong.toSorted());
});
