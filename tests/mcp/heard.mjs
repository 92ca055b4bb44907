// `node --import`: keeps everything that a server hears on standard input in the file that HEARD names, for servers of others
// that have no log.
import { appendFileSync } from "node:fs";

const file = process.env.HEARD;
if (file !== undefined) {
  const push = process.stdin.push.bind(process.stdin);
  process.stdin.push = (chunk, encoding) => {
    if (chunk !== null) appendFileSync(file, chunk);
    return push(chunk, encoding);
  };
}
