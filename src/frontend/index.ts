/** TypeScript to Effect IR: `compileProgram` for programs, `compileTools` for tool modules. */
export {
  defaultFrontLimits,
  type FrontCode,
  type FrontLimits,
  frontCodes,
  type SourceDiagnostic,
} from "./codes.ts";
export {
  type Compiled,
  type CompiledContract,
  type CompiledTools,
  compileProgram,
  compileTools,
  type FrontResult,
} from "./compile.ts";
export type { ListedContract, Meaning, UsedPolicy } from "./cover.ts";
export type { CoverageContract, CoveragePolicy } from "./coverage.ts";
export type {
  ContractDeclaration,
  Declaration,
  DeclaredParam,
  FluentDeclaration,
  ToolDeclaration,
} from "./describe.ts";
export type { Host } from "./read/modules.ts";
export { compileWritten, type Written, type WrittenGuarantee } from "./written.ts";
