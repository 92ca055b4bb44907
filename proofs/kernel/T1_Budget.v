(** T1: net spend never exceeds a budget. *)
From Coq Require Import ZArith QArith String Bool Lia List.
From Foreclaim Require Import Maps Value Budget Rule Kernel Run Books.
Import ListNotations.
Open Scope Z_scope.

Lemma open_sound p d clock hash s : wf_policy p -> open_kernel p d clock hash = Some s -> sound s.
Proof.
  intros W O. apply open_kernel_state in O. destruct O as [-> _].
  constructor; cbn.
  - assumption.
  - now rewrite map_length.
  - destruct (Z.ltb_spec 0 clock); lia.
  - discriminate.
  - discriminate.
  - intros i bp b P B. rewrite nth_error_map, P in B. inversion B; subst. destruct W as (F & _ & _).
    rewrite Forall_forall in F. destruct (F bp (nth_error_In _ _ P)) as (L & _ & Wd).
    constructor; cbn; try easy.
    + unfold window_at. destruct (bp_window bp) as [ms |]; [| lia ]. apply Z.div_pos; [| assumption ].
      destruct (Z.ltb_spec 0 clock); lia.
Qed.

Theorem reachable_sound p d s : wf_policy p -> reachable p d s -> sound s.
Proof.
  intros W. induction 1 as [clock hash s O | s c clock hash R IH C].
  - now apply (open_sound p d clock hash).
  - exact (moved_sound s c _ hash _ IH C (time_of_le s clock) (step_moved s c clock hash)).
Qed.

(** In every state that can be reached, by any commands at any times, what was spent in a budget's window and not given
    back, and what reservations hold, are not negative and together at most the limit. *)
Theorem T1_budget_safety p d s i bp b :
  wf_policy p -> reachable p d s ->
  nth_error (p_budgets p) i = Some bp -> nth_error (st_budgets s) i = Some b ->
  0 <= spent b /\ 0 <= reserved b /\ spent b + reserved b <= bp_limit bp.
Proof.
  intros W R P B. pose proof (reachable_sound p d s W R) as S. pose proof (reachable_policy p d s R) as E. rewrite <- E in P.
  split; [ now apply (spent_nonneg s i bp b) |]. split; [ now apply (reserved_nonneg s i bp b) |].
  now apply (so_budgets s S i bp b).
Qed.

(** Without a window, that is all that was ever spent less all that was ever given back. *)
Theorem T1_net_spend p d s i bp b :
  wf_policy p -> reachable p d s ->
  nth_error (p_budgets p) i = Some bp -> nth_error (st_budgets s) i = Some b -> bp_window bp = None ->
  0 <= gross b - refunded b <= bp_limit bp.
Proof.
  intros W R P B N. destruct (T1_budget_safety p d s i bp b W R P B) as (A1 & A2 & A3).
  pose proof (reachable_sound p d s W R) as S. pose proof (reachable_policy p d s R) as E. rewrite <- E in P.
  destruct (bs_net _ _ _ _ (so_budgets s S i bp b P B) N). lia.
Qed.

(** What is held is exactly what the reservations without an outcome hold. *)
Theorem T1_held p d s i bp b :
  wf_policy p -> reachable p d s ->
  nth_error (p_budgets p) i = Some bp -> nth_error (st_budgets s) i = Some b ->
  reserved b = zsum (held_of i (st_pending s)) (st_seq s).
Proof.
  intros W R P B. pose proof (reachable_sound p d s W R) as S. pose proof (reachable_policy p d s R) as E. rewrite <- E in P.
  now apply (so_budgets s S i bp b).
Qed.

(** A charge on a budget is a charge on every budget around it. *)
Lemma charge_add_at c i u j : 0 <= u -> charge c j <= charge (add_at c i u) j.
Proof.
  intros U. unfold charge. revert i j. induction c as [| x c IH]; intros [| i] [| j]; cbn; try lia. apply IH.
Qed.

Lemma charge_add_same c i u : (i < length c)%nat -> charge (add_at c i u) i = charge c i + u.
Proof.
  unfold charge. revert i. induction c as [| x c IH]; intros [| i] L; cbn in *; try lia. apply IH. lia.
Qed.

Lemma length_add_at c i u : length (add_at c i u) = length c.
Proof. revert i. induction c as [| x c IH]; intros [| i]; cbn; auto. Qed.

Lemma fold_add_le l u : 0 <= u -> forall acc j, charge acc j <= charge (fold_left (fun c at' => add_at c at' u) l acc) j.
Proof.
  intros U. induction l as [| i l IH]; intros acc j; cbn; [ lia |].
  specialize (IH (add_at acc i u) j). pose proof (charge_add_at acc i u j U). lia.
Qed.

Lemma fold_add_in l u o : 0 <= u -> In o l -> forall acc, (o < length acc)%nat ->
  charge acc o + u <= charge (fold_left (fun c at' => add_at c at' u) l acc) o.
Proof.
  intros U. induction l as [| i l IH]; intros I acc L; [ destruct I |]. cbn. destruct I as [-> | I].
  - pose proof (fold_add_le l u U (add_at acc o u) o). rewrite charge_add_same in H by assumption. lia.
  - specialize (IH I (add_at acc i u)). rewrite length_add_at in IH. specialize (IH L).
    pose proof (charge_add_at acc i u o U). lia.
Qed.

Lemma length_fold_add l u : forall acc, length (fold_left (fun c at' => add_at c at' u) l acc) = length acc.
Proof. induction l as [| i l IH]; intros acc; cbn; [ reflexivity |]. now rewrite IH, length_add_at. Qed.

Lemma around_ge ps : forall costs acc o, nonneg costs -> charge acc o <= charge (around_from ps costs acc) o.
Proof.
  induction ps as [| p ps IH]; intros [| u costs] acc o N; cbn; try lia. inversion N; subst.
  etransitivity; [ apply (fold_add_le (bp_around p) u H1) | now apply IH ].
Qed.

Theorem T1_nested ps costs i o p :
  nonneg costs -> nth_error ps i = Some p -> In o (bp_around p) -> (o < length costs)%nat ->
  (forall q, nth_error ps i = Some q -> (i < length costs)%nat) -> 
  charge costs o + charge costs i <= charge (with_around ps costs) o.
Proof.
  intros N P I L Li. specialize (Li p P). unfold with_around.
  assert (G : forall ps costs' acc i p, nonneg costs' -> nth_error ps i = Some p -> In o (bp_around p) -> (o < length acc)%nat ->
              (i < length costs')%nat -> charge acc o + charge costs' i <= charge (around_from ps costs' acc) o).
  { clear. induction ps as [| q ps IH]; intros [| u costs'] acc [| i] p N P I L Li; cbn in *; try discriminate; try lia;
      inversion N; subst.
    - inversion P; subst. pose proof (fold_add_in (bp_around p) u o H1 I acc L).
      pose proof (around_ge ps costs' (fold_left (fun c at' => add_at c at' u) (bp_around p) acc) o H2).
      change (charge (u :: costs') 0) with u. lia.
    - change (charge (u :: costs') (S i)) with (charge costs' i).
      pose proof (IH costs' (fold_left (fun c at' => add_at c at' u) (bp_around q) acc) i p H2 P I).
      rewrite length_fold_add in H. specialize (H L ltac:(lia)).
      pose proof (fold_add_le (bp_around q) u H1 acc o). lia. }
  now apply (G ps costs costs i p).
Qed.
