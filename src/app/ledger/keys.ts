/** Ed25519 keys in files: a private one that signs checkpoints and receipts, and beside it the public one that checks them. */
import { createPrivateKey, createPublicKey } from "node:crypto";
import { ok, type Result } from "../../ir/index.ts";
import { newKeys } from "../../kernel/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { FileSystem } from "../files/port.ts";
import { readSource } from "../files/source.ts";
import { systemWords } from "../files/system-words.ts";
import { listed } from "../report/words.ts";
import type { Address } from "./open.ts";

/** LIMIT: a key has some hundred bytes. */
const longest = 64 * 1024;
/** The mode of a private key. */
export const onlyMine = 0o600;
const forAll = 0o644;

export interface KeyFiles {
  readonly privatePath: string;
  readonly publicPath: string;
  /** Set if they were there before. */
  readonly wereThere: boolean;
}

/** Returns the default path of a ledger's key: beside its file. */
export function keyPathOf({ file }: Address): string | undefined {
  return file === undefined ? undefined : `${file}.key`;
}

/** `ledger.db.key` and `ops.pem` have their public half in `ledger.db.pub` and `ops.pub`. */
export function publicPathOf(privatePath: string): string {
  return `${privatePath.replace(/\.(?:key|pem)$/, "")}.pub`;
}

/** The keys at that path; made if there is nothing. What is there is never written over. */
export async function keysAt(fs: FileSystem, privatePath: string): Promise<Result<KeyFiles, Failure>> {
  const publicPath = publicPathOf(privatePath);
  const made = newKeys();
  const failed = await fs.createFiles(new Map([[privatePath, made.privateKey]]), () => onlyMine);
  let { publicKey } = made;
  if (failed?.kind === "failed") return cannotWrite(failed.path, failed.code);
  if (failed !== undefined) {
    const read = await readPrivateKey(fs, privatePath);
    if (!read.ok) return read;
    publicKey = publicOf(read.value) ?? "";
  }
  const notMade = await fs.createFiles(new Map([[publicPath, publicKey]]));
  if (notMade?.kind === "failed") return cannotWrite(notMade.path, notMade.code);
  return ok({ privatePath, publicPath, wereThere: failed !== undefined });
}

/** Both files or none; if one of them is there, nothing is made. */
export async function makeKeys(fs: FileSystem, privatePath: string): Promise<Result<KeyFiles, Failure>> {
  const publicPath = publicPathOf(privatePath);
  const { privateKey, publicKey } = newKeys();
  const files = new Map([
    [privatePath, privateKey],
    [publicPath, publicKey],
  ]);
  const failed = await fs.createFiles(files, (path) => (path === privatePath ? onlyMine : forAll));
  if (failed === undefined) return ok({ privatePath, publicPath, wereThere: false });
  if (failed.kind === "failed") return cannotWrite(failed.path, failed.code);
  const there = listed(failed.paths.map((path) => `\`${path}\``));
  const verb = failed.paths.length === 1 ? "is" : "are";
  const help = "a key is never written over: choose another name, or see it with `foreclaim keys show`";
  return plainFailure("FC9010", `${there} ${verb} there already`, help);
}

export async function readPrivateKey(fs: FileSystem, path: string): Promise<Result<string, Failure>> {
  const source = await readSource(fs, path, longest);
  if (!source.ok) return source;
  const { text } = source.value;
  if (isKey(() => createPrivateKey(text))) return ok(text);
  const message = `\`${path}\` is not an Ed25519 private key in PEM`;
  return plainFailure("FC9010", message, "make one with `foreclaim keys make`");
}

/** The public key, also from a private one. */
export async function readPublicKey(fs: FileSystem, path: string): Promise<Result<string, Failure>> {
  const source = await readSource(fs, path, longest);
  if (!source.ok) return source;
  const key = publicOf(source.value.text);
  if (key !== undefined) return ok(key);
  return plainFailure("FC9010", `\`${path}\` is not an Ed25519 key in PEM`);
}

function publicOf(pem: string): string | undefined {
  if (!isKey(() => createPublicKey(pem))) return undefined;
  return createPublicKey(pem).export({ type: "spki", format: "pem" }).toString();
}

function isKey(read: () => { readonly asymmetricKeyType?: string }): boolean {
  try {
    return read().asymmetricKeyType === "ed25519";
  } catch {
    return false;
  }
}

export function cannotWrite(path: string, code: string): Failure {
  const words = code === "ENOENT" ? "there is no such folder" : systemWords(code);
  return plainFailure("FC9004", `cannot write the key \`${path}\`: ${words}`, "choose another place");
}
