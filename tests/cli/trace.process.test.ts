/** `foreclaim trace`, on traces in real files that were tampered with in every way there is. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sha256 } from "../../src/kernel/digest.ts";
import { randomFrom } from "../support/random.ts";
import { runs, seed } from "../support/runs.ts";
import { openSqlite, type SqliteConnection } from "../support/sqlite.ts";
import { command, type Said } from "./in-process.ts";

const SEED = seed() ?? Math.floor(Math.random() * 2 ** 31);
const ENTRIES = 13;

let folder: string;
/** A ledger of some steps, and what was kept apart from it. */
let ledger: string;
let checkpoint: string;
let number = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-trace-cli-"));
  ledger = join(folder, "ledger.db");
  checkpoint = join(folder, "kept.checkpoint");
  await fill(ledger, "1");
  const { code } = await command(["trace", "checkpoint", ledger, "-o", checkpoint]);
  expect(code).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function fill(path: string, cost: string): Promise<void> {
  await command(["kernel", "init", path, "--budget", "usd=10"]);
  const step = (n: number) =>
    `${JSON.stringify({ id: `step-${n}`, effects: [{ key: "n", op: "set", value: n }], cost })}\n`;
  const stdin = Array.from({ length: ENTRIES - 1 }, (_, n) => step(n)).join("");
  await command(["kernel", "exec", path], { stdin });
  flush(path);
}

