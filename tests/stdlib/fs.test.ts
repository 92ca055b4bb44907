/** Attacks on the files of `foreclaim/std/fs`: each is refused, and nothing outside the folder is read or written. */

import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Folder, folder } from "../../src/stdlib/fs.ts";

let base = "";
let root = "";
let files: Folder;
const SECRET = "the secret of somebody else";

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "foreclaim-std-"));
  root = join(base, "root");
  mkdirSync(join(root, "notes"), { recursive: true });
  mkdirSync(join(base, "outside"));
  writeFileSync(join(base, "outside/secret.txt"), SECRET);
  writeFileSync(join(root, "notes/a.txt"), "one");
  files = folder({ root, maxFileBytes: 1000, maxTotalBytes: 2500, maxFiles: 3, maxNames: 5 });
});

afterEach(() => {
  rmSync(base, { recursive: true, force: true });
  expect.hasAssertions();
});

/** Nothing outside was changed, and no temporary file is left. */
function untouched(): void {
  expect(readFileSync(join(base, "outside/secret.txt"), "utf8")).toBe(SECRET);
  expect(readdirSync(join(base, "outside"))).toEqual(["secret.txt"]);
  expect(readdirSync(root).filter((name) => name.startsWith("."))).toEqual([]);
}

describe("what it is for", () => {
  it("reads, lists, creates and replaces", async () => {
    expect(await files.read("notes/a.txt")).toBe("one");
    expect(await files.read("notes/b.txt")).toBeUndefined();
    expect(await files.list("notes")).toEqual(["a.txt"]);
    expect(await files.list("")).toEqual(["notes"]);
    await files.create("notes/b.txt", "zwei ü");
    expect(readFileSync(join(root, "notes/b.txt"), "utf8")).toBe("zwei ü");
    await files.replace("notes/b.txt", "two");
    expect(await files.read("notes/b.txt")).toBe("two");
    await files.replace("notes/a.txt", "ONE");
    expect(await files.exists("notes/a.txt")).toBe(true);
    expect(await files.digest("notes/a.txt")).toMatch(/^[0-9a-f]{64}$/);
    untouched();
  });
});

describe("paths", () => {
  const bad = [
    "",
    "/etc/passwd",
    "../outside/secret.txt",
    "notes/../../outside/secret.txt",
    "notes//a.txt",
    "notes/",
    ".env",
    ".git/config",
    "notes/.hidden",
    "notes\\a.txt",
    "a\0b",
    "a\nb",
    "C:x",
    "x ",
    "x.",
    "\ud800",
    "a\u202eb",
    "x".repeat(256),
    `${"a/".repeat(600)}b`,
  ];
  it.each(bad)("refuses %j", async (path) => {
    await expect(files.read(path)).rejects.toMatchObject({ name: "Refused" });
    await expect(files.create(path, "x")).rejects.toMatchObject({ name: "Refused" });
    untouched();
  });
});

