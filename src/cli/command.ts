/** The `foreclaim` command: the one place that touches the process. */
import { readFileSync } from "node:fs";
import { type ExitCode, fault } from "./exit-code.ts";
import { processHost } from "./host.ts";
import { reserveStdout } from "./own-stdout.ts";
import { runCli } from "./run-cli.ts";

const host = processHost(process, reserveStdout);
void main();

async function main(): Promise<void> {
  try {
    // The code is set and the process ends by itself, so that what was written is written to the end.
    const code = await runCli(process.argv.slice(2), host, version());
    const lost = host.stdout.lost();
    process.exitCode = lost === undefined ? code : await tellLost(lost);
  } catch (thrown) {
    process.exitCode = fault;
    const trace = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    await host.stderr.write(
      `this is a fault of foreclaim itself; please report it with what follows\n${trace}\n`,
    );
  }
}

/** Tells of a lost part: a reader must not take the rest for all of it. */
async function tellLost(systemCode: string): Promise<ExitCode> {
  const { reportLostOutput } = await import("./failure.ts");
  return reportLostOutput(host, systemCode);
}

function version(): string {
  const file: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const said = typeof file === "object" && file !== null && "version" in file ? file.version : undefined;
  return typeof said === "string" ? said : "unknown";
}
