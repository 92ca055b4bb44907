/** The routes of requests: filed, read, waited for, decided, run. */
import { createHash, randomBytes } from "node:crypto";
import { Hono } from "hono";
import { compared } from "../requests/comparison.ts";
import { detailOf, isApproval, type RequestRecord } from "../requests/record.ts";
import { mayBeDecided } from "../requests/state.ts";
import type { Changed } from "../requests/store.ts";
import {
  type Comparison,
  type Filed,
  type QuestionAnswer,
  type QuestionReply,
  type RequestList,
  requestId,
} from "../wire.ts";
import { isReviewer, maySee, seesAll } from "./authenticate.ts";
import { Refusal } from "./codes.ts";
import type { Ask, Env, Shared } from "./context.ts";
import { decisionOf } from "./decisions.ts";
import { serviceLimits } from "./limits.ts";
import { cursorOf, listQueryOf, wholeIn } from "./list-query.ts";
import { LongPoll } from "./long-poll.ts";
import { answerIn, decideIn, editIn, newRequestIn, progressIn } from "./new-request.ts";
import { bodyText, malformed } from "./read-body.ts";

export function requestRoutes(shared: Shared): Hono<Env> {
  const { ports, feed, metrics } = shared;
  const { store, settings, clock, log } = ports;
  const waiting = new LongPoll(shared);
  const needed = () => ports.policy?.reviewers() ?? 1;
  const detail = (record: RequestRecord, c: Ask) => detailOf(record, seesAll(c.get("who")), needed());
  const app = new Hono<Env>();

  app.post("/", async (c) => {
    const { credential } = c.get("who");
    if (credential.role !== "agent")
      throw new Refusal("FC4102", "only agents can file requests", "use a credential with the role `agent`");
    if (!shared.filings.take(credential.name, clock()))
      throw new Refusal("FC4110", "too many requests in one minute", "wait a moment");
    const filed = newRequestIn(await bodyText(c.req.raw), settings.workerKernel);
    if (filed.follows !== null) {
      const earlier = await store.get(filed.follows);
      if (earlier?.agent !== credential.name || earlier.decided?.decision !== "request_more")
        throw new Refusal(
          "FC4108",
          "`follows` names no request of yours that was answered with `request_more`",
        );
    }
    const filedAt = Math.floor(clock());
    const record: RequestRecord = {
      id: `r${randomBytes(12).toString("hex")}`,
      revision: 1,
      status: "proving",
      agent: credential.name,
      filedAt,
      expiresAt: filedAt + settings.expireMs,
      filed,
      found: null,
      decided: null,
      receipt: null,
      progress: null,
    };
    if ((await store.file(record, settings.openPerAgent)) === undefined) {
      const message = `there are ${settings.openPerAgent} open requests of \`${credential.name}\` already`;
      throw new Refusal("FC4111", message, "wait until some of them are decided");
    }
    feed.look();
    metrics.count("foreclaim_filed_total");
    log("info", "filed", { request: record.id, agent: credential.name });
    return c.json<Filed>({ id: record.id }, 201);
  });

  app.get("/", async (c) => {
    const who = c.get("who");
    const query = listQueryOf(c.req.query(), seesAll(who) ? undefined : who.credential.name);
    const found = await store.list({ ...query, limit: query.limit + 1 });
    const requests = found.slice(0, query.limit);
    const last = requests.at(-1);
    const next = found.length > requests.length && last !== undefined ? cursorOf(last) : null;
    if (query.before !== undefined) return c.json<RequestList>({ requests, next });
    const { limit: _, group: __, order: ___, ...filter } = query;
    return c.json<RequestList>({ requests, next, totals: await store.totals(filter) });
  });

  app.get("/:id", async (c) => c.json(detail(await seen(c), c)));

  app.get("/:id/comparison", async (c) => {
    const record = await seen(c);
    return c.json<Comparison>(compared(await store.lastApproved(record), record));
  });

  app.get("/:id/wait", async (c) => {
    const { id } = await seen(c);
    const revision = wholeIn(c.req.query("revision") ?? "0", "revision", Number.MAX_SAFE_INTEGER);
    const seconds = wholeIn(c.req.query("seconds") ?? "30", "seconds", serviceLimits.waitSeconds);
    const record = await waiting.until(id, revision, seconds * 1000, c);
    return c.json(detail(record ?? (await seen(c)), c));
  });

  app.post("/:id/decision", async (c) => {
    const record = await seen(c);
    const who = c.get("who");
    if (!isReviewer(who)) throw new Refusal("FC4102", "agents cannot decide requests");
    const { decision, text = null, revision, standing = null } = decideIn(await bodyText(c.req.raw));
    if (record.decided !== null || record.revision !== revision || !mayBeDecided(record, decision))
      throw refusalOf(
        record,
        record.decided !== null ? "decided" : record.revision !== revision ? "revision" : "status",
      );
    const { name } = who.credential;
    const at = Math.floor(clock());
    const changed = recordOf(
      isApproval(decision)
        ? await store.approve(
            record.id,
            revision,
            { credential: name, at, needed: needed(), standing },
            (now, by) => decisionOf(ports, now, decision, by.join(", "), text),
          )
        : await store.decide(record.id, revision, decisionOf(ports, record, decision, name, text)),
    );
    feed.look();
    const event = changed.decided === null ? "approved by one of several" : "decided";
    if (changed.decided !== null) metrics.count("foreclaim_decisions_total", `decision="${decision}"`);
    log("info", event, { request: record.id, decision, by: name });
    return c.json(detail(changed, c));
  });

  app.post("/:id/edit", async (c) => {
    const { id } = await seen(c);
    const who = c.get("who");
    if (!isReviewer(who)) throw new Refusal("FC4102", "only reviewers can edit requests");
    const { inputs, budget, revision } = editIn(await bodyText(c.req.raw));
    const { name } = who.credential;
    const changed = recordOf(await store.edit(id, revision, { inputs, budget }, name, Math.floor(clock())));
    feed.look();
    log("info", "edited", { request: id, by: name });
    return c.json(detail(changed, c));
  });

  app.get("/:id/receipt", async (c) => {
    const record = await own(c);
    byItself(record);
    if (record.receipt === null || record.decided === null || !isApproval(record.decided.decision))
      throw new Refusal("FC4108", "the request is not approved, so it has no receipt");
    return c.text(record.receipt);
  });

  app.put("/:id/progress", async (c) => {
    const record = await own(c);
    byItself(record);
    const { id } = record;
    const progress = progressIn(await bodyText(c.req.raw, serviceLimits.progressBytes));
    recordOf(await store.progress(id, progress));
    feed.look();
    return c.body(null, 204);
  });

  app.post("/:id/answer", async (c) => {
    const { id } = await seen(c);
    const who = c.get("who");
    if (!isReviewer(who)) throw new Refusal("FC4102", "agents cannot answer questions");
    const answer = answerIn(await bodyText(c.req.raw));
    mustFit(answer);
    const changed = recordOf(
      await store.reply(id, { ...answer, by: who.credential.name, at: Math.floor(clock()) }),
    );
    feed.look();
    log("info", "answered a question", { request: id, by: who.credential.name });
    return c.json(detail(changed, c));
  });

  /**
   * SOUNDNESS: a reply is a tool result, which the agent may not see. It is for the runner, which holds the
   * secret of the question.
   */
  app.get("/:id/answer", async (c) => {
    const { progress } = await own(c);
    const secret = c.req.header("x-foreclaim-question") ?? "";
    const digest = createHash("sha256").update(secret).digest("hex");
    if (progress?.reply === undefined || progress.reply.question.id !== digest)
      throw new Refusal("FC4103", "there is no reply to this question");
    return c.json<QuestionReply>(progress.reply);
  });

  return app;

  /** Returns the request of the route, if the caller may see it. */
  async function seen(c: Ask): Promise<RequestRecord> {
    const id = c.req.param("id") ?? "";
    const record = requestId.test(id) ? await store.get(id) : undefined;
    if (record === undefined || !maySee(c.get("who"), record)) throw missing();
    return record;
  }

  /** The same for the agent that filed it alone. */
  async function own(c: Ask): Promise<RequestRecord> {
    const record = await seen(c);
    if (record.agent === c.get("who").credential.name) return record;
    throw new Refusal("FC4102", "this is for the agent that filed the request");
  }
}

