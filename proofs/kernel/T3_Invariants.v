(** T3: blocking invariants hold in every committed state. *)
From Coq Require Import ZArith QArith String Bool Lia List.
From Foreclaim Require Import Maps Value Budget Rule Kernel Run.
Import ListNotations.
Open Scope Z_scope.

Lemma judged_invariant s kind a after time i :
  passes (push_invariants s kind a (Some after) time) = true -> In i (p_invariants (st_policy s)) -> i_blocking i = true ->
  holds (i_rule i) (scene_of s kind a after time) = true.
Proof.
  intros P I B. unfold passes, push_invariants in P. rewrite forallb_forall in P.
  specialize (P (judge i (Some (scene_of s kind a after time)))).
  assert (Q : stops_nothing (judge i (Some (scene_of s kind a after time))) = true)
    by (apply P; apply in_map_iff; exists i; split; [ reflexivity | assumption ]).
  unfold stops_nothing, judge in Q. cbn in Q. rewrite B in Q. cbn in Q.
  now destruct (holds (i_rule i) _).
Qed.

Lemma judged_ordinary s a time checks after :
  judge_action s a time = (checks, Some after) -> passes checks = true ->
  apply_effects (st_data s) (a_effects a) = Applied after /\
  passes (push_invariants s Ordinary (Some a) (Some after) time) = true.
Proof.
  unfold judge_action, try_effects. intros J H.
  destruct (apply_effects (st_data s) (a_effects a)) as [d | why]; inversion J; subst. split; [ reflexivity |].
  unfold passes in *. rewrite forallb_forall in *. intros x I. apply H. cbn. rewrite !in_app_iff. cbn. tauto.
Qed.

Lemma holds_state r s kind a after time :
  holds r (scene_of s kind a after time) = true -> kind = Ordinary \/ kind = Other -> r_state r after = true /\ r_change r (st_data s) after = true.
Proof.
  unfold holds. intros H [-> | ->]; cbn in H; repeat (apply andb_true_iff in H; destruct H as [H ?H]);
    repeat match goal with X : _ && _ = true |- _ => apply andb_true_iff in X; destruct X end; auto.
Qed.

(** What a blocking invariant says of a state holds in every state that can be reached: after executed actions and
    settled reservations, rollbacks, grants, observations and emergency actions. *)
Theorem T3_invariant_preservation p d s i :
  reachable p d s -> In i (p_invariants p) -> i_blocking i = true -> r_state (i_rule i) (st_data s) = true.
Proof.
  intros R I B. induction R as [clock hash s O | s c clock hash R IH C].
  - apply open_kernel_state in O. destruct O as [-> P]. cbn.
    exact (judged_invariant (state_before p d) Initial None d 0 i P I B).
  - pose proof (reachable_policy p d s R) as E. rewrite <- E in I.
    pose proof (step_moved s c clock hash) as M. revert M. generalize (step s c clock hash) as s'. intros s' M.
    destruct M as [ refusals stopped
                  | a checks after E1 E2 J H
                  | a em E1 E2 H U
                  | a key checks after E1 J H
                  | r cost drop note rv paid after E1 Rv Paid X A
                  | r note rv E1 Rv
                  | from to steps s' E1 Bt L Hd P E2
                  | after keys E1 Fr P ]; try exact IH.
    + destruct (judged_ordinary s a _ checks after J H) as [_ P].
      apply (holds_state _ _ _ _ _ _ (judged_invariant _ _ _ _ _ i P I B)). now left.
    + pose proof (judged_invariant _ _ _ _ _ i H I B) as Q. unfold holds in Q. cbn in Q. rewrite IH in Q.
      cbn in *. now rewrite orb_false_r in Q.
    + destruct drop.
      * subst after. exact IH.
      * destruct A as [_ P]. apply (holds_state _ _ _ _ _ _ (judged_invariant _ _ _ _ _ i P I B)). now right.
    + subst s'. apply (holds_state _ _ _ _ _ _ (judged_invariant _ _ _ _ _ i P I B)). now right.
    + apply (holds_state _ _ _ _ _ _ (judged_invariant _ _ _ _ _ i P I B)). now right.
Qed.

(** What it says of a change holds for every change but those of emergency actions; a step either leaves the data as it
    is, or is judged, or is an emergency. *)
Theorem T3_changes s c clock hash i :
  In i (p_invariants (st_policy s)) -> i_blocking i = true ->
  st_data (step s c clock hash) = st_data s \/
  r_change (i_rule i) (st_data s) (st_data (step s c clock hash)) = true \/
  (exists a em, c = CExecute a /\ get (p_emergencies (st_policy s)) (a_id a) = Some em).
Proof.
  intros I B. pose proof (step_moved s c clock hash) as M. revert M. generalize (step s c clock hash) as s'. intros s' M.
  destruct M as [ refusals stopped
                | a checks after E1 E2 J H
                | a em E1 E2 H U
                | a key checks after E1 J H
                | r cost drop note rv paid after E1 Rv Paid X A
                | r note rv E1 Rv
                | from to steps s' E1 Bt L Hd P E2
                | after keys E1 Fr P ]; try (left; reflexivity).
  - right; left. destruct (judged_ordinary s a _ checks after J H) as [_ P].
    apply (holds_state _ _ _ _ _ _ (judged_invariant _ _ _ _ _ i P I B)). now left.
  - right; right. eauto.
  - destruct drop.
    + left. now subst after.
    + right; left. destruct A as [_ P]. apply (holds_state _ _ _ _ _ _ (judged_invariant _ _ _ _ _ i P I B)). now right.
  - right; left. subst s'. apply (holds_state _ _ _ _ _ _ (judged_invariant _ _ _ _ _ i P I B)). now right.
  - right; left. apply (holds_state _ _ _ _ _ _ (judged_invariant _ _ _ _ _ i P I B)). now right.
Qed.

(** Gates are judged on the state before: no action is executed or reserved while one is shut. *)
Theorem T3_gates s a time checks after i :
  judge_action s a time = (checks, Some after) -> passes checks = true ->
  In i (p_invariants (st_policy s)) -> i_blocking i = true ->
  r_gate (i_rule i) (st_data s) time (step_time_of s) = true.
Proof.
  intros J H I B. destruct (judged_ordinary s a _ checks after J H) as [_ P].
  pose proof (judged_invariant _ _ _ _ _ i P I B) as Q. unfold holds in Q. cbn in Q. now apply andb_true_iff in Q.
Qed.

(** In words, for two of the ready rules. *)
Corollary T3_ceiling p d s name key max :
  reachable p d s -> In {| i_name := name; i_blocking := true; i_rule := ceiling false key max |} (p_invariants p) ->
  exists q, get (st_data s) key = Some (VNum q) /\ (q <= max)%Q.
Proof.
  intros R I. pose proof (T3_invariant_preservation p d s _ R I eq_refl) as H. cbn in H. unfold at_key in H.
  destruct (get (st_data s) key) as [[| | q | | |] |]; cbn in H; try discriminate.
  exists q. split; [ reflexivity | now apply Qle_bool_iff ].
Qed.

Corollary T3_required p d s name keys k :
  reachable p d s -> In {| i_name := name; i_blocking := true; i_rule := required_keys false keys |} (p_invariants p) ->
  In k keys -> exists v, get (st_data s) k = Some v.
Proof.
  intros R I K. pose proof (T3_invariant_preservation p d s _ R I eq_refl) as H. cbn in H.
  rewrite forallb_forall in H. specialize (H k K). unfold at_key in H.
  destruct (get (st_data s) k) as [v |]; [ eauto | discriminate ].
Qed.
