/** The picture of a plan, with what strict mode finds in it. */

import type { Finding } from "./findings.ts";
import type { Plan } from "./plan.ts";
import { byLevels } from "./strict/graph.ts";
import { structureOf } from "./strict/structure.ts";
import { type VerifyOptions, verify } from "./strict/verify.ts";
import { mostDrawn, planSvg } from "./svg.ts";

export type Drawn =
  | { readonly kind: "drawn"; readonly svg: string; readonly valid: boolean }
  | { readonly kind: "broken"; readonly findings: readonly Finding[] }
  | { readonly kind: "too big"; readonly most: number };

export function drawPlan(plan: Plan, options: VerifyOptions = {}): Drawn {
  if (plan.actions.length > mostDrawn) return { kind: "too big", most: mostDrawn };
  const structure = structureOf(plan, options);
  if (structure.kind === "broken") return structure;
  const { findings, valid } = verify(plan, options);
  const { before } = structure.graph;
  const levels = byLevels(structure.graph, (i) => i);
  const title = plan.id === "" ? "plan" : plan.id;
  return {
    kind: "drawn",
    svg: planSvg({ title, actions: plan.actions, before, levels, findings }),
    valid,
  };
}
