(** The books of the kernel: what is held is what pending reservations hold, and what was spent covers every charge that
    could still be given back. This is what T1, T4 and T7 rest on; it is kept by every step. *)
From Coq Require Import ZArith QArith String Bool Lia List.
From Foreclaim Require Import Maps Value Budget Rule Kernel Run.
Import ListNotations.
Open Scope Z_scope.

Definition held_of (i : nat) (pending : map Z reservation) (n : Z) : Z :=
  match get pending n with Some rv => charge (a_charges (rv_action rv)) i | None => 0 end.

(** What rolling back a step would give back to a budget in its window. *)
Definition owed_of (i : nat) (w : Z) (x : step_record) : Z :=
  match s_status x with Open => if nth i (s_windows x) 0 =? w then charge (s_charges x) i else 0 | _ => 0 end.
Definition owed (i : nat) (w : Z) (records : map Z step_record) (v : Z) : Z :=
  match get records v with Some x => owed_of i w x | None => 0 end.

Record budget_sound (s : state) (i : nat) (p : bpolicy) (b : budget) : Prop := {
  bs_limit : spent b + reserved b <= bp_limit p;
  bs_reserved : reserved b = zsum (held_of i (st_pending s)) (st_seq s);
  bs_owed : zsum (owed i (window b) (st_records s)) (st_version s) <= spent b;
  bs_window : window b <= window_at p (st_time s);
  bs_older : forall v x, get (st_records s) v = Some x -> s_status x = Open -> nth i (s_windows x) 0 <= window b;
  bs_net : bp_window p = None -> spent b = gross b - refunded b /\ window b = 0;
  bs_plain : bp_window p = None ->
    forall v x, get (st_records s) v = Some x -> s_status x = Open -> nth i (s_windows x) 0 = 0;
}.

Record sound (s : state) : Prop := {
  so_policy : wf_policy (st_policy s);
  so_length : length (st_budgets s) = length (p_budgets (st_policy s));
  so_counts : 0 <= st_seq s /\ 0 <= st_version s /\ 0 <= st_time s;
  so_pending : forall n rv, get (st_pending s) n = Some rv ->
                 1 <= n <= st_seq s /\ rv_seq rv = n /\ nonneg (a_charges (rv_action rv));
  so_records : forall v x, get (st_records s) v = Some x ->
                 1 <= v <= st_version s /\ s_version x = v /\ nonneg (s_charges x);
  so_budgets : forall i p b, nth_error (p_budgets (st_policy s)) i = Some p -> nth_error (st_budgets s) i = Some b ->
                 budget_sound s i p b;
}.

(* ── small facts ───────────────────────────────────────────────────────────────────────────────────────── *)
Lemma owed_nonneg s i w v : sound s -> 0 <= owed i w (st_records s) v.
Proof.
  intros S. unfold owed, owed_of. destruct (get (st_records s) v) as [x |] eqn:E; [| lia ].
  destruct (so_records s S v x E) as (_ & _ & N).
  destruct (s_status x); try lia. destruct (_ =? _); [ now apply charge_nonneg | lia ].
Qed.

Lemma held_nonneg s i n : sound s -> 0 <= held_of i (st_pending s) n.
Proof.
  intros S. unfold held_of. destruct (get (st_pending s) n) as [rv |] eqn:E; [| lia ].
  destruct (so_pending s S n rv E) as (_ & _ & N). now apply charge_nonneg.
Qed.

Lemma held_next s i : sound s -> held_of i (st_pending s) (st_seq s + 1) = 0.
Proof.
  intros S. unfold held_of. destruct (get (st_pending s) (st_seq s + 1)) eqn:G; [| reflexivity ].
  apply (so_pending s S) in G. lia.
Qed.

Lemma held_without s i n rv : sound s -> get (st_pending s) n = Some rv -> rv_seq rv = n ->
  zsum (held_of i (remove (st_pending s) (rv_seq rv))) (st_seq s + 1) =
  zsum (held_of i (st_pending s)) (st_seq s) - charge (a_charges (rv_action rv)) i.
Proof.
  intros S G V. destruct (so_pending s S n rv G) as (I & _ & _). pose proof (so_counts s S).
  rewrite zsum_succ by lia.
  assert (E : held_of i (remove (st_pending s) (rv_seq rv)) (st_seq s + 1) = 0).
  { unfold held_of. rewrite get_remove. destruct (eqb _ _); [ reflexivity |]. apply (held_next s i S). }
  rewrite E, (zsum_one (held_of i (remove (st_pending s) (rv_seq rv))) (held_of i (st_pending s)) (st_seq s) n I).
  - assert (E1 : held_of i (st_pending s) n = charge (a_charges (rv_action rv)) i) by (unfold held_of; now rewrite G).
    assert (E2 : held_of i (remove (st_pending s) (rv_seq rv)) n = 0) by (unfold held_of; rewrite V; now rewrite get_remove_same).
    lia.
  - intros m Q. unfold held_of. rewrite get_remove_other by lia. reflexivity.
