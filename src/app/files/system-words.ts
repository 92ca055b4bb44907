/** Failures of the operating system, in English. This imports nothing: every command loads it at its start. */

/** Returns the system's word for a failure, such as `ENOENT`; throws on what is none of the system's. */
export function systemCode(thrown: unknown): string {
  if (thrown instanceof Error && "code" in thrown && typeof thrown.code === "string") return thrown.code;
  throw thrown;
}

/** Says in English what the system's word for a failure means. */
export function systemWords(code: string): string {
  return words.get(code) ?? `the system says ${code}`;
}

const words: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "a part of its path is not a directory"],
  ["EISDIR", "it is a directory"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "there is no space left"],
  ["EMFILE", "too many files are open"],
  ["ELOOP", "its links go round in a circle"],
  ["ENAMETOOLONG", "its name is too long"],
  ["ERR_INVALID_ARG_VALUE", "its name holds a null character"],
]);
