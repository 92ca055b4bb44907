/** `foreclaim attest`. */
import { type CommandSpec, InvalidValue } from "../../command-spec.ts";
import {
  askerOptions,
  duration,
  jsonOption,
  kernelOption,
  ledgerWords,
  option,
  outputOption,
  seconds,
  whole,
} from "../../options.ts";

function shortText(text: string): string {
  if (/^[^\p{Cc}\p{Cf}\p{Cs}]{1,100}$/u.test(text)) return text;
  throw new InvalidValue("expected 1 to 100 characters on one line");
}

export const attest: CommandSpec = {
  name: "attest",
  description:
    "Sign that one action may be done, once, on one kernel; with a checker, only if the checker agrees.",
  summary: "sign that one action may be done",
  arguments: [
    ["<action>", "action, a JSON object; - is standard input"],
    ["[checker...]", "after --, a program that reads the action and exits with 0 if it agrees"],
  ],
  options: [
    option("--ledger <ledger>", ledgerWords, { required: true }),
    kernelOption,
    option("--key <file>", "private key that signs", { required: true }),
    option("--by <words>", "who or what attests, for the trace", { default: "a person", parse: shortText }),
    option("--expires <time>", "time until the attestation expires", {
      default: duration("10m"),
      shown: "10m",
      parse: duration,
    }),
    option("--this-version", "valid only for the state as it is now"),
    option("--checker-timeout <seconds>", "time limit of the checker", { default: 10, parse: seconds }),
    option("--checker-bytes <n>", "bytes that the checker may write", {
      default: 65_536,
      parse: whole(1, 16 * 1024 * 1024),
    }),
    outputOption,
    ...askerOptions,
    jsonOption,
  ],
  notes: `Exit codes:
  0  attested
  1  the checker did not agree, or failed
  2  bad input: no such ledger, not an action, no key`,
  examples: [
    ["foreclaim attest pay.json --ledger ledger.db --key ann.key -o ann.attestation", "a person"],
    ["foreclaim attest pay.json --ledger ledger.db --key check.key -- node check.mjs", "a program"],
  ],
  load: async () => (await import("./handler.ts")).attestTo,
};
