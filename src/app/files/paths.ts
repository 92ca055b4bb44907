/** Paths as the front end writes them, and as people do. */
import { basename, relative, resolve, sep } from "node:path";

/** Returns a path as a person in the working folder writes it. */
export function shown(file: string): string {
  const near = relative("", resolve(file));
  if (near === "") return ".";
  return near.startsWith("..") ? file : near;
}

/** Returns a path as the front end writes it: absolute, with slashes. */
export function posix(path: string): string {
  const whole = resolve(path);
  return sep === "/" ? whole : whole.split(sep).join("/");
}

/** Returns where a file of this name lies in a folder, whatever folders its name has. */
export function inFolder(folder: string, file: string): string {
  return resolve(folder, basename(file));
}
