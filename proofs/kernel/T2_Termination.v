(** T2: at most ⌊B₀/ε⌋ steps, ever. *)
From Coq Require Import ZArith QArith String Bool Lia List.
From Foreclaim Require Import Maps Value Budget Rule Kernel Run Books T1_Budget.
Import ListNotations.
Open Scope Z_scope.

(** Which decisions are steps: actions that were executed or reserved; not emergencies, and not what was done before. *)
Definition is_step (d : decision) : bool :=
  d_allowed d &&
  match d_kind d with
  | KExecute => true
  | KReserve => match d_answer d with Repeats _ _ => false | _ => true end
  | _ => false
  end.

Lemma judged_limit s a time checks after n :
  judge_action s a time = (checks, after) -> passes checks = true -> p_max_steps (st_policy s) = Some n -> st_steps s < n.
Proof.
  unfold judge_action. destruct (try_effects (st_data s) a) as [af e]. intros J H M. inversion J; subst.
  unfold passes in H. rewrite forallb_forall in H.
  assert (L : stops_nothing (check_step_limit s a) = true) by (apply H; cbn; rewrite !in_app_iff; cbn; tauto).
  unfold check_step_limit in L. rewrite M in L. destruct (Z.leb_spec n (st_steps s)); [ discriminate | lia ].
Qed.

(** Steps are counted when they are allowed, and nothing else changes the count. *)
Lemma steps_counted s c clock hash :
  st_steps (step s c clock hash) = st_steps s + (if is_step (decide s c clock) then 1 else 0) /\
  (is_step (decide s c clock) = true -> forall n, p_max_steps (st_policy s) = Some n -> st_steps s < n).
