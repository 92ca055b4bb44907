/** Reader of sed scripts: finds commands that execute, and files that are read or written. */

import { type Reason, reason } from "../reason.ts";
import { literal } from "../values/argument.ts";
import type { Place } from "../values/folder.ts";
import { judgePath } from "../values/paths.ts";

/** Reasons against a sed script; what is not understood is refused. */
export function judgeSed(script: string, from: Place): readonly Reason[] {
  let at = 0;
  const reasons: Reason[] = [];
  const unclear = reason("inline-code", "a sed script is not understood");
  const skip = (pattern: RegExp): string => {
    const sticky = new RegExp(pattern.source, "y");
    sticky.lastIndex = at;
    const found = sticky.exec(script)?.[0] ?? "";
    at += found.length;
    return found;
  };
  /** Skips text up to an unescaped delimiter; false if there is none. */
  const delimited = (delimiter: string): boolean => {
    while (at < script.length) {
      const char = script[at];
      if (char === "\\") at += 2;
      else if (char === delimiter) {
        at += 1;
        return true;
      } else at += 1;
    }
    return false;
  };
  /** Skips a regular expression, in whose brackets the delimiter is plain. */
  const regex = (delimiter: string): boolean => {
    while (at < script.length) {
      const char = script[at];
      if (char === "\\") at += 2;
      else if (char === "[") skip(/\[\^?\]?(\[:\w+:\]|[^\]])*\]?/);
      else if (char === delimiter) {
        at += 1;
        return true;
      } else at += 1;
    }
    return false;
  };
  const address = (): boolean => {
    if (skip(/\d+(~\d+)?|\$/) !== "") return true;
    const custom = skip(/\\[^\n]/);
    const open = custom === "" ? skip(/\//) : custom.slice(1);
    if (open === "") return false;
    if (!regex(open)) at = script.length + 1;
    skip(/[IM]*/);
    return true;
  };
  const file = (use: "read" | "write") => {
    skip(/[ \t]*/);
    const name = skip(/[^\n]*/);
    reasons.push(...judgePath(literal(name.replace(/[;}].*$/, "") === name ? name : name), use, from));
  };
  while (at < script.length) {
    skip(/[\s;]*/);
    if (at >= script.length) break;
    if (address()) {
      skip(/\s*/);
      if (skip(/,/) !== "") {
        skip(/\s*/);
        if (skip(/[+~]\d+/) === "" && !address()) return unclear;
      }
    }
    skip(/\s*!?\s*/);
    const command = script[at] ?? "";
    at += 1;
    switch (command) {
      case "{":
      case "}":
      case "=":
      case "d":
      case "D":
      case "g":
      case "G":
      case "h":
      case "H":
      case "n":
      case "N":
      case "p":
      case "P":
      case "x":
      case "z":
      case "F":
        break;
      case "q":
      case "Q":
      case "l":
      case "L":
        skip(/\s*\d*/);
        break;
      case "#":
        skip(/[^\n]*/);
        break;
      case "a":
      case "i":
      case "c":
        skip(/(?:[^\n\\]|\\[\s\S])*/);
        break;
      case "b":
      case "t":
      case "T":
      case ":":
        skip(/\s*[^;\n}]*/);
        break;
      case "y": {
        const delimiter = script[at] ?? "";
        at += 1;
        if (!delimited(delimiter) || !delimited(delimiter)) return unclear;
        break;
      }
      case "s": {
        const delimiter = script[at] ?? "";
        at += 1;
        if (delimiter === "" || !regex(delimiter) || !delimited(delimiter)) return unclear;
        const flags = skip(/[gpiIMm0-9e]*/);
        if (flags.includes("e")) return reason("inline-code", "a sed script runs its text as a command");
        if (skip(/w/) !== "") file("write");
        break;
      }
      case "r":
      case "R":
        file("read");
        break;
      case "w":
      case "W":
        file("write");
        break;
      case "e":
        return reason("inline-code", "a sed script runs a command");
      default:
        return unclear;
    }
    if (at > script.length) return unclear;
    if (at < script.length && !/^\s*([;}\n#]|$)/.test(script.slice(at)) && command !== "{" && command !== "}")
      return unclear;
  }
  return reasons;
}
