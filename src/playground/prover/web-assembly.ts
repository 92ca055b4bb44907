/** The part of WebAssembly that is used. It is not in the types of the language or of Node. */

export interface Module {
  readonly [module]: true;
}
declare const module: unique symbol;

export interface Instance {
  readonly exports: { readonly [name: string]: unknown };
}

interface Namespace {
  readonly compile: (bytes: ArrayBuffer) => Promise<Module>;
  readonly compileStreaming: (response: Response) => Promise<Module>;
  readonly instantiate: (module: object, imports: object) => Promise<Instance>;
  readonly Memory: new (limits: { readonly initial: number; readonly maximum: number }) => object;
  readonly RuntimeError: new () => Error;
}

// SAFETY: every runtime that can load the parser has it, with these members.
export const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Namespace };

/** Downloads and compiles a module. A server need not know the type of such files. */
export async function compileFrom(url: string): Promise<Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url}: status ${response.status}`);
  if (response.headers.get("content-type") === "application/wasm")
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
