/** The frame of the playground: the examples, the files and the result. */
import type { JSX } from "preact";
import { Editor } from "./editor.tsx";
import { canSolve } from "./isolation.ts";
import { ResultPane, Status } from "./result.tsx";
import { chosen, examples, notice, pane, share, showExample } from "./state.ts";

export function App(): JSX.Element {
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to the result
      </button>
      <header class="bar">
        <div class="brand">
          <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
            <rect width="32" height="32" rx="9" />
            <path d="M8.5 16.5l5 5 10-11" />
          </svg>
          <h1>
            Foreclaim <span class="brand-more">playground</span>
          </h1>
        </div>
        <nav aria-label="Playground">
          <Examples />
          <button type="button" onClick={() => void share()}>
            Share
          </button>
        </nav>
      </header>
      <About />
      {canSolve ? null : (
        <p class="notice slim">
          This page is not isolated from other origins, so the solver cannot load. What needs it is unknown
          here.
        </p>
      )}
      <PaneSwitch />
      <main id="main" class={`panes show-${pane.value}`}>
        <Editor />
        <div id="result" tabIndex={-1} class="result-frame">
          <ResultPane />
        </div>
      </main>
      <p class={notice.value === "" ? "toast" : "toast on"} role="status" aria-live="polite">
        {notice.value}
      </p>
    </>
  );
}

function skip(): void {
  pane.value = "result";
  requestAnimationFrame(() => document.getElementById("result")?.focus());
}

function Examples(): JSX.Element {
  return (
    <label class="examples">
      <span class="examples-label">Example</span>
      <select
        value={chosen.value?.id ?? ""}
        onChange={(event) => {
          const found = examples.value.find(({ id }) => id === event.currentTarget.value);
          if (found !== undefined) showExample(found);
        }}
      >
        {chosen.value === undefined ? <option value="">your own</option> : null}
        {examples.value.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

function About(): JSX.Element {
  const about =
    chosen.value?.about ?? "Your own program. It stays in this browser, and in the address if you share it.";
  return <p class="about">{about}</p>;
}

/** On a narrow screen: which half is shown, with the verdict always in sight. */
function PaneSwitch(): JSX.Element {
  const button = (which: "code" | "result", label: string) => (
    <button
      type="button"
      aria-pressed={pane.value === which}
      onClick={() => {
        pane.value = which;
      }}
    >
      {label}
    </button>
  );
  return (
    <div class="pane-switch">
      <fieldset aria-label="Shown">
        {button("code", "Files")}
        {button("result", "Result")}
      </fieldset>
      {pane.value === "code" ? <Status /> : null}
    </div>
  );
}
