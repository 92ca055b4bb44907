/** Origin of the text that a command writes, judged by the programs in it. */

import type { Command, Word } from "../syntax/tree.ts";
import type { Origin } from "./argument.ts";

/** Text of a word without expansions, or undefined. */
export function plainText(word: Word | undefined): string | undefined {
  if (word === undefined) return undefined;
  let text = "";
  for (const part of word) {
    if (part.kind !== "text") return undefined;
    text += part.text;
  }
  return text;
}

const HARMLESS = new Set(
  "date|whoami|hostname|id|nproc|wc|seq|uname|arch|expr|uuidgen|tput|cal|md5sum|sha1sum|sha256sum|cksum|git|basename|node|npm|python3|ps|pgrep".split(
    "|",
  ),
);
const LISTING = new Set("ls find fd fdfind rg pwd dirname realpath readlink tree".split(" "));
const DECODERS = new Set(
  "base64|base32|xxd|openssl|rev|tr|uudecode|gunzip|zcat|bzcat|xzcat|gpg|perl|python|python3|node|ruby|php|sed|awk|gawk|jq|printf|od|curl|wget|nc|dd|cut".split(
    "|",
  ),
);

/** The origin of a command's output. */
export function outputOf(command: Command): Origin {
  switch (command.kind) {
    case "simple":
      return simpleOutput(command.words);
    case "pipeline": {
      const origins = command.stages.map(outputOf);
      const first = origins[0] ?? "output";
      if (origins.slice(1).some((origin) => origin === "harmless")) return "harmless";
      if (first === "listing" && command.stages.slice(1).every(isFilter)) return "listing";
      return origins.includes("decoded") ? "decoded" : "output";
    }
    case "list": {
      const origins = command.items.map(outputOf);
      if (origins.includes("decoded")) return "decoded";
      return origins.length === 1 ? (origins[0] ?? "output") : "output";
    }
    case "block":
      return outputOf(command.body);
    case "for":
    case "count":
    case "while":
    case "if":
    case "case":
    case "function":
    case "test":
    case "arithmetic":
      return "output";
  }
}

const FILTERS = new Set("sort uniq head tail grep egrep fgrep tac cat tee shuf".split(" "));

function isFilter(command: Command): boolean {
  return command.kind === "simple" && FILTERS.has(plainText(command.words[0]) ?? "");
}

function simpleOutput(words: readonly Word[]): Origin {
  const name = plainText(words[0]) ?? "";
  const second = plainText(words[1]) ?? "";
  if (name === "mktemp") return "temporary";
  if (name === "git" && (second === "ls-files" || second === "diff" || second === "grep")) return "listing";
  if (
    name === "git" &&
    (second === "show" || second === "cat-file" || second === "log" || second === "config")
  )
    return "output";
  if (
    (name === "grep" || name === "egrep") &&
    words.some((word) => /^-[a-zA-Z]*l/.test(plainText(word) ?? ""))
  )
    return "listing";
  if (["node", "npm", "python3"].includes(name))
    return /^(--version|-v|-V)$/.test(second) ? "harmless" : "decoded";
  if (HARMLESS.has(name)) return "harmless";
  if (LISTING.has(name)) return "listing";
  return DECODERS.has(name) ? "decoded" : "output";
}
