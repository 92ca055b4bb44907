/** Documents that were written directly, linked against the trusted tool modules; and tool layers that were saved. */
export { type LinkCode, type LinkProblem, linkCodes } from "./codes.ts";
export { TrustedLayer } from "./layer.ts";
export { type Linked, type LinkResult, linkDocument } from "./link.ts";
export {
  isModuleFile,
  layerLimits,
  type ReadLayer,
  readLayer,
  type SavedLayer,
  saveLayer,
} from "./saved-layer.ts";
