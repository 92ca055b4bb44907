/**
 * The program of the WebAssembly solver's worker. INVARIANT: `serve` uses nothing of this module. Its own text is the
 * worker's program, so that it is the same whether the sources run or what was built from them; see wasm-engine.ts.
 */
import type { MessagePort } from "node:worker_threads";

/** The part of the emscripten module that is used. Pointers are numbers. */
export interface Z3Module {
  readonly HEAPU8: Uint8Array;
  UTF8ToString(text: number): string;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _set_noop_error_handler(context: number): void;
  _Z3_get_full_version(): number;
  _Z3_global_param_reset_all(): void;
  _Z3_global_param_set(name: number, value: number): void;
  _Z3_mk_config(): number;
  _Z3_del_config(config: number): void;
  _Z3_mk_context(config: number): number;
  _Z3_del_context(context: number): void;
  _Z3_eval_smtlib2_string(context: number, commands: number): number;
  _Z3_get_error_code(context: number): number;
}

/** The package's own entry point. */
export type InitZ3 = (overrides: {
  readonly print: (line: string) => void;
  readonly printErr: (line: string) => void;
  readonly instantiateWasm: (imports: object, receive: (instance: object, wasm: object) => void) => object;
}) => Promise<Z3Module>;

export type Request =
  | { readonly kind: "begin"; readonly parameters: readonly (readonly [name: string, value: string])[] }
  | { readonly kind: "ask"; readonly commands: string }
  | { readonly kind: "end" };

/** The first one gives the version. */
export type Response =
  | { readonly kind: "reply"; readonly text: string }
  | { readonly kind: "lost"; readonly reason: "crashed" | "memory"; readonly detail: string };

export async function serve(
  port: MessagePort,
  initZ3: InitZ3,
  wasm: object,
  instantiate: (wasm: object, imports: object) => Promise<object>,
): Promise<void> {
  let printed = "";
  let context = 0;
  const send = (response: Response) => port.postMessage(response);
  const note = (line: string) => {
    printed = `${printed}${line}\n`.slice(-1000);
  };
  const lost = (error: unknown) => {
    // Z3 ends its program when it is out of memory; what is thrown then is no Error.
    const status = typeof error === "object" && error !== null ? Reflect.get(error, "status") : undefined;
    const detail = `${status === undefined ? String(error) : `status ${status}`} ${printed}`.trim();
    send({ kind: "lost", reason: status === 101 ? "memory" : "crashed", detail });
  };
  try {
    const z3 = await initZ3({
      print: note,
      printErr: note,
      instantiateWasm: (imports, receive) => {
        // Its threads are given the compiled module too.
        instantiate(wasm, imports).then((instance) => receive(instance, wasm), lost);
        return {};
      },
    });
    // On the heap, since long texts do not fit on the stack where the package's own calls put them.
    const withText = <T>(text: string, use: (pointer: number) => T): T => {
      const bytes = new TextEncoder().encode(`${text}\0`);
      const pointer = z3._malloc(bytes.length);
      if (pointer === 0) throw Object.assign(new Error("out of memory"), { status: 101 });
      z3.HEAPU8.set(bytes, pointer);
      const result = use(pointer);
      z3._free(pointer);
      return result;
    };
    const evaluate = (commands: number): string => {
      const reply = z3.UTF8ToString(z3._Z3_eval_smtlib2_string(context, commands));
      const code = z3._Z3_get_error_code(context);
      // SOUNDNESS: what went wrong without a word must not pass for commands to which there is nothing to say.
      if (code !== 0 && reply.trim() === "") throw new Error(`error ${code}`);
      return reply;
    };
    const answer = (request: Request): string => {
      switch (request.kind) {
        case "begin": {
          // Parameters belong to the whole module, not to a context, so each script sets them all anew.
          z3._Z3_global_param_reset_all();
          for (const [name, value] of request.parameters) {
            withText(name, (n) => withText(value, (v) => z3._Z3_global_param_set(n, v)));
          }
          const config = z3._Z3_mk_config();
          context = z3._Z3_mk_context(config);
          z3._Z3_del_config(config);
          // Errors are read from what it says; the handler that it comes with ends the program.
          z3._set_noop_error_handler(context);
          return "";
        }
        case "ask":
          return withText(request.commands, evaluate);
        case "end":
          z3._Z3_del_context(context);
          context = 0;
          return "";
      }
    };
    port.on("message", (request: Request) => {
      try {
        send({ kind: "reply", text: answer(request) });
      } catch (error) {
        lost(error);
      }
    });
    send({ kind: "reply", text: z3.UTF8ToString(z3._Z3_get_full_version()) });
  } catch (error) {
    lost(error);
  }
}