/** Brings what is in the write-ahead log into the file, so that the file is all there is. */
function flush(path: string): void {
  const db = openSqlite(path);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

/** A copy of the ledger, changed behind its back. */
function copy(change?: (db: SqliteConnection) => void): string {
  const path = join(folder, `copy-${++number}.db`);
  copyFileSync(ledger, path);
  if (change === undefined) return path;
  const db = openSqlite(path);
  db.exec("DROP TRIGGER entry_stays; DROP TRIGGER entry_remains; DROP TRIGGER entry_follows");
  change(db);
  db.close();
  flush(path);
  return path;
}

const verify = (path: string, ...options: readonly string[]): Promise<Said> =>
  command(["trace", "verify", path, ...options, "--json"]);
const withCheckpoint = () => ["--checkpoint", checkpoint, "--key", `${ledger}.pub`];

describe("trace verify", () => {
  it("finds nothing wrong with what the kernel wrote", async () => {
    const { code, json } = await verify(ledger);
    const head = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect({ code, found: json() }).toEqual({ code: 0, found: { ok: true, entries: ENTRIES, head } });
    expect((await verify(ledger, "--checkpoint", checkpoint)).json()).toMatchObject({ ok: true });
    expect((await verify(`sqlite:${ledger}`, ...withCheckpoint())).json()).toMatchObject({ ok: true });
    expect((await verify(copy())).json()).toMatchObject({ ok: true });
  });

  const byte = (at: number) => (db: SqliteConnection) => {
    const [row] = db.all("SELECT bytes FROM entry WHERE seq = 5") as unknown as { bytes: Uint8Array }[];
    const bytes = Buffer.from(row!.bytes);
    bytes[at % bytes.length]! ^= 1;
    db.run("UPDATE entry SET bytes = ? WHERE seq = ?", [bytes, 5]);
  };
  const renumbered = (db: SqliteConnection, from: number, to: number) =>
    db.run("UPDATE entry SET seq = ? WHERE seq = ?", [to, from]);
  /** The same chain of hashes over other entries, as a writer of the file could make it. */
  const rehashed = (from: string, to: string) => (db: SqliteConnection) => {
    const rows = db.all("SELECT seq, hash, bytes FROM entry ORDER BY seq") as unknown as {
      seq: number;
      hash: string;
      bytes: Uint8Array;
    }[];
    let [before, after] = ["", ""];
    for (const { seq, hash, bytes } of rows) {
      let text = Buffer.from(bytes).toString();
      if (seq === 5) text = text.replaceAll(from, to);
      if (before !== "") text = text.replace(`"prev":"${before}"`, `"prev":"${after}"`);
      [before, after] = [hash, sha256(text)];
      db.run("UPDATE entry SET bytes = ?, hash = ? WHERE seq = ?", [Buffer.from(text), after, seq]);
    }
  };

  it.each<readonly [string, (db: SqliteConnection) => void, number, RegExp]>([
    ["a byte of an entry", byte(7), 5, /hash|not a text/],
    ["the last byte of an entry", byte(-1 >>> 0), 5, /hash/],
    ["a hash", (db) => db.exec(`UPDATE entry SET hash = '${"0".repeat(64)}' WHERE seq = 5`), 5, /hash/],
    ["an entry that was dropped", (db) => db.exec("DELETE FROM entry WHERE seq = 5"), 5, /no entry 5/],
    ["the first one dropped", (db) => db.exec("DELETE FROM entry WHERE seq = 1"), 1, /no entry 1/],
    [
      "one dropped, and the others moved up",
      (db) => {
        db.exec("DELETE FROM entry WHERE seq = 5");
        for (let seq = 6; seq <= ENTRIES; seq++) renumbered(db, seq, seq - 1);
      },
      5,
      /comes after|says that it is entry/,
    ],
    [
      "two that changed places",
      (db) => {
        renumbered(db, 5, 1000);
        renumbered(db, 6, 5);
        renumbered(db, 1000, 6);
      },
      5,
      /comes after|says that it is entry/,
    ],
    [
      "one that was put in twice",
      (db) => {
        for (let seq = ENTRIES; seq >= 6; seq--) renumbered(db, seq, seq + 1);
        db.exec("INSERT INTO entry SELECT kernel, 6, hash, bytes FROM entry WHERE seq = 5");
      },
      6,
      /comes after|says that it is entry/,
    ],
    [
      "a hash that is no text, with which the engine would end the process",
      (db) =>
        db.exec(
          "PRAGMA ignore_check_constraints = ON; UPDATE entry SET hash = CAST(x'ff' AS TEXT) WHERE seq = 5",
        ),
      1,
      /damaged/,
    ],
    ["everything dropped", (db) => db.exec("DELETE FROM entry"), 1, /empty/],
    ["a verdict, with all hashes made anew", rehashed("allowed", "refused"), 5, /gives another decision/],
    ["a cost, with all hashes made anew", rehashed('"usd":"1"', '"usd":"0"'), 5, /gives another decision/],
  ])("finds %s, without a checkpoint", async (_, change, seq, what) => {
    const { code, json } = await verify(copy(change));
    expect(code).toBe(1);
    expect(json()).toMatchObject({
      ok: false,
      entries: seq - 1,
      problem: { seq, what: expect.stringMatching(what) },
    });
  });

  it("finds an end that was cut off, with a checkpoint that was kept apart", async () => {
    const path = copy((db) => db.exec("DELETE FROM entry WHERE seq > 9"));
    expect((await verify(path)).json()).toMatchObject({ ok: true, entries: 9 });
    const { code, json } = await verify(path, ...withCheckpoint());
    const what = `a checkpoint has ${ENTRIES} entries, and the trace has 9`;
    expect({ code, found: json() }).toMatchObject({
      code: 1,
      found: { ok: false, problem: { seq: 10, what } },
    });
  });

  it("finds a trace that the kernel wrote anew from the beginning, with a checkpoint that was kept apart", async () => {
    const path = join(folder, "anew.db");
    await fill(path, "0.5");
    expect((await verify(path)).json()).toMatchObject({ ok: true, entries: ENTRIES });
    const { code, json } = await verify(path, ...withCheckpoint());
    const what = "the entry is not the one that the checkpoint was made of";
    expect({ code, found: json() }).toMatchObject({ code: 1, found: { problem: { seq: ENTRIES, what } } });
    // The key that is kept with the checkpoint is taken before the one beside the ledger.
    expect((await verify(path, "--checkpoint", checkpoint)).json()).toMatchObject({
      problem: { seq: ENTRIES },
    });
    const own = await verify(path, "--checkpoint", checkpoint, "--key", `${path}.pub`);
    expect(own.json()).toMatchObject({
      ok: false,
      problem: { what: "the checkpoint has no valid signature" },
    });
  });

  it("finds a checkpoint that was forged", async () => {
    const forged = join(folder, "forged.checkpoint");
    writeFileSync(forged, readFileSync(checkpoint, "utf8").replace(`"length":${ENTRIES}`, '"length":9'));
    const { code, json } = await verify(ledger, "--checkpoint", forged);
    expect({ code, found: json() }).toMatchObject({
      code: 1,
      found: { ok: false, problem: { what: "the checkpoint has no valid signature" } },
    });
  });

  it(`finds any byte of the file that changed what it says (seed ${SEED})`, async () => {
    const random = randomFrom(SEED);
    const whole = readFileSync(ledger);
    const { entries, head } = (await verify(ledger)).json() as { entries: number; head: string };
    let found = 0;
    for (let i = 0; i < runs(40); i++) {
      const bytes = Buffer.from(whole);
      const at = i < 20 ? i : Math.floor(random() * bytes.length);
      bytes[at]! ^= 1 << Math.floor(random() * 8);
      const path = join(folder, `flipped-${i}.db`);
      writeFileSync(path, bytes);
      const { code, out } = await verify(path, ...withCheckpoint());
      // Free room and counters of the engine say nothing: then every entry is as it was.
      if (code === 0) expect(JSON.parse(out), `byte ${at}`).toEqual({ ok: true, entries, head });
      else {
        expect(JSON.parse(out), `byte ${at}: ${out}`).toMatchObject({
          ok: false,
          problem: { seq: expect.any(Number) },
        });
        expect(code, `byte ${at}`).toBe(1);
        found++;
      }
      rmSync(path);
    }
    expect(found).toBeGreaterThan(0);
  });

  it("is not the only one to survive a damaged file", async () => {
    const path = copy((db) =>
      db.exec(
        "PRAGMA ignore_check_constraints = ON; UPDATE entry SET hash = CAST(x'ff' AS TEXT) WHERE seq = 5",
      ),
    );
    for (const args of [
      ["kernel", "status", path],
      ["trace", "show", path],
      ["trace", "export", path],
    ]) {
      const { code, json } = await command([...args, "--json"]);
      expect({ code, found: json() }).toMatchObject({ code: 2, found: { ok: false, problems: [{}] } });
    }
  });

  it.each([
    ["a ledger that is not there", ["none.db"], "FC9006"],
    ["a checkpoint that is not there", [":ledger", "--checkpoint", "none"], "FC9002"],
    ["a checkpoint that is none", [":ledger", "--checkpoint", ":ledger.pub"], "FC9010"],
    ["a key that is none", [":ledger", "--checkpoint", ":checkpoint", "--key", ":checkpoint"], "FC9010"],
    ["no key at all", [":copy", "--checkpoint", ":alone"], "FC9010"],
    ["a scheme that is unknown", ["sqlit:ledger.db"], "FC9006"],
  ])("exits with 2 for %s", async (_, args, problem) => {
    copyFileSync(checkpoint, join(folder, "alone"));
    const names: Record<string, string> = {
      ":ledger": ledger,
      ":ledger.pub": `${ledger}.pub`,
      ":checkpoint": checkpoint,
      ":copy": copy(),
      ":alone": join(folder, "alone"),
    };
    const { code, json } = await command([
      "trace",
      "verify",
      ...args.map((arg) => names[arg] ?? arg),
      "--json",
    ]);
    expect({ code, found: json() }).toMatchObject({
      code: 2,
      found: { ok: false, problems: [{ code: problem }] },
    });
  });

  it("shows how far it is to a person who waits, and not to a pipe", async () => {
    const long = join(folder, "long.db");
    await command(["kernel", "init", long, "--budget", "usd=1"]);
    const stdin = '{"id":"nothing","effects":[]}\n'.repeat(9000);
    await command(["kernel", "exec", long], { stdin });
    const { err, out } = await command(["trace", "verify", long], { isTTY: true });
    expect(out).toMatch(/^ok {2}9,001 entries/);
    // A quick machine is done before anyone has waited.
    if (err !== "") expect(err).toMatch(/\[#*-*\] \d+% {2}[\d,]+ entries verified \.\.\./);
    expect((await command(["trace", "verify", long])).err).toBe("");
  });
});

describe("trace export", () => {
  it("writes what can be verified without the ledger", async () => {
    const path = join(folder, "trace.jsonl");
    const { code, out } = await command(["trace", "export", ledger, "-o", path]);
    expect({ code, out }).toEqual({ code: 0, out: `wrote ${ENTRIES} entries to ${path}\n` });
    expect((await verify(path, ...withCheckpoint())).json()).toMatchObject({ ok: true, entries: ENTRIES });
    expect((await command(["trace", "export", ledger])).out).toBe(readFileSync(path, "utf8"));
    const [first] = (await command(["trace", "export", path])).lines();
    expect(first).toMatchObject({ seq: 1, entry: { kind: "open", seq: 1 } });
  });

  it("is verified byte by byte", async () => {
    const { out } = await command(["trace", "export", ledger]);
    const whole = Buffer.from(out);
    const path = join(folder, "flipped.jsonl");
    const random = randomFrom(SEED);
    for (let i = 0; i < runs(200); i++) {
      const bytes = Buffer.from(whole);
      // The last byte ends the last line, and whether it is there says nothing.
      const at = Math.floor(random() * (bytes.length - 1));
      bytes[at]! ^= 1 << Math.floor(random() * 8);
      writeFileSync(path, bytes);
      const { code, json } = await verify(path, ...withCheckpoint());
      expect({ code, found: json() }, `byte ${at}`).toMatchObject({ code: 1, found: { ok: false } });
    }
  });

  it("finds lines that were dropped, moved, put in or cut off", async () => {
    const lines = (await command(["trace", "export", ledger])).out.trimEnd().split("\n");
    const path = join(folder, "lines.jsonl");
    const changed: readonly (readonly string[])[] = [
      lines.toSpliced(4, 1),
      lines.toSpliced(4, 2, lines[5]!, lines[4]!),
      lines.toSpliced(4, 0, lines[4]!),
      lines.toSpliced(4, 0, ""),
      lines.slice(0, 9),
      [...lines.slice(0, 9), lines[9]!.slice(0, 100)],
    ];
    for (const one of changed) {
      writeFileSync(path, one.map((line) => `${line}\n`).join(""));
      expect((await verify(path, ...withCheckpoint())).code).toBe(1);
    }
  });
});

describe("trace checkpoint", () => {
  it("is not signed for a trace that was written anew", async () => {
    const path = join(folder, "signed.db");
    await fill(path, "1");
    expect((await command(["trace", "checkpoint", path])).code).toBe(0);
    const kept = readFileSync(`${path}.checkpoint`, "utf8");
    const other = join(folder, "other.db");
    await fill(other, "2");
    copyFileSync(other, path);
    const { code, json } = await command(["trace", "checkpoint", path, "--json"]);
    expect({ code, found: json() }).toMatchObject({
      code: 1,
      found: { ok: false, problems: [{ code: "FC9007" }] },
    });
    expect(readFileSync(`${path}.checkpoint`, "utf8")).toBe(kept);
  });

  it("goes on from the one before", async () => {
    const path = join(folder, "longer.db");
    await fill(path, "0.1");
    await command(["trace", "checkpoint", path]);
    await command(["kernel", "exec", path], { stdin: '{"id":"more","effects":[]}\n' });
    const { code, json } = await command(["trace", "checkpoint", path, "--json"]);
    expect({ code, found: json() }).toMatchObject({ code: 0, found: { ok: true, entries: ENTRIES + 1 } });
  });

  it("needs a key", async () => {
    const path = copy();
    const { code, err } = await command(["trace", "checkpoint", path]);
    expect(code).toBe(2);
    expect(err).toContain("foreclaim keys make");
    expect((await command(["trace", "checkpoint", path, "--key", checkpoint])).code).toBe(2);
    expect(statSync(path, { throwIfNoEntry: false })?.isFile()).toBe(true);
  });
});

describe("trace show", () => {
  it.each([
    [[], ENTRIES],
    [["--verdict", "refused"], 2],
    [["--verdict", "allowed"], ENTRIES - 2],
    [["--kind", "open"], 1],
    [["--action", "step-3"], 1],
    [["--from", "3", "--to", "5"], 3],
    [["--from", "2000-01-01"], ENTRIES],
    [["--to", "2000-01-01T12:00:00Z"], 0],
    [["--limit", "4"], 4],
    [["--limit", "0"], 0],
  ])("with %j gives what was asked for", async (options, count) => {
    const { code, lines } = await command(["trace", "show", ledger, ...options, "--json"]);
    expect({ code, count: lines().length }).toEqual({ code: 0, count });
  });

  it("is a table for people", async () => {
    const { out } = await command(["trace", "show", ledger, "--limit", "2"]);
    expect(out).toContain("step-11  refused");
    expect(out).toContain("it costs `1` of `usd`, and `0` is left");
    expect(out).toContain(`the last 2 of ${ENTRIES} entries; --limit gives more`);
  });

  it.each([
    ["--verdict", "maybe"],
    ["--from", "yesterday"],
    ["--limit", "some"],
  ])("refuses %s %s", async (...options) => {
    expect((await command(["trace", "show", ledger, ...options])).code).toBe(2);
  });
});
