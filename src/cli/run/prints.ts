/** What tools print while they run. */
import { format } from "node:util";

/** Tools may print, and not in the middle of our own lines. With `--json`, standard output is for the answer alone. */
export function takePrints(print: (text: string) => void): () => void {
  const { log, info, debug } = console;
  const put = (...args: readonly unknown[]): void => print(format(...args));
  Object.assign(console, { log: put, info: put, debug: put });
  return () => {
    Object.assign(console, { log, info, debug });
  };
}
