/** Repeats a command whenever a file or folder changes that it has read. */
import type { ExitCode } from "../../exit-code.ts";
import type { Host } from "../../host.ts";

/** Editors write a file in several steps. */
const settleMs = 100;

/** Repeats the work until the person interrupts it. Returns the exit code of the last time. */
export async function watched(host: Host, work: (host: Host) => Promise<ExitCode>): Promise<ExitCode> {
  let isOver = false;
  let wake = (): void => {};
  host.onInterrupt?.(() => {
    isOver = true;
    wake();
  });
  for (;;) {
    const read = new Set<string>();
    const awake = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const code = await work(recording(host, read));
    if (isOver || host.watch === undefined) return code;
    const stop = host.watch([...read], () => wake());
    await host.stderr.write(`\nwatching ${read.size} files; end with Ctrl-C\n`);
    await awake;
    stop();
    if (isOver) return code;
    await new Promise((resolve) => setTimeout(resolve, settleMs));
  }
}

/** Returns the same host, noting the files and folders that are read. */
function recording(host: Host, read: Set<string>): Host {
  return {
    ...host,
    readFile: (path, limitBytes) => host.readFile(noted(path), limitBytes),
    readFileNow: (path, limitBytes) => host.readFileNow(noted(path), limitBytes),
    listFolder: (path) => host.listFolder(noted(path)),
  };
  function noted(path: string): string {
    read.add(path);
    return path;
  }
}