Proof.
  unfold step, decide. set (time := time_of s clock).
  assert (refused : forall c' k checks,
    st_steps (fst (seal s (refusal s c' k checks time) hash)) = st_steps s + (if is_step (refusal s c' k checks time) then 1 else 0) /\
    (is_step (refusal s c' k checks time) = true -> forall n, p_max_steps (st_policy s) = Some n -> st_steps s < n))
    by (intros; cbn; split; [ lia | discriminate ]).
  destruct c as [a | a key | r cost drop note | r note | from to | key v note | name values take | reason | reason | why note].
  - unfold decide_execute. destruct (get (p_emergencies (st_policy s)) (a_id a)) as [em |] eqn:E.
    + unfold decide_emergency. cbv zeta. destruct (passes _); [| apply refused ]. cbn. split; [ lia | discriminate ].
    + destruct (judge_action s a time) as [checks after] eqn:J.
      destruct (passes checks) eqn:P; [| apply refused ]. destruct after as [after |]; [| apply refused ].
      cbn. split; [ lia |]. intros _ n M. now apply (judged_limit s a time checks (Some after)).
  - unfold decide_reserve. cbv zeta. destruct (judge_action s a time) as [checks after] eqn:J. cbn [fst].
    assert (reserved : forall l, passes (l ++ checks) = true ->
      let d := allow s (CReserve a key) KReserve (l ++ checks) time (a_charges a)
                 (update_all time (fun i b => hold b (charge (a_charges a) i)) (count_step a time (with_time time s)))
                 None (Some (a, key)) Nothing in
      st_steps (fst (seal s d hash)) = st_steps s + (if is_step d then 1 else 0) /\
      (is_step d = true -> forall n, p_max_steps (st_policy s) = Some n -> st_steps s < n)).
    { intros l P. cbn. split; [ lia |]. intros _ n M. rewrite passes_app in P. apply andb_true_iff in P.
      now apply (judged_limit s a time checks after). }
    destruct (match key with None => None | Some k => get (st_keys s) k end) as [[ka [| |] [seq h]] |].
    + match goal with |- context [passes ?l] => destruct (passes l) eqn:P end; [ now apply reserved | apply refused ].
    + destruct (action_eqb _ a); [ cbn; split; [ lia | discriminate ] | apply refused ].
    + match goal with |- context [passes ?l] => destruct (passes l) eqn:P end; [ now apply reserved | apply refused ].
    + match goal with |- context [passes ?l] => destruct (passes l) eqn:P end; [ now apply reserved | apply refused ].
  - unfold decide_settle. destruct (pending_of s r) as [rv |]; [| apply refused ]. cbv zeta.
    destruct (if drop then _ else _) as [after effects]. destruct (passes _); [| apply refused ].
    destruct after; [| apply refused ]. cbn. split; [ lia | discriminate ].
  - unfold decide_release. destruct (pending_of s r) as [rv |]; [| apply refused ]. cbn. split; [ lia | discriminate ].
  - unfold decide_rollback. destruct (steps_between s from to) as [steps |]; [| apply refused ].
    destruct (negb (check_size _)); [ apply refused |]. cbv zeta. destruct (passes _); [| apply refused ].
    cbn. split; [ lia | discriminate ].
  - unfold decide_grant. cbv zeta. destruct (passes _); [| apply refused ]. cbn. split; [ lia | discriminate ].
  - unfold decide_observe. destruct (get (p_probes (st_policy s)) name) as [pr |]; [| apply refused ].
    destruct (negb (forallb _ values)); [ apply refused |]. cbv zeta. destruct take; cbn [negb].
    + destruct (passes _); [ cbn; split; [ lia | discriminate ] |].
      match goal with |- context [if ?b then _ else _] => destruct b end; cbn; split; (lia || discriminate).
    + match goal with |- context [if ?b then _ else _] => destruct b end; cbn; split; (lia || discriminate).
  - cbn. split; [ lia | discriminate ].
  - cbn. split; [ lia | discriminate ].
  - apply refused.
Qed.

Lemma step_limit_nonneg ps given n :
  Forall wf_bpolicy ps -> match given with None => True | Some m => 0 <= m end -> step_limit ps given = Some n -> 0 <= n.
Proof.
  intros F G. unfold step_limit.
  assert (L : forall l a, Forall (fun b => 0 <= b) l -> 0 <= a -> 0 <= fold_left (fun a b => if a <? b then a else b) l a).
  { induction l as [| b l IH]; intros a Fl A; cbn; [ assumption |]. inversion Fl; subst. apply IH; [ assumption |].
    destruct (a <? b); assumption. }
  assert (B : Forall (fun b => 0 <= b) (bounds ps)).
  { unfold bounds. apply Forall_forall. intros x I. apply in_map_iff in I. destruct I as (p & <- & I).
    apply filter_In in I. destruct I as [I Q]. apply andb_true_iff in Q. destruct Q as [Q _]. apply Z.ltb_lt in Q.
    rewrite Forall_forall in F. destruct (F p I) as (? & _). now apply Z.div_pos. }
  destruct (bounds ps) as [| b l]; [ intros ->; assumption |]. cbv zeta. intros E. injection E as <-.
  apply (L (b :: l)); [ exact B |]. destruct given; [ assumption | unfold max_safe; lia ].
Qed.

Lemma steps_within p d s n : wf_policy p -> reachable p d s -> p_max_steps p = Some n -> 0 <= st_steps s <= n.
Proof.
  intros W R M. destruct W as (F & U & given & G & Gn). rewrite M in G.
  pose proof (step_limit_nonneg _ _ n F Gn (eq_sym G)) as N.
  induction R as [clock hash s O | s c clock hash R IH C].
  - apply open_kernel_state in O. destruct O as [-> _]. cbn. lia.
  - destruct (steps_counted s c clock hash) as [E L]. rewrite E. rewrite (reachable_policy p d s R) in L.
    destruct (is_step _); [ specialize (L eq_refl n M) |]; lia.
Qed.

(** With a least cost ε on a budget B₀ without a window, at most ⌊B₀/ε⌋ steps in any state that can be reached. *)
Theorem T2_step_bound p d s bp :
  wf_policy p -> reachable p d s -> In bp (p_budgets p) ->
  0 < bp_min_cost bp -> bp_window bp = None ->
  st_steps s <= bp_limit bp / bp_min_cost bp.
Proof.
  intros W R I M N. pose proof W as (F & U & given & G & Gn).
  destruct (step_limit_le (p_budgets p) given bp I M N) as (n & E & L). rewrite E in G.
  pose proof (steps_within p d s n W R G). lia.
Qed.

(** The decisions of a run. *)
Fixpoint decisions (s : state) (inputs : list (command * option Z * string)) : list decision :=
  match inputs with
  | [] => []
  | (c, clock, hash) :: rest => decide s c clock :: decisions (step s c clock hash) rest
  end.

Lemma count_steps inputs : forall p d s, reachable p d s -> Forall (fun i => wf_command (fst (fst i))) inputs ->
  exists s', reachable p d s' /\ st_steps s' = st_steps s + Z.of_nat (length (filter is_step (decisions s inputs))).
Proof.
  induction inputs as [| [[c clock] hash] rest IH]; intros p d s R F; cbn.
  - exists s. split; [ assumption | lia ].
  - inversion F as [| ? ? C F']; subst. cbn in C.
    destruct (IH p d (step s c clock hash) (r_step p d s c clock hash R C) F') as (s' & R' & E).
    exists s'. split; [ assumption |]. rewrite E. destruct (steps_counted s c clock hash) as [-> _].
    destruct (is_step (decide s c clock)); cbn [length]; lia.
Qed.

(** However long a run is, at most ⌊B₀/ε⌋ of its decisions let an action happen, emergencies aside. *)
Theorem T2_termination p d clock hash s inputs bp :
  wf_policy p -> open_kernel p d clock hash = Some s -> Forall (fun i => wf_command (fst (fst i))) inputs ->
  In bp (p_budgets p) -> 0 < bp_min_cost bp -> bp_window bp = None ->
  Z.of_nat (length (filter is_step (decisions s inputs))) <= bp_limit bp / bp_min_cost bp.
Proof.
  intros W O F I M N. pose proof (r_open p d clock hash s O) as R.
  destruct (count_steps inputs p d s R F) as (s' & R' & E).
  pose proof (T2_step_bound p d s' bp W R' I M N).
  apply open_kernel_state in O. destruct O as [-> _]. cbn in E. cbn. lia.
Qed.
