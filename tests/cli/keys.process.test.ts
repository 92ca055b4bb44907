/** `foreclaim keys`, on real files. */
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newNonce, signatureProblem, signReceipt } from "../../src/approve/index.ts";
import { command } from "./in-process.ts";

let folder = "";
const at = (name: string) => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "foreclaim-keys-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const hex = "0".repeat(64);
const grant = {
  program: `eir1-${hex}`,
  modules: `fcm1-${hex}`,
  inputs: `in1-${hex}`,
  kernel: hex,
  budget: null,
  uses: 1,
  notBefore: 0,
  expires: 1,
  nonce: newNonce(),
  decision: "approved_once",
  by: "a test",
} as const;

describe("keys make", () => {
  test("makes a private key for its owner alone, and the public one beside it", async () => {
    const { code, out } = await command(["keys", "make", at("new/approve.key")]);
    expect(code).toBe(0);
    expect(statSync(at("new/approve.key")).mode & 0o777).toBe(0o600);
    expect(statSync(at("new/approve.pub")).mode & 0o044).toBe(0o044);
    const [privateKey, publicKey] = ["key", "pub"].map((end) =>
      readFileSync(at(`new/approve.${end}`), "utf8"),
    );
    expect(signatureProblem(signReceipt(grant, privateKey ?? ""), publicKey ?? "")).toBeUndefined();
    expect(out).toMatch(/^made {2}fck1-[0-9a-f]{32}\n/);
    expect(out).not.toContain("PRIVATE KEY");
  });

  test("refuses to write over either, and leaves no half of a pair", async () => {
    await command(["keys", "make", at("a.key")]);
    const before = readFileSync(at("a.key"), "utf8");
    const again = await command(["keys", "make", at("a.key"), "--json"]);
    expect(again.code).toBe(2);
    expect(again.out).toContain("FC9010");
    expect(readFileSync(at("a.key"), "utf8")).toBe(before);
    writeFileSync(at("b.pub"), "mine");
    expect((await command(["keys", "make", at("b.key")])).err).toContain("is there already");
    expect(existsSync(at("b.key"))).toBe(false);
    expect(readFileSync(at("b.pub"), "utf8")).toBe("mine");
  });

  test("does not write through a link", async () => {
    symlinkSync(at("elsewhere"), at("c.key"));
    expect((await command(["keys", "make", at("c.key")])).code).toBe(2);
    expect(existsSync(at("elsewhere"))).toBe(false);
  });

  test("says where it cannot write", async () => {
    writeFileSync(at("file"), "");
    const { code, err } = await command(["keys", "make", at("file/a.key")]);
    expect(code).toBe(2);
    expect(err).toContain("FC9004");
  });
});

describe("keys show", () => {
  test("shows the same of either half, and never the private one", async () => {
    const made = (await command(["keys", "make", at("a.key"), "--json"])).json();
    const [fromPublic, fromPrivate] = [
      await command(["keys", "show", at("a.pub"), "--json"]),
      await command(["keys", "show", at("a.key"), "--json"]),
    ];
    expect(fromPublic.json()).toEqual(fromPrivate.json());
    expect(fromPublic.json()).toMatchObject({
      ok: true,
      fingerprint: Reflect.get(Object(made), "fingerprint"),
    });
    const { out } = await command(["keys", "show", at("a.key")]);
    expect(out).toContain("BEGIN PUBLIC KEY");
    expect(out).not.toContain("PRIVATE");
  });

  test("shows the key that `kernel init` made", async () => {
    await command(["kernel", "init", at("l.db"), "--budget", "usd=1"]);
    expect((await command(["keys", "show", at("l.db.key")])).out).toMatch(/^fck1-/);
  });

  test.each([
    ["nothing", ""],
    ["no key", "hello"],
    [
      "another kind",
      generateKeyPairSync("ec", { namedCurve: "P-256" })
        .publicKey.export({ type: "spki", format: "pem" })
        .toString(),
    ],
  ])("refuses %s", async (_, text) => {
    writeFileSync(at("x.pub"), text);
    const { code, err } = await command(["keys", "show", at("x.pub")]);
    expect(code).toBe(2);
    expect(err).toContain("FC9010");
  });

  test("refuses what is not there", async () => {
    expect((await command(["keys", "show", at("none")])).err).toContain("FC9002");
  });
});
