/** Repeats a command whenever a file or folder changes that it has read. */
import type { ExitCode } from "../../exit-code.ts";
import type { Host } from "../../host.ts";

/** Editors write a file in several steps. */
const settleMs = 100;
const pollMs = 250;

/** Repeats the work until the person interrupts it. Returns the exit code of the last time. */
export async function watched(host: Host, work: (host: Host) => Promise<ExitCode>): Promise<ExitCode> {
  const { stampOf } = host;
  let isOver = false;
  let wake = (): void => {};
  host.onInterrupt?.(() => {
    isOver = true;
    wake();
  });
  for (;;) {
    const stamps = new Map<string, string>();
    const awake = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const code = await work(recording(host, stamps));
    if (isOver || stampOf === undefined) return code;
    await host.stderr.write(`\nwatching ${stamps.size} files; end with Ctrl-C\n`);
    const timer = setInterval(() => {
      if (isChanged(stamps, stampOf)) wake();
    }, pollMs);
    await awake;
    clearInterval(timer);
    if (isOver) return code;
    await new Promise((resolve) => setTimeout(resolve, settleMs));
  }
}

/** A file that cannot be looked at counts as changed: the next proof reports it. */
function isChanged(stamps: ReadonlyMap<string, string>, stampOf: (path: string) => string): boolean {
  for (const [path, stamp] of stamps) if (stampOrNone(path, stampOf) !== stamp) return true;
  return false;
}

function stampOrNone(path: string, stampOf: (path: string) => string): string {
  try {
    return stampOf(path);
  } catch {
    return "none";
  }
}

/** Returns the same host, noting the files and folders that are read, each with its stamp before it is first read. */
function recording(host: Host, stamps: Map<string, string>): Host {
  const { stampOf } = host;
  return {
    ...host,
    readFile: (path, limitBytes) => host.readFile(noted(path), limitBytes),
    readFileNow: (path, limitBytes) => host.readFileNow(noted(path), limitBytes),
    listFolder: (path) => host.listFolder(noted(path)),
  };
  function noted(path: string): string {
    if (stampOf !== undefined && !stamps.has(path)) stamps.set(path, stampOrNone(path, stampOf));
    return path;
  }
}
