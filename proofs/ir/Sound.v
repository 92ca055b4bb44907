(** If no obligation of a document can be broken, every run of it is as its guarantees say. *)
From Coq Require Import ZArith QArith Qreduction String Bool Lia List.
From ForeclaimIR Require Import Meaning Obligations.
Import ListNotations.
Open Scope Z_scope.

Section Sound.
  Variable other1 : string -> val -> val.
  Variable other2 : string -> val -> val -> val.
  Notation ev := (ev other1 other2).
  Notation eval := (eval other1 other2).

  (* ── what a plain value stands for ───────────────────────────────────────────────────────────────────── *)
  Fixpoint cv (m : model) (p : plain) : val :=
    match p with
    | PTerm t => ev m t
    | PNone => VNone
    | POpt c p => if truth (ev m c) then VSome (cv m p) else VNone
    | PNil => VNil
    | PCons f p r => VCons f (cv m p) (cv m r)
    end.

  Lemma truth_bool b : truth (VBool b) = b.
  Proof. now destruct b. Qed.
  Lemma truth_implies m a b : truth (ev m (tImplies a b)) = negb (truth (ev m a)) || truth (ev m b).
  Proof. apply truth_bool. Qed.
  Lemma truth_and m a b : truth (ev m (tAnd a b)) = truth (ev m a) && truth (ev m b).
  Proof. apply truth_bool. Qed.
  Lemma truth_or m a b : truth (ev m (tOr a b)) = truth (ev m a) || truth (ev m b).
  Proof. apply truth_bool. Qed.
  Lemma truth_not m a : truth (ev m (tNot a)) = negb (truth (ev m a)).
  Proof. apply truth_bool. Qed.

  Lemma cv_known m v : cv m (known v) = v.
  Proof. induction v; cbn; congruence. Qed.

  Lemma field_cv m p f q : field p f = Some q -> vfield (cv m p) f = cv m q.
  Proof.
    induction p as [t | | c p IH | | g p IHp r IHr]; cbn; try discriminate.
    destruct (String.eqb g f); [ intros E; now inversion E | apply IHr ].
  Qed.

  Lemma merge_cv m c p : forall q x, merge c p q = Some x -> cv m x = if truth (ev m c) then cv m p else cv m q.
  Proof.
    induction p as [t | | b p IH | | f p IHp r IHr]; intros [t' | | b' q | | g q s] x; cbn; try discriminate.
    - intros E. inversion E. reflexivity.
    - intros E. inversion E. cbn. now destruct (truth (ev m c)).
    - intros E. inversion E. cbn. now destruct (truth (ev m c)).
    - intros E. inversion E. cbn. destruct (truth (ev m c)); reflexivity.
    - destruct (merge c p q) as [y |] eqn:M; [| discriminate ]. cbn. intros E. inversion E. cbn.
      rewrite (IH q y M). now destruct (truth (ev m c)).
    - intros E. inversion E. cbn. now destruct (truth (ev m c)).
    - destruct (String.eqb_spec f g) as [-> | N]; [| discriminate ].
      destruct (merge c p q) as [y |] eqn:M1; [| discriminate ]. destruct (merge c r s) as [z |] eqn:M2; [| discriminate ].
      intros E. inversion E. cbn. rewrite (IHp q y M1), (IHr s z M2). now destruct (truth (ev m c)).
  Qed.

  Lemma ev_tEq m a b : ev m (tEq a b) = VBool (val_eqb (ev m a) (ev m b)).
  Proof. unfold tEq. destruct a, b; reflexivity. Qed.
  Lemma ev_tBin m o a b : ev m (tBin o a b) = apply2 other2 o (ev m a) (ev m b).
  Proof. unfold tBin. destruct o, a, b; reflexivity. Qed.
  Lemma ev_tUn m o a : ev m (tUn o a) = apply1 other1 o (ev m a).
  Proof. unfold tUn. destruct o, a; reflexivity. Qed.

  Lemma equal_cv m p : forall q t, equal p q = Some t -> ev m t = VBool (val_eqb (cv m p) (cv m q)).
  Proof.
    induction p as [a | | a p IH | | f p IHp r IHr]; intros [b | | b q | | g q s] t; cbn; try discriminate.
    - intros E. inversion E. apply ev_tEq.
    - intros E. now inversion E.
    - intros E. inversion E. cbn. destruct (truth (ev m b)); reflexivity.
    - intros E. inversion E. cbn. destruct (truth (ev m a)); reflexivity.
    - destruct (equal p q) as [e |] eqn:Q; [| discriminate ]. cbn. intros E. inversion E. cbn. rewrite (IH q e Q).
      destruct (truth (ev m a)), (truth (ev m b)); cbn; try reflexivity. now destruct (val_eqb (cv m p) (cv m q)).
    - intros E. now inversion E.
    - destruct (String.eqb_spec f g) as [-> | N]; [| discriminate ].
      destruct (equal p q) as [x |] eqn:Q1; [| discriminate ]. destruct (equal r s) as [y |] eqn:Q2; [| discriminate ].
      intros E. inversion E. cbn. rewrite (IHp q x Q1), (IHr s y Q2). cbn.
      now destruct (val_eqb (cv m p) (cv m q)), (val_eqb (cv m r) (cv m s)).
  Qed.

  Lemma as_term_some p t : as_term p = Some t -> p = Some (PTerm t).
  Proof. destruct p as [[] |]; cbn; try discriminate. intros E. now inversion E. Qed.

  (* ── expressions ─────────────────────────────────────────────────────────────────────────────────────── *)
  Definition agree (m : model) (r : names) (r' : env) : Prop := forall x p, find r x = Some p -> cv m p = look r' x.

  Lemma agree_cons m r r' x p v : agree m r r' -> cv m p = v -> agree m ((x, p) :: r) ((x, v) :: r').
  Proof.
    intros A E y q. cbn. destruct (String.eqb y x); [ intros F; inversion F; now subst | apply A ].
  Qed.

  Definition calls_of (m : model) (rows : list srow) : list row :=
    flat_map (fun c => if truth (ev m (r_happened c)) then [(r_tool c, cv m (r_args c))] else []) rows.

  Lemma nadd_0 q : Qred q = q -> nadd 0 q = q.
  Proof. intros R. unfold nadd. rewrite <- R at 2. apply Qred_complete. ring. Qed.

  Lemma nadd_red a b : Qred (nadd a b) = nadd a b.
  Proof. unfold nadd. apply Qred_complete. apply Qred_correct. Qed.

  Lemma over_all m ts say l : forall t (P : row -> bool),
    over ts say (fun c w b rest => tAnd (tImplies (tAnd (r_happened c) w) b) rest) tTrue l = Some t ->
    (forall c w b, say c = Some (w, b) -> of_tools ts (r_tool c) = true ->
       P (r_tool c, cv m (r_args c)) = negb (truth (ev m w)) || truth (ev m b)) ->
    (forall c, of_tools ts (r_tool c) = false -> P (r_tool c, cv m (r_args c)) = true) ->
    ev m t = VBool (forallb P (calls_of m l)).
  Proof.
    induction l as [| c l IH]; intros t P O In Out; cbn [over] in O; [ inversion O; reflexivity |].
    change (calls_of m (c :: l)) with ((if truth (ev m (r_happened c)) then [(r_tool c, cv m (r_args c))] else []) ++ calls_of m l).
    rewrite forallb_app. destruct (of_tools ts (r_tool c)) eqn:T.
    - destruct (say c) as [[w b] |] eqn:Sy; [| discriminate ]. destruct (over ts say _ _ l) as [rest |] eqn:R; [| discriminate ].
      inversion O. cbn. rewrite (IH rest P eq_refl In Out). unfold row in *. set (k := forallb P (calls_of m l)). clearbody k. f_equal.
      destruct (truth (ev m (r_happened c))); cbn; [ rewrite (In c w b Sy T) |];
        destruct (truth (ev m w)), (truth (ev m b)), k; reflexivity.
    - rewrite (IH t P O In Out). f_equal. destruct (truth (ev m (r_happened c))); cbn; [ now rewrite (Out c T) | reflexivity ].
  Qed.

  Lemma over_some m ts say l : forall t (P : row -> bool),
    over ts say (fun c w b rest => tOr (tAnd (tAnd (r_happened c) w) b) rest) tFalse l = Some t ->
    (forall c w b, say c = Some (w, b) -> of_tools ts (r_tool c) = true ->
       P (r_tool c, cv m (r_args c)) = truth (ev m w) && truth (ev m b)) ->
    (forall c, of_tools ts (r_tool c) = false -> P (r_tool c, cv m (r_args c)) = false) ->
    ev m t = VBool (existsb P (calls_of m l)).
  Proof.
    induction l as [| c l IH]; intros t P O In Out; cbn [over] in O; [ inversion O; reflexivity |].
    change (calls_of m (c :: l)) with ((if truth (ev m (r_happened c)) then [(r_tool c, cv m (r_args c))] else []) ++ calls_of m l).
    rewrite existsb_app. destruct (of_tools ts (r_tool c)) eqn:T.
    - destruct (say c) as [[w b] |] eqn:Sy; [| discriminate ]. destruct (over ts say _ _ l) as [rest |] eqn:R; [| discriminate ].
      inversion O. cbn. rewrite (IH rest P eq_refl In Out). unfold row in *. set (k := existsb P (calls_of m l)). clearbody k. f_equal.
      destruct (truth (ev m (r_happened c))); cbn; [ rewrite (In c w b Sy T) |];
        destruct (truth (ev m w)), (truth (ev m b)), k; reflexivity.
    - rewrite (IH t P O In Out). f_equal. destruct (truth (ev m (r_happened c))); cbn; [ now rewrite (Out c T) | reflexivity ].
  Qed.

  Lemma over_sum m ts say l : forall t (F : row -> Q),
    over ts say (fun c w v rest => TBin Add (TIte (tAnd (r_happened c) w) v (TConst (VNum 0))) rest) (TConst (VNum 0)) l = Some t ->
    (forall c w v, say c = Some (w, v) -> of_tools ts (r_tool c) = true ->
       F (r_tool c, cv m (r_args c)) = if truth (ev m w) then num (ev m v) else 0%Q) ->
    (forall c, of_tools ts (r_tool c) = false -> F (r_tool c, cv m (r_args c)) = 0%Q) ->
    ev m t = VNum (fold_right (fun c n => nadd (F c) n) 0%Q (calls_of m l)).
  Proof.
    induction l as [| c l IH]; intros t F O In Out; cbn [over] in O; [ inversion O; reflexivity |].
    assert (Red : forall k, Qred (fold_right (fun c n => nadd (F c) n) 0%Q k) = fold_right (fun c n => nadd (F c) n) 0%Q k).
    { intros [| d k]; [ reflexivity |]. cbn. apply nadd_red. }
    change (calls_of m (c :: l)) with ((if truth (ev m (r_happened c)) then [(r_tool c, cv m (r_args c))] else []) ++ calls_of m l).
    rewrite fold_right_app. destruct (of_tools ts (r_tool c)) eqn:T.
    - destruct (say c) as [[w v] |] eqn:Sy; [| discriminate ]. destruct (over ts say _ _ l) as [rest |] eqn:R; [| discriminate ].
      inversion O. cbn. rewrite (IH rest F eq_refl In Out). cbn. f_equal.
      destruct (truth (ev m (r_happened c))); cbn; [| now apply nadd_0 ].
      rewrite (In c w v Sy T). destruct (truth (ev m w)); reflexivity.
    - rewrite (IH t F O In Out). f_equal. destruct (truth (ev m (r_happened c))); cbn; [| reflexivity ].
      rewrite (Out c T). symmetry. now apply nadd_0.
  Qed.

  Lemma after_call_cv m h q p x : after_call h q p = Some x -> cv m x = if truth (ev m h) then cv m q else cv m p.
  Proof.
    unfold after_call. destruct (is_true_term h) eqn:T; [| apply merge_cv ].
    intros E. inversion E; subst. destruct h as [[| [|] | | | | | | |] | | | | |]; try discriminate. reflexivity.
  Qed.

  Lemma folding_cv m ts say (F : val -> row -> val) l : forall p q,
    folding ts say l p = Some q ->
    (forall c p1 p2, say c p1 = Some p2 -> cv m p2 = F (cv m p1) (r_tool c, cv m (r_args c))) ->
    cv m q = fold_left (fun a c => if of_tools ts (fst c) then F a c else a) (calls_of m l) (cv m p).
  Proof.
    induction l as [| c l IH]; intros p q O Say; cbn [folding] in O; [ now inversion O |].
    change (calls_of m (c :: l)) with ((if truth (ev m (r_happened c)) then [(r_tool c, cv m (r_args c))] else []) ++ calls_of m l).
    rewrite fold_left_app. destruct (of_tools ts (r_tool c)) eqn:T.
    - destruct (say c p) as [p1 |] eqn:Sy; [| discriminate ].
      destruct (after_call (r_happened c) p1 p) as [p2 |] eqn:Af; [| discriminate ].
      rewrite (IH p2 q O Say). rewrite (after_call_cv m _ _ _ _ Af), (Say _ _ _ Sy).
      destruct (truth (ev m (r_happened c))); cbn; [ now rewrite T | reflexivity ].
    - rewrite (IH p q O Say). destruct (truth (ev m (r_happened c))); cbn; [ now rewrite T | reflexivity ].
  Qed.

  Theorem sym_cv m rows : forall e r r' p, agree m r r' -> sym e r rows = Some p -> cv m p = eval e r' (calls_of m rows).
  Proof.
    induction e as [v | x | e IH f | x e IHe b IHb | o e IH | o a IHa b IHb | c IHc a IHa b IHb | a IHa b IHb | e IH | e IH
                   | d e IH | e IHe o IHo | | f e IHe rest IHr | ts x acc init IHi step IHs
                   | ts x w IHw b IHb | ts x w IHw b IHb | ts x w IHw v IHv];
      intros r r' p A; cbn [sym].
    - intros E. inversion E. apply cv_known.
    - apply A.
    - destruct (sym e r rows) as [q |] eqn:S; [| discriminate ]. intros E. cbn. rewrite <- (IH r r' q A S).
      symmetry. now apply field_cv.
    - destruct (sym e r rows) as [q |] eqn:S; [| discriminate ]. intros E. cbn.
      apply (IHb ((x, q) :: r)); [| assumption ]. apply agree_cons; [ assumption | now apply (IHe r) ].
    - destruct (as_term (sym e r rows)) as [t |] eqn:S; [| discriminate ]. intros E. inversion E. cbn [cv]. rewrite ev_tUn. cbn [Meaning.eval].
      apply as_term_some in S. now rewrite <- (IH r r' _ A S).
    - destruct (as_term (sym a r rows)) as [ta |] eqn:Sa; [| discriminate ].
      destruct (as_term (sym b r rows)) as [tb |] eqn:Sb; [| discriminate ]. intros E. inversion E. cbn [cv]. rewrite ev_tBin. cbn [Meaning.eval].
      apply as_term_some in Sa. apply as_term_some in Sb. now rewrite <- (IHa r r' _ A Sa), <- (IHb r r' _ A Sb).
    - destruct (as_term (sym c r rows)) as [tc |] eqn:Sc; [| discriminate ]. apply as_term_some in Sc.
      assert (Branch : forall p', (match sym a r rows, sym b r rows with Some x, Some y => merge tc x y | _, _ => None end) = Some p' ->
                cv m p' = eval (EIf c a b) r' (calls_of m rows)).
      { intros p'. destruct (sym a r rows) as [pa |] eqn:Sa; [| discriminate ]. destruct (sym b r rows) as [pb |] eqn:Sb; [| discriminate ].
        intros M. rewrite (merge_cv m _ _ _ _ M). cbn [Meaning.eval]. rewrite <- (IHc r r' _ A Sc). cbn [cv].
        now rewrite (IHa r r' _ A Sa), (IHb r r' _ A Sb). }
      destruct tc as [v | | | | |]; try exact (Branch p).
      intros M. cbn [Meaning.eval]. rewrite <- (IHc r r' _ A Sc). cbn. destruct (truth v); [ now apply (IHa r) | now apply (IHb r) ].
    - destruct (sym a r rows) as [pa |] eqn:Sa; [| discriminate ]. destruct (sym b r rows) as [pb |] eqn:Sb; [| discriminate ].
      destruct (equal pa pb) as [t |] eqn:Q; [| discriminate ]. intros E. inversion E. cbn.
      rewrite (equal_cv m _ _ _ Q). now rewrite (IHa r r' _ A Sa), (IHb r r' _ A Sb).
    - destruct (sym e r rows) as [q |] eqn:S; [| discriminate ]. intros E. inversion E. cbn. now rewrite (IH r r' q A S).
    - destruct (sym e r rows) as [[t | | c q | | f q s] |] eqn:S; try discriminate; intros E; inversion E; cbn;
        rewrite <- (IH r r' _ A S); cbn; [ reflexivity |]. now destruct (truth (ev m c)).
    - destruct (sym e r rows) as [[t | | c q | | f q s] |] eqn:S; try discriminate; cbn; rewrite <- (IH r r' _ A S); cbn.
      + intros E. inversion E. apply cv_known.
      + intros M. rewrite (merge_cv m _ _ _ _ M), cv_known. now destruct (truth (ev m c)).
    - destruct (sym e r rows) as [[t | | c q | | f q s] |] eqn:S; try discriminate;
        (destruct (sym o r rows) as [po |] eqn:So; [| discriminate ]); cbn; rewrite <- (IHe r r' _ A S); cbn.
      + intros E. inversion E; subst. now apply (IHo r).
      + intros M. rewrite (merge_cv m _ _ _ _ M). rewrite (IHo r r' _ A So). now destruct (truth (ev m c)).
    - intros E. now inversion E.
    - destruct (sym e r rows) as [q |] eqn:S1; [| discriminate ]. destruct (sym rest r rows) as [q' |] eqn:S2; [| discriminate ].
      intros E. inversion E. cbn. now rewrite (IHe r r' q A S1), (IHr r r' q' A S2).
    - destruct (sym init r rows) as [q |] eqn:S1; [| discriminate ]. intros O. cbn [Meaning.eval].
      rewrite <- (IHi r r' q A S1).
      apply (folding_cv m ts _ (fun a c => eval step ((x, snd c) :: (acc, a) :: r') (calls_of m rows)) rows q p O).
      intros c p1 p2 Sy. cbn [snd]. apply (IHs _ _ _ (agree_cons m _ _ x _ _ (agree_cons m _ _ acc _ _ A eq_refl) eq_refl) Sy).
    - (* every *)
      cbv zeta. match goal with |- context [over ts ?say _ _ _] => set (say_ := say) end.
      assert (Said : forall c w' b', say_ c = Some (w', b') ->
                ev m w' = eval w ((x, cv m (r_args c)) :: r') (calls_of m rows) /\
                ev m b' = eval b ((x, cv m (r_args c)) :: r') (calls_of m rows)).
      { intros c w' b' Sy. unfold say_, both in Sy.
        destruct (as_term (sym w _ rows)) as [tw |] eqn:Sw; [| discriminate ].
        destruct (as_term (sym b _ rows)) as [tb |] eqn:Sb; [| discriminate ]. inversion Sy; subst w' b'.
        apply as_term_some in Sw. apply as_term_some in Sb.
        assert (A' : agree m ((x, r_args c) :: r) ((x, cv m (r_args c)) :: r')) by now apply agree_cons.
        exact (conj (IHw _ _ _ A' Sw) (IHb _ _ _ A' Sb)). }
      destruct (over ts say_ _ _ rows) as [t |] eqn:O; [| discriminate ]. intros E. inversion E. cbn [cv Meaning.eval].
      apply (over_all m ts say_ rows t _ O).
      + intros c w' b' Sy T. destruct (Said c w' b' Sy) as [Ew Eb]. cbn. now rewrite T, Ew, Eb.
      + intros c T. cbn. now rewrite T.
    - (* some *)
      cbv zeta. match goal with |- context [over ts ?say _ _ _] => set (say_ := say) end.
      assert (Said : forall c w' b', say_ c = Some (w', b') ->
                ev m w' = eval w ((x, cv m (r_args c)) :: r') (calls_of m rows) /\
                ev m b' = eval b ((x, cv m (r_args c)) :: r') (calls_of m rows)).
      { intros c w' b' Sy. unfold say_, both in Sy.
        destruct (as_term (sym w _ rows)) as [tw |] eqn:Sw; [| discriminate ].
        destruct (as_term (sym b _ rows)) as [tb |] eqn:Sb; [| discriminate ]. inversion Sy; subst w' b'.
        apply as_term_some in Sw. apply as_term_some in Sb.
        assert (A' : agree m ((x, r_args c) :: r) ((x, cv m (r_args c)) :: r')) by now apply agree_cons.
        exact (conj (IHw _ _ _ A' Sw) (IHb _ _ _ A' Sb)). }
      destruct (over ts say_ _ _ rows) as [t |] eqn:O; [| discriminate ]. intros E. inversion E. cbn [cv Meaning.eval].
      apply (over_some m ts say_ rows t _ O).
      + intros c w' b' Sy T. destruct (Said c w' b' Sy) as [Ew Eb]. cbn. now rewrite T, Ew, Eb.
      + intros c T. cbn. now rewrite T.
    - (* sum *)
      cbv zeta. match goal with |- context [over ts ?say _ _ _] => set (say_ := say) end.
      assert (Said : forall c w' b', say_ c = Some (w', b') ->
                ev m w' = eval w ((x, cv m (r_args c)) :: r') (calls_of m rows) /\
                ev m b' = eval v ((x, cv m (r_args c)) :: r') (calls_of m rows)).
      { intros c w' b' Sy. unfold say_, both in Sy.
        destruct (as_term (sym w _ rows)) as [tw |] eqn:Sw; [| discriminate ].
        destruct (as_term (sym v _ rows)) as [tb |] eqn:Sb; [| discriminate ]. inversion Sy; subst w' b'.
        apply as_term_some in Sw. apply as_term_some in Sb.
        assert (A' : agree m ((x, r_args c) :: r) ((x, cv m (r_args c)) :: r')) by now apply agree_cons.
        exact (conj (IHw _ _ _ A' Sw) (IHv _ _ _ A' Sb)). }
      destruct (over ts say_ _ _ rows) as [t |] eqn:O; [| discriminate ]. intros E. inversion E. cbn [cv Meaning.eval].
      apply (over_sum m ts say_ rows t (fun c => if of_tools ts (fst c) && truth (eval w ((x, snd c) :: r') (calls_of m rows))
                                                 then num (eval v ((x, snd c) :: r') (calls_of m rows)) else 0%Q) O).
      + intros c w' b' Sy T. destruct (Said c w' b' Sy) as [Ew Eb]. cbn. now rewrite T, Ew, Eb.
      + intros c T. cbn. now rewrite T.
  Qed.

  Lemma sym_term m rows e r r' t : agree m r r' -> as_term (sym e r rows) = Some t ->
    ev m t = eval e r' (calls_of m rows).
  Proof. intros A S. apply as_term_some in S. exact (sym_cv m rows e r r' _ A S). Qed.

  (** The same where no calls are spoken of. *)
  Lemma sym_term0 m e r r' t : agree m r r' -> as_term (sym e r []) = Some t -> ev m t = eval e r' [].
  Proof. exact (sym_term m [] e r r' t). Qed.

  Lemma sym_record_cv m r r' args : forall p, agree m r r' -> sym_record r args = Some p ->
    cv m p = record_of other1 other2 r' args.
  Proof.
    induction args as [| [f e] args IH]; intros p A; cbn; [ intros E; now inversion E |].
    destruct (sym e r []) as [q |] eqn:S; [| discriminate ]. destruct (sym_record r args) as [s |]; [| discriminate ].
    intros E. inversion E. cbn. now rewrite (sym_cv m [] e r r' q A S), (IH s A eq_refl).
  Qed.

  Lemma clause_names_agree m t args : forall ce, clause_names (t_params t) args = Some ce ->
    agree m ce (clause_env t (cv m args)).
  Proof.
    unfold clause_env. induction (t_params t) as [| p ps IH]; intros ce; cbn; [ intros E; inversion E; intros x q; discriminate |].
    destruct (field args p) as [q |] eqn:F; [| discriminate ]. destruct (clause_names ps args) as [r |]; [| discriminate ].
    intros E. inversion E. apply agree_cons; [ now apply IH |]. symmetry. now apply field_cv.
  Qed.

  (* ── the model that a run gives ──────────────────────────────────────────────────────────────────────── *)
  Variable world : nat -> outcome.
  Variable inputs : env.

  Definition proj (v : val) (s : part) : val :=
    match s, v with
    | PPresent, VSome _ => VBool true | PPresent, _ => VBool false
    | PValue, VSome v => v
    | PHead, VCons _ v _ => v
    | PTail, VCons _ _ r => r
    | _, _ => VNull
    end.
  Definition projs (path : list part) (v : val) : val := fold_left proj path v.

  Definition default (s : sort) : val :=
    match s with SBool => VBool false | SInt | SReal => VNum 0 | SStr => VStr EmptyString | SAny => VOpaque EmptyString end.
  Definition fixed (s : sort) (v : val) : val := if has_sort v s then v else default s.

  Definition answer (n : nat) : val := match world n with Returned v => v | Failed _ _ => VNull end.
  Definition left_by (n : nat) : val := match world n with Returned _ => VNull | Failed _ lf => lf end.
  Definition m : model := fun x =>
    match x with
    | XInput name path s => fixed s (projs path (look inputs name))
    | XResult n path s => fixed s (projs path (answer n))
    | XFailed n => VBool (match world n with Failed _ _ => true | _ => false end)
    | XTook n => VBool (match world n with Failed took _ => took | _ => false end)
    | XLeft n path s => fixed s (projs path (left_by n))
    end.

  Lemma m_respects : respects m.
  Proof.
    assert (F : forall s v, has_sort (fixed s v) s = true).
    { intros s v. unfold fixed. destruct (has_sort v s) eqn:E; [ assumption | destruct s; reflexivity ]. }
    intros x. destruct x as [name path s | n path s | n | n | n path s]; cbn; auto.
  Qed.

  Lemma shaped_cv mk base : (forall path s, m (mk path s) = fixed s (projs path base)) ->
    forall t path v, projs path base = v -> conforms v t = true -> cv m (shaped t mk path) = v.
  Proof.
    intros M. induction t as [s | t IH | | f t IHt r IHr]; intros path v P C; cbn in *.
    - rewrite M, P. unfold fixed. destruct v; cbn in C; now rewrite C.
    - rewrite M. unfold projs at 1. rewrite fold_left_app. cbn. fold (projs path base). rewrite P.
      destruct v as [| | | | | | u | |]; try discriminate; cbn; [ reflexivity |].
      f_equal. apply IH; [| assumption ]. unfold projs. rewrite fold_left_app. cbn. fold (projs path base). now rewrite P.
    - destruct v; try discriminate. reflexivity.
    - destruct v as [| | | | | | | | g u w]; try discriminate. apply andb_true_iff in C. destruct C as [C C3].
      apply andb_true_iff in C. destruct C as [C1 C2]. apply String.eqb_eq in C1. subst g. f_equal.
      + apply IHt; [| assumption ]. unfold projs. rewrite fold_left_app. cbn. fold (projs path base). now rewrite P.
      + apply IHr; [| assumption ]. unfold projs. rewrite fold_left_app. cbn. fold (projs path base). now rewrite P.
  Qed.

  (* ── the walk ────────────────────────────────────────────────────────────────────────────────────────── *)
  Definition true_in (ts : list term) : Prop := Forall (fun t => truth (ev m t) = true) ts.
  Definition all_valid (os : list (list term * term)) : Prop := forall o, In o os -> valid other1 other2 o.

  (** Claims are only added. *)
  Lemma claim_all_incl g cs ce rows : forall w w', claim_all g cs ce rows w = Some w' -> incl (w_claims w) (w_claims w').
  Proof.
    induction cs as [| c cs IH]; intros w w'; cbn; [ intros E; inversion E; apply incl_refl |].
    destruct (as_term (sym c ce rows)) as [t |]; [| discriminate ]. intros E. specialize (IH _ _ E). intros o O. apply IH. now right.
  Qed.

  Lemma assume_all_claims g cs ce : forall w w', assume_all g cs ce w = Some w' -> w_claims w' = w_claims w.
  Proof.
    induction cs as [| c cs IH]; intros w w'; cbn; [ intros E; now inversion E |].
    destruct (as_term (sym c ce [])) as [t |]; [| discriminate ]. intros E. now rewrite (IH _ _ E).
  Qed.

  Lemma claim_all_ok g cs ce ce' rows : agree m ce ce' -> forall w w', claim_all g cs ce rows w = Some w' ->
    w_names w' = w_names w /\ w_rows w' = w_rows w /\
    (true_in (w_assumptions w) ->
       ((truth (ev m g) = true -> forallb (fun c => truth (eval c ce' (calls_of m rows))) cs = true) -> true_in (w_assumptions w')) /\
       (all_valid (w_claims w') -> truth (ev m g) = true -> forallb (fun c => truth (eval c ce' (calls_of m rows))) cs = true)).
  Proof.
    intros A. induction cs as [| c cs IH]; intros w w'; cbn [claim_all].
    - intros E. inversion E; subst. auto.
    - destruct (as_term (sym c ce rows)) as [t |] eqn:S; [| discriminate ]. intros E.
      destruct (IH _ _ E) as (N & R & K). cbn in N, R, K. pose proof (claim_all_incl _ _ _ _ _ _ E) as I.
      pose proof (sym_term m rows c ce ce' t A S) as Q.
      split; [ assumption |]. split; [ assumption |]. intros T. split.
      + intros H.
        assert (Vt : truth (ev m (tImplies g t)) = true).
        { rewrite truth_implies, Q. destruct (truth (ev m g)); [| reflexivity ].
          specialize (H eq_refl). cbn [forallb] in H. now apply andb_true_iff in H. }
        apply (K (Forall_cons _ Vt T)).
        intros G. specialize (H G). cbn in H. now apply andb_true_iff in H.
      + intros V G.
        assert (Vt : truth (ev m (tImplies g t)) = true) by (refine (V (w_assumptions w, tImplies g t) _ m m_respects T); apply I; now left).
        destruct (K (Forall_cons _ Vt T)) as [_ K2]. cbn [forallb]. apply andb_true_iff. split; [| now apply K2 ].
        rewrite truth_implies, G in Vt. cbn in Vt. now rewrite Q in Vt.
  Qed.

  Lemma assume_all_ok g cs ce ce' : agree m ce ce' -> forall w w', assume_all g cs ce w = Some w' ->
    w_claims w' = w_claims w /\ w_names w' = w_names w /\ w_rows w' = w_rows w /\
    ((truth (ev m g) = true -> forallb (fun c => truth (eval c ce' [])) cs = true) ->
       true_in (w_assumptions w) -> true_in (w_assumptions w')).
  Proof.
    intros A. induction cs as [| c cs IH]; intros w w'; cbn [assume_all].
    - intros E. inversion E; subst. auto.
    - destruct (as_term (sym c ce [])) as [t |] eqn:S; [| discriminate ]. intros E.
      destruct (IH _ _ E) as (C & N & R & K). cbn in C, N, R, K. repeat split; auto.
      intros H T. apply K.
      + intros G. specialize (H G). cbn in H. now apply andb_true_iff in H.
      + constructor; [| assumption ]. rewrite truth_implies. destruct (truth (ev m g)) eqn:G; [| reflexivity ].
        specialize (H eq_refl). cbn [forallb] in H. apply andb_true_iff in H. destruct H as [H _].
        rewrite (sym_term0 m c ce ce' t A S). exact H.
  Qed.

  Lemma calls_of_app rows c : calls_of m (rows ++ [c]) =
    calls_of m rows ++ (if truth (ev m (r_happened c)) then [(r_tool c, cv m (r_args c))] else []).
  Proof. unfold calls_of. rewrite flat_map_app. cbn. now rewrite app_nil_r. Qed.

  Lemma agree_name bind p v w r : agree m (w_names w) r -> cv m p = v -> agree m (w_names (name bind p w)) (bound bind v r).
  Proof. destruct bind; cbn; [ apply agree_cons | auto ]. Qed.

  Lemma name_parts bind p w :
    w_claims (name bind p w) = w_claims w /\ w_assumptions (name bind p w) = w_assumptions w /\ w_rows (name bind p w) = w_rows w.
  Proof. now destruct bind. Qed.

  Lemma steps_incl body : forall n w w', steps n body w = Some w' -> incl (w_claims w) (w_claims w').
  Proof.
    induction body as [| c body IH]; intros n w w' S; cbn [steps] in S; [ inversion S; apply incl_refl |].
    destruct c as [x e | wh c | t args bind wh catch].
    - destruct (sym e (w_names w) []) as [p |]; [| discriminate ]. exact (IH _ _ _ S).
    - destruct (as_term (sym wh (w_names w) [])) as [g |]; [| discriminate ].
      destruct (as_term (sym c (w_names w) [])) as [t |]; [| discriminate ]. specialize (IH _ _ _ S). intros o O. apply IH. now right.
    - destruct (match wh with None => _ | Some e => _ end) as [g |]; [| discriminate ].
      destruct (sym_record (w_names w) args) as [a |]; [| discriminate ].
      destruct (clause_names (t_params t) a) as [ce |]; [| discriminate ].
      destruct (claim_all g (t_requires t) ce (w_rows w) w) as [w1 |] eqn:C1; [| discriminate ].
      match type of S with match ?X with Some _ => _ | None => None end = _ => destruct X as [w2 |] eqn:C2 end; [| discriminate ].
      assert (I2 : incl (w_claims w1) (w_claims w2)).
      { destruct (t_cost t) as [e |]; [| inversion C2; apply incl_refl ].
        destruct (as_term (sym e ce (w_rows w))) as [tc |]; [| discriminate ]. cbn in C2. inversion C2. intros o O. now right. }
      match type of S with match ?X with Some _ => _ | None => None end = _ => destruct X as [w3 |] eqn:C3 end; [| discriminate ].
      apply assume_all_claims in C3. apply claim_all_incl in C1. specialize (IH _ _ _ S).
      intros o O. apply IH. apply C1 in O. apply I2 in O. rewrite <- C3 in O.
      destruct (t_result t); cbn; repeat (rewrite (proj1 (name_parts _ _ _)) || assumption).
  Qed.

  Definition excused (why : stop) : Prop := why = StopFailed \/ why = StopType \/ why = StopEnsures.

  Theorem steps_ok body : forall n w w' r calls,
    steps n body w = Some w' -> agree m (w_names w) r -> true_in (w_assumptions w) -> calls = calls_of m (w_rows w) ->
    match run other1 other2 world n body r calls with
    | Completed r' calls' => true_in (w_assumptions w') /\ calls' = calls_of m (w_rows w')
    | Stopped why => all_valid (w_claims w') -> excused why
    end.
  Proof.
    induction body as [| c body IH]; intros n w w' r calls S A T Ca; cbn [steps] in S.
    { inversion S; subst. cbn. auto. }
    destruct c as [x e | wh c | t args bind wh catch].
    - destruct (sym e (w_names w) []) as [p |] eqn:E; [| discriminate ]. cbn [run].
      apply (IH n _ w' _ calls S); auto. cbn. apply agree_cons; [ assumption |]. exact (sym_cv m [] e _ r p A E).
    - destruct (as_term (sym wh (w_names w) [])) as [g |] eqn:Eg; [| discriminate ].
      destruct (as_term (sym c (w_names w) [])) as [t |] eqn:Et; [| discriminate ]. cbn [run].
      pose proof (sym_term0 m wh _ r g A Eg) as Vg. pose proof (sym_term0 m c _ r t A Et) as Vt.
      pose proof (steps_incl _ _ _ _ S) as I0.
      rewrite <- Vg, <- Vt. destruct (negb (truth (ev m g)) || truth (ev m t)) eqn:H.
      + apply (IH n _ w' r calls S A); auto. cbn. constructor; [| assumption ]. now rewrite truth_implies.
      + intros V. exfalso.
        assert (G : truth (ev m (tImplies g t)) = true) by (refine (V (w_assumptions w, tImplies g t) _ m m_respects T); apply I0; now left).
        rewrite truth_implies in G. congruence.
    - (* call *)
      subst calls.
      destruct (match wh with None => Some tTrue | Some e => as_term (sym e (w_names w) []) end) as [g |] eqn:Eg; [| discriminate ].
      destruct (sym_record (w_names w) args) as [a |] eqn:Ea; [| discriminate ].
      destruct (clause_names (t_params t) a) as [ce |] eqn:Ece; [| discriminate ].
      pose proof (sym_record_cv m _ r args a A Ea) as Va. pose proof (clause_names_agree m t a ce Ece) as Ac. rewrite Va in Ac.
      set (a' := record_of other1 other2 r args) in *.
      assert (Vg : truth (ev m g) = match wh with None => true | Some e => truth (eval e r []) end).
      { destruct wh as [e |]; [| inversion Eg; reflexivity ]. now rewrite (sym_term0 m e _ r g A Eg). }
      destruct (claim_all g (t_requires t) ce (w_rows w) w) as [w1 |] eqn:C1; [| discriminate ].
      destruct (claim_all_ok g _ ce _ _ Ac w w1 C1) as (N1 & R1 & K1). pose proof (claim_all_incl _ _ _ _ _ _ C1) as I1. destruct (K1 T) as [T1 Q1].
      match type of S with match ?X with Some _ => _ | None => None end = _ => destruct X as [w2 |] eqn:C2 end; [| discriminate ].
      set (cheap := match t_cost t with None => true | Some e => Qle_bool 0 (num (eval e (clause_env t a') (calls_of m (w_rows w)))) end).
      assert (K2 : incl (w_claims w1) (w_claims w2) /\ w_names w2 = w_names w1 /\ w_rows w2 = w_rows w1 /\
                   (true_in (w_assumptions w1) ->
                     ((truth (ev m g) = true -> cheap = true) -> true_in (w_assumptions w2)) /\
                     (all_valid (w_claims w2) -> truth (ev m g) = true -> cheap = true))).
      { unfold cheap. destruct (t_cost t) as [e |]; [| inversion C2; subst; repeat split; auto using incl_refl ].
        destruct (as_term (sym e ce (w_rows w))) as [tc |] eqn:Ec; [| discriminate ]. cbn in C2. inversion C2; subst w2. cbn [w_claims w_names w_rows w_assumptions claim].
        pose proof (sym_term m (w_rows w) e ce _ tc Ac Ec) as Vc.
        assert (Vl : truth (ev m (TBin Le (TConst (VNum 0)) tc)) = Qle_bool 0 (num (eval e (clause_env t a') (calls_of m (w_rows w))))) by (cbn; rewrite Vc; apply truth_bool).
        split; [ intros o O; now right |]. split; [ reflexivity |]. split; [ reflexivity |]. intros T'. split.
        - intros H. constructor; [| assumption ]. rewrite truth_implies, Vl. destruct (truth (ev m g)); [ now rewrite H | reflexivity ].
        - intros V G. assert (X : truth (ev m (tImplies g (TBin Le (TConst (VNum 0)) tc))) = true).
          { refine (V (w_assumptions w1, _) _ m m_respects T'). now left. }
          rewrite truth_implies, G, Vl in X. exact X. }
      destruct K2 as (I2 & N2 & R2 & K2).
      set (failed := if is_some catch then tAnd g (TVar (XFailed n)) else tFalse) in *.
      set (took := if is_some catch then tOr (tNot failed) (TVar (XTook n)) else tTrue) in *.
      set (answered := tAnd g (tNot failed)) in *.
      match type of S with match ?X with Some _ => _ | None => None end = _ => destruct X as [w3 |] eqn:C3 end; [| discriminate ].
      set (told := match option_map (fun ty => shaped ty (XResult n) []) (t_result t) with Some p => POpt answered p | None => PNone end) in *.
      set (left := POpt failed (shaped (t_left t) (XLeft n) [])) in *.
      set (w4 := add_row {| r_tool := t_name t; r_happened := g; r_args := srow_of n told took failed left a |} w3) in *.
      set (w5 := name catch (PTerm failed) w4) in *.
      set (w6 := match option_map (fun ty => shaped ty (XResult n) []) (t_result t) with
                 | Some p => name bind (if is_some wh || is_some catch then POpt answered p else p) w5
                 | None => w5 end) in *.
      assert (P6 : w_claims w6 = w_claims w3 /\ w_assumptions w6 = w_assumptions w3 /\ w_rows w6 = w_rows w4).
      { unfold w6, w5. destruct (t_result t); cbn;
          repeat match goal with |- context [name ?b ?p ?w] => destruct (name_parts b p w) as (-> & -> & ->) end; auto. }
      destruct P6 as (P6c & P6a & P6r).
      (* of an agreement of the names that the clauses see with the result *)
      assert (C3' : forall ce', agree m (match option_map (fun ty => shaped ty (XResult n) []) (t_result t) with
                                        | Some p => ("result"%string, p) :: ce | None => ce end) ce' ->
                w_claims w3 = w_claims w2 /\ w_names w3 = w_names w2 /\ w_rows w3 = w_rows w2 /\
                ((truth (ev m answered) = true -> forallb (fun c => truth (eval c ce' [])) (t_ensures t) = true) ->
                 true_in (w_assumptions w2) -> true_in (w_assumptions w3))).
      { intros ce' A'. exact (assume_all_ok answered _ _ ce' A' w2 w3 C3). }
      (* some agreement there is always: what is not answered is any value *)
      assert (Ac0 : agree m (match option_map (fun ty => shaped ty (XResult n) []) (t_result t) with
                             | Some p => ("result"%string, p) :: ce | None => ce end)
                          (match t_result t with Some ty => ("result"%string, cv m (shaped ty (XResult n) [])) :: clause_env t a' | None => clause_env t a' end)).
      { destruct (t_result t); cbn; [ now apply agree_cons | assumption ]. }
      destruct (C3' _ Ac0) as (P3c & P3n & P3r & _).
      assert (I3 : incl (w_claims w) (w_claims w6)).
      { rewrite P6c, P3c. intros o O. now apply I2, I1. }
      cbn [run]. cbv zeta. fold a'. rewrite <- Vg.
      set (b := match t_result t with None => None | Some _ => bind end).
      (* names and rows after the call, by what became of it *)
      assert (Names : forall vf vb, ev m failed = vf ->
                match t_result t with
                | None => True
                | Some ty => cv m (if is_some wh || is_some catch then POpt answered (shaped ty (XResult n) []) else shaped ty (XResult n) []) = vb
                end -> agree m (w_names w6) (bound b vb (bound catch vf r))).
      { intros vf vb F B. unfold w6, b. destruct (t_result t) as [ty |]; cbn [option_map].
        - apply agree_name; [| exact B ]. unfold w5. apply agree_name; [| exact F ]. unfold w4. cbn. now rewrite P3n, N2, N1.
        - cbn [bound]. unfold w5. apply agree_name; [| exact F ]. unfold w4. cbn. now rewrite P3n, N2, N1. }
      assert (Rows : calls_of m (w_rows w6) = calls_of m (w_rows w) ++
                       (if truth (ev m g) then [(t_name t, cv m (srow_of n told took failed left a))] else [])).
      { rewrite P6r. change (w_rows w4) with (w_rows w3 ++ [{| r_tool := t_name t; r_happened := g; r_args := srow_of n told took failed left a |}]).
        rewrite calls_of_app. cbn [r_happened r_tool r_args]. now rewrite P3r, R2, R1. }
      assert (Row : forall res tk fl lf, cv m told = res -> ev m took = VBool tk -> ev m failed = VBool fl -> cv m left = lf ->
                cv m (srow_of n told took failed left a) = row_of n res tk fl lf a').
      { intros res tk fl lf E1 E2 E3 E4. unfold srow_of, row_of. cbn [cv Obligations.ev]. now rewrite E1, E2, E3, E4, Va. }
      (* where the call goes on, the rest goes on; in any case the claims grow *)
      assert (Next : forall ce' vf vb, 
                agree m (match option_map (fun ty => shaped ty (XResult n) []) (t_result t) with
                         | Some p => ("result"%string, p) :: ce | None => ce end) ce' ->
                (truth (ev m answered) = true -> forallb (fun c => truth (eval c ce' [])) (t_ensures t) = true) ->
                ev m failed = vf ->
                match t_result t with
                | None => True
                | Some ty => cv m (if is_some wh || is_some catch then POpt answered (shaped ty (XResult n) []) else shaped ty (XResult n) []) = vb
                end ->
                true_in (w_assumptions w2) ->
                match run other1 other2 world (Datatypes.S n) body (bound b vb (bound catch vf r))
                        (calls_of m (w_rows w) ++ (if truth (ev m g) then [(t_name t, cv m (srow_of n told took failed left a))] else [])) with
                | Completed r' calls' => true_in (w_assumptions w') /\ calls' = calls_of m (w_rows w')
                | Stopped why => all_valid (w_claims w') -> excused why
                end).
      { intros ce' vf vb A' H F B T2.
        destruct (C3' ce' A') as (_ & _ & _ & K3). specialize (K3 H T2).
        apply (IH (Datatypes.S n) w6 w' _ _ S); auto.
        now rewrite P6a. }
      pose proof (steps_incl _ _ _ _ S) as Inc.
      assert (V2 : all_valid (w_claims w') -> all_valid (w_claims w2)) by (intros V o O; apply V, Inc; rewrite P6c, P3c; exact O).
      assert (V1 : all_valid (w_claims w') -> all_valid (w_claims w1)) by (intros V o O; apply (V2 V), I2, O).
      destruct (truth (ev m g)) eqn:G; cbn [negb].
      + match goal with |- context [forallb ?f (t_requires t)] => destruct (forallb f (t_requires t)) eqn:Rq end; cbn [negb].
        2: { intros V. exfalso. specialize (Q1 (V1 V) eq_refl). congruence. }
        specialize (T1 (fun _ => eq_refl)). destruct (K2 T1) as [T2 Q2].
        fold cheap. destruct cheap eqn:Ch; cbn [negb].
        2: { intros V. exfalso. specialize (Q2 (V2 V) eq_refl). congruence. }
        specialize (T2 (fun _ => eq_refl)).
        destruct (world n) as [v | tk lf] eqn:Wn.
        * destruct (match t_result t with None => true | Some ty => conforms v ty end) eqn:Cf; cbn [negb];
            [| intros _; right; left; reflexivity ].
          match goal with |- context [forallb ?f ?l] => destruct (forallb f l) eqn:En end; cbn [negb]; [| intros _; right; right; reflexivity ].
          assert (Fv : ev m failed = VBool false).
          { unfold failed. destruct (is_some catch); cbn; [| reflexivity ]. rewrite Wn. now rewrite andb_false_r. }
          assert (Av : truth (ev m answered) = true) by (unfold answered; rewrite truth_and, truth_not, G, Fv; reflexivity).
          assert (Kv : ev m took = VBool true).
          { unfold took. destruct (is_some catch); [| reflexivity ].
            change (VBool (truth (ev m (tNot failed)) || truth (ev m (TVar (XTook n)))) = VBool true).
            now rewrite truth_not, Fv. }
          assert (Rv : match t_result t with None => True | Some ty => cv m (shaped ty (XResult n) []) = v end).
          { destruct (t_result t) as [ty |]; [| exact Logic.I ]. apply (shaped_cv (XResult n) (answer n)); auto.
            unfold answer. now rewrite Wn. }
          assert (Tv : cv m told = match t_result t with None => VNone | Some _ => VSome v end).
          { unfold told. destruct (t_result t) as [ty |]; cbn [option_map cv]; [ now rewrite Av, Rv | reflexivity ]. }
          assert (Lv : cv m left = VNone) by (unfold left; cbn [cv]; now rewrite Fv).
          rewrite (Row _ _ _ _ Tv Kv Fv Lv) in Next. try rewrite G in Next.
          apply (Next (match t_result t with Some _ => ("result"%string, v) :: clause_env t a' | None => clause_env t a' end)); auto.
          -- destruct (t_result t) as [ty |]; cbn; [ now apply agree_cons | assumption ].
          -- destruct (t_result t) as [ty |]; [| exact Logic.I ]. destruct (is_some wh || is_some catch); cbn [cv]; [| assumption ].
             rewrite Av. now rewrite Rv.
        * destruct (is_some catch) eqn:Ct; [| intros _; now left ].
          destruct (conforms lf (t_left t)) eqn:Cl; cbn [negb]; [| intros _; right; left; reflexivity ].
          assert (Fv : ev m failed = VBool true) by (unfold failed; cbn; rewrite G, Wn; reflexivity).
          assert (Av : truth (ev m answered) = false) by (unfold answered; rewrite truth_and, truth_not, Fv; now rewrite andb_false_r).
          assert (Kv : ev m took = VBool tk).
          { unfold took. change (VBool (truth (ev m (tNot failed)) || truth (ev m (TVar (XTook n)))) = VBool tk).
            rewrite truth_not, Fv. cbn. rewrite Wn. now destruct tk. }
          assert (Tv : cv m told = VNone).
          { unfold told. destruct (t_result t) as [ty |]; cbn [option_map cv]; [ now rewrite Av | reflexivity ]. }
          assert (Lv : cv m left = VSome lf).
          { unfold left. cbn [cv]. rewrite Fv. cbn. f_equal. apply (shaped_cv (XLeft n) (left_by n)); auto.
            unfold left_by. now rewrite Wn. }
          rewrite (Row _ _ _ _ Tv Kv Fv Lv) in Next. try rewrite G in Next.
          apply (Next _ (VBool true) VNone Ac0); auto; [ intros E; exfalso; revert E; rewrite Av; discriminate |].
          destruct (t_result t); [| exact Logic.I ]. rewrite orb_true_r. cbn [cv]. now rewrite Av.
      + specialize (T1 (fun E => False_ind _ (diff_false_true E))). destruct (K2 T1) as [T2 _].
        specialize (T2 (fun E => False_ind _ (diff_false_true E))).
        assert (Ws : is_some wh = true) by (destruct wh; [ reflexivity | rewrite Vg in G; discriminate ]).
        assert (Fv : ev m failed = VBool false).
        { unfold failed. destruct (is_some catch); cbn; [| reflexivity ]. now rewrite G. }
        assert (Av : truth (ev m answered) = false) by (unfold answered; rewrite truth_and, G; reflexivity).
        try rewrite G in Next. rewrite app_nil_r in Next.
        apply (Next _ (VBool false) VNone Ac0); auto; [ intros E; exfalso; revert E; rewrite Av; discriminate |].
        destruct (t_result t); [| exact Logic.I ]. rewrite Ws. cbn [orb cv]. now rewrite Av.
  Qed.

  Lemma start_agrees d : fits inputs (d_inputs d) -> agree m (w_names (start d)) inputs.
  Proof.
    unfold start, fits. cbn. intros [E F] x p.
    assert (G : forall types (vals : env), List.map fst vals = List.map fst types ->
              Forall2 (fun i t => conforms (snd i) (snd t) = true) vals types ->
              find (List.map (fun i : string * ty => (fst i, shaped (snd i) (XInput (fst i)) [])) types) x = Some p ->
              exists ty, p = shaped ty (XInput x) [] /\ conforms (look vals x) ty = true).
    { clear. induction types as [| [y t] types IH]; intros [| [z v] vals] E F; cbn in *; try discriminate.
      inversion E; subst z. inversion F as [| ? ? ? ? C F']; subst. cbn in C.
      destruct (String.eqb_spec x y) as [-> | N]; [ intros Q; inversion Q; eauto | now apply IH ]. }
    intros Q. destruct (G _ _ E F Q) as (ty & -> & C).
    now apply (shaped_cv (XInput x) (look inputs x)).
  Qed.

  Lemma goals_nth gs r w os : goals gs r w = Some os -> forall k e o, nth_error gs k = Some e -> nth_error os k = Some o ->
    exists t, as_term (sym e r (w_rows w)) = Some t /\ o = (w_assumptions w, t).
  Proof.
    revert os. induction gs as [| g gs IH]; intros os; cbn; [ intros E [| k] e o; discriminate |].
    destruct (as_term (sym g r (w_rows w))) as [t |] eqn:S; [| discriminate ].
    destruct (goals gs r w) as [more |]; [| discriminate ]. intros E. inversion E; subst.
    intros [| k] e o Ne No; cbn in *; [ inversion Ne; inversion No; subst; eauto | now apply (IH more eq_refl k) ].
  Qed.

  (** For all inputs of the right types, whatever the tools answer and whichever calls fail: if a run completes, every guarantee
      holds whose obligation is valid, whatever became of the others; and if what calls and program require is valid, a run
      stops only because a call failed that nobody catches, or a tool answered what it must not. *)
  Theorem IR_obligations_sound d claims gs :
    obligations d = Some (claims, gs) -> fits inputs (d_inputs d) ->
    match run other1 other2 world 0 (d_body d) inputs [] with
    | Completed _ calls => forall k e o, nth_error (d_guarantees d) k = Some e -> nth_error gs k = Some o ->
                             valid other1 other2 o -> truth (eval e inputs calls) = true
    | Stopped why => all_valid claims -> excused why
    end.
  Proof.
    unfold obligations. destruct (steps 0 (d_body d) (start d)) as [w |] eqn:S; [| discriminate ].
    destruct (goals (d_guarantees d) (w_names (start d)) w) as [os |] eqn:G; [| discriminate ].
    intros E F. inversion E; subst claims gs.
    pose proof (steps_ok (d_body d) 0 (start d) w inputs [] S (start_agrees d F) (Forall_nil _) eq_refl) as K.
    destruct (run other1 other2 world 0 (d_body d) inputs []) as [r' calls | why].
    - destruct K as [T ->]. intros k e o Ne No Vo.
      destruct (goals_nth _ _ _ _ G k e o Ne No) as (t & St & ->).
      specialize (Vo m m_respects T). cbn [snd] in Vo.
      now rewrite (sym_term m (w_rows w) e _ inputs t (start_agrees d F) St) in Vo.
    - intros V. apply K. intros o O. apply V. now apply -> in_rev.
  Qed.
End Sound.

