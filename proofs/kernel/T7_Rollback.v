(** T7: rollback is exact, and happens once. *)
From Coq Require Import ZArith QArith String Bool Lia List Sorted.
From Foreclaim Require Import Maps Value Budget Rule Kernel Run Books T1_Budget T3_Invariants T4_Gross T5_Atomic.
Import ListNotations.
Open Scope Z_scope.

(* ── records stay what they are ────────────────────────────────────────────────────────────────────────── *)
Lemma moved_version s c time hash s' : moved s c time hash s' -> st_version s <= st_version s'.
Proof. intros M. destruct M; try subst s'; cbn; lia. Qed.

(** A record of a version that is over is the same for ever, or undone, or forgotten. *)
Lemma moved_records s c time hash s' v x :
  sound s -> moved s c time hash s' -> v <= st_version s -> get (st_records s') v = Some x ->
  get (st_records s) v = Some x \/ exists y, get (st_records s) v = Some y /\ x = undone y.
Proof.
  intros S M V.
  assert (kept : forall y, s_version y = st_version s + 1 -> get (kept_records s y) v = Some x ->
            get (st_records s) v = Some x \/ exists y, get (st_records s) v = Some y /\ x = undone y).
  { intros y Vy G. destruct (kept_get s y v x Vy G) as [[E _] | E]; [ lia | now left ]. }
  destruct M as [ refusals stopped
                | a checks after E1 E2 J H
                | a em E1 E2 H U
                | a key checks after E1 J H
                | r cost drop note rv paid after E1 R Paid X A
                | r note rv E1 R
                | from to steps s' E1 Bt L Hd I E2
                | after keys E1 Fr I ]; try (intros G; now left).
  - apply (kept (record_of s a (a_charges a) time hash) eq_refl).
  - apply (kept (final_record s (List.map e_key (em_effects em)) hash) eq_refl).
  - apply (kept (settle_record s (rv_action rv) paid time drop hash)). now destruct drop.
  - destruct (steps_between_spec s from to steps S Bt) as [A D]. subst s'. cbn. intros G.
    destruct (mark_get _ _ _ _ G) as [(y & J & E & ->) | [E _]].
    + right. exists y. destruct (A y J) as [Gy _]. subst v. auto.
    + left. rewrite get_remove in E. now destruct (eqb v _).
  - apply (kept (final_record s keys hash) eq_refl).
Qed.

