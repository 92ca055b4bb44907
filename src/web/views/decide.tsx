/**
 * The decision: what to say to the agent, and a button for each answer. Every one of them is confirmed before it is
 * sent, with the revision that was read, so that nobody approves what has changed meanwhile.
 */
import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Decide as Decision, RequestDetail, StandingTerms } from "../../approve/wire.ts";
import type { Refusal } from "../data/answer.ts";
import { decide } from "../data/api.ts";
import { announced, loadList, loadRequest, maySend } from "../data/state.ts";
import { count, decisionWords, duration } from "../data/words.ts";
import { isPhone } from "../parts/fold.tsx";
import { onKeys } from "../parts/keys.ts";
import { Prose, Sentence, Shown } from "../parts/shown.tsx";

type Kind = Decision["decision"];

interface Choice {
  readonly kind: Kind;
  readonly name: string;
  readonly key: string;
  readonly means: string;
  readonly look: string;
  /** True for those that a phone shows at once. */
  readonly isUsual?: true;
}

const choices: readonly Choice[] = [
  {
    kind: "approved_once",
    name: "Approve once",
    key: "a",
    means: "The agent may run exactly this program once, with these inputs and this budget.",
    look: "primary",
    isUsual: true,
  },
  {
    kind: "approved_remember",
    name: "Approve and remember",
    key: "A",
    means: "The same, and Foreclaim proposes a policy rule that would have approved it.",
    look: "",
  },
  {
    kind: "request_more",
    name: "Ask for more",
    key: "m",
    means: "Nothing runs. The agent reads what you wrote and may file another request.",
    look: "",
  },
  {
    kind: "rejected",
    name: "Reject",
    key: "r",
    means: "Nothing runs. The agent reads what you wrote.",
    look: "danger",
    isUsual: true,
  },
];

export function Decide({ request }: { readonly request: RequestDetail }): JSX.Element {
  const { id, status, revision, proof } = request;
  const choice = useSignal<Choice | undefined>(undefined);
  const text = useSignal("");
  const problem = useSignal<Refusal | undefined>(undefined);
  const isBusy = useSignal(false);
  /** The revision that was on the page when the choice was made. */
  const chosenAt = useSignal(revision);
  /** The terms on which it stands for later requests; undefined for this one alone. */
  const terms = useSignal<StandingTerms | undefined>(undefined);
  const box = useRef<HTMLTextAreaElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  const before = useRef<HTMLElement | null>(null);
  /** On a phone, the two usual answers are in reach and the others open. */
  const isWide = useSignal(false);
  const isAll = isWide.value || !isPhone.value;
  const mayDecide = maySend();
  const isOpen = mayDecide && (status === "pending" || status === "not_proved");
  const canApprove = status === "pending" && proof?.verdict === "proved";
  const offered = choices.filter(({ kind }) => canApprove || !kind.startsWith("approved"));

  const choose = (one: Choice) => {
    problem.value = undefined;
    if (one.kind === "request_more" && text.value.trim() === "") {
      isWide.value = true;
      problem.value = { status: 0, message: "write what you want to know, then ask", help: null };
      box.current?.focus();
      return;
    }
    before.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    chosenAt.value = revision;
    choice.value = one;
  };
  const back = () => {
    if (choice.value === undefined) return;
    choice.value = undefined;
    before.current?.focus();
  };
  const send = async (one: Choice) => {
    if (isBusy.value) return;
    isBusy.value = true;
    const words = text.value.trim();
    const answer = await decide(id, {
      decision: one.kind,
      revision: chosenAt.value,
      ...(words === "" ? {} : { text: words }),
      ...(one.kind === "approved_once" && terms.value !== undefined ? { standing: terms.value } : {}),
    });
    isBusy.value = false;
    choice.value = undefined;
    if (answer.ok) {
      announced.value = isOneOfSeveral(request)
        ? "Your approval is recorded."
        : `The request is ${decisionWords[one.kind]}.`;
      text.value = "";
    } else {
      problem.value = answer.refusal.status === 409 ? stale(answer.refusal) : answer.refusal;
    }
    await Promise.all([loadRequest(id), loadList()]);
    document.querySelector<HTMLElement>("main h1")?.focus();
  };

  useLayoutEffect(() => {
    if (choice.value !== undefined) confirm.current?.focus();
  }, [choice.value]);
  useEffect(() => {
    if (choice.value === undefined || chosenAt.value === revision || isBusy.value) return;
    choice.value = undefined;
    problem.value = {
      status: 0,
      message: "nothing was sent: the request has changed while you were deciding",
      help: "Read it again.",
    };
  }, [revision]);
  useEffect(() => {
    if (!isOpen) return;
    const keys = Object.fromEntries(offered.map((one) => [one.key, () => choose(one)]));
    return onKeys({ ...keys, t: () => box.current?.focus(), Escape: () => leave(box.current, back) });
  }, [isOpen, canApprove, revision]);

  if (!isOpen && problem.value === undefined && status === "decided")
    return <aside class="decide none" aria-label="Decision" />;
  return (
    <aside class="decide" aria-labelledby="decide">
      <h2 id="decide">Your decision</h2>
      {status === "proving" ? (
        <p role="status">The proof is running. You can decide when it is done.</p>
      ) : null}
      {status === "invalid" || (isOpen && !canApprove) ? <WhyNot request={request} /> : null}
      <p class="problem" role="alert">
        {problem.value === undefined ? null : (
          <>
            <Sentence text={problem.value.message} />{" "}
            {problem.value.help === null ? null : <Prose text={problem.value.help} />}
          </>
        )}
      </p>
      <Approvals request={request} />
      {isOpen ? (
        <>
          <label for="to-agent" hidden={!isAll}>
            To the agent
          </label>
          <textarea
            id="to-agent"
            ref={box}
            hidden={!isAll}
            rows={3}
            placeholder="A reason, a question, a condition …"
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value;
            }}
          />
          {canApprove && isAll && choice.value === undefined ? (
            <Stand request={request} terms={terms} />
          ) : null}
          {choice.value === undefined ? (
            <div class="choices">
              {offered
                .filter(({ isUsual }) => isAll || isUsual)
                .map((one) => (
                  <button
                    key={one.kind}
                    type="button"
                    class={one.look}
                    onClick={() => choose(one)}
                    aria-keyshortcuts={one.key === "A" ? "Shift+A" : one.key}
                  >
                    {one.name}{" "}
                    <span class="key" aria-hidden="true">
                      {one.key}
                    </span>
                  </button>
                ))}
              {isPhone.value ? (
                <button
                  type="button"
                  aria-expanded={isWide.value}
                  onClick={() => {
                    isWide.value = !isWide.value;
                  }}
                >
                  {isWide.value ? "Less" : "More …"}
                </button>
              ) : null}
            </div>
          ) : (
            <fieldset class="confirm">
              <legend class="unseen">Confirm</legend>
              <p id="confirm-means">
                {choice.value.means}
                {choice.value.kind === "approved_once" && terms.value !== undefined
                  ? ` ${termsText(terms.value)}`
                  : ""}
              </p>
              <div class="choices">
                <button
                  type="button"
                  class={choice.value.look === "danger" ? "danger" : "primary"}
                  ref={confirm}
                  disabled={isBusy.value}
                  aria-describedby="confirm-means"
                  onClick={() => choice.value && void send(choice.value)}
                >
                  Confirm: {choice.value.name.toLowerCase()}{" "}
                  <span class="key" aria-hidden="true">
                    Enter
                  </span>
                </button>
                <button type="button" onClick={back}>
                  Back{" "}
                  <span class="key" aria-hidden="true">
                    Esc
                  </span>
                </button>
              </div>
            </fieldset>
          )}
        </>
      ) : null}
    </aside>
  );
}

