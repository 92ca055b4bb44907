// `node --import`: a server that uses SQLite of Node itself starts on a Node that has none yet. @photostructure/sqlite is
// that module for older versions, with the same engine and interface.
import { isBuiltin, register } from "node:module";
import { pathToFileURL } from "node:url";

const stand = import.meta.resolve("@photostructure/sqlite");
const hooks = `
  export const resolve = (specifier, context, next) =>
    specifier === "node:sqlite"
      ? { url: ${JSON.stringify(stand)}, format: "module", shortCircuit: true }
      : next(specifier, context);
`;
if (!isBuiltin("node:sqlite"))
  register(`data:text/javascript,${encodeURIComponent(hooks)}`, pathToFileURL(import.meta.filename));
