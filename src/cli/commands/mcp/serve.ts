/** `mcp`: the server for agents, on standard input and output. */
import { type Failure, loadPolicy, plainFailure, type SolverName } from "../../../app/index.ts";
import { visibleText } from "../../../explain/index.ts";
import { ok, type Result } from "../../../ir/index.ts";
import { configuredSettings, type McpSettings, serveMcp } from "../../../mcp/index.ts";
import type { Ended } from "../../command-spec.ts";
import { fine } from "../../exit-code.ts";
import type { Host } from "../../host.ts";
import { entry, errorPages } from "../../places.ts";
import { missingLedger } from "./missing-ledger.ts";

export interface McpOptions {
  readonly folder: string;
  readonly tools?: readonly string[];
  readonly policy?: string;
  readonly ledger?: string;
  readonly kernel?: string;
  readonly budget?: string;
  readonly service?: string;
  readonly credential?: string;
  readonly key?: string;
  readonly forms?: boolean;
  readonly solver: SolverName;
  readonly timeout: number;
  readonly proveTimeout: number;
  readonly callTimeout: number;
}

/** Options of `mcp serve`, which passes the tools of other servers through. */
export interface McpServeOptions extends McpOptions {
  readonly guarantee?: readonly string[];
  readonly observe?: boolean;
  readonly face: "both" | "tools";
}

export async function mcp(
  host: Host,
  options: McpOptions | McpServeOptions,
  version: string,
): Promise<Ended> {
  const settings = await settingsFor(host, options);
  if (!settings.ok) return settings;
  // The protocol has standard output for itself; whatever else is printed goes to standard error.
  const { stdin, stdout } = process;
  host.reserveStdout?.();
  const failed = await serveMcp({
    settings: settings.value,
    fs: host,
    stdin,
    stdout,
    version,
    entry,
    pages: errorPages,
    interrupted: new Promise((resolve) => host.onInterrupt?.(resolve)),
    told: (text) => void host.stderr.write(`foreclaim mcp: ${visibleText(text)}\n`),
  });
  return failed ?? fine;
}

/** Reports wrong settings before a client waits for an answer. */
async function settingsFor(
  host: Host,
  options: McpOptions | McpServeOptions,
): Promise<Result<McpSettings, Failure>> {
  const { folder, tools, solver, timeout, proveTimeout, callTimeout } = options;
  const configured = configuredSettings(host, folder);
  if (!configured.ok) return configured;
  const { policy, ledger, kernel, budget, service, credential, key } = {
    ...configured.value,
    ...defined(options),
  };
  if (policy !== undefined) {
    const loaded = await loadPolicy(host, policy);
    if (!loaded.ok) return loaded;
  }
  if (ledger !== undefined) {
    const missing = await missingLedger(host, ledger);
    if (missing !== undefined) return missing;
  }
  if (service !== undefined && (credential === undefined || key === undefined)) {
    const help =
      "give the agent's credential with --credential, and the public key of the service with --key";
    return plainFailure("FC9001", "`--service` needs a credential and a key", help);
  }
  const forms = options.forms ?? configured.value.forms ?? false;
  if (forms && service !== undefined) {
    const help = "leave out `--forms`: where there is a service, people decide on its page";
    return plainFailure("FC9001", "`--forms` and `--service` do not go together", help);
  }
  return ok({
    folder,
    ...(forms && { forms }),
    ...defined({ tools, policy, ledger, budget, service, credential, key }),
    kernel: kernel ?? "main",
    solver,
    timeoutMs: timeout * 1000,
    proveTimeoutMs: proveTimeout * 1000,
    callTimeoutMs: callTimeout * 1000,
    ...("face" in options && {
      passThrough: {
        hasPrograms: options.face === "both",
        guarantees: [...(configured.value.guarantees ?? []), ...(options.guarantee ?? [])],
        observe: options.observe ?? configured.value.observe ?? false,
      },
    }),
  });
}

/** The same without what is undefined. */
function defined<T extends object>(options: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  // SAFETY: only entries that are defined are left.
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}
