/** Connections of tool modules. The first call of a run opens one, and the end of the run closes it. */

export interface ConnectionOptions<T> {
  readonly open: () => Promise<T> | T;
  readonly close: (connection: T) => unknown;
}

/** Several copies of a tool module's code may be loaded, and they share this; the run closes what it holds. */
const closers = Symbol.for("foreclaim.closers");

/**
 * Gives the connection, opened when it is first needed.
 *
 * @example const db = connection({ open: () => connect(url), close: (one) => one.end() }); // then `await db()`
 */
export function connection<T>({ open, close }: ConnectionOptions<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  onRunEnd(async () => {
    const before = opened;
    opened = undefined;
    if (before === undefined) return;
    const [found] = await Promise.allSettled([before]);
    // One that could not be opened need not be closed.
    if (found?.status === "fulfilled") await close(found.value);
  });
  return () => {
    if (opened === undefined) {
      const opening = (async () => open())();
      opened = opening;
      // The next call tries again.
      opening.catch(() => {
        if (opened === opening) opened = undefined;
      });
    }
    return opened;
  };
}

/** Has a function called whenever a run ends. */
export function onRunEnd(close: () => Promise<void>): void {
  const known: unknown = Reflect.get(globalThis, closers);
  const all: Set<unknown> = known instanceof Set ? known : new Set();
  Reflect.set(globalThis, closers, all.add(close));
}
