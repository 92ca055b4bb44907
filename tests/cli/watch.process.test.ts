/** `prove --watch` as a process: a change is proved again, and an interrupt ends it with the last exit code. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { main } from "./built.ts";

const document = (most: number): string => `effect-ir 1

tool bank.pay(amount: real)

program () {
  call bank.pay(amount: 5)
}

guarantee most(): sum(p in bank.pay: p.amount) <= ${most}
`;

test("proves a changed program again, and ends with the verdict on it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "foreclaim-watch-"));
  try {
    await writeFile(join(folder, "pay.eir"), document(5));
    await writeFile(join(folder, "next.eir"), document(4));
    const child = spawn(process.execPath, [main, "prove", "pay.eir", "--watch"], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "" },
    });
    let out = "";
    let waits = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (!chunk.toString().includes("watching ")) return;
      waits += 1;
      if (waits === 1) void rename(join(folder, "next.eir"), join(folder, "pay.eir"));
      else child.kill("SIGINT");
    });
    const [code] = await once(child, "close");
    expect(out).toMatch(/^proved {2}1 guarantee proved$[\s\S]*^refuted {2}1 guarantee refuted$/m);
    expect(code).toBe(1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
