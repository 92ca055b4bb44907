/**
 * The parser in a browser, in the place of `frontend/parser.ts`: the same code as the native one, in WebAssembly. Nesting
 * that is deeper than its stack ends the instance and not the page.
 */
import { instantiateNapiModuleSync, type WASIInstance } from "@emnapi/core";
import asyncWork from "@emnapi/core/plugins/async-work";
import threadsafeFunction from "@emnapi/core/plugins/threadsafe-function";
import { createContext } from "@emnapi/runtime";
import { WASI } from "@tybys/wasm-util";
import type { ParseResult, ParserOptions } from "oxc-parser";
import { wrap } from "oxc-parser/src-js/wrap";
import { type Instance, type Module, WebAssembly } from "./web-assembly.ts";

type Parse = (path: string, text: string, options: ParserOptions) => ParseResult;

/** LIMIT: of memory, in pages of 64 KiB: 64 MiB at the start, as the package's own loader has it, and at most 1 GiB. */
const pages = { initial: 1024, maximum: 16_384 };

let compiled: Module | undefined;
let parse: Parse | undefined;

/** Takes the compiled parser. It must be called before anything is parsed. */
export function setParser(module: Module): void {
  compiled = module;
  parse = instantiate(module);
}

/** Undefined if it is nested deeper than the parser can follow. */
export function parseText(path: string, text: string, options: ParserOptions): ParseResult | undefined {
  if (compiled === undefined) throw new Error("the parser is not loaded");
  parse ??= instantiate(compiled);
  try {
    return parse(path, text, options);
  } catch (error) {
    // Its stack was left in the middle, so nothing is asked of this instance again.
    parse = undefined;
    if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) return undefined;
    throw error;
  }
}

function instantiate(module: Module): Parse {
  const memory = new WebAssembly.Memory(pages);
  const { napiModule } = instantiateNapiModuleSync(module, {
    context: createContext(),
    asyncWorkPoolSize: 0,
    plugins: [asyncWork, threadsafeFunction],
    // SAFETY: `start`, which its types say less of, is for programs, and the parser is none.
    wasi: new WASI({ version: "preview1" }) as WASIInstance,
    overwriteImports: (imports: Imports) => ({
      ...imports,
      env: { ...imports.env, ...imports.napi, ...imports.emnapi, memory },
    }),
    beforeInit: ({ instance }: { readonly instance: Instance }) => {
      for (const [name, register] of Object.entries(instance.exports))
        if (name.startsWith("__napi_register__") && typeof register === "function") register();
    },
  });
  const { parseSync } = napiModule.exports;
  return (path, text, options) => wrap(parseSync(path, text, options));
}

type Imports = { readonly [module: string]: { readonly [name: string]: unknown } };
