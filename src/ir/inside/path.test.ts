/** Containment in a folder, by hand, against Node's own normalization, and against the solver's forms. */
import { posix } from "node:path";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { expectFormsToAgree } from "../../../tests/support/inside-forms.ts";
import { naiveOperators } from "../../../tests/support/naive-operators.ts";
import { atLeast, runs } from "../../../tests/support/runs.ts";
import { Automaton } from "../regular/automaton.ts";
import { pathForms, pathInside } from "./path.ts";

describe("inside", () => {
  it.each([
    ["/sandbox", "/sandbox"],
    ["/sandbox/", "/sandbox"],
    ["/sandbox", "/sandbox/"],
    ["/sandbox/x", "/sandbox"],
    ["/sandbox/a/b.txt", "/sandbox"],
    ["/sandbox//x", "/sandbox"],
    ["//sandbox/x", "/sandbox"],
    ["/sandbox/./x", "/sandbox"],
    ["/./sandbox/x", "/sandbox"],
    ["/sandbox/a/../b", "/sandbox"],
    ["/sandbox/a/..", "/sandbox"],
    ["/x/../sandbox/y", "/sandbox"],
    ["/../../sandbox/y", "/sandbox"],
    ["/sandbox/...", "/sandbox"],
    ["/sandbox/..x", "/sandbox"],
    ["/sandbox/.hidden", "/sandbox"],
    ["/sandbox/ ", "/sandbox"],
    ["/sandbox/100%", "/sandbox"],
    ["/sandbox/%zz", "/sandbox"],
    ["/sandbox/a\nb", "/sandbox"],
    ["/sandbox/\ud800", "/sandbox"],
    ["/sandbox/c:", "/sandbox"],
    ["/sandbox/x", "/other/../sandbox"],
    ["/anything", "/"],
    ["/..", "/"],
    ["/", "/"],
    ["notes/x", "notes"],
    ["./notes/x", "notes"],
    ["notes/x", "./notes/"],
    ["notes", "notes"],
    ["a/../notes", "notes"],
    ["x", "."],
    [".", "."],
    ["./", "./"],
    ["a/..", "."],
    ["ab:c", "."],
  ])("%j in %j", (path, root) => {
    expect(pathInside(path, root)).toBe(true);
  });

  it.each([
    ["/sandbox/../etc/passwd", "/sandbox"],
    ["/sandbox-evil/x", "/sandbox"],
    ["/sandboxx", "/sandbox"],
    ["/sandbo", "/sandbox"],
    ["/", "/sandbox"],
    ["", "/sandbox"],
    ["/sandbox/..", "/sandbox"],
    ["/sandbox/../", "/sandbox"],
    ["/sandbox/a/../../etc", "/sandbox"],
    ["/sandbox/./../etc", "/sandbox"],
    ["/sandbox//../etc", "/sandbox"],
    ["/sandbox/..//etc", "/sandbox"],
    ["/sandbox/../sandbox-evil", "/sandbox"],
    ["/../etc", "/sandbox"],
    ["/Sandbox/x", "/sandbox"],
    ["/sandbox/%2e%2e/etc", "/sandbox"],
    ["/sandbox/%2E%2E%2Fetc", "/sandbox"],
    ["/sandbox/..%2fetc", "/sandbox"],
    ["/sandbox/%41", "/sandbox"],
    ["/sandbox/..\\..\\etc", "/sandbox"],
    ["/sandbox\\..\\etc", "/sandbox"],
    ["/sandbox/x\0.txt", "/sandbox"],
    ["\0/sandbox/x", "/sandbox"],
    [" /sandbox/x", "/sandbox"],
    ["/sandbox /x", "/sandbox"],
    ["/sandbox\u2215x", "/sandbox"],
    ["file:///sandbox/x", "/sandbox"],
    ["~/sandbox/x", "/sandbox"],
    ["sandbox/x", "/sandbox"],
    ["/sandbox/x", "sandbox"],
    ["/sandbox/x", ""],
    ["/sandbox/x", "."],
    ["/sandbox/x", "/sandbox\\"],
    ["/sandbox\0/x", "/sandbox\0"],
    ["/a%20b/x", "/a%20b"],
    ["../notes/x", "notes"],
    ["notes/../x", "notes"],
    ["notes/../../notes/x", "notes"],
    ["../x", "."],
    ["a/../../b", "."],
    ["x", ".."],
    ["../x", ".."],
    ["../x", "../"],
    ["", "."],
    ["c:/windows", "."],
    ["C:", "."],
    ["./c:/windows", "."],
    ["c:/x", "c:"],
    ["a/../c:/x", "."],
  ])("%j not in %j", (path, root) => {
    expect(pathInside(path, root)).toBe(false);
  });
});

const part = fc.constantFrom(
  "/",
  "/",
  "/",
  "//",
  ".",
  "..",
  "..",
  "a",
  "b",
  "sandbox",
  "sandbox",
  "c:",
  "%",
  "%2e",
  "\\",
  "\0",
  "-",
  "...",
  "é",
);
const anyPath = fc.oneof(
  fc.array(part, { maxLength: 9 }).map((parts) => parts.join("")),
  fc.array(part, { maxLength: 7 }).map((parts) => `/${parts.join("")}`),
  fc.array(part, { maxLength: 6 }).map((parts) => `/sandbox/${parts.join("")}`),
);
const anyRoot = fc.oneof(
  fc.constantFrom(
    "/",
    ".",
    "/sandbox",
    "/sandbox",
    "sandbox",
    "/a/b",
    "a/b",
    "./a",
    "/a/../sandbox/",
    "/.../x",
    "é",
    "./c:",
    "..",
  ),
  anyPath,
);

test("where it says inside, normalising by Node says so too", () => {
  let inside = 0;
  fc.assert(
    fc.property(anyPath, anyRoot, (path, root) => {
      const relative = posix.relative(posix.resolve("/cwd", root), posix.resolve("/cwd", path));
      const isBelow = relative !== ".." && !relative.startsWith("../");
      const found = pathInside(path, root);
      if (found) inside++;
      if (found) expect(isBelow).toBe(true);
      // And the other way, for what is plain: all of one kind, and with nothing that is read in several ways.
      const isPlain =
        [path, root].every((one) => one !== "" && !/[\\%\0:]/.test(one)) &&
        path.startsWith("/") &&
        root.startsWith("/");
      if (isPlain) expect(found).toBe(isBelow);
    }),
    { numRuns: runs(10_000) },
  );
  expect(inside).toBeGreaterThan(atLeast(10_000) / 50);
});

test("the forms for solvers say the same, or leave it open", () => {
  expectFormsToAgree({ isInside: pathInside, forms: pathForms, anyText: anyPath, anyOuter: anyRoot });
});

test("what has no `..`, no `%` and no colon is never left open", () => {
  fc.assert(
    fc.property(anyRoot, anyPath, (root, path) => {
      const open = pathForms(root)?.open;
      if (open === undefined || path.split("/").includes("..") || /[%:]/.test(path)) return;
      expect(new Automaton(open).accepts(path)).toBe(false);
    }),
    { numRuns: runs(1_000) },
  );
});

test("a second reading of its meaning says the same", () => {
  fc.assert(
    fc.property(anyPath, anyRoot, (inner, outer) => {
      const found = pathInside(inner, outer);
      expect([inner, outer, found]).toEqual([inner, outer, naiveOperators.pathInside?.(inner, outer)]);
    }),
    { numRuns: runs(10_000) },
  );
});
