(** T5: charge, state and entry, all or none. *)
From Coq Require Import ZArith QArith String Bool Lia List.
From Foreclaim Require Import Maps Value Budget Rule Kernel Run T3_Invariants.
Import ListNotations.
Open Scope Z_scope.

(** Equal but for the chain, the time, the count of refusals and whether the kernel is stopped. *)
Definition untouched (s s' : state) : Prop :=
  st_policy s' = st_policy s /\ st_data s' = st_data s /\ st_version s' = st_version s /\ st_budgets s' = st_budgets s /\
  st_steps s' = st_steps s /\ st_rollbacks s' = st_rollbacks s /\ st_emergencies s' = st_emergencies s /\
  st_times s' = st_times s /\ st_records s' = st_records s /\ st_pending s' = st_pending s /\ st_held s' = st_held s /\
  st_keys s' = st_keys s /\ st_calls s' = st_calls s.

Definition is_refusal (s : state) (d : decision) : Prop :=
  d_record d = None /\ d_reservation d = None /\ d_cost d = no_charges s /\
  exists stopped, d_next d = with_stopped stopped (with_refusals (st_refusals s + 1) (with_time (d_time d) s)) /\
    (stopped = st_stopped s \/ (d_kind d = KObserve /\ stopped = Some "drift"%string)).

Lemma refused_is s c clock : d_allowed (decide s c clock) = false -> is_refusal s (decide s c clock).
Proof.
  unfold decide. set (time := time_of s clock).
  assert (plain : forall c' k checks, is_refusal s (refusal s c' k checks time)).
  { intros. unfold is_refusal. cbn. repeat split. exists (st_stopped s). split; [ reflexivity | now left ]. }
  assert (drift : forall c' checks a, is_refusal s (answering a (stopping (refusal s c' KObserve checks time)))).
  { intros. unfold is_refusal. cbn. repeat split. exists (Some "drift"%string). split; [ reflexivity | now right ]. }
  destruct c as [a | a key | r cost drop note | r note | from to | key v note | name values take | reason | reason | why note];
    intros A.
  - unfold decide_execute in *. destruct (get (p_emergencies (st_policy s)) (a_id a)) as [em |].
    + unfold decide_emergency in *. cbv zeta in *. destruct (passes _); [ discriminate | apply plain ].
    + destruct (judge_action s a time) as [checks after]. destruct (passes checks); [| apply plain ].
      destruct after; [ discriminate | apply plain ].
  - unfold decide_reserve in *. cbv zeta in *. destruct (judge_action s a time) as [checks after]. cbn [fst] in *.
    destruct (match key with None => None | Some k => get (st_keys s) k end) as [[ka [| |] [seq h]] |].
    + destruct (passes _); [ discriminate | apply plain ].
    + destruct (action_eqb _ a); [ discriminate | apply plain ].
    + destruct (passes _); [ discriminate | apply plain ].
    + destruct (passes _); [ discriminate | apply plain ].
  - unfold decide_settle in *. destruct (pending_of s r) as [rv |]; [| apply plain ]. cbv zeta in *.
    destruct (if drop then _ else _) as [after effects]. destruct (passes _); [| apply plain ].
    destruct after; [ discriminate | apply plain ].
  - unfold decide_release in *. destruct (pending_of s r) as [rv |]; [ discriminate | apply plain ].
  - unfold decide_rollback in *. destruct (steps_between s from to) as [steps |]; [| apply plain ].
    destruct (negb (check_size _)); [ apply plain |]. cbv zeta in *. destruct (passes _); [ discriminate | apply plain ].
  - unfold decide_grant in *. cbv zeta in *. destruct (passes _); [ discriminate | apply plain ].
  - unfold decide_observe in *. destruct (get (p_probes (st_policy s)) name) as [pr |]; [| apply plain ].
    destruct (negb (forallb _ values)); [ apply plain |]. cbv zeta in *. destruct take; cbn [negb] in *.
    + destruct (passes _); [ discriminate |].
      match goal with |- context [if ?b then _ else _] => destruct b end; [ apply plain | apply drift ].
    + match goal with |- context [if ?b then _ else _] => destruct b end; [ discriminate | apply drift ].
  - discriminate.
  - discriminate.
  - apply plain.
Qed.

(** A refusal changes nothing but the count of refusals, charges nothing and gives no receipt. Only an observation that
    finds the world elsewhere may stop the kernel with it. *)
