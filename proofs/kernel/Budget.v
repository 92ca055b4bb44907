(** Budgets in whole quanta: src/kernel/core/budget.ts, `withAround` of action.ts, `stepLimit` of policy.ts,
    `updateBudgets` of commit.ts. *)
From Coq Require Import ZArith String Bool Lia List.
From Foreclaim Require Import Maps Value.
Import ListNotations.
Open Scope Z_scope.

Record bpolicy := {
  bp_name : string;
  bp_limit : Z;
  bp_min_cost : Z;
  bp_window : option Z;      (* windowMs, positive *)
  bp_around : list nat;      (* positions of the budgets around it *)
}.

Record budget := { gross : Z; refunded : Z; spent : Z; reserved : Z; window : Z }.

Definition new_budget : budget := {| gross := 0; refunded := 0; spent := 0; reserved := 0; window := 0 |}.

(** What a step costs of each budget, by position. *)
Definition charges := list Z.
Definition charge (c : charges) (i : nat) : Z := nth i c 0.
#[global] Arguments charge : simpl never.

Definition window_at (p : bpolicy) (time : Z) : Z :=
  match bp_window p with None => 0 | Some ms => time / ms end.

Definition budget_at (b : budget) (p : bpolicy) (time : Z) : budget :=
  let w := window_at p time in
  if w =? window b then b
  else {| gross := gross b; refunded := refunded b; spent := 0; reserved := reserved b; window := w |}.

Definition left_of (b : budget) (p : bpolicy) : Z := bp_limit p - spent b - reserved b.

Definition spend (b : budget) (u : Z) : budget :=
  {| gross := gross b + u; refunded := refunded b; spent := spent b + u; reserved := reserved b; window := window b |}.

Definition hold (b : budget) (u : Z) : budget :=
  {| gross := gross b; refunded := refunded b; spent := spent b; reserved := reserved b + u; window := window b |}.

Definition unhold (b : budget) (u : Z) : budget := hold b (- u).

Definition refund (b : budget) (u w : Z) : budget :=
  {| gross := gross b; refunded := refunded b + u; spent := if w =? window b then spent b - u else spent b;
     reserved := reserved b; window := window b |}.

(** `updateBudgets`: every budget as it stands at that time, changed by its position. *)
Fixpoint update_from (i : nat) (ps : list bpolicy) (bs : list budget) (time : Z) (f : nat -> budget -> budget)
  : list budget :=
  match ps, bs with
  | p :: ps', b :: bs' => f i (budget_at b p time) :: update_from (S i) ps' bs' time f
  | _, _ => []
  end.
Definition update_budgets := update_from 0.

Lemma nth_update_from ps bs time f i j :
  nth_error (update_from i ps bs time f) j =
  match nth_error ps j, nth_error bs j with
  | Some p, Some b => Some (f (i + j)%nat (budget_at b p time))
  | _, _ => None
  end.
Proof.
  revert bs i j. induction ps as [| p ps IH]; intros [| b bs] i [| j]; cbn; try reflexivity.
  - destruct (nth_error ps j); reflexivity.
  - now rewrite Nat.add_0_r.
  - rewrite IH. now replace (S i + j)%nat with (i + S j)%nat by lia.
Qed.

Lemma nth_update ps bs time f j :
  nth_error (update_budgets ps bs time f) j =
  match nth_error ps j, nth_error bs j with
  | Some p, Some b => Some (f j (budget_at b p time))
  | _, _ => None
  end.
Proof. apply nth_update_from. Qed.

Lemma length_update ps bs time f :
  length bs = length ps -> length (update_budgets ps bs time f) = length ps.
Proof.
  unfold update_budgets. generalize 0%nat as i. revert bs.
  induction ps as [| p ps IH]; intros [| b bs] i L; cbn in *; try discriminate; [ reflexivity |]. f_equal. apply IH. lia.
Qed.

(** `withAround`: the cost of every budget is added to those around it. *)
Fixpoint add_at (c : charges) (i : nat) (u : Z) : charges :=
  match c, i with
  | [], _ => []
  | x :: c', O => x + u :: c'
  | x :: c', S i' => x :: add_at c' i' u
  end.

