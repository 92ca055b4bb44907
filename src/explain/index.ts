/**
 * Text for people who approve: guarantees and runs in English, made from Effect IR alone, and the effects that a
 * program may have.
 */
export { isAbout } from "./about.ts";
export {
  type DescribedGuarantee,
  describeCall,
  describeGuarantee,
  describeObligation,
  describeStop,
} from "./describe.ts";
export { costQuestion } from "./effects/answers.ts";
export {
  anyOf,
  Constants,
  type Possible,
  type PossibleValue,
  textOf,
  union,
  valueIn,
} from "./effects/constants.ts";
export {
  type MayAnswer,
  type MayArgument,
  type MayCall,
  type MayChange,
  type MayDo,
  type MayTell,
  mayDo,
} from "./effects/effects.ts";
export { type ChangingTool, type Risks, risksOf, type UntrustedChoice } from "./effects/risks.ts";
export { isVacuous, type SentenceOptions, sentence, spoken } from "./english.ts";
export { readingText } from "./reading.ts";
export { isOfOneProgram, speaksOf, toolsIn } from "./references.ts";
export { mentions, namesIn } from "./rename.ts";
export { term } from "./term.ts";
export { asciiText, codeText, pieces, quotedText, visibleText } from "./visible.ts";
