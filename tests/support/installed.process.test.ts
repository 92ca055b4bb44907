/** An installed solver is tested with only where the product takes it. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { installedCvc5, installedZ3 } from "./installed.ts";

const folder = mkdtempSync(join(tmpdir(), "foreclaim-installed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  vi.stubEnv("PATH", folder);
  vi.stubEnv("CI", "");
  vi.stubEnv("FORECLAIM_Z3", undefined);
  vi.stubEnv("FORECLAIM_CVC5", undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(join(folder, "z3"), { force: true });
  rmSync(join(folder, "cvc5"), { force: true });
});

function put(name: string, version: string): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho "${version}"\n`);
  chmodSync(path, 0o755);
  return path;
}

describe("an installed solver", () => {
  it.each([
    ["Z3 version 4.8.12 - 64 bit", undefined],
    ["Z3 version 4.12.0 - 64 bit", "z3"],
    ["This is cvc5 version 1.0.3", undefined],
    ["something else", undefined],
  ])("on the path as z3 that prints %j", (version, found) => {
    put("z3", version);
    expect(installedZ3()).toBe(found);
  });

  it("is not there", () => {
    expect(installedZ3()).toBeUndefined();
    expect(installedCvc5()).toBeUndefined();
  });

  it("that is too old fails in CI as one that is missing does, if it is needed", () => {
    vi.stubEnv("CI", "true");
    expect(() => installedCvc5()).toThrow("apt-get install");
    put("cvc5", "This is cvc5 version 1.0.2");
    expect(() => installedCvc5()).toThrow("apt-get install");
    put("cvc5", "This is cvc5 version 1.0.3");
    expect(installedCvc5()).toBe("cvc5");
    expect(installedZ3()).toBeUndefined();
  });

  it("that was named must be there, and be good", () => {
    vi.stubEnv("FORECLAIM_Z3", join(folder, "none"));
    expect(() => installedZ3()).toThrow("ENOENT");
    vi.stubEnv("FORECLAIM_Z3", put("z3", "Z3 version 4.8.12 - 64 bit"));
    expect(() => installedZ3()).toThrow("too old");
    vi.stubEnv("FORECLAIM_CVC5", put("cvc5", "Z3 version 4.12.0 - 64 bit"));
    expect(() => installedCvc5()).toThrow("is a z3 and not a cvc5");
  });
});
