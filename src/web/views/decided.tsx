/** The decision, its author, and the rule proposed for the policy. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { DecisionView, PolicyView, ProofView, RuleView } from "../../approve/wire.ts";
import type { Refusal } from "../data/answer.ts";
import { addRule, readPolicy } from "../data/api.ts";
import { standingAddress } from "../data/route.ts";
import { announced, session } from "../data/state.ts";
import { decisionWords } from "../data/words.ts";
import { Age } from "../parts/badges.tsx";
import { Sentence, Shown } from "../parts/shown.tsx";

interface DecidedProps {
  readonly decided: DecisionView;
  readonly proof: ProofView | null;
}

export function Decided({ decided, proof }: DecidedProps): JSX.Element {
  const { decision, by, at, text, rule, standing, proposed } = decided;
  const look = decision.includes("approved")
    ? "proved"
    : decision.includes("rejected")
      ? "refuted"
      : "unknown";
  return (
    <section aria-labelledby="decided">
      <h2 id="decided">Decision</h2>
      <div class={`card ${look}`}>
        <p class="claim">
          {capital(decisionWords[decision])} by <Shown text={by} />, <Age at={at} />.
        </p>
        {rule === null ? null : (
          <p>
            By the rule{" "}
            <code>
              <Shown text={rule} />
            </code>
            .
          </p>
        )}
        {standing === undefined ? null : (
          <p>
            {decision === "auto_approved" ? "By a" : "It made a"}{" "}
            <a href={standingAddress}>standing approval</a>.
          </p>
        )}
        {text === null || text === "" ? null : (
          <blockquote class="doc">
            <Shown text={text} layout />
            <footer>told to the agent</footer>
          </blockquote>
        )}
      </div>
      {proposed === null ? null : <Proposed rule={proposed} open={openIn(proposed, proof)} />}
    </section>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The clauses of the rule that may not hold if the run stops early. */
function openIn({ whenProven = [], stops }: RuleView, proof: ProofView | null): readonly string[] {
  if (stops === "allowed") return [];
  const open = (proof?.guarantees ?? []).filter(({ interruption }) => interruption?.safe !== true);
  return whenProven.filter((clause) => open.some(({ name }) => name === clause));
}

interface ProposedProps {
  readonly rule: RuleView;
  /** Clauses that do not count for it as it stands. */
  readonly open: readonly string[];
}

/** The rule is for a person to read, to change and to add: nothing is added by itself. */
function Proposed({ rule, open }: ProposedProps): JSX.Element {
  const text = useSignal(JSON.stringify(rule, null, 2));
  const problem = useSignal<Refusal | undefined>(undefined);
  const isAdded = useSignal(false);
  const policy = useSignal<PolicyView | undefined>(undefined);
  useEffect(() => {
    void readPolicy().then((answer) => {
      if (answer.ok) policy.value = answer.value;
    });
  }, []);
  const who = session.value;
  const isAdmin = who !== null && who !== "unknown" && who.role === "admin";
  const isKept = policy.value?.isKept === true;
  const add = async () => {
    const answer = await addRule(text.value);
    problem.value = answer.ok ? undefined : answer.refusal;
    if (!answer.ok) return;
    isAdded.value = true;
    announced.value = "The rule is in the policy.";
  };
  return (
    <div class="card rule">
      <h3>{open.length === 0 ? "A rule that would have approved it" : "A rule for programs like it"}</h3>
      {open.length === 0 ? null : (
        <p class="notice">
          It approves only programs whose clauses hold at every stopping point. In this program{" "}
          {open.map((clause, i) => (
            <>
              {i === 0 ? null : ", "}
              <code key={clause}>
                <Shown text={clause} />
              </code>
            </>
          ))}{" "}
          may not hold if the run stops early. Remove such a clause, or add <code>"stops": "allowed"</code> to
          rely on completed runs.
        </p>
      )}
      <p>
        <label for="rule">Read it, and edit it if you like. Nothing is added automatically.</label>
      </p>
      <textarea
        id="rule"
        class="code"
        rows={text.value.split("\n").length + 1}
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      <p class="problem" role="alert">
        {problem.value === undefined ? null : <Sentence text={problem.value.message} />}
      </p>
      {isAdded.value ? (
        <p class="tick">✓ It is in the policy.</p>
      ) : isKept && isAdmin ? (
        <button type="button" class="primary" onClick={() => void add()}>
          Add to the policy
        </button>
      ) : isKept ? (
        <p class="small">An admin can add it to the policy.</p>
      ) : policy.value !== undefined ? (
        <p class="small">
          The service has no policy to add it to: start it with <code>--policy policy.json</code>.
        </p>
      ) : null}
    </div>
  );
}