/** True if another person has to approve it after this one. */
function isOneOfSeveral({ approvals }: RequestDetail): boolean {
  return approvals !== undefined && approvals.given.length + 1 < approvals.needed;
}

function Approvals({ request }: { readonly request: RequestDetail }): JSX.Element | null {
  const { approvals } = request;
  if (approvals === undefined || approvals.needed < 2) return null;
  const { needed, given } = approvals;
  return (
    <p class="notice">
      {needed} people must approve it; {given.length} did
      {given.length === 0 ? "" : ": "}
      <Shown text={given.map(({ by }) => by).join(", ")} />.
      {given.map(({ by, standing }) =>
        standing === null ? null : (
          <>
            {" "}
            <Shown text={by} />: {termsText(standing)}
          </>
        ),
      )}
    </p>
  );
}

function termsText({ uses, seconds, cap }: StandingTerms): string {
  const sum = cap === null ? "" : `, up to ${cap} in all`;
  return `The same request passes ${count(uses, "more time")} without a question, for ${duration(seconds * 1000)}${sum}.`;
}

const lives = { "an hour": 3_600, "a day": 86_400, "a week": 604_800, "30 days": 2_592_000 } as const;

interface StandProps {
  readonly request: RequestDetail;
  readonly terms: Signal<StandingTerms | undefined>;
}

/** The terms on which later requests for the same pass without a question. */
function Stand({ request, terms }: StandProps): JSX.Element {
  const given = terms.value;
  const change = (to: Partial<StandingTerms>) => {
    terms.value = { uses: 5, seconds: lives["a day"], cap: null, ...given, ...to };
  };
  return (
    <fieldset class="stand">
      <legend class="unseen">Later requests</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={given !== undefined}
          onChange={({ currentTarget }) => {
            if (currentTarget.checked) change({});
            else terms.value = undefined;
          }}
        />
        Also approve later requests for the same
      </label>
      {given === undefined ? null : (
        <div class="terms">
          <label>
            times{" "}
            <input
              type="number"
              min="1"
              max="1000"
              value={given.uses}
              onInput={({ currentTarget }) => change({ uses: Math.trunc(Number(currentTarget.value)) })}
            />
          </label>
          <label>
            for{" "}
            <select
              value={given.seconds}
              onChange={({ currentTarget }) => change({ seconds: Number(currentTarget.value) })}
            >
              {Object.entries(lives).map(([name, seconds]) => (
                <option key={name} value={seconds}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {request.budget === null ? null : (
            <label>
              up to{" "}
              <input
                inputMode="decimal"
                placeholder="in all"
                value={given.cap ?? ""}
                onInput={({ currentTarget }) => {
                  const cap = currentTarget.value.trim();
                  change({ cap: cap === "" ? null : cap });
                }}
              />
            </label>
          )}
        </div>
      )}
    </fieldset>
  );
}

/** Escape leaves the text first, and then cancels the choice. */
function leave(box: HTMLTextAreaElement | null, back: () => void): void {
  if (box !== null && document.activeElement === box) box.blur();
  else back();
}

function stale({ status, message }: Refusal): Refusal {
  return {
    status,
    message: "your decision was not recorded: the request has changed since you read it",
    help: `the service reports: ${message}; the page now shows the newest version`,
  };
}

function WhyNot({ request }: { readonly request: RequestDetail }): JSX.Element {
  const { status, proof } = request;
  const why =
    status === "invalid"
      ? "It does not compile, so there is nothing to decide. The agent has the errors."
      : proof?.verdict === "refuted"
        ? "It cannot be approved: a counterexample breaks a guarantee."
        : "It cannot be approved: a guarantee or an obligation is not proved.";
  return <p class="notice">{why}</p>;
}
