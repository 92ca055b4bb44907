// Bundles the VS Code extension with its client library: `node scripts/vscode.mjs [folder]` writes extension.js there.

import { join } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "./tools.mjs";

const folder = process.argv[2] ?? join(ROOT, "integrations/vscode/dist");
const bundle = await rolldown({
  cwd: ROOT,
  input: "integrations/vscode/extension.mjs",
  platform: "node",
  external: ["vscode"],
});
await bundle.write({ file: join(folder, "extension.js"), format: "cjs", minify: true });
await bundle.close();
