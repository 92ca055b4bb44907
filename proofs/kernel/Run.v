(** Runs of the kernel, and every way in which one step can change the state. *)
From Coq Require Import ZArith QArith String Bool Lia List.
From Foreclaim Require Import Maps Value Budget Rule Kernel.
Import ListNotations.
Open Scope Z_scope.

(* ── what the decoders promise: policy.ts, action.ts, command.ts ───────────────────────────────────────── *)
Definition wf_bpolicy (p : bpolicy) : Prop :=
  0 <= bp_limit p /\ 0 <= bp_min_cost p /\ match bp_window p with None => True | Some ms => 0 < ms end.

Definition wf_policy (p : policy) : Prop :=
  Forall wf_bpolicy (p_budgets p) /\ 0 <= p_undo_steps p /\
  (exists given, p_max_steps p = step_limit (p_budgets p) given /\ match given with None => True | Some n => 0 <= n end).

(** `unitsOf` refuses amounts that are negative or finer than the quantum. *)
Definition wf_command (c : command) : Prop :=
  match c with
  | CExecute a | CReserve a _ => nonneg (a_charges a)
  | CSettle _ (Some cost) _ _ => nonneg cost
  | _ => True
  end.

(* ── runs ──────────────────────────────────────────────────────────────────────────────────────────────── *)
(** Every state that a kernel with this policy and initial state can come to. Clocks and hashes are arbitrary. *)
Inductive reachable (p : policy) (d : data) : state -> Prop :=
| r_open : forall clock hash s, open_kernel p d clock hash = Some s -> reachable p d s
| r_step : forall s c clock hash, reachable p d s -> wf_command c -> reachable p d (step s c clock hash).