Theorem T5_refused s c clock hash :
  d_allowed (decide s c clock) = false ->
  let s' := step s c clock hash in
  untouched s s' /\ st_refusals s' = st_refusals s + 1 /\ d_cost (decide s c clock) = no_charges s /\
  snd (seal s (decide s c clock) hash) = NoReceipt /\
  (st_stopped s' = st_stopped s \/ exists name values take, c = CObserve name values take).
Proof.
  intros A. cbv zeta. destruct (refused_is s c clock A) as (R & V & C & stopped & N & W).
  unfold step, seal. rewrite R, V, N. cbn. unfold untouched. cbn. repeat split; auto.
  destruct W as [-> | [K ->]]; [ now left | right ].
  unfold decide in K. destruct c; try (cbn in K; discriminate K); eauto.
  - exfalso. unfold decide_execute, decide_emergency in K. destruct (get _ _); [ destruct (passes _); discriminate |].
    destruct (judge_action _ _ _) as [checks [after |]]; destruct (passes checks); discriminate.
  - exfalso. unfold decide_reserve in K. cbv zeta in K.
    destruct (match key with None => None | Some k => get (st_keys s) k end) as [[ka [| |] [seq h]] |].
    + destruct (passes _); discriminate.
    + destruct (action_eqb _ _); discriminate.
    + destruct (passes _); discriminate.
    + destruct (passes _); discriminate.
  - exfalso. unfold decide_settle in K. destruct (pending_of s r); [| discriminate ]. cbv zeta in K.
    destruct (if drop then _ else _) as [after effects]. destruct (passes _); [| discriminate ]. destruct after; discriminate.
  - exfalso. unfold decide_release in K. destruct (pending_of s r); discriminate.
  - exfalso. unfold decide_rollback in K. destruct (steps_between s from to); [| discriminate ].
    destruct (negb (check_size _)); [ discriminate |]. cbv zeta in K. destruct (passes _); discriminate.
  - exfalso. unfold decide_grant in K. cbv zeta in K. destruct (passes _); discriminate.
Qed.

(** An action is either refused, and then nothing happened, or all of it happened: every effect, the whole charge on every
    budget, one step counted, one version more, and the step can be rolled back by its receipt. *)
Theorem T5_executed s a clock hash :
  get (p_emergencies (st_policy s)) (a_id a) = None ->
  let d := decide s (CExecute a) clock in
  let s' := step s (CExecute a) clock hash in
  (d_allowed d = false /\ untouched s s') \/
  (d_allowed d = true /\ d_cost d = a_charges a /\
   apply_effects (st_data s) (a_effects a) = Applied (st_data s') /\
   st_budgets s' = update_budgets (p_budgets (st_policy s)) (st_budgets s) (time_of s clock) (fun i b => spend b (charge (a_charges a) i)) /\
   st_steps s' = st_steps s + 1 /\ st_version s' = st_version s + 1 /\
   snd (seal s d hash) = StepReceipt (st_version s + 1) hash /\
   (0 < p_undo_steps (st_policy s) ->
      get (st_records s') (st_version s + 1) = Some (record_of s a (a_charges a) (time_of s clock) hash))).
Proof.
  intros E. cbv zeta. destruct (d_allowed (decide s (CExecute a) clock)) eqn:A.
  - right. unfold step. cbn [decide] in *. unfold decide_execute in *. rewrite E in *.
    destruct (judge_action s a (time_of s clock)) as [checks after] eqn:J.
    destruct (passes checks) eqn:P; [| discriminate ]. destruct after as [after |]; [| discriminate ].
    destruct (judged_ordinary s a _ checks after J P) as [Ap _]. cbn. repeat split; auto.
    intros U. destruct (Z.ltb_spec 0 (p_undo_steps (st_policy s))); [| lia ]. now rewrite get_set_same.
  - left. split; [ reflexivity |]. now apply (T5_refused s (CExecute a) clock hash).
Qed.

(** A reservation is held in full or not at all, and settling it spends what it cost and lets go of the rest, in one step. *)
Theorem T5_settled s r cost drop note clock hash :
  d_allowed (decide s (CSettle r cost drop note) clock) = true ->
  exists rv after, pending_of s r = Some rv /\
    let paid := match cost with None => a_charges (rv_action rv) | Some paid => paid end in
    let s' := step s (CSettle r cost drop note) clock hash in
    (if drop then after = st_data s else apply_effects (st_data s) (a_effects (rv_action rv)) = Applied after) /\
    st_data s' = after /\ d_cost (decide s (CSettle r cost drop note) clock) = paid /\
    st_budgets s' = update_budgets (p_budgets (st_policy s)) (st_budgets s) (time_of s clock)
      (fun i b => spend (unhold b (charge (a_charges (rv_action rv)) i)) (charge paid i)) /\
    get (st_pending s') (rv_seq rv) = None.
Proof.
  intros H. unfold step. cbn [decide] in *. unfold decide_settle in *.
  destruct (pending_of s r) as [rv |]; [| discriminate ]. cbv zeta in *. exists rv.
  destruct drop.
  - exists (st_data s). destruct (passes _); [| discriminate ]. cbn. repeat split. now rewrite get_remove_same.
  - unfold try_effects in *. destruct (apply_effects (st_data s) (a_effects (rv_action rv))) as [after | why].
    + exists after. destruct (passes _); [| discriminate ]. cbn. repeat split. now rewrite get_remove_same.
    + destruct (passes _); discriminate.
Qed.
