/** Paths of arguments, resolved against the folder that a command runs in. */

import { HOME, UNKNOWN } from "./argument.ts";

/** Start of a path: the working folder, the root, a home folder, or somewhere that only the run knows. */
export type Base = "work" | "root" | "home" | "unknown";

export interface Place {
  readonly base: Base;
  /** Levels above the base. */
  readonly up: number;
  readonly segments: readonly string[];
  /** Text ends with a slash or names a folder by `.`. */
  readonly folder: boolean;
}

export const WORKING_FOLDER: Place = { base: "work", up: 0, segments: [], folder: true };
export const UNKNOWN_FOLDER: Place = { base: "unknown", up: 0, segments: [], folder: true };

const HOMES = new Set(["home", "Users"]);

/** Resolves `.`, `..` and a folder to start from. */
export function resolve(text: string, from: Place): Place {
  const folder = /(^|\/)\.{0,2}$/.test(text);
  if (text.startsWith("/")) return settle(walk({ base: "root", up: 0, segments: [], folder }, text));
  if (text.startsWith(HOME))
    return walk({ base: "home", up: 0, segments: [], folder }, text.slice(HOME.length));
  if (text.startsWith(UNKNOWN)) return walk({ base: "unknown", up: 0, segments: [], folder }, text);
  return settle(walk({ ...from, folder }, text));
}

function walk(start: Place, text: string): Place {
  let { up } = start;
  const segments = [...start.segments];
  for (const segment of text.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.length > 0) segments.pop();
    else if (start.base !== "root") up += 1;
  }
  return { ...start, up, segments };
}

/** An absolute path below a home folder is one of the home folder. */
function settle(place: Place): Place {
  if (place.base !== "root") return place;
  const [first = "", user, ...rest] = place.segments;
  if (HOMES.has(first) && user !== undefined) return { ...place, base: "home", segments: rest };
  if (first === "root") return { ...place, base: "home", segments: ["\u0000root", ...rest] };
  return place;
}

/** True of a path of the superuser's home folder. */
export function ofSuperuser(place: Place): boolean {
  return place.base === "home" && place.segments[0] === "\u0000root";
}
