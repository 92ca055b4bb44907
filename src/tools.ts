/** `foreclaim/tools`: functions that tool modules call when they run. Light, and without any dependency. */
export { type ConnectionOptions, connection } from "./toolkit/connection.ts";
export {
  type AiSdkModel,
  extractor,
  type JsonModel,
  type JsonRequest,
  recordedModel,
} from "./toolkit/extract.ts";
export { approve, approveList, ask, type Person } from "./toolkit/person.ts";