Qed.

Lemma spent_nonneg s i p b : sound s ->
  nth_error (p_budgets (st_policy s)) i = Some p -> nth_error (st_budgets s) i = Some b -> 0 <= spent b.
Proof.
  intros S P B. pose proof (bs_owed _ _ _ _ (so_budgets s S i p b P B)).
  assert (0 <= zsum (owed i (window b) (st_records s)) (st_version s)) by (apply zsum_nonneg; intros; now apply owed_nonneg).
  lia.
Qed.

Lemma reserved_nonneg s i p b : sound s ->
  nth_error (p_budgets (st_policy s)) i = Some p -> nth_error (st_budgets s) i = Some b -> 0 <= reserved b.
Proof.
  intros S P B. rewrite (bs_reserved _ _ _ _ (so_budgets s S i p b P B)).
  apply zsum_nonneg. intros; now apply held_nonneg.
Qed.

Lemma wf_budget s i p : sound s -> nth_error (p_budgets (st_policy s)) i = Some p -> wf_bpolicy p.
Proof.
  intros S P. destruct (so_policy s S) as [F _]. rewrite Forall_forall in F. apply F. now apply nth_error_In in P.
Qed.

Lemma window_at_mono p t t' : wf_bpolicy p -> t <= t' -> window_at p t <= window_at p t'.
Proof.
  intros (_ & _ & W) L. unfold window_at. destruct (bp_window p) as [ms |]; [| lia ]. now apply Z.div_le_mono.
Qed.

(** The budget as it stands at a later time. *)
Lemma sound_at s i p b time : sound s -> st_time s <= time ->
  nth_error (p_budgets (st_policy s)) i = Some p -> nth_error (st_budgets s) i = Some b ->
  let b1 := budget_at b p time in
  spent b1 + reserved b1 <= bp_limit p /\
  reserved b1 = zsum (held_of i (st_pending s)) (st_seq s) /\
  zsum (owed i (window b1) (st_records s)) (st_version s) <= spent b1 /\
  window b1 = window_at p time /\
  (forall v x, get (st_records s) v = Some x -> s_status x = Open -> nth i (s_windows x) 0 <= window b1) /\
  (bp_window p = None -> spent b1 = gross b1 - refunded b1 /\ window b1 = 0) /\
  gross b1 = gross b /\ refunded b1 = refunded b.
Proof.
  intros S T P B. cbv zeta. pose proof (so_budgets s S i p b P B) as [L R O W Old Net Pl].
  pose proof (window_at_mono p _ _ (wf_budget s i p S P) T) as M. unfold budget_at.
  pose proof (spent_nonneg s i p b S P B).
  destruct (Z.eqb_spec (window_at p time) (window b)) as [E | E]; cbn.
  - rewrite E. do 7 (split; [ assumption || reflexivity |]). reflexivity.
  - split; [ lia |]. split; [ assumption |]. split; [| split; [ reflexivity |]; split; [| split; [| split; reflexivity ] ] ].
    + rewrite zsum_zero; [ lia |]. intros v _. unfold owed, owed_of.
      destruct (get (st_records s) v) as [x |] eqn:G; [| reflexivity ]. destruct (s_status x) eqn:Q; try reflexivity.
      specialize (Old v x G Q). destruct (Z.eqb_spec (nth i (s_windows x) 0) (window_at p time)); [ lia | reflexivity ].
    + intros v x G Q. specialize (Old v x G Q). lia.
    + intros N. exfalso. apply E. destruct (Net N) as [_ ->]. unfold window_at. now rewrite N.
Qed.

