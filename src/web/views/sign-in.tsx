/** Sign-in with a pasted credential, or with an invitation from the address. */
import { useSignal } from "@preact/signals";
import type { JSX, TargetedEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Refusal } from "../data/answer.ts";
import { signIn } from "../data/api.ts";
import { session } from "../data/state.ts";
import { Sentence } from "../parts/shown.tsx";

export function SignIn({ refused }: { readonly refused: Refusal | undefined }): JSX.Element {
  const failed = useSignal<Refusal | undefined>(undefined);
  const isBusy = useSignal(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    const credential = field.current?.value.trim() ?? "";
    if (credential === "") return;
    isBusy.value = true;
    const answer = await signIn(credential);
    isBusy.value = false;
    if (answer.ok) session.value = answer.value;
    else failed.value = answer.refusal;
  };
  const problem = failed.value ?? refused;
  return (
    <main class="sign-in" id="main">
      <form class="card" onSubmit={(event) => void submit(event)}>
        <h1>Sign in</h1>
        <p>
          Paste a reviewer’s credential. <code>foreclaim serve</code> prints an address that signs you in when
          it starts for the first time.
        </p>
        <label for="credential">Credential</label>
        <input
          ref={field}
          id="credential"
          name="credential"
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="sign-in-problem"
        />
        <p id="sign-in-problem" class="problem" role="alert">
          {problem === undefined ? null : <Sentence text={problem.message} />}
        </p>
        <button type="submit" class="primary" disabled={isBusy.value}>
          Sign in
        </button>
      </form>
    </main>
  );
}
