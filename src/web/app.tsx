/** The frame of the page, and which view is in it. */
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { signOut } from "./data/api.ts";
import { listen, stopListening } from "./data/live.ts";
import { go, listAddress, route } from "./data/route.ts";
import { announced, isLive, loadList, loadRequest, session, trouble, unread } from "./data/state.ts";
import { isPhone } from "./parts/fold.tsx";
import { Help } from "./parts/help.tsx";
import { isHelpOpen, onKeys } from "./parts/keys.ts";
import { NotifyButton } from "./parts/notify.tsx";
import { Shown } from "./parts/shown.tsx";
import { List } from "./views/list.tsx";
import { Request } from "./views/request.tsx";
import { SignIn } from "./views/sign-in.tsx";
import { Standing } from "./views/standing.tsx";

export function App(): JSX.Element {
  const who = session.value;
  const isIn = who !== null && who !== "unknown";
  useEffect(() => {
    if (!isIn) return;
    void loadList();
    if (route.value.kind === "request") void loadRequest(route.value.id);
    listen();
    return stopListening;
  }, [isIn]);
  useEffect(
    () =>
      onKeys({
        "?": () => {
          isHelpOpen.value = !isHelpOpen.value;
        },
        u: () => go(listAddress),
      }),
    [],
  );
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <Bar />
      {who === "unknown" ? (
        <main id="main">
          <p role="status">One moment …</p>
        </main>
      ) : who === null ? (
        <SignIn refused={trouble.value} />
      ) : route.value.kind === "list" ? (
        <List />
      ) : route.value.kind === "standing" ? (
        <Standing />
      ) : (
        <Request />
      )}
      <p class="unseen" role="status" aria-live="polite">
        {announced.value}
      </p>
      <Help />
    </>
  );
}

/** No link, since the address is the route. */
function skip(): void {
  document.querySelector<HTMLElement>("main h1, main")?.focus();
}

function Bar(): JSX.Element {
  const who = session.value;
  const leave = async () => {
    await signOut();
    session.value = null;
  };
  return (
    <header class="bar">
      <a class="brand" href={listAddress}>
        <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
          <rect width="32" height="32" rx="9" />
          <path d="M8.5 16.5l5 5 10-11" />
        </svg>
        Foreclaim
        {unread.value === 0 ? null : (
          <span class="unread-count">
            {unread.value} <span class="unseen">unread</span>
          </span>
        )}
      </a>
      {who === null || who === "unknown" ? null : (
        <nav aria-label="You">
          <span class={isLive.value ? "live on" : "live"} role="status">
            {isLive.value ? "live" : "not connected"}
          </span>
          <span class="who">
            <Shown text={who.name} /> <span class="small">{who.role}</span>
          </span>
          {isPhone.value ? null : <NotifyButton />}
          <button
            type="button"
            class="quiet"
            aria-label="Keyboard shortcuts"
            onClick={() => {
              isHelpOpen.value = true;
            }}
          >
            <span class="key" aria-hidden="true">
              ?
            </span>
          </button>
          <button type="button" class="quiet" onClick={() => void leave()}>
            Sign out
          </button>
        </nav>
      )}
    </header>
  );
}
