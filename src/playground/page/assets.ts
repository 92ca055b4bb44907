/** Addresses of the parts of the page, and the examples. */
import type { Assets, TextFile } from "../messages.ts";

interface Built extends Assets {
  readonly prover: string;
  readonly examples: string;
}

export interface Example {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly entry: string;
  readonly files: readonly TextFile[];
}

/** The build puts it here. */
declare const builtAssets: Built;

/** Relative to this page, wherever it lies. */
function here(name: string): string {
  return new URL(name, location.href).href;
}

export const proverAddress = here(builtAssets.prover);

export const assets: Assets = {
  parser: here(builtAssets.parser),
  solver: {
    ...builtAssets.solver,
    worker: here(builtAssets.solver.worker),
    script: here(builtAssets.solver.script),
    wasm: here(builtAssets.solver.wasm),
  },
};

export async function loadExamples(): Promise<readonly Example[]> {
  const response = await fetch(here(builtAssets.examples));
  if (!response.ok) throw new Error(`the examples cannot be loaded: status ${response.status}`);
  // SAFETY: the build writes it.
  return (await response.json()) as readonly Example[];
}
