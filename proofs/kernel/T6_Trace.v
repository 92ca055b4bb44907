(** T6: the trace is tamper-evident. Nothing is assumed of the hash: what would be missed is a collision, which is shown. *)
From Coq Require Import ZArith QArith String Bool Lia List.
From Foreclaim Require Import Maps Value Budget Rule Kernel Run Trace.
Import ListNotations.
Open Scope Z_scope.

(* ── deciding again decides the same ───────────────────────────────────────────────────────────────────── *)
Lemma time_again s clock : time_of s (Some (time_of s clock)) = time_of s clock.
Proof.
  unfold time_of. destruct clock as [c |]; [| now rewrite Z.ltb_irrefl ].
  destruct (Z.ltb_spec (st_time s) c); [ destruct (Z.ltb_spec (st_time s) c); lia | now rewrite Z.ltb_irrefl ].
Qed.

Lemma decide_again s c clock : decide s c (Some (time_of s clock)) = decide s c clock.
Proof. unfold decide. now rewrite time_again. Qed.

Lemma decide_inputs s c clock : d_command (decide s c clock) = c /\ d_time (decide s c clock) = time_of s clock.
Proof.
  unfold decide. set (time := time_of s clock).
  destruct c as [a | a key | r cost drop note | r note | from to | key v note | name values take | reason | reason | why note];
    try (split; reflexivity).
  - unfold decide_execute, decide_emergency. destruct (get _ _) as [em |].
    + destruct (passes _); split; reflexivity.
    + destruct (judge_action s a time) as [checks [after |]]; destruct (passes checks); split; reflexivity.
  - unfold decide_reserve. cbv zeta.
    destruct (match key with None => None | Some k => get (st_keys s) k end) as [[ka [| |] [seq h]] |];
      try (destruct (action_eqb _ a)); try (destruct (passes _)); split; reflexivity.
  - unfold decide_settle. destruct (pending_of s r) as [rv |]; [| split; reflexivity ]. cbv zeta.
    destruct (if drop then _ else _) as [[after |] effects]; destruct (passes _); split; reflexivity.
  - unfold decide_release. destruct (pending_of s r); split; reflexivity.
  - unfold decide_rollback. destruct (steps_between s from to); [| split; reflexivity ].
    destruct (negb (check_size _)); [ split; reflexivity |]. cbv zeta. destruct (passes _); split; reflexivity.
  - unfold decide_grant. cbv zeta. destruct (passes _); split; reflexivity.
  - unfold decide_observe. destruct (get _ _) as [pr |]; [| split; reflexivity ].
    destruct (negb (forallb _ values)); [ split; reflexivity |]. cbv zeta. destruct take; cbn [negb].
    + destruct (passes _); [ split; reflexivity |]. destruct (match filter _ _ with [] => true | _ => false end); split; reflexivity.
    + destruct (match filter _ _ with [] => true | _ => false end); split; reflexivity.
Qed.

Lemma firstn_same {A} (b a b' a' : list A) x x' n :
  length b = n -> length b' = n -> b ++ [x] = b' ++ [x'] -> firstn (S n) (b ++ x :: a) = firstn (S n) (b' ++ x' :: a').
