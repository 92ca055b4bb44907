/** Files of the package, seen from the built command in `dist/cli`. */
import { join } from "node:path";

/** The script that starts the command, for processes that work for it. */
export const entry = join(import.meta.dirname, "main.js");
/** The folder of the built approval page. */
export const pages = join(import.meta.dirname, "../web");
/** The folder of the built playground. */
export const playgroundFolder = join(import.meta.dirname, "../playground");
/** The folder with a page for each error code. */
export const errorPages = join(import.meta.dirname, "../../docs/reference/errors");
