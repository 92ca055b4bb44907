/** The worker of the solver: loads Z3 and answers as in Node. */
import { type InitZ3, type Request, serve } from "../../prove/decide/solver/wasm-worker.ts";
import type { Start } from "./solver-engine.ts";
import { WebAssembly } from "./web-assembly.ts";
import { scope } from "./web-worker.ts";

scope.onmessage = ({ data }) => {
  // SAFETY: the prover sends this message first.
  const { script, wasm } = data as Start;
  scope.importScripts(script);
  // SAFETY: the script defines it.
  const load = scope.initZ3 as InitZ3;
  // A worker does not know the address of a script that it imported, and the solver's own threads need it.
  const init: InitZ3 = (overrides) => load({ ...overrides, ...{ mainScriptUrlOrBlob: script } });
  const port = {
    postMessage: (message: unknown) => scope.postMessage(message),
    on: (_event: "message", hear: (request: Request) => void) => {
      // SAFETY: the prover sends nothing else afterwards.
      scope.onmessage = (message) => hear(message.data as Request);
    },
  };
  // SAFETY: of a port, `serve` uses these two.
  void serve(port as unknown as Parameters<typeof serve>[0], init, wasm, WebAssembly.instantiate);
};