/** A reply says what its question asks for, and nothing else. */
function mustFit({ question, approved, chosen, words }: QuestionAnswer): void {
  const { kind, items } = question;
  const isRising = chosen.every((one, i) => one < items.length && one > (chosen[i - 1] ?? -1));
  const fits =
    (kind === "approve" || !approved) &&
    (kind === "approve_list" ? isRising : chosen.length === 0) &&
    (kind === "ask" || words === null);
  if (!fits) throw malformed("the answer does not fit the question");
}

/** SOUNDNESS: a reviewer believes what is reported of a run, and an agent does not report what a worker does. */
function byItself({ filed }: RequestRecord): void {
  if (filed.run === "worker") throw new Refusal("FC4108", "a worker runs this request, and reports on it");
}

function missing(): Refusal {
  return new Refusal("FC4103", "there is no such request");
}

/** Returns the changed record, or throws the refusal. */
function recordOf(changed: Changed): RequestRecord {
  switch (changed.kind) {
    case "changed":
      return changed.record;
    case "missing":
      throw missing();
    case "refused":
      throw refusalOf(changed.record, changed.why);
    case "used_up":
      throw new Refusal("FC4108", `the limit \`${changed.limit}\` is used up`);
  }
}

/** With what was decided, so that nobody has to ask again. */
function refusalOf({ decided, revision, status }: RequestRecord, why: string): Refusal {
  const more = { decided, revision, status };
  if (decided !== null && why !== "run" && why !== "status" && why !== "question")
    return new Refusal(
      "FC4106",
      `the request was already decided: \`${decided.decision}\` by ${decided.by}`,
      undefined,
      more,
    );
  switch (why) {
    case "own":
      return new Refusal("FC4102", "who files a request does not approve it", "ask another reviewer");
    case "wider":
      return new Refusal("FC4108", "the budget is more than the agent asked for", undefined, more);
    case "terms":
      return new Refusal(
        "FC4108",
        "a cap needs a budget, and the request has none",
        "set a budget, or omit `cap`",
        more,
      );
    case "revision":
      return new Refusal("FC4107", "the request has changed since it was read", "read it again", more);
    case "expired":
      return new Refusal("FC4108", "the request has expired", undefined, more);
    case "question":
      return new Refusal(
        "FC4108",
        "the run does not wait with this question, or somebody has answered it",
        undefined,
        more,
      );
    case "run":
      return new Refusal(
        "FC4108",
        "the request belongs to another run, or its run has ended",
        undefined,
        more,
      );
    default:
      return new Refusal("FC4108", `not possible for a request that is \`${status}\``, undefined, more);
  }
}
