/** `foreclaim/shell`: classification of shell command lines, fail closed. Without any dependency. */
export {
  type Classification,
  type ClassifyOptions,
  classifyCommand,
  MAX_COMMAND,
  type Reason,
  type ReasonCode,
} from "./shell/index.ts";
