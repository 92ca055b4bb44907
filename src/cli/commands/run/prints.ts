/** The output of tools while they run. */
import { format } from "node:util";

/** Tools may print, and not in the middle of our own lines. Gives a way to let them print by themselves again. */
export function takePrints(print: (text: string) => void): () => void {
  const { log, info, debug } = console;
  let isTaken = true;
  // A tool may hold on to the function; what it prints later is not lost.
  const put =
    (original: typeof log) =>
    (...args: readonly unknown[]): void =>
      isTaken ? print(format(...args)) : original(...args);
  Object.assign(console, { log: put(log), info: put(info), debug: put(debug) });
  return () => {
    isTaken = false;
    Object.assign(console, { log, info, debug });
  };
}
