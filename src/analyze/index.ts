/** What people read before they approve: guarantees and runs in English, made from Effect IR alone. */
export { isAbout } from "./about.ts";
export {
  type DescribedGuarantee,
  describeCall,
  describeGuarantee,
  describeObligation,
  describeStop,
} from "./describe.ts";
export { type SentenceOptions, sentence } from "./english.ts";
