/** The part of `node:path` that the prover uses, in a browser: POSIX paths, with `/` as the working folder. */
export const sep = "/";

/** Returns a path with `.` and `..` worked out. */
export function normalize(path: string): string {
  const isAbsolute = path.startsWith("/");
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (!isAbsolute) parts.push("..");
  }
  const rest = `${parts.join("/")}${path.endsWith("/") && parts.length > 0 ? "/" : ""}`;
  if (isAbsolute) return `/${rest}`;
  return rest === "" ? (path.endsWith("/") ? "./" : ".") : rest;
}

export function join(...parts: readonly string[]): string {
  const given = parts.filter((part) => part !== "");
  return given.length === 0 ? "." : normalize(given.join("/"));
}

export function resolve(...parts: readonly string[]): string {
  let whole = "";
  for (const part of ["/", ...parts]) whole = part.startsWith("/") ? part : `${whole}/${part}`;
  const path = normalize(whole);
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

export function dirname(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  if (trimmed === "") return path.startsWith("/") ? "/" : ".";
  const at = trimmed.lastIndexOf("/");
  if (at < 0) return ".";
  return trimmed.slice(0, at).replace(/\/+$/, "") || "/";
}

export function basename(path: string): string {
  const trimmed = path.replace(/\/+$/, "");
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

export function extname(path: string): string {
  const name = basename(path);
  const at = name.lastIndexOf(".");
  return at <= 0 || name === ".." ? "" : name.slice(at);
}

export function relative(from: string, to: string): string {
  const start = resolve(from).split("/").filter(Boolean);
  const end = resolve(to).split("/").filter(Boolean);
  let same = 0;
  while (same < start.length && same < end.length && start[same] === end[same]) same++;
  return [...start.slice(same).map(() => ".."), ...end.slice(same)].join("/");
}

export const posix = { sep, normalize, join, resolve, dirname, basename, extname, relative };

export default { ...posix, posix };
