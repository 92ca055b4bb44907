import { describe, expect, it } from "vitest";
import { hasColour, isUtf8 } from "./host.ts";

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
