(** The theorems are not empty: a kernel that is opened, an action that is allowed and one that is not, a rollback, an emergency. *)
From Coq Require Import ZArith QArith String Bool Lia List.
From Foreclaim Require Import Maps Value Budget Rule Kernel Run.
Import ListNotations.
Open Scope Z_scope.
Open Scope string_scope.

Definition usd : bpolicy := {| bp_name := "usd"; bp_limit := 10; bp_min_cost := 2; bp_window := None; bp_around := [] |}.
Definition low : invariant := {| i_name := "low"; i_blocking := true; i_rule := ceiling false "n" 1 |}.
Definition p : policy :=
  make_policy [usd] None [low] [("halt", {| em_effects := [{| e_key := "n"; e_op := OSet; e_value := Some (VNum 0) |}]; em_cap := 1 |})] [] [] 5.
Definition up (cost : Z) : action :=
  {| a_id := "up"; a_tool := None; a_args := None; a_effects := [{| e_key := "n"; e_op := OIncrement; e_value := Some (VNum 1) |}];
     a_charges := [cost]; a_costs := [cost]; a_reads := None; a_undo := None |}.

Lemma p_wf : wf_policy p.
Proof. apply make_policy_wf; [ repeat constructor; cbn; lia | lia | exact Logic.I ]. Qed.

Definition s1 : state := match open_kernel p [("n", VNum 0)] 7 "h1" with Some s => s | None => state_before p [] end.
Example opened : open_kernel p [("n", VNum 0)] 7 "h1" = Some s1. Proof. reflexivity. Qed.
Definition s2 : state := step s1 (CExecute (up 3)) (Some 8) "h2".
Example allowed : d_allowed (decide s1 (CExecute (up 3)) (Some 8)) = true /\ List.map spent (st_budgets s2) = [3] /\ st_steps s2 = 1.
Proof. now vm_compute. Qed.
Example too_dear : d_allowed (decide s1 (CExecute (up 11)) (Some 8)) = false. Proof. now vm_compute. Qed.
Example too_cheap : d_allowed (decide s1 (CExecute (up 1)) (Some 8)) = false. Proof. now vm_compute. Qed.
Example too_high : d_allowed (decide s2 (CExecute (up 3)) (Some 8)) = false. Proof. now vm_compute. Qed.
Example steps_limit : p_max_steps p = Some 5. Proof. reflexivity. Qed.
Example back : let r := StepReceipt 1 "h2" in
  d_allowed (decide s2 (CRollback r r) (Some 9)) = true /\
  st_data (step s2 (CRollback r r) (Some 9) "h3") = st_data s1 /\
  List.map refunded (st_budgets (step s2 (CRollback r r) (Some 9) "h3")) = [3].
Proof. now vm_compute. Qed.
Example halts : d_allowed (decide s2 (CExecute (emergency_action "halt" 1)) None) = true. Proof. now vm_compute. Qed.
