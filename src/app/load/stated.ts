/** Guarantees from texts, compiled against the tool modules that a program in a folder could import. */
import type { Layer } from "../../compare/index.ts";
import type { Compiled } from "../../frontend/index.ts";
import { ok, type Result } from "../../ir/index.ts";
import { type Failure, firstFailure } from "../failure.ts";
import type { SourceFiles } from "../files/port.ts";
import { joinedLayer } from "../relate/layer.ts";
import { compileGuarantees } from "./parse-guarantee.ts";
import { toolFolders } from "./tool-folders.ts";
import { visibleTools } from "./visible-tools.ts";

export interface StatedPlace {
  readonly fs: SourceFiles;
  readonly folder: string;
  /** Folders of trusted tool modules, in place of the usual ones. */
  readonly tools: readonly string[] | undefined;
  /** The name of the place they were written at, in the user's words. */
  readonly file: string;
}

export interface CompiledStated {
  readonly compiled: Compiled;
  /** Everything that the tool modules declare. */
  readonly layer: Layer;
}

/** @param called full names of tools that are called besides, whose modules and coverage policies are part of it */
export async function compileStated(
  { fs, folder, tools, file }: StatedPlace,
  stated: readonly string[],
  called: ReadonlySet<string>,
): Promise<Result<CompiledStated, Failure>> {
  const visible = await visibleTools(fs, [folder], tools);
  if (visible.kind === "failed") return firstFailure(visible.failures);
  const folders = await toolFolders(fs, folder, tools);
  if (!folders.ok) return folders;
  const compiled = visible.folders.map((one) => one.compiled);
  const layer = joinedLayer(compiled);
  if (!layer.ok) return layer;
  const found = compileGuarantees({ fs, folder, folders: folders.value, compiled, file }, stated, called);
  if (found.kind === "compiled") return ok({ compiled: found.value, layer: layer.value });
  return found.kind === "invalid" ? firstFailure(found.failures) : found.failure;
}