Fixpoint around_from (ps : list bpolicy) (costs : charges) (acc : charges) : charges :=
  match ps, costs with
  | p :: ps', u :: costs' => around_from ps' costs' (fold_left (fun c at' => add_at c at' u) (bp_around p) acc)
  | _, _ => acc
  end.
Definition with_around (ps : list bpolicy) (costs : charges) : charges := around_from ps costs costs.

Definition nonneg (c : charges) : Prop := Forall (fun u => 0 <= u) c.

Lemma charge_nonneg c i : nonneg c -> 0 <= charge c i.
Proof.
  intros F. unfold charge. revert i. induction F as [| u c U F IH]; intros [| i]; cbn; try lia. apply IH.
Qed.

Lemma add_at_nonneg c i u : nonneg c -> 0 <= u -> nonneg (add_at c i u).
Proof.
  unfold nonneg. intros F U. revert i. induction F as [| x c X F IH]; intros i; [ destruct i; constructor |].
  destruct i; cbn; constructor; try assumption; [ lia | apply IH ].
Qed.

Lemma with_around_nonneg ps costs : nonneg costs -> nonneg (with_around ps costs).
Proof.
  intros F. unfold with_around. assert (A : nonneg costs) by assumption. revert A.
  generalize costs at 1 3 as acc. revert costs F.
  induction ps as [| p ps IH]; intros [| u costs] F acc A; cbn; try assumption.
  inversion F; subst. apply IH; [ assumption |]. clear -A H1. revert acc A.
  induction (bp_around p) as [| i l IH]; intros acc A; cbn; [ assumption |]. apply IH. now apply add_at_nonneg.
Qed.

(** `stepLimit`: ⌊B₀/ε⌋ for each budget with a least cost and no window, and what the policy says itself. *)
Definition bounds (ps : list bpolicy) : list Z :=
  List.map (fun p => bp_limit p / bp_min_cost p)
    (filter (fun p => (0 <? bp_min_cost p) && match bp_window p with None => true | Some _ => false end) ps).

Definition step_limit (ps : list bpolicy) (max_steps : option Z) : option Z :=
  match bounds ps with
  | [] => max_steps
  | _ =>
      let most := match max_steps with None => max_safe | Some n => n end in
      Some (fold_left (fun a b => if a <? b then a else b) (bounds ps) most)
  end.

Lemma fold_least_le l a : fold_left (fun a b => if a <? b then a else b) l a <= a.
Proof.
  revert a. induction l as [| b l IH]; intros a; cbn; [ lia |].
  specialize (IH (if a <? b then a else b)). destruct (Z.ltb_spec a b); lia.
Qed.

Lemma fold_least_member l a b : In b l -> fold_left (fun a b => if a <? b then a else b) l a <= b.
Proof.
  revert a. induction l as [| x l IH]; intros a I; [ destruct I |]. cbn. destruct I as [<- | I].
  - pose proof (fold_least_le l (if a <? x then a else x)). destruct (Z.ltb_spec a x); lia.
  - now apply IH.
Qed.

(** Where a budget has a least cost and no window, there is a limit, and it is at most ⌊B₀/ε⌋. *)
Lemma step_limit_le ps max_steps p :
  In p ps -> 0 < bp_min_cost p -> bp_window p = None ->
  exists n, step_limit ps max_steps = Some n /\ n <= bp_limit p / bp_min_cost p.
Proof.
  intros I M W. unfold step_limit.
  assert (B : In (bp_limit p / bp_min_cost p) (bounds ps)).
  { unfold bounds. apply in_map_iff. exists p. split; [ reflexivity |].
    apply filter_In. split; [ assumption |]. rewrite W. destruct (Z.ltb_spec 0 (bp_min_cost p)); [ reflexivity | lia ]. }
  destruct (bounds ps) as [| b l] eqn:E; [ destruct B |]. cbv zeta. rewrite <- E in *.
  eexists. split; [ reflexivity |]. now apply fold_least_member.
Qed.
