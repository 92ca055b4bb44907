/** The requests, what matters about each at a glance, and what changes as it changes. */
import type { JSX } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { RequestSummary } from "../../approve/wire.ts";
import { listAddress, requestAddress, route, standingAddress } from "../data/route.ts";
import {
  coverage,
  cursors,
  filterChanged,
  group,
  isUnread,
  more,
  requests,
  totals,
  trouble,
  turnPage,
  words,
} from "../data/state.ts";
import {
  count,
  coverageOrder,
  coverageWords,
  riskSigns,
  riskWords,
  signs,
  stateWords,
  type Verdict,
} from "../data/words.ts";
import { Age, CoverageBadge, TimeLeft } from "../parts/badges.tsx";
import { isPhone } from "../parts/fold.tsx";
import { onKeys } from "../parts/keys.ts";
import { NotifyButton } from "../parts/notify.tsx";
import { Prose, Shown } from "../parts/shown.tsx";

const groups = {
  waiting: "Waiting for you",
  open: "Not approvable",
  decided: "Decided",
  all: "All",
} as const;
type Group = keyof typeof groups;

type Risk = NonNullable<RequestSummary["risk"]>;

function totalOf(which: Group): number {
  const { waiting, open, decided } = totals.value;
  return which === "all" ? waiting + open + decided : totals.value[which];
}

export function List(): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  // Screen readers announce that there is another one.
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    const move = (by: number) => {
      const links = [...(list.current?.querySelectorAll("a") ?? [])];
      const at = links.findIndex((link) => link.matches(":focus"));
      links[Math.min(links.length - 1, Math.max(0, at + (at < 0 && by < 0 ? 1 : by)))]?.focus();
    };
    return onKeys({ j: () => move(1), k: () => move(-1) });
  }, []);
  return (
    <main id="main" class="list-view">
      <h1 tabIndex={-1} ref={title}>
        Requests
      </h1>
      <Of />
      <Filters />
      {trouble.value === undefined ? null : (
        <p class="problem" role="alert">
          <Prose text={trouble.value.message} />
        </p>
      )}
      <p class="sum" role="status">
        {requests.value === undefined ? "Reading the list …" : count(totalOf(group.value), "request")}
      </p>
      {requests.value?.length === 0 ? (
        <p class="empty">
          {group.value === "waiting" && totals.value.waiting === 0 && !isFiltered()
            ? "Nothing is waiting. New requests appear here automatically."
            : "There is nothing to show here."}
        </p>
      ) : null}
      <ul class="requests" ref={list}>
        {(requests.value ?? []).map((one) => (
          <Item key={one.id} request={one} />
        ))}
      </ul>
      {more.value === null && cursors.value.length === 0 ? null : (
        <nav class="pages" aria-label="Pages">
          <button
            type="button"
            disabled={cursors.value.length === 0}
            onClick={() => void turnPage("previous")}
          >
            ← Previous page
          </button>
          <button type="button" disabled={more.value === null} onClick={() => void turnPage("next")}>
            Next page →
          </button>
        </nav>
      )}
    </main>
  );
}

/** Says whose requests these are. */
function Of(): JSX.Element | null {
  const { value } = route;
  if (value.kind !== "list" || value.agent === undefined)
    return (
      <p class="meta">
        <a href={standingAddress}>Standing approvals</a> {isPhone.value ? <NotifyButton /> : null}
      </p>
    );
  return (
    <p class="meta">
      of <Shown text={value.agent} />
      {value.file === undefined ? null : (
        <>
          , program <Shown text={value.file} />
        </>
      )}{" "}
      · <a href={listAddress}>show all</a>
    </p>
  );
}

function isFiltered(): boolean {
  const { value } = route;
  const isOf = value.kind === "list" && value.agent !== undefined;
  return isOf || coverage.value !== "any" || words.value.trim() !== "";
}

function Filters(): JSX.Element {
  return (
    <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <fieldset class="segments">
        <legend class="unseen">Status</legend>
        {Object.entries(groups).map(([key, name]) => (
          <label key={key}>
            <input
              type="radio"
              name="group"
              value={key}
              checked={group.value === key}
              onChange={() => {
                group.value = asGroup(key);
                filterChanged();
              }}
            />
            <span>
              {name}
              <span class="number">{totalOf(asGroup(key))}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <label>
        <span class="unseen">Coverage</span>
        <select
          value={coverage.value}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            coverage.value = coverageOrder.find((one) => one === chosen) ?? "any";
            filterChanged();
          }}
        >
          <option value="any">Any coverage</option>
          {[...coverageOrder].reverse().map((one) => (
            <option key={one} value={one}>
              {coverageWords[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="unseen">Agent or file</span>
        <input
          type="search"
          placeholder="Agent or file"
          value={words.value}
          onInput={(event) => {
            words.value = event.currentTarget.value;
            filterChanged();
          }}
        />
      </label>
    </form>
  );
}

function asGroup(key: string): Group {
  return key === "waiting" || key === "open" || key === "decided" ? key : "all";
}

/** A line that did not change is not made again. */
function Item({ request }: { readonly request: RequestSummary }): JSX.Element {
  const isNew = isUnread(request);
  return useMemo(() => <Line request={request} isNew={isNew} />, [request.id, request.revision, isNew]);
}

interface LineProps {
  readonly request: RequestSummary;
  readonly isNew: boolean;
}

function Line({ request, isNew }: LineProps): JSX.Element {
  const { id, agent, file, filedAt, expiresAt, worst, counts, status, risk } = request;
  return (
    <li class={isNew ? "unread" : undefined}>
      <a href={requestAddress(id)}>
        <span class="file does">
          {isNew ? <span class="dot">new</span> : null}
          {risk === undefined ? <Shown text={file} /> : <Headline risk={risk} />}
        </span>
        <span class="state">{stateWords(request)}</span>
        <span class="counts">
          <Count verdict="proved" n={counts.proved} />
          <Count verdict="refuted" n={counts.refuted} />
          <Count verdict="unknown" n={counts.unknown} />
        </span>
        <span class="worst">{worst === null ? null : <CoverageBadge status={worst} />}</span>
        <span class="meta">
          {risk === undefined ? null : (
            <>
              <Shown text={file} /> ·{" "}
            </>
          )}
          by <Shown text={agent} /> · <Age at={filedAt} />
          {status === "decided" ? null : (
            <>
              {" · "}
              <TimeLeft at={expiresAt} />
            </>
          )}
        </span>
      </a>
    </li>
  );
}

/** The worst risk, then the changes: a file name says neither. */
function Headline({ risk }: { readonly risk: Risk }): JSX.Element {
  const { level, headline, changes, more: others } = risk;
  return (
    <>
      <span class="headline-line">
        <span class={`badge risk ${level}`}>
          <span class="sign" aria-hidden="true">
            {riskSigns[level]}
          </span>
          {riskWords[level]}
        </span>
        <span>
          <Prose text={headline} />
        </span>
      </span>
      {changes.length === 0 ? null : (
        <span class="changes-line">
          <Prose text={changes.join(", ")} />
          {others > 0 ? `, and ${others} more` : ""}
        </span>
      )}
    </>
  );
}

function Count({ verdict, n }: { readonly verdict: Verdict; readonly n: number }): JSX.Element | null {
  if (n === 0) return null;
  return (
    <span class={`count ${verdict}`}>
      <span aria-hidden="true">{signs[verdict]}</span> {n} {verdict}
    </span>
  );
}
