/** Connections that tool modules have opened. They belong to the run, and end with it. */

/** LIMIT: until a connection that does not close is left alone. */
const closeMs = 5_000;

/** Several copies of a tool module's code may be loaded, and they share this. */
const closers = Symbol.for("foreclaim.closers");

let running = 0;

/** Notes that a run begins. Each one is followed by `closeConnections`. */
export function holdConnections(): void {
  running++;
}

/** Closes all connections once no other run of this process may use them. Whatever goes wrong there says nothing of the run. */
export async function closeConnections(): Promise<void> {
  running = Math.max(0, running - 1);
  if (running > 0) return;
  const known: unknown = Reflect.get(globalThis, closers);
  if (!(known instanceof Set)) return;
  const closing = Array.from(known, async (close: unknown) => {
    if (typeof close === "function") await close();
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeMs);
  });
  await Promise.race([Promise.allSettled(closing), late]);
  clearTimeout(timer);
}