Lemma follows_version s s' : follows s s' -> st_version s <= st_version s'.
Proof.
  induction 1; [ lia |]. pose proof (moved_version _ _ _ _ _ (step_moved s' c clock hash)). lia.
Qed.

Lemma follows_records s s' v x : sound s -> follows s s' -> v <= st_version s -> get (st_records s') v = Some x ->
  get (st_records s) v = Some x \/ exists y, get (st_records s) v = Some y /\ x = undone y.
Proof.
  intros S F V. revert x. induction F as [| s' c clock hash F IH C]; intros x G; [ now left |].
  pose proof (follows_version s s' F) as L. pose proof (follows_sound s s' S F) as S'.
  destruct (moved_records s' c _ hash _ v x S' (step_moved s' c clock hash) ltac:(lia) G) as [G' | (y & G' & ->)].
  - now apply IH.
  - right. destruct (IH y G') as [Gy | (z & Gz & ->)]; [ eauto |]. exists z. auto.
Qed.

(* ── what restoring does ───────────────────────────────────────────────────────────────────────────────── *)
Definition writes (x : step_record) (k : string) : Prop := In k (List.map fst (s_before x)).
(** What a record says of the state before: one value for each key. *)
Definition says (x : step_record) (k : string) (v : option value) : Prop := In (k, v) (s_before x).
Definition consistent (x : step_record) : Prop := forall k v w, says x k v -> says x k w -> v = w.

Lemma get_restore_one d b k : get (restore_one d b) k = if String.eqb k (fst b) then snd b else get d k.
Proof.
  unfold restore_one. destruct b as [k' [v |]]; cbn; [ rewrite get_set | rewrite get_remove ]; reflexivity.
Qed.

Lemma get_restore_before x k : consistent x -> forall d,
  (forall v, says x k v -> get (fold_left restore_one (s_before x) d) k = v) /\
  (~ writes x k -> get (fold_left restore_one (s_before x) d) k = get d k).
Proof.
  unfold consistent, says, writes. generalize (s_before x) as l. clear x.
  induction l as [| b l IH]; intros C d; cbn.
  - split; [ intros v [] | reflexivity ].
  - assert (C' : forall k v w, In (k, v) l -> In (k, w) l -> v = w) by (intros; eapply C; right; eauto).
    specialize (IH C' (restore_one d b)). destruct IH as [IH1 IH2]. split.
    + intros v [-> | I]; [| now apply IH1 ].
      destruct (in_dec string_dec k (List.map fst l)) as [W | W].
      * apply in_map_iff in W. destruct W as ([k' w] & E & W). cbn in E. subst k'. rewrite (IH1 w W).
        symmetry. eapply C; [ left; reflexivity | right; exact W ].
      * rewrite (IH2 W), get_restore_one. cbn. now rewrite String.eqb_refl.
    + intros N. rewrite IH2 by tauto. rewrite get_restore_one.
      destruct (String.eqb_spec k (fst b)) as [-> | D]; [ exfalso; apply N; now left | reflexivity ].
Qed.

(** Newest first: so a key comes to what the oldest of the steps that wrote it says. *)
Lemma get_restored k steps : (forall x, In x steps -> consistent x) -> forall d,
  ((forall x, In x steps -> ~ writes x k) -> get (restored d steps) k = get d k) /\
  (forall newer x older v, steps = newer ++ x :: older -> says x k v -> (forall y, In y older -> ~ writes y k) ->
     get (restored d steps) k = v).
Proof.
  unfold restored. induction steps as [| x0 steps IH]; intros C d; cbn.
  - split; [ reflexivity |]. intros newer x older v E. destruct newer; discriminate.
  - destruct (IH (fun x I => C x (or_intror I)) (fold_left restore_one (s_before x0) d)) as [IH1 IH2].
    destruct (get_restore_before x0 k (C x0 (or_introl eq_refl)) d) as [R1 R2]. split.
    + intros N. rewrite IH1 by (intros; apply N; now right). apply R2. apply N. now left.
    + intros newer x older v E Sx O. destruct newer as [| n newer]; cbn in E; inversion E; subst.
      * rewrite IH1 by assumption. now apply R1.
      * now apply (IH2 newer x older v).
Qed.

(* ── every record is of a state that was there ─────────────────────────────────────────────────────────── *)
Definition genuine (p : policy) (d : data) (s : state) (x : step_record) : Prop :=
  exists s0, reachable p d s0 /\ follows s0 s /\ st_version s0 + 1 = s_version x /\
    (forall k v, says x k v -> v = get (st_data s0) k).

Lemma follows_step s s' c clock hash : follows s s' -> wf_command c -> follows s (step s' c clock hash).
Proof. intros. now constructor. Qed.

Lemma before_of_says s keys k v : In (k, v) (before_of s keys) -> v = get (st_data s) k.
Proof. unfold before_of. intros I. apply in_map_iff in I. destruct I as (k' & E & _). now inversion E. Qed.

Theorem T7_records_genuine p d s v x :
  wf_policy p -> reachable p d s -> get (st_records s) v = Some x -> genuine p d s x.
Proof.
  intros W R. revert v x. induction R as [clock hash s O | s c clock hash R IH C]; intros v x G.
  - apply open_kernel_state in O. destruct O as [-> _]. discriminate.
  - pose proof (reachable_sound p d s W R) as S.
    assert (older : forall y, get (st_records s) v = Some y -> genuine p d (step s c clock hash) y).
    { intros y Gy. destruct (IH v y Gy) as (s0 & R0 & F0 & V0 & B0). exists s0. repeat split; auto. now apply follows_step. }
    assert (older_undone : forall y, get (st_records s) v = Some y -> genuine p d (step s c clock hash) (undone y)).
    { intros y Gy. destruct (older y Gy) as (s0 & R0 & F0 & V0 & B0). exists s0. repeat split; auto. }
    assert (newest : forall y keys, s_version y = st_version s + 1 ->
              (s_before y = before_of s keys \/ s_before y = []) -> genuine p d (step s c clock hash) y).
    { intros y keys V B. exists s. split; [ assumption |]. split; [ apply follows_step; [ constructor | assumption ] |].
      split; [ now rewrite V |]. intros k w. unfold says. destruct B as [-> | ->]; [ apply before_of_says | intros [] ]. }
    assert (kept : forall y keys, s_version y = st_version s + 1 -> (s_before y = before_of s keys \/ s_before y = []) ->
              get (kept_records s y) v = Some x -> genuine p d (step s c clock hash) x).
    { intros y keys V B Gx. destruct (kept_get s y v x V Gx) as [[_ ->] | E]; [ now apply (newest y keys) | now apply older ]. }
    pose proof (step_moved s c clock hash) as M. set (s1 := step s c clock hash) in *. clearbody s1.
    destruct M as [ refusals stopped
                  | a checks after E1 E2 J H
                  | a em E1 E2 H U
                  | a key checks after E1 J H
                  | r cost drop note rv paid after E1 Rv Paid X A
                  | r note rv E1 Rv
                  | from to steps s' E1 Bt L Hd I E2
                  | after keys E1 Fr I ]; try (now apply older).
    + apply (kept (record_of s a (a_charges a) (time_of s clock) hash) (a_writes a) eq_refl (or_introl eq_refl) G).
    + apply (kept (final_record s (List.map e_key (em_effects em)) hash) (List.map e_key (em_effects em)) eq_refl (or_introl eq_refl) G).
    + apply (kept (settle_record s (rv_action rv) paid (time_of s clock) drop hash) (a_writes (rv_action rv))); auto; destruct drop; auto.
    + destruct (steps_between_spec s from to steps S Bt) as [A D]. subst s'. cbn in G.
      destruct (mark_get _ _ _ _ G) as [(y & J & E & ->) | [E _]].
      * destruct (A y J) as [Gy _]. rewrite E in Gy. now apply older_undone.
      * rewrite get_remove in E. destruct (eqb v _); [ discriminate |]. now apply older.
    + apply (kept (final_record s keys hash) keys eq_refl (or_introl eq_refl) G).
Qed.

Lemma genuine_consistent p d s x : genuine p d s x -> consistent x.
Proof.
  intros (s0 & _ & _ & _ & B) k v w V Q. rewrite (B k v V). symmetry. now apply B.
Qed.

(* ── rollback ──────────────────────────────────────────────────────────────────────────────────────────── *)
Lemma rollback_allowed s from to clock hash :
  d_allowed (decide s (CRollback from to) clock) = true ->
  exists steps, steps_between s from to = Some steps /\
    let s' := step s (CRollback from to) clock hash in
    st_data s' = restored (st_data s) steps /\
    st_records s' = mark_undone steps (remove (st_records s) (st_version s + 1 - p_undo_steps (st_policy s))) /\
    st_budgets s' = update_budgets (p_budgets (st_policy s)) (st_budgets s) (time_of s clock) (refund_all steps) /\
    stops_nothing (check_later s steps) = true.
Proof.
  unfold step. cbn [decide]. unfold decide_rollback. destruct (steps_between s from to) as [steps |]; [| discriminate ].
  destruct (negb (check_size _)); [ discriminate |]. cbv zeta.
  match goal with |- context [passes ?l] => destruct (passes l) eqn:P end; [| discriminate ]. intros _.
  exists steps. cbn. repeat split; auto. unfold passes in P. cbn [forallb app] in P.
  apply andb_true_iff in P. destruct P as [_ P]. now apply andb_true_iff in P.
Qed.

(** After a rollback, every key that the steps wrote has the value that it had before the oldest of the steps that wrote
    it; every other key has the value that it had. *)
Theorem T7_rollback_exact p d s from to clock hash :
  wf_policy p -> reachable p d s -> d_allowed (decide s (CRollback from to) clock) = true ->
  let s' := step s (CRollback from to) clock hash in
  exists steps, steps_between s from to = Some steps /\
  (forall k, ~ In k (keys_in steps) -> get (st_data s') k = get (st_data s) k) /\
  (forall newer x older k, steps = newer ++ x :: older -> writes x k -> (forall y, In y older -> ~ writes y k) ->
     exists s0, reachable p d s0 /\ follows s0 s /\ st_version s0 + 1 = s_version x /\
       get (st_data s') k = get (st_data s0) k).
Proof.
  intros W R A. cbv zeta. pose proof (reachable_sound p d s W R) as S.
  destruct (rollback_allowed s from to clock hash A) as (steps & B & E & _ & _).
  exists steps. split; [ assumption |]. rewrite E. destruct (steps_between_spec s from to steps S B) as [In_ _].
  assert (Gen : forall x, In x steps -> genuine p d s x).
  { intros x I. destruct (In_ x I) as [G _]. now apply (T7_records_genuine p d s (s_version x)). }
  assert (Con : forall x, In x steps -> consistent x) by (intros x I; apply (genuine_consistent p d s x); now apply Gen).
  split.
  - intros k N. apply (proj1 (get_restored k steps Con (st_data s))). intros x I Wx. apply N. unfold keys_in.
    apply in_flat_map. exists x. split; assumption.
  - intros newer x older k Eq Wx Old.
    assert (I : In x steps) by (subst steps; apply in_or_app; right; now left).
    destruct (Gen x I) as (s0 & R0 & F0 & V0 & B0). exists s0. repeat split; auto.
    apply in_map_iff in Wx. destruct Wx as ([k' v] & Ek & Iv). cbn in Ek. subst k'.
    rewrite (proj2 (get_restored k steps Con (st_data s)) newer x older v Eq Iv Old). now apply B0.
Qed.

(** One step, whatever happened since: by its receipt, the keys that it wrote come to what they were, no other key
    changes, and what it was charged is given back to every budget. *)
Theorem T7_one_step p d s a clock hash sn clock' hash' :
  wf_policy p -> reachable p d s -> nonneg (a_charges a) -> get (p_emergencies p) (a_id a) = None ->
  d_allowed (decide s (CExecute a) clock) = true ->
  let s1 := step s (CExecute a) clock hash in
  let r := StepReceipt (st_version s + 1) hash in
  follows s1 sn -> d_allowed (decide sn (CRollback r r) clock') = true ->
  let s' := step sn (CRollback r r) clock' hash' in
  (forall k, In k (a_writes a) -> get (st_data s') k = get (st_data s) k) /\
  (forall k, ~ In k (a_writes a) -> get (st_data s') k = get (st_data sn) k) /\
  (forall i b, nth_error (st_budgets sn) i = Some b -> exists b', nth_error (st_budgets s') i = Some b' /\
     gross b' = gross b /\ refunded b' = refunded b + charge (a_charges a) i).
Proof.
  intros W R C E A. cbv zeta. set (s1 := step s (CExecute a) clock hash). set (r := StepReceipt (st_version s + 1) hash).
  intros F B. pose proof (reachable_sound p d s W R) as S. pose proof (reachable_policy p d s R) as Pol.
  assert (S1 : sound s1) by (apply step_sound; assumption).
  pose proof (follows_sound s1 sn S1 F) as Sn.
  destruct (rollback_allowed sn r r clock' hash' B) as (steps & St & Ed & _ & Eb & _).
  rewrite <- Pol in E. destruct (T5_executed s a clock hash E) as [[A' _] | (_ & _ & _ & _ & _ & V1 & _ & Rec)]; [ congruence |].
  fold s1 in V1, Rec.
  (* the record that the receipt names is the one that the step made *)
  assert (Steps : steps = [record_of s a (a_charges a) (time_of s clock) hash]).
  { unfold steps_between, r in St. cbn [step_of] in St.
    destruct (get (st_records sn) (st_version s + 1)) as [x |] eqn:G; [| discriminate ].
    destruct (String.eqb (s_hash x) hash); [| discriminate ]. destruct (s_status x) eqn:Q; try discriminate.
    rewrite Z.ltb_irrefl in St. replace (Z.to_nat (s_version x - s_version x + 1)) with 1%nat in St by lia. cbn [walk] in St.
    destruct (so_records sn Sn _ _ G) as (_ & Vx & _). rewrite Vx, G, Q in St. cbn in St. inversion St; subst steps.
    f_equal.
    destruct (follows_records s1 sn (st_version s + 1) x S1 F ltac:(lia) G) as [G1 | (y & _ & ->)]; [| discriminate Q ].
    destruct (Z.ltb_spec 0 (p_undo_steps (st_policy s))) as [U | U].
    - rewrite (Rec U) in G1. now inversion G1.
    - exfalso. (* without undo steps, nothing is kept *)
      pose proof (step_moved s (CExecute a) clock hash) as M. fold s1 in M. clearbody s1.
      assert (K : forall y, get (kept_records s y) (st_version s + 1) = Some x -> False).
      { intros y Gy. unfold kept_records in Gy. destruct (Z.ltb_spec 0 (p_undo_steps (st_policy s))); [ lia |].
        rewrite get_remove in Gy. destruct (eqb _ _); [ discriminate |]. apply (so_records s S) in Gy. lia. }
      inversion M; subst; cbn in G1, V1; try lia; try discriminate; try congruence.
      + exact (K (record_of s a0 (a_charges a0) (time_of s clock) hash) G1).
      + exact (K (final_record s keys hash) G1). }
  rewrite Ed, Eb, Steps. unfold restored. cbn [fold_left].
  set (x := record_of s a (a_charges a) (time_of s clock) hash).
  assert (Cx : consistent x).
  { intros k v w V Q. rewrite (before_of_says s (a_writes a) k v V). symmetry. exact (before_of_says s (a_writes a) k w Q). }
  split; [| split ].
  - intros k I. apply (proj1 (get_restore_before x k Cx (st_data sn))). unfold says, x. cbn. unfold before_of.
    apply in_map_iff. exists k. split; [ reflexivity | assumption ].
  - intros k N. apply (proj2 (get_restore_before x k Cx (st_data sn))). unfold writes, x. cbn. unfold before_of.
    rewrite map_map. cbn. now rewrite map_id.
  - intros i b Bn.
    assert (exists bp, nth_error (p_budgets (st_policy sn)) i = Some bp) as [bp P].
    { destruct (nth_error (p_budgets (st_policy sn)) i) as [bp |] eqn:Q; [ eauto |].
      apply nth_error_None in Q. rewrite <- (so_length sn Sn) in Q. apply nth_error_None in Q. congruence. }
    rewrite nth_update, P, Bn. eexists. split; [ reflexivity |]. cbn.
    destruct (sound_at sn i bp b (time_of sn clock') Sn (time_of_le sn clock') P Bn) as (_ & _ & _ & _ & _ & _ & G1 & G2).
    now rewrite G1, G2.
Qed.

(** rollback(execute(s, a)) = s: with nothing in between, every key is what it was, and so is the net spend. *)
Corollary T7_inverse p d s a clock hash clock' hash' :
  wf_policy p -> reachable p d s -> nonneg (a_charges a) -> get (p_emergencies p) (a_id a) = None ->
  d_allowed (decide s (CExecute a) clock) = true ->
  let s1 := step s (CExecute a) clock hash in
  let r := StepReceipt (st_version s + 1) hash in
  d_allowed (decide s1 (CRollback r r) clock') = true ->
  let s' := step s1 (CRollback r r) clock' hash' in
  (forall k, get (st_data s') k = get (st_data s) k) /\
  (forall i b, nth_error (st_budgets s) i = Some b -> exists b', nth_error (st_budgets s') i = Some b' /\
     gross b' - refunded b' = gross b - refunded b).
Proof.
  intros W R C E A. cbv zeta. set (s1 := step s (CExecute a) clock hash). intros B.
  destruct (T7_one_step p d s a clock hash s1 clock' hash' W R C E A (f_here _) B) as (K1 & K2 & K3).
  pose proof (reachable_policy p d s R) as Pol. pose proof (reachable_sound p d s W R) as S.
  rewrite <- Pol in E.
  destruct (T5_executed s a clock hash E) as [[A' _] | (_ & _ & Ap & Bu & _)]; [ congruence |]. fold s1 in Ap, Bu.
  split.
  - intros k. destruct (in_dec string_dec k (a_writes a)) as [I | N]; [ now apply K1 |].
    etransitivity; [ now apply K2 |]. now apply (apply_effects_frame (a_effects a)).
  - intros i b Bn.
    assert (exists bp, nth_error (p_budgets (st_policy s)) i = Some bp) as [bp P].
    { destruct (nth_error (p_budgets (st_policy s)) i) as [bp |] eqn:Q; [ eauto |].
      apply nth_error_None in Q. rewrite <- (so_length s S) in Q. apply nth_error_None in Q. congruence. }
    destruct (sound_at s i bp b (time_of s clock) S (time_of_le s clock) P Bn) as (_ & _ & _ & _ & _ & _ & G1 & G2).
    assert (B1 : nth_error (st_budgets s1) i = Some (spend (budget_at b bp (time_of s clock)) (charge (a_charges a) i)))
      by (rewrite Bu, nth_update, P, Bn; reflexivity).
    destruct (K3 i _ B1) as (b' & B' & H1 & H2). exists b'. split; [ assumption |]. rewrite H1, H2. cbn. lia.
Qed.

(** Once: after it was rolled back, a step is rolled back no more. *)
Theorem T7_once p d s from to clock hash steps x sn clock' other :
  wf_policy p -> reachable p d s -> d_allowed (decide s (CRollback from to) clock) = true ->
  steps_between s from to = Some steps -> In x steps ->
  follows (step s (CRollback from to) clock hash) sn ->
  let r := StepReceipt (s_version x) (s_hash x) in
  d_allowed (decide sn (CRollback r other) clock') = false /\ d_allowed (decide sn (CRollback other r) clock') = false.
Proof.
  intros W R A B I F. cbv zeta. pose proof (reachable_sound p d s W R) as S.
  destruct (rollback_allowed s from to clock hash A) as (steps' & B' & _ & Er & _). rewrite B in B'. inversion B'; subst steps'.
  destruct (steps_between_spec s from to steps S B) as [In_ _]. destruct (In_ x I) as [G O].
  set (s1 := step s (CRollback from to) clock hash) in *.
  assert (S1 : sound s1) by (apply step_sound; [ assumption | exact Logic.I ]).
  destruct (so_records s S _ _ G) as (V & _ & _).
  pose proof (moved_version _ _ _ _ _ (step_moved s (CRollback from to) clock hash)) as Vm. fold s1 in Vm.
  assert (N : step_of sn (StepReceipt (s_version x) (s_hash x)) = None).
  { cbn. destruct (get (st_records sn) (s_version x)) as [y |] eqn:Gy; [| reflexivity ].
    assert (s_status y = Undone).
    { destruct (follows_records s1 sn (s_version x) y S1 F ltac:(lia) Gy) as [G1 | (z & G1 & ->)]; [| reflexivity ].
      rewrite Er in G1. destruct (mark_get _ _ _ _ G1) as [(z & _ & _ & ->) | [_ Q]]; [ reflexivity |].
      exfalso. apply Q. now apply in_map. }
    rewrite H. now destruct (String.eqb _ _). }
  split; cbn [decide]; unfold decide_rollback, steps_between; rewrite N; [ reflexivity |].
  now destruct (step_of sn other).
Qed.