Lemma nth_windows p time i bp : nth_error (p_budgets p) i = Some bp -> nth i (windows_at p time) 0 = window_at bp time.
Proof.
  intros N. unfold windows_at. rewrite nth_indep with (d' := window_at bp time); [ rewrite (map_nth (fun b => window_at b time)) |].
  - now rewrite (nth_error_nth _ _ bp N).
  - rewrite map_length. apply nth_error_Some. now rewrite N.
Qed.

(** The budget checks of an action that was allowed. *)
Lemma budget_checks_left ps bs c time i j p b :
  passes (budget_checks ps bs c i time) = true -> nth_error ps j = Some p -> nth_error bs j = Some b ->
  charge c (i + j) <= left_of (budget_at b p time) p.
Proof.
  revert bs i j. induction ps as [| p0 ps IH]; intros [| b0 bs] i [| j] H P B; cbn in *; try discriminate;
    rewrite stops_check_that in H; apply andb_true_iff in H; destruct H as [H1 H2].
  - inversion P; inversion B; subst. rewrite Nat.add_0_r. now apply Z.leb_le in H1.
  - replace (i + S j)%nat with (S i + j)%nat by lia. now apply (IH bs (S i) j).
Qed.

Lemma judged_budgets s a time checks after i p b :
  judge_action s a time = (checks, after) -> passes checks = true ->
  nth_error (p_budgets (st_policy s)) i = Some p -> nth_error (st_budgets s) i = Some b ->
  charge (a_charges a) i <= left_of (budget_at b p time) p.
Proof.
  unfold judge_action. destruct (try_effects (st_data s) a) as [af e]. intros J H P B. inversion J; subst.
  unfold passes in H. rewrite forallb_forall in H. apply (budget_checks_left (p_budgets (st_policy s)) (st_budgets s) (a_charges a) time 0 i p b); auto.
  unfold passes. rewrite forallb_forall. intros x I. apply H. cbn. rewrite !in_app_iff. tauto.
Qed.

Lemma exceeds_le c held i : exceeds c held = false -> nonneg held -> charge c i <= charge held i.
Proof.
  unfold charge. revert held i. induction c as [| u c IH]; intros held i E N; cbn in E.
  - rewrite nth_overflow by (cbn; lia). now apply charge_nonneg.
  - destruct held as [| h held]; apply orb_false_iff in E; destruct E as [E1 E2]; apply Z.ltb_ge in E1.
    + destruct i; cbn; [ lia |]. specialize (IH [] i E2 N). now destruct i.
    + inversion N; subst. destruct i; cbn; [ lia |]. now apply IH.
Qed.

Lemma pending_of_get s r rv : pending_of s r = Some rv -> exists n, get (st_pending s) n = Some rv /\ rv_seq rv = n.
Proof.
  unfold pending_of. destruct r as [| n h |]; try discriminate.
  destruct (get (st_pending s) n) as [x |] eqn:E; [| discriminate ].
  destruct (Z.eqb_spec (rv_seq x) n); [| discriminate ]. cbn.
  destruct (String.eqb _ _); [| discriminate ]. intros Q. inversion Q; subst. eauto.
Qed.

(* ── records after a step that keeps one ───────────────────────────────────────────────────────────────── *)
Definition kept_records (s : state) (x : step_record) : map Z step_record :=
  let rest := remove (st_records s) (st_version s + 1 - p_undo_steps (st_policy s)) in
  if 0 <? p_undo_steps (st_policy s) then set rest (s_version x) x else rest.

Lemma kept_get s x v y : s_version x = st_version s + 1 -> get (kept_records s x) v = Some y ->
  (v = st_version s + 1 /\ y = x) \/ (get (st_records s) v = Some y).
Proof.
  intros V. unfold kept_records. destruct (0 <? _).
  - rewrite get_set. cbn [eqb Z_Eqb]. rewrite V.
    destruct (Z.eqb_spec v (st_version s + 1)) as [-> | N]; intros E; [ left; now inversion E |].
    right. rewrite get_remove in E. now destruct (eqb v _).
  - rewrite get_remove. destruct (eqb v _); [ discriminate | now right ].
Qed.

Lemma owed_kept s x i w : sound s -> s_version x = st_version s + 1 -> 0 <= owed_of i w x ->
  zsum (owed i w (kept_records s x)) (st_version s + 1) <= zsum (owed i w (st_records s)) (st_version s) + owed_of i w x.
Proof.
  intros S V N. rewrite zsum_succ by (destruct (so_counts s S); lia).
  assert (zsum (owed i w (kept_records s x)) (st_version s) <= zsum (owed i w (st_records s)) (st_version s)).
  { apply zsum_le. intros v I. unfold owed at 1. destruct (get (kept_records s x) v) as [y |] eqn:G.
    - destruct (kept_get s x v y V G) as [[-> _] | E]; [ lia |]. unfold owed. rewrite E. lia.
    - now apply owed_nonneg. }
  assert (owed i w (kept_records s x) (st_version s + 1) <= owed_of i w x).
  { unfold owed. destruct (get (kept_records s x) (st_version s + 1)) as [y |] eqn:G; [| lia ].
    destruct (kept_get s x _ y V G) as [[_ ->] | E]; [ lia |]. apply (so_records s S) in E. lia. }
  lia.
Qed.

(** What keeping a record does to the books, whatever happens to the budgets. *)
Lemma older_kept s x (P : step_record -> Prop) : s_version x = st_version s + 1 ->
  (forall v y, get (st_records s) v = Some y -> s_status y = Open -> P y) ->
  (s_status x = Open -> P x) ->
  forall v y, get (kept_records s x) v = Some y -> s_status y = Open -> P y.
Proof.
  intros V Old New v y G Q. destruct (kept_get s x v y V G) as [[_ ->] | E]; [ now apply New | now apply (Old v) ].
Qed.

Lemma records_kept s x : sound s -> s_version x = st_version s + 1 -> nonneg (s_charges x) ->
  forall v y, get (kept_records s x) v = Some y -> 1 <= v <= st_version s + 1 /\ s_version y = v /\ nonneg (s_charges y).
Proof.
  intros S V N v y G. destruct (kept_get s x v y V G) as [[-> ->] | E].
  - destruct (so_counts s S). repeat split; auto; lia.
  - destruct (so_records s S v y E) as (L & Q & M). repeat split; auto; lia.
Qed.

(* ── rollback ──────────────────────────────────────────────────────────────────────────────────────────── *)
Lemma walk_spec s : sound s -> forall n from steps, walk (st_records s) from n = Some steps ->
  (forall x, In x steps -> get (st_records s) (s_version x) = Some x /\ s_status x = Open /\
                           from - Z.of_nat n < s_version x <= from) /\
  NoDup (List.map s_version steps).
Proof.
  intros S. induction n as [| n IH]; intros from steps W; cbn in W.
  - inversion W; subst. split; [ intros x [] | constructor ].
  - destruct (get (st_records s) from) as [x |] eqn:G.
    + destruct (s_status x) eqn:Q.
      * destruct (walk (st_records s) (from - 1) n) as [rest |] eqn:R; [| discriminate ]. cbn in W. inversion W; subst.
        destruct (IH _ _ R) as [A D]. destruct (so_records s S _ _ G) as (_ & V & _). split.
        -- intros y [<- | I]; [ rewrite V; repeat split; auto; lia |]. destruct (A y I) as (? & ? & ?). repeat split; auto; lia.
        -- cbn. constructor; [| assumption ]. rewrite V. intros I. apply in_map_iff in I. destruct I as (y & E & I).
           destruct (A y I). lia.
      * destruct (IH _ _ W) as [A D]. split; [| assumption ]. intros y I. destruct (A y I) as (? & ? & ?). repeat split; auto; lia.
      * discriminate.
    + destruct (IH _ _ W) as [A D]. split; [| assumption ]. intros y I. destruct (A y I) as (? & ? & ?). repeat split; auto; lia.
Qed.

Lemma steps_between_spec s from to steps : sound s -> steps_between s from to = Some steps ->
  (forall x, In x steps -> get (st_records s) (s_version x) = Some x /\ s_status x = Open) /\
  NoDup (List.map s_version steps).
Proof.
  intros S. unfold steps_between. destruct (step_of s from) as [first |]; [| discriminate ].
  destruct (step_of s to) as [last |]; [| discriminate ]. destruct (_ <? _); [ discriminate |]. intros W.
  destruct (walk_spec s S _ _ _ W) as [A D]. split; [| assumption ]. intros x I. destruct (A x I) as (? & ? & _). auto.
Qed.

Lemma mark_get steps : forall m v y, get (mark_undone steps m) v = Some y ->
  (exists x, In x steps /\ s_version x = v /\ y = undone x) \/ (get m v = Some y /\ ~ In v (List.map s_version steps)).
Proof.
  unfold mark_undone. induction steps as [| x steps IH]; intros m v y G; cbn in G; [ right; split; [ assumption | intros [] ] |].
  destruct (IH _ v y G) as [(z & I & E & F) | [E N]].
  - left. exists z. split; [ now right | auto ].
  - destruct (get m (s_version x)) as [old |] eqn:O.
    + rewrite get_set in E. cbn [eqb Z_Eqb] in E. destruct (Z.eqb_spec v (s_version x)) as [-> | D].
      * left. exists x. inversion E. split; [ now left | auto ].
      * right. split; [ assumption |]. cbn. intros [Q | Q]; [ congruence | contradiction ].
    + right. split; [ assumption |]. cbn. intros [Q | Q]; [ congruence | contradiction ].
Qed.

Definition paid_back (i : nat) (w : Z) (steps : list step_record) : Z :=
  fold_right (fun x n => owed_of i w x + n) 0 steps.

Lemma refund_all_spec steps i : forall b, (forall x, In x steps -> s_status x = Open) ->
  let b' := refund_all steps i b in
  spent b' = spent b - paid_back i (window b) steps /\ window b' = window b /\ reserved b' = reserved b /\
  gross b' = gross b /\
  refunded b' = refunded b + fold_right (fun x n => charge (s_charges x) i + n) 0 steps.
Proof.
  induction steps as [| x steps IH]; intros b O; cbv zeta.
  - cbn. repeat split; lia.
  - change (refund_all (x :: steps) i b) with (refund_all steps i (refund b (charge (s_charges x) i) (nth i (s_windows x) 0))).
    destruct (IH (refund b (charge (s_charges x) i) (nth i (s_windows x) 0))) as (A & B & C & D & E); [ intros; apply O; now right |].
    rewrite A, B, C, D, E. cbn [window reserved gross refunded spent refund].
    change (paid_back i (window b) (x :: steps)) with (owed_of i (window b) x + paid_back i (window b) steps).
    unfold owed_of at 1. rewrite (O x) by (now left). cbn [fold_right].
    repeat split; auto; destruct (nth i (s_windows x) 0 =? window b); lia.
Qed.

Definition others (i : nat) (w : Z) (records : map Z step_record) (steps : list step_record) (v : Z) : Z :=
  if existsb (Z.eqb v) (List.map s_version steps) then 0 else owed i w records v.

Lemma others_sum s i w steps : sound s ->
  (forall x, In x steps -> get (st_records s) (s_version x) = Some x /\ s_status x = Open) ->
  NoDup (List.map s_version steps) ->
  zsum (others i w (st_records s) steps) (st_version s) + paid_back i w steps =
  zsum (owed i w (st_records s)) (st_version s).
Proof.
  intros S. induction steps as [| x steps IH]; intros A D; cbn [paid_back fold_right].
  - rewrite Z.add_0_r. apply zsum_ext. reflexivity.
  - inversion D as [| ? ? N D']; subst.
    assert (A' : forall y, In y steps -> get (st_records s) (s_version y) = Some y /\ s_status y = Open) by (intros; apply A; now right).
    specialize (IH A' D').
    destruct (A x (or_introl eq_refl)) as [G O]. destruct (so_records s S _ _ G) as (I & _ & _).
    rewrite (zsum_one (others i w (st_records s) (x :: steps)) (others i w (st_records s) steps) _ (s_version x) I).
    + assert (E1 : others i w (st_records s) (x :: steps) (s_version x) = 0).
      { unfold others. cbn. now rewrite Z.eqb_refl. }
      assert (E2 : others i w (st_records s) steps (s_version x) = owed_of i w x).
      { unfold others. destruct (existsb _ _) eqn:X.
        - exfalso. apply existsb_exists in X. destruct X as (v & V & Q). apply Z.eqb_eq in Q. subst. contradiction.
        - unfold owed. now rewrite G. }
      rewrite E1, E2. unfold paid_back in IH. lia.
    + intros v V. unfold others. cbn. now destruct (Z.eqb_spec v (s_version x)).
Qed.

Lemma owed_marked s i w steps rest : sound s ->
  (forall x, In x steps -> get (st_records s) (s_version x) = Some x /\ s_status x = Open) ->
  NoDup (List.map s_version steps) ->
  (forall v y, get rest v = Some y -> get (st_records s) v = Some y) ->
  zsum (owed i w (mark_undone steps rest)) (st_version s + 1) + paid_back i w steps <=
  zsum (owed i w (st_records s)) (st_version s).
Proof.
  intros S A D Sub. rewrite <- (others_sum s i w steps S A D).
  rewrite zsum_succ by (destruct (so_counts s S); lia).
  assert (owed i w (mark_undone steps rest) (st_version s + 1) = 0).
  { unfold owed. destruct (get (mark_undone steps rest) (st_version s + 1)) as [y |] eqn:G; [| reflexivity ].
    destruct (mark_get _ _ _ _ G) as [(x & I & V & E) | [E _]].
    - now subst y.
    - apply Sub in E. apply (so_records s S) in E. lia. }
  assert (zsum (owed i w (mark_undone steps rest)) (st_version s) <= zsum (others i w (st_records s) steps) (st_version s)).
  { apply zsum_le. intros v I. unfold owed at 1. destruct (get (mark_undone steps rest) v) as [y |] eqn:G.
    - destruct (mark_get _ _ _ _ G) as [(x & J & V & E) | [E N]].
      + subst y. unfold owed_of, undone. cbn. unfold others. destruct (existsb _ _); [ lia | now apply owed_nonneg ].
      + unfold others. destruct (existsb _ _) eqn:X.
        * exfalso. apply existsb_exists in X. destruct X as (u & U & Q). apply Z.eqb_eq in Q. subst. contradiction.
        * unfold owed. rewrite (Sub v y E). lia.
    - unfold others. destruct (existsb _ _); [ lia | now apply owed_nonneg ]. }
  lia.
Qed.

(* ── every step keeps the books ────────────────────────────────────────────────────────────────────────── *)
Lemma in_update s time f i p b :
  nth_error (p_budgets (st_policy s)) i = Some p ->
  nth_error (update_budgets (p_budgets (st_policy s)) (st_budgets s) time f) i = Some b ->
  exists b0, nth_error (st_budgets s) i = Some b0 /\ b = f i (budget_at b0 p time).
Proof.
  intros P B. rewrite nth_update, P in B. destruct (nth_error (st_budgets s) i) as [b0 |]; [| discriminate ].
  inversion B. eauto.
Qed.

Theorem moved_sound s c time hash s' :
  sound s -> wf_command c -> st_time s <= time -> moved s c time hash s' -> sound s'.
Proof.
  intros S C T M. pose proof (so_counts s S) as (Cs & Cv & Ct).
  destruct M as [ refusals stopped
                | a checks after E1 E2 J H
                | a em E1 E2 H U
                | a key checks after E1 J H
                | r cost drop note rv paid after E1 R Paid X A
                | r note rv E1 R
                | from to steps s' E1 B L Hd I E2
                | after keys E1 F I ].
  - (* idle *)
    constructor; cbn; try apply S; [ lia | |].
    + intros n rv G. destruct (so_pending s S n rv G) as (? & ? & ?). repeat split; auto; lia.
    + intros i p b P B. destruct (so_budgets s S i p b P B) as [L R O W Old Net Pl]. constructor; cbn; auto.
      * rewrite zsum_succ, (held_next s i S) by lia. lia.
      * pose proof (window_at_mono p _ _ (wf_budget s i p S P) T). lia.
  - (* executed *)
    subst c. cbn in C.
    assert (RC : forall v y, get (kept_records s (record_of s a (a_charges a) time hash)) v = Some y ->
                   1 <= v <= st_version s + 1 /\ s_version y = v /\ nonneg (s_charges y))
      by (apply records_kept; auto).
    constructor; cbn; try apply S; [ now apply length_update; apply S | lia | | exact RC |].
    + intros n rv G. destruct (so_pending s S n rv G) as (? & ? & ?). repeat split; auto; lia.
    + intros i p b P B.
      destruct (in_update _ _ _ _ _ _ P B) as (b0 & B0 & ->).
      destruct (sound_at s i p b0 time S T P B0) as (L & R & O & W & Old & Net & _ & _).
      pose proof (judged_budgets _ _ _ _ _ i p b0 J H P B0) as Lt. unfold left_of in Lt.
      pose proof (charge_nonneg _ i C) as N.
      constructor; cbn.
      * lia.
      * rewrite zsum_succ, (held_next s i S) by lia. lia.
      * set (x := record_of s a (a_charges a) time hash).
        change (zsum (owed i (window (budget_at b0 p time)) (kept_records s x)) (st_version s + 1)
                <= spent (budget_at b0 p time) + charge (a_charges a) i).
        assert (E : owed_of i (window (budget_at b0 p time)) x = charge (a_charges a) i).
        { unfold owed_of, x. cbn [s_status s_windows s_charges record_of]. rewrite (nth_windows _ _ _ _ P), W.
          now rewrite Z.eqb_refl. }
        pose proof (owed_kept s x i (window (budget_at b0 p time)) S eq_refl) as K. rewrite E in K. lia.
      * rewrite W. lia.
      * apply (older_kept s (record_of s a (a_charges a) time hash) (fun y => nth i (s_windows y) 0 <= window (budget_at b0 p time)) eq_refl Old).
        intros _. cbn. rewrite (nth_windows _ _ _ _ P). lia.
      * intros Q. destruct (Net Q). split; lia.
      * intros Q. apply (older_kept s (record_of s a (a_charges a) time hash) (fun y => nth i (s_windows y) 0 = 0)); auto.
        -- exact (bs_plain _ _ _ _ (so_budgets s S i p b0 P B0) Q).
        -- intros _. cbn. rewrite (nth_windows _ _ _ _ P). unfold window_at. now rewrite Q.
  - (* emergency *)
    constructor; cbn; try apply S; [ lia | | |].
    + intros n rv G. destruct (so_pending s S n rv G) as (? & ? & ?). repeat split; auto; lia.
    + apply (records_kept s (final_record s (List.map e_key (em_effects em)) hash)); auto. constructor.
    + intros i p b P B. destruct (so_budgets s S i p b P B) as [L R O W Old Net Pl]. constructor; cbn; auto.
      * rewrite zsum_succ, (held_next s i S) by lia. lia.
      * change (zsum (owed i (window b) (kept_records s (final_record s (List.map e_key (em_effects em)) hash))) (st_version s + 1) <= spent b).
        pose proof (owed_kept s (final_record s (List.map e_key (em_effects em)) hash) i (window b) S eq_refl) as K.
        change (owed_of i (window b) (final_record s (List.map e_key (em_effects em)) hash)) with 0 in K. lia.
      * pose proof (window_at_mono p _ _ (wf_budget s i p S P) T). lia.
      * apply (older_kept s (final_record s (List.map e_key (em_effects em)) hash) (fun y => nth i (s_windows y) 0 <= window b) eq_refl Old).
        intros Q. discriminate Q.
      * intros Q. apply (older_kept s (final_record s (List.map e_key (em_effects em)) hash) (fun y => nth i (s_windows y) 0 = 0) eq_refl (Pl Q)).
        intros O'. discriminate O'.
  - (* reserved *)
    subst c. cbn in C. constructor; cbn; try apply S; [ now apply length_update; apply S | lia | |].
    + intros n rv. rewrite get_set. cbn [eqb Z_Eqb].
      destruct (Z.eqb_spec n (st_seq s + 1)) as [-> | N]; intros G.
      * inversion G; subst. cbn. repeat split; auto; lia.
      * destruct (so_pending s S n rv G) as (? & ? & ?). repeat split; auto; lia.
    + intros i p b P B.
      destruct (in_update _ _ _ _ _ _ P B) as (b0 & B0 & ->).
      destruct (sound_at s i p b0 time S T P B0) as (L & R & O & W & Old & Net & _ & _).
      pose proof (judged_budgets _ _ _ _ _ i p b0 J H P B0) as Lt. unfold left_of in Lt.
      constructor; cbn; auto.
      * lia.
      * rewrite zsum_succ by lia. rewrite R. f_equal.
        -- apply zsum_ext. intros n I. unfold held_of.
           rewrite (get_set_other (st_pending s) (st_seq s + 1) n) by lia. reflexivity.
        -- unfold held_of. now rewrite (get_set_same (st_pending s) (st_seq s + 1)).
      * rewrite W. lia.
      * exact (bs_plain _ _ _ _ (so_budgets s S i p b0 P B0)).
  - (* settled *)
    subst c. destruct (pending_of_get s r rv R) as (n & G & V). destruct (so_pending s S n rv G) as (I & _ & N).
    assert (Np : nonneg paid) by (subst paid; destruct cost; [ exact C | exact N ]).
    assert (Vx : s_version (settle_record s (rv_action rv) paid time drop hash) = st_version s + 1) by now destruct drop.
    assert (Nx : s_charges (settle_record s (rv_action rv) paid time drop hash) = paid) by now destruct drop.
    assert (Wx : s_windows (settle_record s (rv_action rv) paid time drop hash) = windows_at (st_policy s) time) by now destruct drop.
    assert (Ox : s_status (settle_record s (rv_action rv) paid time drop hash) = Open) by now destruct drop.
    set (x := settle_record s (rv_action rv) paid time drop hash) in *.
    constructor; cbn; try apply S; [ now apply length_update; apply S | lia | | |].
    + intros m rv'. rewrite get_remove. destruct (eqb m (rv_seq rv)); [ discriminate |]. intros G'.
      destruct (so_pending s S m rv' G') as (? & ? & ?). repeat split; auto; lia.
    + apply (records_kept s x S Vx). now rewrite Nx.
    + intros i p b P B.
      destruct (in_update _ _ _ _ _ _ P B) as (b0 & B0 & ->).
      destruct (sound_at s i p b0 time S T P B0) as (L & Rs & O & W & Old & Net & _ & _).
      pose proof (exceeds_le paid _ i X N) as Le. pose proof (charge_nonneg _ i Np) as Nn.
      constructor; cbn.
      * lia.
      * rewrite (held_without s i n rv S G V). lia.
      * change (zsum (owed i (window (budget_at b0 p time)) (kept_records s x)) (st_version s + 1)
                <= spent (budget_at b0 p time) + charge paid i).
        assert (E : owed_of i (window (budget_at b0 p time)) x = charge paid i).
        { unfold owed_of. rewrite Ox, Nx, Wx, (nth_windows _ _ _ _ P), W. now rewrite Z.eqb_refl. }
        pose proof (owed_kept s x i (window (budget_at b0 p time)) S Vx) as K. rewrite E in K. lia.
      * rewrite W. lia.
      * apply (older_kept s x (fun y => nth i (s_windows y) 0 <= window (budget_at b0 p time)) Vx Old). intros _. rewrite Wx, (nth_windows _ _ _ _ P). lia.
      * intros Q. destruct (Net Q). split; lia.
      * intros Q. apply (older_kept s x (fun y => nth i (s_windows y) 0 = 0)); auto.
        -- exact (bs_plain _ _ _ _ (so_budgets s S i p b0 P B0) Q).
        -- intros _. rewrite Wx, (nth_windows _ _ _ _ P). unfold window_at. now rewrite Q.
  - (* released *)
    subst c. destruct (pending_of_get s r rv R) as (n & G & V). destruct (so_pending s S n rv G) as (I & _ & N).
    constructor; cbn; try apply S; [ now apply length_update; apply S | lia | |].
    + intros m rv'. rewrite get_remove. destruct (eqb m (rv_seq rv)); [ discriminate |]. intros G'.
      destruct (so_pending s S m rv' G') as (? & ? & ?). repeat split; auto; lia.
    + intros i p b P B.
      destruct (in_update _ _ _ _ _ _ P B) as (b0 & B0 & ->).
      destruct (sound_at s i p b0 time S T P B0) as (L & Rs & O & W & Old & Net & _ & _).
      pose proof (charge_nonneg _ i N) as Nn.
      constructor; cbn; auto.
      * lia.
      * rewrite (held_without s i n rv S G V). lia.
      * rewrite W. lia.
      * exact (bs_plain _ _ _ _ (so_budgets s S i p b0 P B0)).
  - (* rolled back *)
    destruct (steps_between_spec s from to steps S B) as [A D].
    set (rest := remove (st_records s) (st_version s + 1 - p_undo_steps (st_policy s))).
    assert (Sub : forall v y, get rest v = Some y -> get (st_records s) v = Some y).
    { intros v y. unfold rest. rewrite get_remove. destruct (eqb v _); [ discriminate | auto ]. }
    assert (Marked : forall v y, get (mark_undone steps rest) v = Some y ->
              exists x, get (st_records s) v = Some x /\ (y = x \/ y = undone x)).
    { intros v y G. destruct (mark_get _ _ _ _ G) as [(x & J & V & E) | [E _]].
      - exists x. destruct (A x J). subst v. auto.
      - exists y. auto. }
    subst s'. constructor; cbn; try apply S; [ now apply length_update; apply S | lia | | |].
    + intros n rv G. destruct (so_pending s S n rv G) as (? & ? & ?). repeat split; auto; lia.
    + intros v y G. destruct (Marked v y G) as (x & G' & [-> | ->]); destruct (so_records s S v x G') as (? & ? & ?);
        cbn; repeat split; auto; lia.
    + intros i p b P Bu.
      destruct (in_update _ _ _ _ _ _ P Bu) as (b0 & B0 & ->).
      destruct (sound_at s i p b0 time S T P B0) as (Lm & Rs & O & W & Old & Net & _ & _).
      assert (Op : forall x, In x steps -> s_status x = Open) by (intros x J; apply A; auto).
      destruct (refund_all_spec steps i (budget_at b0 p time) Op) as (F1 & F2 & F3 & F4 & F5).
      pose proof (owed_marked s i (window (budget_at b0 p time)) steps rest S A D Sub) as K.
      assert (Pb : 0 <= paid_back i (window (budget_at b0 p time)) steps).
      { clear -A S. induction steps as [| x steps IH]; cbn; [ lia |].
        assert (0 <= owed_of i (window (budget_at b0 p time)) x).
        { destruct (A x (or_introl eq_refl)) as [G Q]. destruct (so_records s S _ _ G) as (_ & _ & N).
          unfold owed_of. rewrite Q. destruct (_ =? _); [ now apply charge_nonneg | lia ]. }
        assert (0 <= paid_back i (window (budget_at b0 p time)) steps) by (apply IH; intros; apply A; now right).
        unfold paid_back in *. lia. }
      constructor; cbn.
      * rewrite F1, F3. lia.
      * rewrite F3, zsum_succ, (held_next s i S) by lia. lia.
      * rewrite F1, F2. fold rest. lia.
      * rewrite F2, W. lia.
      * intros v y G Q. rewrite F2. destruct (Marked v y G) as (x & G' & [-> | ->]); [ now apply (Old v) | discriminate ].
      * intros Q. destruct (Net Q) as [N1 N2]. rewrite F2. split; [| assumption ]. rewrite F1, F4, F5.
        assert (Same : paid_back i (window (budget_at b0 p time)) steps = fold_right (fun x n => charge (s_charges x) i + n) 0 steps).
        { pose proof (bs_plain _ _ _ _ (so_budgets s S i p b0 P B0) Q) as Pl. rewrite N2. clear -A Pl.
          induction steps as [| x steps IH]; cbn; [ reflexivity |].
          destruct (A x (or_introl eq_refl)) as [G O]. unfold owed_of at 1. rewrite O, (Pl _ _ G O), Z.eqb_refl.
          f_equal. apply IH. intros; apply A; now right. }
        lia.
      * intros Q v y G O'. destruct (Marked v y G) as (x & G' & [-> | ->]); [| discriminate ].
        exact (bs_plain _ _ _ _ (so_budgets s S i p b0 P B0) Q v x G' O').
  - (* changed *)
    constructor; cbn; try apply S; [ lia | | |].
    + intros n rv G. destruct (so_pending s S n rv G) as (? & ? & ?). repeat split; auto; lia.
    + apply (records_kept s (final_record s keys hash)); auto. constructor.
    + intros i p b P B. destruct (so_budgets s S i p b P B) as [L R O W Old Net Pl]. constructor; cbn; auto.
      * rewrite zsum_succ, (held_next s i S) by lia. lia.
      * change (zsum (owed i (window b) (kept_records s (final_record s keys hash))) (st_version s + 1) <= spent b).
        pose proof (owed_kept s (final_record s keys hash) i (window b) S eq_refl) as K.
        change (owed_of i (window b) (final_record s keys hash)) with 0 in K. lia.
      * pose proof (window_at_mono p _ _ (wf_budget s i p S P) T). lia.
      * apply (older_kept s (final_record s keys hash) (fun y => nth i (s_windows y) 0 <= window b) eq_refl Old).
        intros Q. discriminate Q.
      * intros Q. apply (older_kept s (final_record s keys hash) (fun y => nth i (s_windows y) 0 = 0) eq_refl (Pl Q)).
        intros O'. discriminate O'.
Qed.
