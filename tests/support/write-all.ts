/** Writing to a pipe before the next step, from a process that may be killed at any time. */

import { writeSync } from "node:fs";

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Writes the whole text to standard output or error. Waits where a busy reader has let the pipe fill up. */
export function writeAll(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}
