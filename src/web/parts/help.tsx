/** The list of keyboard shortcuts. */
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { areKeysOn, isHelpOpen, shortcuts, turnKeys } from "./keys.ts";

export function Help(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const close = () => {
    isHelpOpen.value = false;
  };
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close}>
      <div class="help-head">
        <h2 id="help-title">Keyboard</h2>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </div>
      {shortcuts.map(({ where, keys }) => (
        <section key={where}>
          <h3>{where}</h3>
          <dl class="keys">
            {keys.map(({ key, does }) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <label class="check">
        <input
          type="checkbox"
          checked={areKeysOn.value}
          onChange={(event) => turnKeys(event.currentTarget.checked)}
        />
        Single keys are shortcuts
      </label>
    </dialog>
  );
}
