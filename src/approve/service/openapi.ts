/** The description of the service, as it is published at `/openapi.json`. */

import { coverages, decisions, levels, requestGroups, shapes, statuses } from "../wire.ts";
import { serviceCodes, statusOfCode } from "./codes.ts";
import { cookieName, csrfHeader } from "./cookie.ts";
import { type Schema, schemaOf } from "./json-schema.ts";
import { serviceLimits as limits } from "./limits.ts";

interface Route {
  readonly path: string;
  readonly method: "get" | "post" | "put" | "delete";
  readonly summary: string;
  /** Schema of the request body. */
  readonly body?: string;
  /** The status of the good answer, and what it is. */
  readonly status: number;
  readonly answer?: string | { readonly type: string };
  readonly parameters?: readonly Schema[];
  /** Roles that may use it; everybody if omitted. */
  readonly who?: string;
}

const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
const query = (name: string, schema: Schema, description: string) => ({
  name,
  in: "query",
  schema,
  description,
});
const oneOf = (all: readonly string[]): Schema => ({ type: "string", enum: all });

export const routes: readonly Route[] = [
  {
    path: "/api/requests",
    method: "post",
    summary: "File a program. It is proved, then decided.",
    body: "NewRequest",
    status: 201,
    answer: "Filed",
    who: "an agent",
  },
  {
    path: "/api/requests",
    method: "get",
    summary: "Lists requests, the newest first; an agent sees its own.",
    status: 200,
    answer: "RequestList",
    who: "an agent, a reviewer",
    parameters: [
      query("status", oneOf(statuses), "only in this state"),
      query("group", oneOf(requestGroups), "only of these states"),
      query("decision", oneOf(decisions), "only with this decision"),
      query("worst", oneOf(coverages), "only with this as the most severe coverage status"),
      query("risk", oneOf(levels), "only with this as the worst risk"),
      query("agent", { type: "string" }, "only of this agent"),
      query("file", { type: "string" }, "only with exactly this file name"),
      query("program", { type: "string" }, "only with this hash of the document"),
      query("q", { type: "string" }, "in the file name, the agent, the id, the headline or the changes"),
      query("order", oneOf(["risk"]), "the worst risk first; otherwise the newest first"),
      query("limit", { type: "integer", minimum: 1, maximum: limits.listed, default: 50 }, "how many"),
      query("before", { type: "string" }, "the `next` of the page before"),
    ],
  },
  {
    path: "/api/requests/{id}",
    method: "get",
    summary: "One request, with its proof.",
    status: 200,
    answer: "RequestDetail",
    who: "the agent that filed it, a reviewer",
    parameters: [id],
  },
  {
    path: "/api/requests/{id}/wait",
    method: "get",
    summary: "Long poll: returns the request once its revision is above the given one, or at the timeout.",
    status: 200,
    answer: "RequestDetail",
    who: "the agent that filed it, a reviewer",
    parameters: [
      id,
      query("revision", { type: "integer", minimum: 0, default: 0 }, "the one that is known"),
      query("seconds", { type: "integer", minimum: 0, maximum: limits.waitSeconds, default: 30 }, "how long"),
    ],
  },
  {
    path: "/api/requests/{id}/decision",
    method: "post",
    summary: "Decide, once, about the revision that was read.",
    body: "Decide",
    status: 200,
    answer: "RequestDetail",
    who: "a reviewer",
    parameters: [id],
  },
  {
    path: "/api/requests/{id}/edit",
    method: "post",
    summary: "Give a pending request other inputs or a smaller budget. Other inputs are proved again.",
    body: "Edit",
    status: 200,
    answer: "RequestDetail",
    who: "a reviewer",
    parameters: [id],
  },
  {
    path: "/api/requests/{id}/comparison",
    method: "get",
    summary: "The changes since the last approved request of the same agent with the same file name.",
    status: 200,
    answer: "Comparison",
    who: "the agent that filed it, a reviewer",
    parameters: [id],
  },
  {
    path: "/api/requests/{id}/receipt",
    method: "get",
    summary: "The receipt of an approved request, as canonical JSON.",
    status: 200,
    answer: { type: "text/plain" },
    who: "the agent that filed it",
    parameters: [id],
  },
  {
    path: "/api/requests/{id}/progress",
    method: "put",
    summary: "Report the progress of the run, in full.",
    body: "Progress",
    status: 204,
    who: "the agent that filed it",
    parameters: [id],
  },
  {
    path: "/api/requests/{id}/answer",
    method: "post",
    summary: "Answer the question that the run waits with, as it was read.",
    body: "QuestionAnswer",
    status: 200,
    answer: "RequestDetail",
    who: "a reviewer",
    parameters: [id],
  },
  {
    path: "/api/requests/{id}/answer",
    method: "get",
    summary: "The reply to the question of the run. The secret of the question goes into a header.",
    status: 200,
    answer: "QuestionReply",
    who: "the runner that asked",
    parameters: [
      id,
      {
        name: "x-foreclaim-question",
        in: "header",
        required: true,
        schema: { type: "string", maxLength: 100 },
        description: "the secret whose SHA-256 is the id of the question",
      },
    ],
  },
  {
    path: "/api/events",
    method: "get",
    summary:
      "Server-sent events named `request`, each a `RequestEvent`, with ids to resume from (`Last-Event-ID`).",
    status: 200,
    answer: { type: "text/event-stream" },
    who: "an agent (its own), a reviewer",
  },
  {
    path: "/api/policy",
    method: "get",
    summary: "The rules of the current policy.",
    status: 200,
    answer: "PolicyView",
    who: "a reviewer",
  },
  {
    path: "/api/policy/rules",
    method: "post",
    summary: "Add a rule, as it stands in a policy.",
    body: "RuleView",
    status: 201,
    answer: "PolicyView",
    who: "an admin",
  },
  {
    path: "/api/standing",
    method: "get",
    summary: "Approvals that stand for later requests, the newest first.",
    status: 200,
    answer: "StandingList",
    who: "a reviewer",
    parameters: [query("state", oneOf(["active"]), "only those that can be used")],
  },
  {
    path: "/api/standing/{id}",
    method: "delete",
    summary: "Revoke a standing approval at once.",
    status: 200,
    answer: "StandingView",
    who: "a reviewer",
    parameters: [id],
  },
  {
    path: "/api/session",
    method: "get",
    summary: "Who asks.",
    status: 200,
    answer: "Session",
    who: "an agent, a reviewer",
  },
  {
    path: "/api/session",
    method: "post",
    summary: "Sign in with the credential of a reviewer; sets a cookie.",
    body: "SignIn",
    status: 200,
    answer: "Session",
  },
  { path: "/api/session", method: "delete", summary: "Sign out.", status: 204, who: "a reviewer" },
  { path: "/healthz", method: "get", summary: "Liveness probe.", status: 200, answer: "Health" },
  {
    path: "/readyz",
    method: "get",
    summary: "Readiness probe: the store responds and the service is not stopping.",
    status: 200,
    answer: "Health",
  },
  {
    path: "/metrics",
    method: "get",
    summary: "Counters and gauges for Prometheus.",
    status: 200,
    answer: { type: "text/plain" },
    who: "a reviewer",
  },
  {
    path: "/openapi.json",
    method: "get",
    summary: "This description.",
    status: 200,
    answer: { type: "application/json" },
  },
];