Proof.
  intros L L' E. apply app_inj_tail in E. destruct E as [-> ->]. rewrite !firstn_app.
  replace (S n - length b')%nat with 1%nat by lia. reflexivity.
Qed.

Section Trace.
  Variable sha : text -> string.
  Variable root : data -> string.
  Variable policy_of : value -> option policy.
  Notation again := (again sha root policy_of).
  Notation verify := (verify sha root policy_of).
  Notation verify_from := (verify_from sha root policy_of).
  Notation written := (written sha root policy_of).
  Notation entry_of := (entry_of root).

  (** Two different texts with one hash. *)
  Definition collision : Prop := exists t t', t <> t' /\ sha t = sha t'.

  Lemma verify_from_app s a b :
    verify_from s (a ++ b) = match verify_from s a with Some s' => verify_from s' b | None => None end.
  Proof.
    revert s. induction a as [| x a IH]; intros s; cbn; [ reflexivity |]. destruct (again s x) as [s' |]; [ apply IH | reflexivity ].
  Qed.

  Lemma verify_from_some s trace r : verify_from (Some s) trace = Some r -> exists s', r = Some s'.
  Proof.
    revert s. induction trace as [| x trace IH]; intros s; cbn; [ intros E; inversion E; eauto |].
    destruct (again (Some s) x) as [s' |]; [ apply IH | discriminate ].
  Qed.

  Lemma verify_snoc trace x s : verify (trace ++ [x]) = Some s ->
    (trace = [] /\ again None x = Some s) \/ (exists s0, verify trace = Some s0 /\ again (Some s0) x = Some s).
  Proof.
    unfold Trace.verify. rewrite verify_from_app. destruct trace as [| y trace].
    - cbn. destruct (again None x) as [s' |]; [| discriminate ]. intros E. inversion E. now left.
    - intros E. right. destruct (verify_from None (y :: trace)) as [r |] eqn:F; [| discriminate ].
      assert (exists s0, r = Some s0) as [s0 ->].
      { cbn in F. destruct (again None y) as [s' |]; [| discriminate ]. now apply verify_from_some in F. }
      exists s0. split; [ reflexivity |]. cbn in E. destruct (again (Some s0) x) as [s' |]; [| discriminate ]. now inversion E.
  Qed.

  Lemma again_opening x s : again None x = Some s ->
    exists body initial time p, x = (TOpen body initial time, sha (TOpen body initial time)) /\ policy_of body = Some p /\
      open_kernel p initial time (snd x) = Some s.
  Proof.
    destruct x as [t h]. unfold Trace.again. destruct (String.eqb_spec (sha t) h) as [<- | N]; [| discriminate ]. cbn [negb].
    destruct t as [body initial time | e]; [| discriminate ]. destruct (policy_of body) as [p |] eqn:P; [| discriminate ].
    destruct (_ =? _); [| discriminate ]. intros O. exists body, initial, time, p. auto.
  Qed.

  Lemma again_step s x s' : again (Some s) x = Some s' ->
    exists e, x = (TEntry e, sha (TEntry e)) /\ wf_command (en_command e) /\
      e = entry_of s (decide s (en_command e) (Some (en_time e))) (en_writer e) /\
      s' = step s (en_command e) (Some (en_time e)) (snd x).
  Proof.
    destruct x as [t h]. unfold Trace.again. destruct (String.eqb_spec (sha t) h) as [<- | N]; [| discriminate ]. cbn [negb].
    destruct t as [body initial time | e]; [ discriminate |].
    destruct (wf_commandb (en_command e)) eqn:C; [| discriminate ]. cbn [negb].
    destruct (entry_eq _ e) as [E | N]; [| discriminate ]. intros F. inversion F. exists e.
    split; [ reflexivity |]. split; [ now apply wf_commandb_ok |]. split; [ now symmetry | reflexivity ].
  Qed.

  Lemma again_head s x s' : again s x = Some s' -> st_head s' = snd x /\ sha (fst x) = snd x.
  Proof.
    destruct s as [s |]; intros A.
    - destruct (again_step s x s' A) as (e & -> & _ & _ & ->). cbn [snd fst]. split; [| reflexivity ].
      pose proof (step_moved s (en_command e) (Some (en_time e)) (sha (TEntry e))) as M. revert M.
      generalize (step s (en_command e) (Some (en_time e)) (sha (TEntry e))) as s'. intros s' M. destruct M; subst; reflexivity.
    - destruct (again_opening x s' A) as (body & initial & time & p & -> & _ & O). cbn [snd fst] in *. split; [| reflexivity ].
      apply open_kernel_state in O. now destruct O as [-> _].
  Qed.

  (** What verifies is a run of the kernel: so T1 to T5, T7 and T8 hold of it, whoever wrote it. *)
  Theorem T6_sound trace s : verify trace = Some s ->
    exists body initial time p, policy_of body = Some p /\ reachable p initial s /\
      hd_error trace = Some (TOpen body initial time, sha (TOpen body initial time)).
  Proof.
    revert s. induction trace as [| x trace IH] using rev_ind; intros s V; [ discriminate |].
    destruct (verify_snoc trace x s V) as [[-> A] | (s0 & V0 & A)].
    - destruct (again_opening x s A) as (body & initial & time & p & -> & P & O). exists body, initial, time, p.
      split; [ assumption |]. split; [ now apply (r_open p initial time (sha (TOpen body initial time))) | reflexivity ].
    - destruct (IH s0 V0) as (body & initial & time & p & P & R & H).
      exists body, initial, time, p. split; [ assumption |]. split.
      + destruct (again_step s0 x s A) as (e & -> & C & _ & ->). now constructor.
      + destruct trace; [ discriminate | exact H ].
  Qed.

  (** What the kernel wrote verifies, and whoever does it again comes to the same state. *)
  Theorem T6_complete s trace : written s trace -> verify trace = Some s.
  Proof.
    induction 1 as [body p initial clock s time t P O | s trace c clock writer Wr IH C t].
    - unfold Trace.verify. cbn [Trace.verify_from]. unfold Trace.again. rewrite String.eqb_refl. cbn [negb]. unfold t. rewrite P.
      assert (E : time = (if 0 <? time then time else 0)).
      { unfold time. destruct (Z.ltb_spec 0 clock); [ destruct (Z.ltb_spec 0 clock); lia | reflexivity ]. }
      rewrite <- E, Z.eqb_refl.
      assert (O' : open_kernel p initial time (sha t) = Some s).
      { revert O. unfold open_kernel. fold time. now rewrite <- E. }
      unfold t in O'. now rewrite O'.
    - unfold Trace.verify in *. rewrite verify_from_app.
      destruct (verify_from None trace) as [[s0 |] |]; try discriminate. inversion IH; subst s0.
      cbn [Trace.verify_from]. unfold Trace.again. rewrite String.eqb_refl. cbn [negb].
      destruct (decide_inputs s c clock) as [Dc Dt]. unfold t.
      cbn [en_command en_time en_writer Trace.entry_of]. rewrite Dc, Dt, decide_again.
      rewrite (proj2 (wf_commandb_ok c) C). cbn [negb].
      destruct (entry_eq _ _) as [_ | N]; [ reflexivity |]. exfalso. apply N. reflexivity.
  Qed.

  (** Two traces that verify and end with the same hash are the same, or there is a collision. *)
  Theorem T6_tamper_evident trace trace' s s' :
    verify trace = Some s -> verify trace' = Some s' -> st_head s = st_head s' -> trace = trace' \/ collision.
  Proof.
    revert trace' s s'. induction trace as [| x trace IH] using rev_ind; intros trace' s s' V V' H; [ discriminate |].
    destruct trace' as [| x' trace' _] using rev_ind; [ discriminate |].
    assert (L : forall s0 x s1, again s0 x = Some s1 -> st_head s1 = snd x /\ x = (fst x, sha (fst x))).
    { intros s0 y s1 A. destruct (again_head _ _ _ A) as [E1 E2]. split; [ assumption |]. rewrite E2. now destruct y. }
    assert (same : forall s0 s1 s0' s1', again s0 x = Some s1 -> again s0' x' = Some s1' -> st_head s1 = st_head s1' ->
                     x = x' \/ collision).
    { intros s0 s1 s0' s1' A A' E. destruct (L _ _ _ A) as [E1 X]. destruct (L _ _ _ A') as [E2 X'].
      destruct (text_eq (fst x) (fst x')) as [Q | N]; [ left; rewrite X, X', Q; reflexivity |].
      right. exists (fst x), (fst x'). split; [ assumption |]. rewrite X, X' in *. cbn in *. congruence. }
    destruct (verify_snoc trace x s V) as [[-> A] | (s0 & V0 & A)];
      destruct (verify_snoc trace' x' s' V') as [[-> A'] | (s0' & V0' & A')].
    - destruct (same _ _ _ _ A A' H) as [-> | C]; [ now left | now right ].
    - destruct (same _ _ _ _ A A' H) as [<- | C]; [| now right ].
      destruct (again_opening x s A) as (? & ? & ? & ? & -> & _). destruct (again_step s0' _ s' A') as (e & E & _). discriminate.
    - destruct (same _ _ _ _ A A' H) as [<- | C]; [| now right ].
      destruct (again_opening x s' A') as (? & ? & ? & ? & -> & _). destruct (again_step s0 _ s A) as (e & E & _). discriminate.
    - destruct (same _ _ _ _ A A' H) as [<- | C]; [| now right ].
      destruct (again_step s0 x s A) as (e & -> & _ & E & _). destruct (again_step s0' _ s' A') as (e' & X & _ & E' & _).
      inversion X; subst e'.
      assert (Hd : st_head s0 = st_head s0').
      { transitivity (en_prev e); [ rewrite E; reflexivity | rewrite E'; reflexivity ]. }
      destruct (IH trace' s0 s0' V0 V0' Hd) as [-> | C]; [ now left | now right ].
  Qed.

  Lemma verify_prefix trace rest s : trace <> [] -> verify (trace ++ rest) = Some s -> exists s0, verify trace = Some s0.
  Proof.
    intros N. unfold Trace.verify. rewrite verify_from_app. destruct (verify_from None trace) as [r |] eqn:F; [| discriminate ].
    destruct trace as [| x trace]; [ contradiction |]. cbn in F. destruct (again None x) as [s1 |]; [| discriminate ].
    apply verify_from_some in F. destruct F as [s0 ->]. eauto.
  Qed.

  (** An entry that is left as it was keeps all entries before it as they were, at the places where they were. So whoever
      changes, leaves out, puts in or moves an entry must write every later one anew; and a checkpoint, the hash of one
      entry kept elsewhere, holds everything up to it. *)
  Theorem T6_kept_entry before x after before' x' after' s s' :
    verify (before ++ x :: after) = Some s -> verify (before' ++ x' :: after') = Some s' -> snd x = snd x' ->
    before ++ [x] = before' ++ [x'] \/ collision.
  Proof.
    intros V V' E.
    change (x :: after) with ([x] ++ after) in V. change (x' :: after') with ([x'] ++ after') in V'. rewrite app_assoc in V, V'.
    destruct (verify_prefix (before ++ [x]) after s) as [s0 V0]; [ now destruct before | assumption |].
    destruct (verify_prefix (before' ++ [x']) after' s') as [s0' V0']; [ now destruct before' | assumption |].
    apply (T6_tamper_evident _ _ s0 s0' V0 V0').
    assert (head : forall b y t, verify (b ++ [y]) = Some t -> st_head t = snd y).
    { intros b y t W. destruct (verify_snoc b y t W) as [[_ A] | (? & _ & A)]; now apply again_head in A. }
    rewrite (head _ _ _ V0), (head _ _ _ V0'). exact E.
  Qed.

  Corollary T6_checkpoint trace s n length_ head_ other s' :
    verify trace = Some s -> nth_error trace n = Some (length_, head_) ->     (* the checkpoint: entry n and its hash *)
    verify other = Some s' -> (exists t, nth_error other n = Some (t, head_)) ->
    firstn (S n) trace = firstn (S n) other \/ collision.
  Proof.
    intros V N V' (t & N').
    destruct (nth_error_split trace n N) as (b & a & -> & L). destruct (nth_error_split other n N') as (b' & a' & -> & L').
    destruct (T6_kept_entry b (length_, head_) a b' (t, head_) a' s s' V V' eq_refl) as [E | C]; [ left | now right ].
    now apply firstn_same.
  Qed.

  (** In the words of the founding document: with a hash that has no collisions. *)
  Corollary T6_injective trace trace' s s' : (forall t t', sha t = sha t' -> t = t') ->
    verify trace = Some s -> verify trace' = Some s' -> st_head s = st_head s' -> trace = trace'.
  Proof.
    intros I V V' H. destruct (T6_tamper_evident trace trace' s s' V V' H) as [E | (t & t' & N & E)]; [ assumption |].
    exfalso. now apply N, I.
  Qed.
End Trace.

(** What an entry says is what became of the state (T5). *)
Theorem T6_entry_tells root s c clock hash writer :
  let d := decide s c clock in
  let e := entry_of root s d writer in
  let s' := step s c clock hash in
  en_root e = (root (st_data s), root (st_data s')) /\ en_version e = (st_version s, st_version s') /\
  en_budgets e = update_budgets (p_budgets (st_policy s')) (st_budgets s') (st_time s') (fun _ b => b) /\
  en_seq e = st_seq s' /\ st_head s' = hash.
Proof.
  cbv zeta. rewrite step_policy, step_time, step_seq. cbn. destruct (decide_inputs s c clock) as [_ ->].
  unfold step, seal.
  destruct (d_record (decide s c clock)); [ now cbn |].
  destruct (d_reservation (decide s c clock)) as [[a key] |]; now cbn.
Qed.
