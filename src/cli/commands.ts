/** All commands, in the order of the help. */
import type { CommandSpec } from "./command-spec.ts";
import { attest } from "./commands/attest/definition.ts";
import { build } from "./commands/build/definition.ts";
import { certify } from "./commands/certify/definition.ts";
import { check } from "./commands/check/definition.ts";
import { compare } from "./commands/compare/definition.ts";
import { demo } from "./commands/demo/definition.ts";
import { hook } from "./commands/hook/definition.ts";
import { init } from "./commands/init/definition.ts";
import { ir } from "./commands/ir/definition.ts";
import { kernel } from "./commands/kernel/definition.ts";
import { keys } from "./commands/keys/definition.ts";
import { lint } from "./commands/lint/definition.ts";
import { lsp, lspWorker } from "./commands/lsp/definition.ts";
import { mcp, mcpWorker } from "./commands/mcp/definition.ts";
import { plan } from "./commands/plan/definition.ts";
import { playground } from "./commands/playground/definition.ts";
import { policy } from "./commands/policy/definition.ts";
import { prove } from "./commands/prove/definition.ts";
import { reconcile } from "./commands/reconcile/definition.ts";
import { run } from "./commands/run/definition.ts";
import { serve, serveWorker } from "./commands/serve/definition.ts";
import { shell } from "./commands/shell/definition.ts";
import { toolHost } from "./commands/tool-host/definition.ts";
import { tools } from "./commands/tools/definition.ts";
import { trace } from "./commands/trace/definition.ts";
import { view } from "./commands/view/definition.ts";
import { worker } from "./commands/worker/definition.ts";

export const commands: readonly CommandSpec[] = [
  init,
  tools,
  build,
  prove,
  certify,
  check,
  run,
  serve,
  worker,
  mcp,
  hook,
  lsp,
  compare,
  lint,
  view,
  plan,
  ir,
  kernel,
  trace,
  reconcile,
  attest,
  policy,
  keys,
  shell,
  playground,
  demo,
  serveWorker,
  mcpWorker,
  lspWorker,
  toolHost,
];