function answerOf({ status, answer, summary }: Route): Schema {
  if (answer === undefined) return { [status]: { description: "Done." } };
  const content =
    typeof answer === "string"
      ? { "application/json": { schema: { $ref: `#/components/schemas/${answer}` } } }
      : {
          [answer.type]: {
            schema: answer.type === "application/json" ? { type: "object" } : { type: "string" },
          },
        };
  return { [status]: { description: summary, content } };
}

function operationOf(route: Route): Schema {
  const { summary, body, parameters, who } = route;
  return {
    summary,
    ...(who !== undefined && { description: `For ${who}.` }),
    security: who === undefined ? [] : [{ bearer: [] }, { cookie: [] }],
    ...(parameters && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: { $ref: `#/components/schemas/${body}` } } },
      },
    }),
    responses: { ...answerOf(route), default: { $ref: "#/components/responses/Refused" } },
  };
}

function pathsOf(): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const route of routes) {
    const path = paths[route.path] ?? {};
    paths[route.path] = path;
    path[route.method] = operationOf(route);
  }
  return paths;
}

const refusals = Object.entries(statusOfCode)
  .map(([code, status]) => `${status} ${code}`)
  .join(", ");

export const schemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  shapes.map(({ name, shape }) => [name, schemaOf(shape)]),
);

export const openapi: Schema = {
  openapi: "3.1.0",
  info: {
    title: "Foreclaim approval service",
    version: "1",
    description: "Agents file programs, they are proved, and people decide.",
  },
  paths: pathsOf(),
  components: {
    schemas,
    responses: {
      Refused: {
        description: `Refused: ${refusals}.`,
        content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } } },
      },
    },
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer", description: "A credential." },
      cookie: {
        type: "apiKey",
        in: "cookie",
        name: cookieName,
        description: `A session of the page; requests that change something also need the header \`${csrfHeader}\`.`,
      },
    },
  },
  "x-codes": serviceCodes,
};
