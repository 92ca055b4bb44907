/** `foreclaim lsp`, and the hidden command that proves for it. */
import type { CommandSpec } from "../../command-spec.ts";
import { option, toolsOption } from "../../options.ts";

export const lsp: CommandSpec = {
  name: "lsp",
  description: "Serve an editor: verdicts, counterexamples and sentences as programs are typed.",
  summary: "serve an editor over the language server protocol",
  options: [option("--stdio", "speak on standard input and output, which is the only way"), toolsOption],
  examples: [["foreclaim lsp --stdio", "started by an editor"]],
  load: async (version) => {
    const command = await import("./handler.ts");
    return (host, options: { readonly tools?: readonly string[] }) => command.serve(host, options, version);
  },
};

export const lspWorker: CommandSpec = {
  name: "lsp-worker",
  description: "Works for `foreclaim lsp`.",
  summary: "",
  hidden: true,
  load: async () => (await import("./handler.ts")).work,
};