(** From one state on. *)
Inductive follows (s : state) : state -> Prop :=
| f_here : follows s s
| f_step : forall s' c clock hash, follows s s' -> wf_command c -> follows s (step s' c clock hash).

(* ── one step ──────────────────────────────────────────────────────────────────────────────────────────── *)
Definition keep (s : state) (hash : string) (x : step_record) (next : state) : state :=
  with_chain (st_seq s + 1) hash
    (with_data (st_data next) (st_version next)
       (if 0 <? p_undo_steps (st_policy s) then set (st_records next) (s_version x) x else st_records next) next).

Definition settle_record (s : state) (a : action) (paid : charges) (time : Z) (drop : bool) (hash : string) : step_record :=
  let made := record_of s a paid time hash in
  if drop then {| s_version := s_version made; s_hash := s_hash made; s_before := []; s_charges := s_charges made;
                  s_windows := s_windows made; s_undo := s_undo made; s_status := s_status made |}
  else made.

Inductive moved (s : state) (c : command) (time : Z) (hash : string) : state -> Prop :=
| MIdle : forall refusals stopped,
    moved s c time hash (with_chain (st_seq s + 1) hash (with_stopped stopped (with_refusals refusals (with_time time s))))
| MExecuted : forall a checks after,
    c = CExecute a -> get (p_emergencies (st_policy s)) (a_id a) = None ->
    judge_action s a time = (checks, Some after) -> passes checks = true ->
    moved s c time hash
      (keep s hash (record_of s a (a_charges a) time hash)
         (update_all time (fun i b => spend b (charge (a_charges a) i))
            (change after (count_step a time (with_time time s)))))
| MEmergency : forall a em,
    c = CExecute a -> get (p_emergencies (st_policy s)) (a_id a) = Some em ->
    passes (push_invariants s InEmergency (Some a) (Some (set_all (st_data s) (em_effects em))) time) = true ->
    uses s (a_id a) < em_cap em ->
    moved s c time hash
      (keep s hash (final_record s (List.map e_key (em_effects em)) hash)
         (with_emergencies (set (st_emergencies s) (a_id a) (uses s (a_id a) + 1))
            (with_time time (change (set_all (st_data s) (em_effects em)) s))))
| MReserved : forall a key checks after,
    c = CReserve a key -> judge_action s a time = (checks, after) -> passes checks = true ->
    moved s c time hash
      (with_reservation {| rv_seq := st_seq s + 1; rv_hash := hash; rv_action := a; rv_key := key; rv_time := time |}
         (with_chain (st_seq s + 1) hash
            (update_all time (fun i b => hold b (charge (a_charges a) i)) (count_step a time (with_time time s)))))
| MSettled : forall r cost drop note rv paid after,
    c = CSettle r cost drop note -> pending_of s r = Some rv ->
    paid = match cost with None => a_charges (rv_action rv) | Some paid => paid end ->
    exceeds paid (a_charges (rv_action rv)) = false ->
    (if drop then after = st_data s
     else apply_effects (st_data s) (a_effects (rv_action rv)) = Applied after /\
          passes (push_invariants s Other (Some (rv_action rv)) (Some after) time) = true) ->
    moved s c time hash
      (keep s hash (settle_record s (rv_action rv) paid time drop hash)
         (update_all time (fun i b => spend (unhold b (charge (a_charges (rv_action rv)) i)) (charge paid i))
            (outcome rv Settled (change after (with_time time s)))))
| MReleased : forall r note rv,
    c = CRelease r note -> pending_of s r = Some rv ->
    moved s c time hash
      (with_chain (st_seq s + 1) hash
         (update_all time (fun i b => unhold b (charge (a_charges (rv_action rv)) i)) (outcome rv Released (with_time time s))))
| MRolledBack : forall from to steps s',
    c = CRollback from to -> steps_between s from to = Some steps ->
    stops_nothing (check_later s steps) = true ->
    stops_nothing (check_held s (keys_in steps)) = true ->
    passes (push_invariants s Other None (Some (restored (st_data s) steps)) time) = true ->
    s' = change (restored (st_data s) steps) (with_time time s) ->
    moved s c time hash
      (with_chain (st_seq s + 1) hash
         (update_all time (refund_all steps)
            (with_rollbacks (st_rollbacks s + 1)
               (with_data (st_data s') (st_version s') (mark_undone steps (st_records s')) s'))))
| MChanged : forall after keys,
    (exists key v note, c = CGrant key v note) \/ (exists name values, c = CObserve name values true) ->
    (forall k, ~ In k keys -> get after k = get (st_data s) k) ->
    passes (push_invariants s Other None (Some after) time) = true ->
    moved s c time hash (keep s hash (final_record s keys hash) (with_time time (change after s))).

Lemma passes_app a b : passes (a ++ b) = passes a && passes b.
Proof. unfold passes. apply forallb_app. Qed.

Lemma stops_check_that b name why : stops_nothing (check_that b name why) = b.
Proof. now destruct b. Qed.

Lemma get_taken keys : forall d values k, ~ In k keys -> get (taken d values keys) k = get d k.
Proof.
  unfold taken. induction keys as [| x keys IH]; intros d values k N; cbn; [ reflexivity |].
  rewrite IH by (intros I; apply N; now right).
  assert (k <> x) by (intros ->; apply N; now left).
  destruct (get values x); [ now apply get_set_other | now apply get_remove_other ].
Qed.

Theorem step_moved s c clock hash : moved s c (time_of s clock) hash (step s c clock hash).
Proof.
  unfold step, decide. set (time := time_of s clock).
  assert (idle : forall r w, moved s c time hash
            (with_chain (st_seq s + 1) hash (with_stopped w (with_refusals r (with_time time s))))) by (intros; constructor).
  assert (refused : forall c' k checks, moved s c time hash (fst (seal s (refusal s c' k checks time) hash))).
  { intros. apply (idle (st_refusals s + 1) (st_stopped s)). }
  assert (here : moved s c time hash (with_chain (st_seq s + 1) hash (with_time time s))).
  { exact (idle (st_refusals s) (st_stopped s)). }
  destruct c as [a | a key | r cost drop note | r note | from to | key v note | name values take | reason | reason | why note].
  - (* execute *)
    unfold decide_execute. destruct (get (p_emergencies (st_policy s)) (a_id a)) as [em |] eqn:E.
    + unfold decide_emergency. cbv zeta.
      match goal with |- context [passes ?l] => destruct (passes l) eqn:P end; [| apply refused ].
      rewrite passes_app in P. apply andb_true_iff in P. destruct P as [P1 P2].
      unfold passes in P1. cbn [forallb] in P1. rewrite !stops_check_that in P1.
      apply andb_true_iff in P1. destruct P1 as [_ P1]. apply andb_true_iff in P1. destruct P1 as [_ P1].
      apply andb_true_iff in P1. destruct P1 as [P1 _]. apply Z.ltb_lt in P1.
      apply (MEmergency s (CExecute a) time hash a em eq_refl E P2 P1).
    + destruct (judge_action s a time) as [checks after] eqn:J.
      destruct (passes checks) eqn:P; [| apply refused ]. destruct after as [after |]; [| apply refused ].
      apply (MExecuted s (CExecute a) time hash a checks after eq_refl E J P).
  - (* reserve *)
    unfold decide_reserve. cbv zeta.
    destruct (judge_action s a time) as [checks after] eqn:J. cbn [fst].
    assert (reserved : forall l, passes (l ++ checks) = true ->
      moved s (CReserve a key) time hash (fst (seal s
        (allow s (CReserve a key) KReserve (l ++ checks) time (a_charges a)
          (update_all time (fun i b => hold b (charge (a_charges a) i)) (count_step a time (with_time time s)))
          None (Some (a, key)) Nothing) hash))).
    { intros l P. rewrite passes_app in P. apply andb_true_iff in P.
      apply (MReserved s (CReserve a key) time hash a key checks after eq_refl J (proj2 P)). }
    destruct (match key with None => None | Some k => get (st_keys s) k end) as [[ka [| |] [seq h]] |].
    + match goal with |- context [passes ?l] => destruct (passes l) eqn:P end; [| apply refused ]. now apply reserved.
    + destruct (action_eqb _ a); [ apply here | apply refused ].
    + match goal with |- context [passes ?l] => destruct (passes l) eqn:P end; [| apply refused ]. now apply reserved.
    + match goal with |- context [passes ?l] => destruct (passes l) eqn:P end; [| apply refused ]. now apply reserved.
  - (* settle *)
    unfold decide_settle. destruct (pending_of s r) as [rv |] eqn:R; [| apply refused ]. cbv zeta.
    destruct drop.
    + match goal with |- context [passes ?l] => destruct (passes l) eqn:P end; [| apply refused ].
      unfold passes in P. cbn [forallb app] in P. rewrite stops_check_that in P.
      apply andb_true_iff in P. destruct P as [_ P]. rewrite andb_true_r in P. apply negb_true_iff in P.
      exact (MSettled s (CSettle r cost true note) time hash r cost true note rv _ (st_data s) eq_refl R eq_refl P eq_refl).
    + unfold try_effects. destruct (apply_effects (st_data s) (a_effects (rv_action rv))) as [after | why] eqn:A.
      * match goal with |- context [passes ?l] => destruct (passes l) eqn:P end; [| apply refused ].
        unfold passes in P. cbn [forallb app] in P. rewrite stops_check_that in P.
        apply andb_true_iff in P. destruct P as [_ P]. apply andb_true_iff in P. destruct P as [P1 P].
        apply andb_true_iff in P. destruct P as [_ P]. apply negb_true_iff in P1.
        exact (MSettled s (CSettle r cost false note) time hash r cost false note rv _ after eq_refl R eq_refl P1 (conj A P)).
      * destruct (passes _); apply refused.
  - (* release *)
    unfold decide_release. destruct (pending_of s r) as [rv |] eqn:R; [| apply refused ].
    apply (MReleased s (CRelease r note) time hash r note rv eq_refl R).
  - (* rollback *)
    unfold decide_rollback. destruct (steps_between s from to) as [steps |] eqn:S; [| apply refused ].
    destruct (negb (check_size _)); [ apply refused |]. cbv zeta.
    match goal with |- context [passes ?l] => destruct (passes l) eqn:P end; [| apply refused ].
    unfold passes in P. cbn [forallb app] in P.
    apply andb_true_iff in P. destruct P as [_ P]. apply andb_true_iff in P. destruct P as [P1 P].
    apply andb_true_iff in P. destruct P as [P2 P].
    exact (MRolledBack s (CRollback from to) time hash from to steps _ eq_refl S P1 P2 P eq_refl).
  - (* grant *)
    unfold decide_grant. cbv zeta.
    match goal with |- context [passes ?l] => destruct (passes l) eqn:P end; [| apply refused ].
    rewrite passes_app in P. apply andb_true_iff in P. destruct P as [_ P].
    apply (MChanged s (CGrant key v note) time hash (set (st_data s) key v) [key]); [ left; eauto | | assumption ].
    intros k N. apply get_set_other. intros ->. apply N. now left.
  - (* observe *)
    unfold decide_observe. destruct (get (p_probes (st_policy s)) name) as [pr |]; [| apply refused ].
    destruct (negb (forallb _ values)); [ apply refused |]. cbv zeta.
    destruct take; cbn [negb].
    + match goal with |- context [passes ?l] => destruct (passes l) eqn:P end.
      * unfold passes in P. cbn [forallb app] in P.
        apply andb_true_iff in P. destruct P as [_ P]. apply andb_true_iff in P. destruct P as [_ P].
        apply andb_true_iff in P. destruct P as [_ P].
        apply (MChanged s (CObserve name values true) time hash (taken (st_data s) values (pr_keys pr)) (pr_keys pr));
          [ right; eauto | intros; now apply get_taken | assumption ].
      * match goal with |- context [if ?b then _ else _] => destruct b end; [ apply refused |].
        exact (idle (st_refusals s + 1) (Some "drift"%string)).
    + match goal with |- context [if ?b then _ else _] => destruct b end; [ exact here |].
      exact (idle (st_refusals s + 1) (Some "drift"%string)).
  - exact (idle (st_refusals s) (Some reason)).
  - exact (idle (st_refusals s) None).
  - apply refused.
