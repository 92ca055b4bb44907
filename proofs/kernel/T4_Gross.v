(** T4: gross spend never decreases. *)
From Coq Require Import ZArith QArith String Bool Lia List.
From Foreclaim Require Import Maps Value Budget Rule Kernel Run Books T1_Budget.
Import ListNotations.
Open Scope Z_scope.

Lemma nth_same s c time hash s' i b :
  sound s -> wf_command c -> st_time s <= time -> moved s c time hash s' -> nth_error (st_budgets s) i = Some b ->
  exists b', nth_error (st_budgets s') i = Some b' /\ gross b <= gross b' /\ refunded b <= refunded b'.
Proof.
  intros S C T M B.
  assert (exists p, nth_error (p_budgets (st_policy s)) i = Some p) as [p P].
  { destruct (nth_error (p_budgets (st_policy s)) i) as [p |] eqn:E; [ eauto |].
    apply nth_error_None in E. rewrite <- (so_length s S) in E. apply nth_error_None in E. congruence. }
  destruct (sound_at s i p b time S T P B) as (_ & _ & _ & _ & _ & _ & G & F).
  assert (upd : forall f, nth_error (update_budgets (p_budgets (st_policy s)) (st_budgets s) time f) i
                          = Some (f i (budget_at b p time))) by (intros; now rewrite nth_update, P, B).
  destruct M as [ refusals stopped
                | a checks after E1 E2 J H
                | a em E1 E2 H U
                | a key checks after E1 J H
                | r cost drop note rv paid after E1 R Paid X A
                | r note rv E1 R
                | from to steps s' E1 Bt L Hd I E2
                | after keys E1 Fr I ]; try subst s'; try (exists b; split; [ exact B | lia ]).
  - subst c. eexists. split; [ apply upd |]. cbn. pose proof (charge_nonneg _ i C). lia.
  - eexists. split; [ apply upd |]. cbn. lia.
  - subst c. destruct (pending_of_get s r rv R) as (n & Gn & V). destruct (so_pending s S n rv Gn) as (_ & _ & N).
    assert (Np : nonneg paid) by (subst paid; destruct cost; [ exact C | exact N ]).
    eexists. split; [ apply upd |]. cbn. pose proof (charge_nonneg _ i Np). lia.
  - eexists. split; [ apply upd |]. cbn. lia.
  - destruct (steps_between_spec s from to steps S Bt) as [A D].
    eexists. split; [ apply upd |].
    destruct (refund_all_spec steps i (budget_at b p time) (fun x J => proj2 (A x J))) as (_ & _ & _ & F4 & F5).
    rewrite F4, F5. rewrite G, F. split; [ lia |].
    assert (0 <= fold_right (fun x n => charge (s_charges x) i + n) 0 steps); [| lia ].
    clear -A S. induction steps as [| x steps IH]; cbn; [ lia |].
    destruct (A x (or_introl eq_refl)) as [Gx _]. destruct (so_records s S _ _ Gx) as (_ & _ & N).
    pose proof (charge_nonneg _ i N). assert (0 <= fold_right (fun x n => charge (s_charges x) i + n) 0 steps) by (apply IH; intros; apply A; now right).
    lia.
Qed.

Lemma step_sound s c clock hash : sound s -> wf_command c -> sound (step s c clock hash).
Proof. intros S C. exact (moved_sound s c _ hash _ S C (time_of_le s clock) (step_moved s c clock hash)). Qed.

Lemma follows_sound s s' : sound s -> follows s s' -> sound s'.
Proof. intros S. induction 1; [ assumption | now apply step_sound ]. Qed.

(** Whatever comes after a state, no budget is gone, and neither what was ever spent of it nor what was ever given back
    has become less. *)
Theorem T4_monotone_gross_spend p d s s' i b :
  wf_policy p -> reachable p d s -> follows s s' -> nth_error (st_budgets s) i = Some b ->
  exists b', nth_error (st_budgets s') i = Some b' /\ gross b <= gross b' /\ refunded b <= refunded b'.
Proof.
  intros W R F B. pose proof (reachable_sound p d s W R) as S.
  induction F as [| s' c clock hash F IH C].
  - exists b. split; [ assumption | lia ].
  - destruct IH as (b1 & B1 & G1 & G2). pose proof (follows_sound s s' S F) as S'.
    destruct (nth_same s' c _ hash _ i b1 S' C (time_of_le s' clock) (step_moved s' c clock hash) B1) as (b2 & B2 & H1 & H2).
    exists b2. split; [ assumption | lia ].
Qed.
