(** T8: a registered emergency action is always executable, up to its cap. *)
From Coq Require Import ZArith QArith String Bool Lia List.
From Foreclaim Require Import Maps Value Budget Rule Kernel Run T3_Invariants.
Import ListNotations.
Open Scope Z_scope.

Definition declared (a : action) (em : emergency) : Prop :=
  a_effects a = [] \/ effects_eqb (a_effects a) (em_effects em) = true.
Definition free (a : action) : Prop := forall u, In u (a_charges a) -> u = 0.

(** In any state whatsoever, reachable or not, with any budgets, steps, version, stop or reservations, at any time. *)
Theorem T8_emergency_executable s a em clock hash :
  get (p_emergencies (st_policy s)) (a_id a) = Some em -> declared a em -> free a -> uses s (a_id a) < em_cap em ->
  (forall i, In i (p_invariants (st_policy s)) -> i_blocking i = true ->
     r_state (i_rule i) (set_all (st_data s) (em_effects em)) = true \/ r_state (i_rule i) (st_data s) = false) ->
  let d := decide s (CExecute a) clock in
  let s' := step s (CExecute a) clock hash in
  d_allowed d = true /\ d_kind d = KEmergency /\ st_data s' = set_all (st_data s) (em_effects em) /\
  st_budgets s' = st_budgets s /\ st_steps s' = st_steps s /\ uses s' (a_id a) = uses s (a_id a) + 1.
Proof.
  intros E D F U I. cbv zeta. unfold step. cbn [decide]. unfold decide_execute. rewrite E. unfold decide_emergency. cbv zeta.
  match goal with |- context [passes ?l] => assert (P : passes l = true) end.
  { rewrite passes_app. unfold passes. cbn [forallb]. rewrite !stops_check_that. apply andb_true_iff. split.
    - apply andb_true_iff. split.
      + destruct D as [-> | D]; [ reflexivity |]. now destruct (a_effects a).
      + apply andb_true_iff. split; [| now rewrite (proj2 (Z.ltb_lt _ _) U) ].
        apply forallb_forall. intros u J. now rewrite (F u J).
    - apply forallb_forall. intros x J. unfold push_invariants in J. apply in_map_iff in J. destruct J as (i & <- & J).
      unfold stops_nothing, judge. cbn. destruct (i_blocking i) eqn:B; cbn.
      2: { match goal with |- context [if ?b then Ok else _] => now destruct b end. }
      unfold holds. cbn. destruct (I i J B) as [-> | ->]; [ reflexivity | now rewrite orb_true_r ]. }
  rewrite P. cbn. repeat split; try reflexivity. unfold uses. cbn. now rewrite get_set_same.
Qed.

(** One without effects needs nothing else: not even an invariant that is broken is in its way. *)
Corollary T8_plain s a em clock :
  get (p_emergencies (st_policy s)) (a_id a) = Some em -> em_effects em = [] -> a_effects a = [] -> free a ->
  uses s (a_id a) < em_cap em -> d_allowed (decide s (CExecute a) clock) = true.
Proof.
  intros E N A F U. apply (T8_emergency_executable s a em clock "" E); auto.
  - now left.
  - intros i _ _. rewrite N. cbn. destruct (r_state (i_rule i) (st_data s)); auto.
Qed.

(** In a state that was reached, all that can be in its way is a blocking invariant that its own effects break. *)
Corollary T8_reached p d s a em clock :
  reachable p d s -> get (p_emergencies p) (a_id a) = Some em -> declared a em -> free a -> uses s (a_id a) < em_cap em ->
  (forall i, In i (p_invariants p) -> i_blocking i = true -> r_state (i_rule i) (set_all (st_data s) (em_effects em)) = true) ->
  d_allowed (decide s (CExecute a) clock) = true.
Proof.
  intros R E D F U I. pose proof (reachable_policy p d s R) as Q. rewrite <- Q in E, I.
  apply (T8_emergency_executable s a em clock "" E D F U). intros i J B. left. now apply I.
Qed.

(** And never more often than its cap. *)
Theorem T8_cap p d s id em :
  reachable p d s -> get (p_emergencies p) id = Some em -> 0 <= em_cap em -> uses s id <= em_cap em.
Proof.
  intros R E C. induction R as [clock hash s O | s c clock hash R IH W].
  - apply open_kernel_state in O. destruct O as [-> _]. assumption.
  - pose proof (reachable_policy p d s R) as Q.
    pose proof (step_moved s c clock hash) as M. revert M. generalize (step s c clock hash) as s'. intros s' M.
    destruct M; try exact IH; [| subst s'; exact IH ].
    unfold uses. cbn. rewrite get_set. cbn [eqb string_Eqb].
    destruct (String.eqb_spec id (a_id a)) as [-> | N]; [| exact IH ].
    rewrite Q in H0. rewrite E in H0. inversion H0; subst. fold (uses s (a_id a)). lia.
Qed.