Qed.

(* ── the first state ───────────────────────────────────────────────────────────────────────────────────── *)
Lemma open_kernel_state p d clock hash s :
  open_kernel p d clock hash = Some s ->
  s = with_time (if 0 <? clock then clock else 0) (with_chain 1 hash (state_before p d)) /\
  passes (initial_checks (state_before p d)) = true.
Proof.
  unfold open_kernel. intros O.
  destruct (passes (initial_checks (state_before p d))); [| discriminate O ]. cbn [negb] in O.
  destruct (forallb _ _); [| discriminate O ]. now inversion O.
Qed.

(* ── time never goes back, and the policy stays ────────────────────────────────────────────────────────── *)
Lemma time_of_le s clock : st_time s <= time_of s clock.
Proof. unfold time_of. destruct clock as [c |]; [| lia ]. destruct (Z.ltb_spec (st_time s) c); lia. Qed.

Lemma step_time s c clock hash : st_time (step s c clock hash) = time_of s clock.
Proof.
  pose proof (step_moved s c clock hash) as M. revert M. generalize (step s c clock hash) as s'.
  intros s' M. destruct M; subst; reflexivity.
Qed.

Lemma step_policy s c clock hash : st_policy (step s c clock hash) = st_policy s.
Proof.
  pose proof (step_moved s c clock hash) as M. revert M. generalize (step s c clock hash) as s'.
  intros s' M. destruct M; subst; reflexivity.
Qed.

Lemma step_seq s c clock hash : st_seq (step s c clock hash) = st_seq s + 1.
Proof.
  pose proof (step_moved s c clock hash) as M. revert M. generalize (step s c clock hash) as s'.
  intros s' M. destruct M; subst; reflexivity.
Qed.

Lemma reachable_policy p d s : reachable p d s -> st_policy s = p.
Proof.
  induction 1 as [clock hash s O | s c clock hash R IH W].
  - apply open_kernel_state in O. destruct O as [-> _]. reflexivity.
  - now rewrite step_policy.
Qed.

(** What `make_policy` makes is a policy that the theorems speak of. *)
Lemma make_policy_wf budgets max_steps invariants emergencies protects probes undo_steps :
  Forall wf_bpolicy budgets -> 0 <= undo_steps -> match max_steps with None => True | Some n => 0 <= n end ->
  wf_policy (make_policy budgets max_steps invariants emergencies protects probes undo_steps).
Proof. intros F U M. split; [ exact F |]. split; [ exact U |]. exists max_steps. now split. Qed.
