/**
 * Attestors of a run or of actions: files with attestations that people have made, and programs that check an action when it
 * comes up. Each attestation is given for the action that it names.
 */
import { dirname, resolve } from "node:path";
import {
  isJsonArray,
  isJsonObject,
  type Json,
  JsonNumber,
  type JsonObject,
  ok,
  type Result,
} from "../../ir/index.ts";
import { type AttestationRequest, attestationOfText } from "../../kernel/index.ts";
import { type Failure, plainFailure } from "../failure.ts";
import type { Clock, FileSystem } from "../files/port.ts";
import { readSource } from "../files/source.ts";
import { readPrivateKey } from "../ledger/keys.ts";
import { loadJson } from "../load/documents.ts";
import { inputFor, signed } from "./attest.ts";
import { type Checker, checkerDefaults, checkerLimits, runChecker } from "./checker.ts";

export interface AttestorFiles {
  /** Files with attestations, one on each line. */
  readonly attestation?: readonly string[] | undefined;
  /** Files that describe a program. */
  readonly attestor?: readonly string[] | undefined;
}

export type Attest = (request: AttestationRequest) => Promise<readonly unknown[]>;

/** Undefined if no file is named. `told` hears which program did not attest, and why. */
export async function attestorsOf(
  host: FileSystem & Clock,
  { attestation = [], attestor = [] }: AttestorFiles,
  told: (line: string) => void,
): Promise<Result<Attest | undefined, Failure>> {
  if (attestation.length + attestor.length === 0) return ok(undefined);
  const ready: { readonly action: string; readonly value: unknown }[] = [];
  for (const path of attestation) {
    const read = await attestationsIn(host, path);
    if (!read.ok) return read;
    ready.push(...read.value);
  }
  const programs: Program[] = [];
  for (const path of attestor) {
    const read = await programIn(host, path);
    if (!read.ok) return read;
    programs.push(read.value);
  }
  return ok(async (request) => {
    const made = await Promise.all(programs.map((one) => askedOf(one, request, host, told)));
    const given = ready.filter(({ action }) => action === request.action).map(({ value }) => value);
    return [...given, ...made.filter((one) => one !== undefined)].slice(0, mostGiven);
  });
}

/** LIMIT: of the attestations that a command of the kernel may have. */
const mostGiven = 64;

async function attestationsIn(
  fs: FileSystem,
  path: string,
): Promise<Result<{ readonly action: string; readonly value: unknown }[], Failure>> {
  const source = await readSource(fs, path);
  if (!source.ok) return source;
  const found: { readonly action: string; readonly value: unknown }[] = [];
  for (const [i, line] of source.value.text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const read = attestationOfText(line);
    if (!read.ok) return plainFailure("FC9010", `\`${path}\`, line ${i + 1}: ${read.problem.message}`);
    found.push({ action: read.value.action, value: { v: 1, ...read.value } });
  }
  return ok(found);
}

interface Program {
  readonly path: string;
  readonly checker: Checker;
  readonly privateKey: string;
  readonly by: string;
  readonly lifetimeMs: number;
}

async function askedOf(
  { path, checker, privateKey, by, lifetimeMs }: Program,
  request: AttestationRequest,
  clock: Clock,
  told: (line: string) => void,
): Promise<unknown> {
  const checked = await runChecker(checker, inputFor(request));
  if (!checked.ok) {
    told(`the attestor \`${path}\` has not attested: ${checked.why}`);
    return undefined;
  }
  // It looked at this state and at no later one.
  const how = { by, lifetimeMs, isVersioned: true, nowMs: clock.wallMs() };
  return { v: 1, ...signed(request, privateKey, how) };
}

const fields = ["command", "key", "by", "timeoutMs", "maxBytes"];

/** Reads `{"command": ["node", "check.mjs"], "key": "checker.key"}`; paths are those of the file's folder. */
async function programIn(fs: FileSystem, path: string): Promise<Result<Program, Failure>> {
  const read = await loadJson(fs, path);
  if (!read.ok) return read;
  const wrong = (what: string) =>
    plainFailure(
      "FC9001",
      `\`${path}\` ${what}`,
      'it looks like {"command": ["node", "check.mjs"], "key": "check.key"}',
    );
  const { value } = read.value;
  if (!isJsonObject(value)) return wrong("is not an object");
  const unknown = Object.keys(value).find((name) => !fields.includes(name));
  if (unknown !== undefined) return wrong(`has an unknown field \`${unknown}\``);
  const command = commandIn(value.command);
  if (command === undefined) return wrong("has no `command`, which is a list of texts");
  if (typeof value.key !== "string") return wrong("names no `key`");
  const by = value.by ?? command.join(" ").slice(0, 100);
  if (typeof by !== "string" || !/^[^\p{Cc}\p{Cf}\p{Cs}]{1,100}$/u.test(by))
    return wrong("has a `by` that is no short text");
  const timeoutMs = countIn(value, "timeoutMs", checkerDefaults.timeoutMs, checkerLimits.timeoutMs);
  const maxBytes = countIn(value, "maxBytes", checkerDefaults.maxBytes, checkerLimits.maxBytes);
  if (timeoutMs === undefined || maxBytes === undefined)
    return wrong(
      `has a \`timeoutMs\` or \`maxBytes\` beyond ${checkerLimits.timeoutMs} and ${checkerLimits.maxBytes}`,
    );
  const folder = dirname(resolve(path));
  const privateKey = await readPrivateKey(fs, resolve(folder, value.key));
  if (!privateKey.ok) return privateKey;
  const checker = { command, folder, timeoutMs, maxBytes };
  return ok({ path, checker, privateKey: privateKey.value, by, lifetimeMs });
}

/** The lifetime of what a program attests: it is used at once. */
const lifetimeMs = 60_000;

function commandIn(json: Json | undefined): readonly string[] | undefined {
  if (json === undefined || !isJsonArray(json) || json.length === 0) return undefined;
  const words = json.filter((word) => typeof word === "string");
  return words.length === json.length ? words : undefined;
}

function countIn(json: JsonObject, name: string, byDefault: number, most: number): number | undefined {
  const value = json[name];
  if (value === undefined) return byDefault;
  const count = JsonNumber.is(value) ? Number(value.value) : Number.NaN;
  return Number.isInteger(count) && count >= 1 && count <= most ? count : undefined;
}
