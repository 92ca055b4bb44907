/** The options and the help of `playground`. */
import type { CommandSpec } from "../../command-spec.ts";
import { jsonOption, option, whole } from "../../options.ts";

export const playground: CommandSpec = {
  name: "playground",
  description:
    "Serve a page that proves programs in the browser. Nothing that is typed there leaves the browser.",
  summary: "serve a page that proves programs in the browser",
  options: [
    option("--host <address>", "address to listen on", { default: "127.0.0.1" }),
    option("--port <port>", "port to listen on; 0 takes any free one", {
      default: 4174,
      parse: whole(0, 65_535),
    }),
    option("--out <folder>", "write the page as files for any web server, in place of serving it"),
    jsonOption,
  ],
  examples: [
    ["foreclaim playground", "on this machine; prints its address"],
    ["foreclaim playground --out public", "writes static files, with the parser and the solver"],
  ],
  load: async () => (await import("./handler.ts")).playground,
};
