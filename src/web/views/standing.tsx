/** Approvals that stand for later requests: their terms, what is left of them, and a way to end each. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { StandingView } from "../../approve/wire.ts";
import type { Refusal } from "../data/answer.ts";
import { readStanding, revokeStanding } from "../data/api.ts";
import { filterAddress, listAddress, requestAddress } from "../data/route.ts";
import { announced, now, session } from "../data/state.ts";
import { count, timeLeft } from "../data/words.ts";
import { Sentence, Shown } from "../parts/shown.tsx";

const stateWords = { active: "active", used_up: "used up", expired: "expired", revoked: "revoked" } as const;

export function Standing(): JSX.Element {
  const title = useRef<HTMLHeadingElement>(null);
  const all = useSignal<readonly StandingView[] | undefined>(undefined);
  const problem = useSignal<Refusal | undefined>(undefined);
  const load = async () => {
    const answer = await readStanding();
    if (answer.ok) all.value = answer.value.standing;
    else problem.value = answer.refusal;
  };
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
    void load();
  }, []);
  const revoke = async (id: string) => {
    const answer = await revokeStanding(id);
    problem.value = answer.ok ? undefined : answer.refusal;
    if (answer.ok) announced.value = "The approval is revoked.";
    await load();
  };
  return (
    <main id="main" class="list-view">
      <a class="back" href={listAddress}>
        ← All requests
      </a>
      <h1 tabIndex={-1} ref={title}>
        Standing approvals
      </h1>
      <p class="lead">
        Later requests of the same agent pass without a question if their program, guarantees, tools and
        inputs are the same.
      </p>
      {problem.value === undefined ? null : (
        <p class="problem" role="alert">
          <Sentence text={problem.value.message} />
        </p>
      )}
      {all.value?.length === 0 ? <p class="empty">No approval stands.</p> : null}
      <ul class="cards">
        {(all.value ?? []).map((one) => (
          <One key={one.id} one={one} revoke={() => void revoke(one.id)} />
        ))}
      </ul>
    </main>
  );
}

interface OneProps {
  readonly one: StandingView;
  readonly revoke: () => void;
}

function One({ one, revoke }: OneProps): JSX.Element {
  const { request, agent, file, uses, used, cap, charged, budget, by, until, state, revoked, requests } = one;
  const who = session.value;
  const mayRevoke = who !== null && who !== "unknown" && (who.role === "reviewer" || who.role === "admin");
  return (
    <li class={`card ${state === "active" ? "running" : ""}`}>
      <p class="claim">
        <a href={requestAddress(request)}>
          <Shown text={file} />
        </a>{" "}
        of{" "}
        <a href={filterAddress(agent, file)}>
          <Shown text={agent} />
        </a>
        , approved by <Shown text={by.join(", ")} />
      </p>
      <p>
        <strong>{stateWords[state]}</strong>: {used} of {count(uses, "use")}
        {state === "active" ? `, ${timeLeft(until, now.value)}` : ""}
        {budget === null ? "" : `, each at most ${budget}`}
        {cap === null ? "" : `, ${charged} of ${cap} in all`}
        {revoked === null ? null : (
          <>
            {" "}
            by <Shown text={revoked.by} />
          </>
        )}
      </p>
      {requests.length === 0 ? null : (
        <p class="small">
          used by{" "}
          {requests.slice(0, 5).map((id, i) => (
            <>
              {i === 0 ? "" : ", "}
              <a href={requestAddress(id)}>{id.slice(0, 9)}</a>
            </>
          ))}
          {requests.length > 5 ? ", …" : ""}
        </p>
      )}
      {state === "active" && mayRevoke ? (
        <button type="button" class="danger" onClick={revoke}>
          Revoke
        </button>
      ) : null}
    </li>
  );
}
