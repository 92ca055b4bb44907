import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { hasColour, isUtf8, stampOf } from "./host.ts";

describe("colours", () => {
  it.each<[isTTY: boolean, env: Readonly<Record<string, string>>, colour: boolean]>([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [false, { FORCE_COLOR: "1" }, true],
    [false, { FORCE_COLOR: "" }, false],
    [true, { FORCE_COLOR: "0" }, false],
    [true, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
    [true, { TERM: "dumb" }, false],
    [false, { CI: "true" }, false],
  ])("terminal %s with %j", (isTTY, env, colour) => {
    expect(hasColour(isTTY, env)).toBe(colour);
  });
});

describe("signs beyond ASCII", () => {
  it.each<[env: Readonly<Record<string, string>>, platform: string, unicode: boolean]>([
    [{ LANG: "en_GB.UTF-8" }, "linux", true],
    [{ LANG: "C.utf8" }, "linux", true],
    [{ LANG: "de_DE.ISO-8859-1" }, "linux", false],
    [{}, "linux", false],
    [{ LANG: "en_GB.UTF-8", LC_ALL: "C" }, "linux", false],
    [{ LC_CTYPE: "UTF-8" }, "darwin", true],
    [{ LANG: "en_GB.UTF-8", TERM: "linux" }, "linux", false],
    [{}, "win32", false],
    [{ WT_SESSION: "x" }, "win32", true],
  ])("%j on %s", (env, platform, unicode) => {
    expect(isUtf8(env, platform)).toBe(unicode);
  });
});

describe("stamps of watched files", () => {
  const folder = mkdtempSync(join(tmpdir(), "foreclaim-stamp-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "pay.ts");

  it("stay while a file is absent, and while it is only read", () => {
    expect(stampOf(file)).toBe(stampOf(file));
    writeFileSync(file, "one");
    utimesSync(file, 1, 1_000);
    const before = stampOf(file);
    utimesSync(file, 2, 1_000);
    expect(stampOf(file)).toBe(before);
  });

  it("change with its content, its place and its end", () => {
    writeFileSync(file, "one");
    const stamps = [stampOf(file)];
    writeFileSync(file, "longer");
    stamps.push(stampOf(file));
    writeFileSync(`${file}.new`, "longer");
    renameSync(`${file}.new`, file);
    stamps.push(stampOf(file));
    rmSync(file);
    stamps.push(stampOf(file));
    expect(new Set(stamps).size).toBe(stamps.length);
  });
});