describe("links and other files", () => {
  it("refuses a link to a file, for reading and for both ways of writing", async () => {
    symlinkSync(join(base, "outside/secret.txt"), join(root, "link.txt"));
    await expect(files.read("link.txt")).rejects.toMatchObject({ code: "link" });
    await expect(files.create("link.txt", "x")).rejects.toMatchObject({ code: "exists" });
    await expect(files.replace("link.txt", "x")).rejects.toMatchObject({ code: "not-read" });
    untouched();
  });

  it("refuses a link to a folder, wherever in the path", async () => {
    symlinkSync(join(base, "outside"), join(root, "out"));
    symlinkSync("..", join(root, "notes/up"));
    for (const path of ["out/secret.txt", "notes/up/x/secret.txt", "notes/up/notes/a.txt"]) {
      await expect(files.read(path)).rejects.toMatchObject({ code: "link" });
      await expect(files.create(path, "x")).rejects.toMatchObject({ code: "link" });
    }
    await expect(files.list("out")).rejects.toMatchObject({ code: "link" });
    untouched();
  });

  it("refuses a link that leads nowhere yet", async () => {
    symlinkSync(join(base, "outside/new.txt"), join(root, "new.txt"));
    await expect(files.create("new.txt", "x")).rejects.toMatchObject({ code: "exists" });
    untouched();
  });

  it("refuses another name of a file from elsewhere", async () => {
    linkSync(join(base, "outside/secret.txt"), join(root, "hard.txt"));
    await expect(files.read("hard.txt")).rejects.toMatchObject({ code: "not-a-file" });
    untouched();
  });

  it("refuses a pipe and a folder without waiting", async () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    await expect(files.read("pipe")).rejects.toMatchObject({ code: "not-a-file" });
    await expect(files.read("notes")).rejects.toMatchObject({ code: "not-a-file" });
  });

  it("never follows a folder that is swapped for a link while files are read and written", async () => {
    const outcomes = { fine: 0, refused: 0 };
    writeFileSync(join(base, "outside/a.txt"), SECRET);
    for (let turn = 0; turn < 60; turn += 1) {
      // Settled from the start: a call that is refused during the pauses below has its handler already.
      const work = Promise.allSettled([
        files.read("notes/a.txt"),
        files.list("notes"),
        files.create(`notes/n${turn}.txt`, "x"),
      ]);
      // The folder is another one at every moment of the calls.
      renameSync(join(root, "notes"), join(base, "kept"));
      symlinkSync(join(base, "outside"), join(root, "notes"));
      for (let pause = 0; pause < turn % 7; pause += 1) await new Promise((resolve) => setImmediate(resolve));
      for (const one of await work) {
        if (one.status === "rejected") outcomes.refused += 1;
        else {
          outcomes.fine += 1;
          expect(JSON.stringify(one.value ?? "")).not.toContain("secret");
        }
      }
      rmSync(join(root, "notes"));
      renameSync(join(base, "kept"), join(root, "notes"));
    }
    expect(outcomes.refused).toBeGreaterThan(0);
    expect(readdirSync(join(base, "outside")).sort()).toEqual(["a.txt", "secret.txt"]);
  });
});

describe("limits", () => {
  it("holds at and beyond the size of a file", async () => {
    writeFileSync(join(root, "full.txt"), "x".repeat(1000));
    writeFileSync(join(root, "over.txt"), "x".repeat(1001));
    expect(await files.read("full.txt")).toHaveLength(1000);
    await expect(files.read("over.txt")).rejects.toMatchObject({ code: "too-large" });
    expect(await files.exists("over.txt")).toBe(true);
    await expect(files.create("new.txt", "ü".repeat(501))).rejects.toMatchObject({ code: "too-large" });
    await files.create("new.txt", "ü".repeat(500));
  });

  it("holds at and beyond the bytes and files of a run, and the names of a folder", async () => {
    await files.create("a.txt", "x".repeat(1000));
    await files.create("b.txt", "x".repeat(1000));
    await expect(files.create("c.txt", "x".repeat(501))).rejects.toMatchObject({ code: "too-large" });
    await files.create("c.txt", "x".repeat(10));
    await expect(files.create("d.txt", "x")).rejects.toMatchObject({ code: "too-many" });
    await files.replace("c.txt", "y");
    for (let at = 0; at < 5; at += 1) writeFileSync(join(root, `notes/n${at}.txt`), "");
    await expect(files.list("notes")).rejects.toMatchObject({ code: "too-many" });
  });
});

describe("writing over", () => {
  it("asks for reading first, and notices a change since", async () => {
    await expect(files.replace("notes/a.txt", "x")).rejects.toMatchObject({ code: "not-read" });
    await files.read("notes/a.txt");
    writeFileSync(join(root, "notes/a.txt"), "changed");
    await expect(files.replace("notes/a.txt", "x")).rejects.toMatchObject({ code: "changed" });
    await files.read("notes/a.txt");
    rmSync(join(root, "notes/a.txt"));
    await expect(files.replace("notes/a.txt", "x")).rejects.toMatchObject({ code: "changed" });
    symlinkSync(join(base, "outside/secret.txt"), join(root, "notes/a.txt"));
    await expect(files.replace("notes/a.txt", "x")).rejects.toMatchObject({ code: "link" });
    untouched();
  });

  it("never takes the name of a file that is there", async () => {
    await expect(files.create("notes/a.txt", "x")).rejects.toMatchObject({ code: "exists" });
    expect(readFileSync(join(root, "notes/a.txt"), "utf8")).toBe("one");
    await expect(files.create("missing/x.txt", "x")).rejects.toMatchObject({ code: "no-folder" });
  });

  it("refuses text and bytes that are no UTF-8", async () => {
    await expect(files.create("x.txt", "\ud800")).rejects.toMatchObject({ code: "bad-text" });
    writeFileSync(join(root, "latin.txt"), Buffer.from([0xe9]));
    await expect(files.read("latin.txt")).rejects.toMatchObject({ code: "bad-text" });
  });
});
