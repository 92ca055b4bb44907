/** The files in an editor: a plain text field, with line numbers, colors and signs of verdicts around it. */
import { computed } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { lineId, marked, signs, type Verdict } from "../../web/index.ts";
import { highlight } from "./highlight.ts";
import { addFile, open, openText, project, removeFile, rename, result, setText } from "./state.ts";

export function Editor(): JSX.Element {
  return (
    <section class="editor" aria-label="Files">
      <Tabs />
      <Text key={open.value} />
      <FileBar key={`bar ${open.value}`} />
    </section>
  );
}

function Tabs(): JSX.Element {
  const { files, entry } = project.value;
  return (
    <fieldset class="tabs" aria-label="Open file">
      {files.map(([path]) => (
        <button
          key={path}
          type="button"
          class="tab"
          aria-pressed={path === open.value}
          onClick={() => {
            open.value = path;
          }}
        >
          {path}
          {path === entry ? <span class="unseen"> (the program)</span> : null}
        </button>
      ))}
      <button type="button" class="tab add" onClick={addFile} aria-label="Add a file">
        +
      </button>
    </fieldset>
  );
}

interface Sign {
  readonly verdict: Verdict | "invalid";
  readonly title: string;
}

/** Signs at the lines of the open file; those of an earlier text would stand at wrong lines. */
const lineSigns = computed((): ReadonlyMap<number, Sign> => {
  const found = new Map<number, Sign>();
  const { value } = result;
  if (value === undefined || value.project !== project.value) return found;
  const { outcome } = value;
  if (outcome.kind === "invalid")
    for (const { place, message } of outcome.problems)
      if (place !== null && place.file === open.value)
        found.set(place.start.line, { verdict: "invalid", title: message });
  if (outcome.kind !== "proof" || open.value !== value.project.entry) return found;
  const claims = [
    ...outcome.view.guarantees.filter(({ enforced }) => !enforced),
    ...outcome.view.obligations,
  ];
  for (const { line, verdict, text } of claims) {
    if (line === null) continue;
    const known = found.get(line);
    if (known === undefined || rank(verdict) > rank(known.verdict)) found.set(line, { verdict, title: text });
  }
  return found;
});

function rank(verdict: Sign["verdict"]): number {
  return ["proved", "unknown", "refuted", "invalid"].indexOf(verdict);
}

function Text(): JSX.Element {
  const text = openText.value;
  const field = useRef<HTMLTextAreaElement>(null);
  const lines = text.split("\n").length;
  useEffect(() => {
    const { value } = marked;
    if (value !== null) document.getElementById(lineId(value))?.scrollIntoView({ block: "center" });
  }, [marked.value]);
  return (
    <div class="code-frame">
      <ol class="gutter" aria-hidden="true">
        {Array.from({ length: lines }, (_, i) => (
          <Gutter key={i} line={i + 1} />
        ))}
      </ol>
      <div class="code-field">
        <pre class="paint" aria-hidden="true">
          {highlight(text).map(({ kind, text: part }, i) =>
            kind === "plain" ? (
              part
            ) : (
              <span key={i} class={`t-${kind}`}>
                {part}
              </span>
            ),
          )}
          {"\n"}
        </pre>
        <textarea
          ref={field}
          class="code"
          aria-label={`Source of ${open.value}`}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          wrap="off"
          value={text}
          onInput={(event) => setText(open.value, event.currentTarget.value)}
          onKeyDown={(event) => onEnter(event, event.currentTarget)}
        />
      </div>
    </div>
  );
}

function Gutter({ line }: { readonly line: number }): JSX.Element {
  const sign = lineSigns.value.get(line);
  const verdict = sign === undefined ? "" : ` ${sign.verdict}`;
  return (
    <li
      id={lineId(line)}
      tabIndex={-1}
      class={`gutter-line${marked.value === line ? " here" : ""}${verdict}`}
      title={sign?.title}
    >
      <span class="gutter-sign">
        {sign === undefined ? "" : sign.verdict === "invalid" ? "✗" : signs[sign.verdict]}
      </span>
      {line}
    </li>
  );
}

/** A new line begins where the last one did. Tab leaves the field, as everywhere on the page. */
function onEnter(event: KeyboardEvent, field: HTMLTextAreaElement): void {
  if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { value, selectionStart } = field;
  const line = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  const deeper = /[{([]\s*$/.test(line) ? "  " : "";
  if (indent + deeper === "") return;
  event.preventDefault();
  field.setRangeText(`\n${indent}${deeper}`, selectionStart, field.selectionEnd, "end");
  setText(open.value, field.value);
}

function FileBar(): JSX.Element {
  const path = open.value;
  const [wrong, setWrong] = useState<string | undefined>(undefined);
  const isEntry = path === project.value.entry;
  return (
    <div class="file-bar">
      <label>
        File name{" "}
        <input
          type="text"
          value={path}
          spellcheck={false}
          autocapitalize="off"
          aria-invalid={wrong !== undefined}
          aria-describedby={wrong === undefined ? undefined : "name-wrong"}
          onChange={(event) => setWrong(rename(path, event.currentTarget.value.trim()))}
        />
      </label>
      {isEntry ? (
        <span class="small">
          the program; tool modules lie below <code>tools</code>
        </span>
      ) : (
        <button type="button" class="quiet" onClick={() => removeFile(path)}>
          Remove the file
        </button>
      )}
      {wrong === undefined ? null : (
        <p id="name-wrong" class="why" role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}
