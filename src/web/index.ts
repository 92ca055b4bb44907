/** Views of a proof, for the playground, which has no requests. */
export { signs, type Verdict } from "./data/words.ts";
export { VerdictBadge } from "./parts/badges.tsx";
export { Prose, Sentence, Shown } from "./parts/shown.tsx";
export { Card } from "./views/card.tsx";
export { Coverage } from "./views/coverage.tsx";
export { Guarantees } from "./views/guarantees.tsx";
export { lineId, marked } from "./views/line-link.tsx";
export { MayDoView } from "./views/may-do.tsx";
export { Stepper } from "./views/stepper.tsx";
