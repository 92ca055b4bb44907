(** Actions, what an invariant is judged on, and the ready rules: action.ts, invariant.ts, history.ts, rules/*.ts. *)
From Coq Require Import ZArith QArith String Bool Lia List.
From Foreclaim Require Import Maps Value Budget.
Import ListNotations.
Open Scope Z_scope.

Record action := {
  a_id : string;
  a_tool : option string;
  a_args : option value;
  a_effects : list effect;
  a_charges : charges;       (* those around it included *)
  a_costs : charges;         (* without *)
  a_reads : option Z;
  a_undo : option value;
}.
Definition a_writes (a : action) : list string := writes_of (a_effects a).

Inductive scene_kind := Initial | Ordinary | InEmergency | Other.

Record history := {
  h_steps : Z; h_refusals : Z; h_rollbacks : Z; h_emergencies : Z;
  h_spent : list Z; h_calls : map string Z;
}.

Record scene := {
  sc_kind : scene_kind;
  sc_before : data;
  sc_after : data;
  sc_action : option action;
  sc_time : Z;
  sc_step_time : Z -> option Z;
  sc_history : history;
}.

(** Each part says whether it holds; where a rule has no such part, it is constantly true. *)
Record rule := {
  r_state : data -> bool;
  r_change : data -> data -> bool;
  r_gate : data -> Z -> (Z -> option Z) -> bool;
  r_step : scene -> bool;
  r_counters : list string;
  r_protects : list string;
  r_window_steps : Z;
}.

Definition no_rule : rule :=
  {| r_state := fun _ => true; r_change := fun _ _ => true; r_gate := fun _ _ _ => true; r_step := fun _ => true;
     r_counters := []; r_protects := []; r_window_steps := 0 |}.

Record invariant := { i_name : string; i_blocking : bool; i_rule : rule }.

(** `violationOf`, as whether it holds. *)
Definition holds (r : rule) (s : scene) : bool :=
  match sc_kind s with
  | Initial => r_state r (sc_after s)
  | InEmergency => r_state r (sc_after s) || negb (r_state r (sc_before s))
  | Ordinary =>
      r_gate r (sc_before s) (sc_time s) (sc_step_time s) &&
      (r_change r (sc_before s) (sc_after s) && r_state r (sc_after s) && r_step r s)
  | Other => r_change r (sc_before s) (sc_after s) && r_state r (sc_after s) && r_step r s
  end.

(* ── rules/bounds.ts and rules/gates.ts ────────────────────────────────────────────────────────────────── *)
Section Rules.
  Variable missing_ok : bool.

  Definition at_key (key : string) (judge : value -> bool) (d : data) : bool :=
    match get d key with Some v => judge v | None => missing_ok end.

  Definition numeric (judge : Q -> bool) (v : value) : bool := match v with VNum q => judge q | _ => false end.

  Definition monotone (up : bool) (key : string) (before after : data) : bool :=
    match get before key, get after key with
    | None, _ => true
    | Some old, None => false
    | Some (VNum old), Some (VNum now) => if up then Qle_bool old now else Qle_bool now old
    | Some old, Some now => value_eqb old now
    end.

  Definition state_rule (f : data -> bool) : rule :=
    {| r_state := f; r_change := fun _ _ => true; r_gate := fun _ _ _ => true; r_step := fun _ => true;
       r_counters := []; r_protects := []; r_window_steps := 0 |}.

  Definition change_rule (f : data -> bool) (g : data -> data -> bool) (counters : list string) : rule :=
    {| r_state := f; r_change := g; r_gate := fun _ _ _ => true; r_step := fun _ => true;
       r_counters := counters; r_protects := []; r_window_steps := 0 |}.

  Definition ceiling (key : string) (max : Q) : rule := state_rule (at_key key (numeric (fun q => Qle_bool q max))).
  Definition range (key : string) (min max : Q) : rule :=
    state_rule (at_key key (numeric (fun q => Qle_bool min q && Qle_bool q max))).
  Definition rate_limit (key : string) (max : Q) : rule :=
    change_rule (r_state (ceiling key max)) (monotone true key) [key].
  Definition monotone_increasing (key : string) : rule :=
    change_rule (at_key key (numeric (fun _ => true))) (monotone true key) [].
  Definition monotone_decreasing (key : string) : rule :=
    change_rule (at_key key (numeric (fun _ => true))) (monotone false key) [].
  Definition required_keys (keys : list string) : rule :=
    state_rule (fun d => forallb (fun k => at_key k (fun _ => true) d) keys).
  Definition read_only (keys : list string) : rule :=
    change_rule (r_state (required_keys keys)) (fun b a => forallb (fun k => same (get b k) (get a k)) keys) [].
  (** Kinds as `kindOf` tells them apart. *)
  Definition same_kind (a b : value) : bool :=
    match a, b with
    | VNull, VNull | VBool _, VBool _ | VNum _, VNum _ | VStr _, VStr _ | VList _, VList _ | VRec _, VRec _ => true
    | _, _ => false
    end.

  (** `keeps_kind`: entries since the third form also refuse a value of another kind. *)
  Definition no_delete (keeps_kind : bool) (keys : list string) : rule :=
    change_rule (r_state (required_keys keys))
      (fun b a => forallb (fun k => match get b k, get a k with
                                    | None, _ => true
                                    | Some _, None => false
                                    | Some old, Some now => negb keeps_kind || same_kind old now
                                    end) keys) [].
  Definition allowed_values (key : string) (values : list value) : rule :=
    state_rule (at_key key (fun v => existsb (value_eqb v) values)).
  Definition list_length (key : string) (max : Z) : rule :=
    state_rule (at_key key (fun v => match v with VList l => Z.of_nat (length l) <=? max | _ => false end)).
  Fixpoint distinct (l : list value) : bool :=
    match l with [] => true | x :: l' => negb (existsb (value_eqb x) l') && distinct l' end.
  Definition no_duplicates (key : string) : rule :=
    state_rule (at_key key (fun v => match v with VList l => distinct l | _ => false end)).
  Definition string_length (key : string) (max : Z) : rule :=
    state_rule (at_key key (fun v => match v with VStr s => Z.of_nat (String.length s) <=? max | _ => false end)).

  Definition is_true (v : option value) : bool := match v with Some (VBool true) => true | _ => false end.

  Definition approval_gate (key : string) : rule :=
    {| r_state := fun _ => true; r_change := fun _ _ => true;
       r_gate := fun before _ _ => at_key key (fun v => is_true (Some v)) before; r_step := fun _ => true;
       r_counters := []; r_protects := [key]; r_window_steps := 0 |}.

  Definition terminal_flag (key : string) : rule :=
    {| r_state := at_key key (fun v => match v with VBool _ => true | _ => false end);
       r_change := fun b a => negb (is_true (get b key)) || is_true (get a key);
       r_gate := fun before _ _ => negb (is_true (get before key)); r_step := fun _ => true;
       r_counters := []; r_protects := []; r_window_steps := 0 |}.

  Definition time_window (max window_ms : Z) : rule :=
    {| r_state := fun _ => true; r_change := fun _ _ => true;
       r_gate := fun _ time step_time =>
         if max =? 0 then false
         else match step_time (max - 1) with None => true | Some earlier => negb (time - earlier <? window_ms) end;
       r_step := fun _ => true; r_counters := []; r_protects := []; r_window_steps := max |}.
End Rules.
