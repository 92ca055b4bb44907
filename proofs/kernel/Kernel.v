(** The kernel as a function of state, command and time: src/kernel/core/{state,policy,judge,step,reserve,rollback,
    operator,commit,decision}.ts and `seal` of src/kernel/trace/entry.ts. Each definition has the name it has there.
    What is left out: the words of messages, and the decoder (what it promises is `wf_command` in Run.v). *)
From Coq Require Import ZArith QArith String Bool Lia List.
From Foreclaim Require Import Maps Value Budget Rule.
Import ListNotations.
Open Scope Z_scope.

(* ── policy.ts ─────────────────────────────────────────────────────────────────────────────────────────── *)
Record emergency := { em_effects : list effect; em_cap : Z }.
Record probe := { pr_keys : list string; pr_threshold : Q }.

Record policy := {
  p_budgets : list bpolicy;
  p_max_steps : option Z;               (* after stepLimit *)
  p_invariants : list invariant;
  p_emergencies : map string emergency;
  p_protects : list string;
  p_counters : list string;
  p_probes : map string probe;
  p_undo_steps : Z;
  p_window_steps : Z;
}.

Definition make_policy (budgets : list bpolicy) (max_steps : option Z) (invariants : list invariant)
    (emergencies : map string emergency) (protects : list string) (probes : map string probe) (undo_steps : Z) : policy :=
  {| p_budgets := budgets;
     p_max_steps := step_limit budgets max_steps;
     p_invariants := invariants;
     p_emergencies := emergencies;
     p_protects := protects ++ flat_map (fun i => r_protects (i_rule i)) invariants;
     p_counters := flat_map (fun i => r_counters (i_rule i)) invariants;
     p_probes := probes;
     p_undo_steps := undo_steps;
     p_window_steps := fold_left (fun a i => Z.max a (r_window_steps (i_rule i))) invariants 0 |}.

(* ── state.ts ──────────────────────────────────────────────────────────────────────────────────────────── *)
Inductive status := Open | Undone | Final.

Record step_record := {
  s_version : Z;
  s_hash : string;
  s_before : list (string * option value);
  s_charges : charges;
  s_windows : list Z;
  s_undo : option value;
  s_status : status;
}.

Record reservation := { rv_seq : Z; rv_hash : string; rv_action : action; rv_key : option string; rv_time : Z }.

Inductive use_status := Pending | Settled | Released.
(** The kernel keeps the digest of the action; here it is the action. *)
Record key_use := { ku_action : action; ku_status : use_status; ku_receipt : Z * string }.

Record state := mkState {
  st_policy : policy;
  st_seq : Z;
  st_head : string;
  st_time : Z;
  st_version : Z;
  st_data : data;
  st_budgets : list budget;
  st_steps : Z;
  st_refusals : Z;
  st_rollbacks : Z;
  st_emergencies : map string Z;
  st_times : map Z Z;
  st_records : map Z step_record;
  st_pending : map Z reservation;
  st_held : map string (Z * string);
  st_keys : map string key_use;
  st_calls : map string Z;
  st_stopped : option string;
}.

Definition state_before (p : policy) (d : data) : state :=
  mkState p 0 "" 0 0 d (List.map (fun _ => new_budget) (p_budgets p)) 0 0 0 [] [] [] [] [] [] [] None.

(* `successor`, one part at a time *)
Definition with_time (t : Z) (s : state) : state :=
  mkState (st_policy s) (st_seq s) (st_head s) t (st_version s) (st_data s) (st_budgets s) (st_steps s) (st_refusals s)
    (st_rollbacks s) (st_emergencies s) (st_times s) (st_records s) (st_pending s) (st_held s) (st_keys s) (st_calls s)
    (st_stopped s).
Definition with_refusals (n : Z) (s : state) : state :=
  mkState (st_policy s) (st_seq s) (st_head s) (st_time s) (st_version s) (st_data s) (st_budgets s) (st_steps s) n
    (st_rollbacks s) (st_emergencies s) (st_times s) (st_records s) (st_pending s) (st_held s) (st_keys s) (st_calls s)
    (st_stopped s).
Definition with_counts (steps : Z) (times : map Z Z) (calls : map string Z) (s : state) : state :=
  mkState (st_policy s) (st_seq s) (st_head s) (st_time s) (st_version s) (st_data s) (st_budgets s) steps (st_refusals s)
    (st_rollbacks s) (st_emergencies s) times (st_records s) (st_pending s) (st_held s) (st_keys s) calls (st_stopped s).
Definition with_data (d : data) (version : Z) (records : map Z step_record) (s : state) : state :=
  mkState (st_policy s) (st_seq s) (st_head s) (st_time s) version d (st_budgets s) (st_steps s) (st_refusals s)
    (st_rollbacks s) (st_emergencies s) (st_times s) records (st_pending s) (st_held s) (st_keys s) (st_calls s)
    (st_stopped s).
Definition with_budgets (bs : list budget) (s : state) : state :=
  mkState (st_policy s) (st_seq s) (st_head s) (st_time s) (st_version s) (st_data s) bs (st_steps s) (st_refusals s)
    (st_rollbacks s) (st_emergencies s) (st_times s) (st_records s) (st_pending s) (st_held s) (st_keys s) (st_calls s)
    (st_stopped s).
Definition with_rollbacks (n : Z) (s : state) : state :=
  mkState (st_policy s) (st_seq s) (st_head s) (st_time s) (st_version s) (st_data s) (st_budgets s) (st_steps s)
    (st_refusals s) n (st_emergencies s) (st_times s) (st_records s) (st_pending s) (st_held s) (st_keys s) (st_calls s)
    (st_stopped s).
Definition with_emergencies (m : map string Z) (s : state) : state :=
  mkState (st_policy s) (st_seq s) (st_head s) (st_time s) (st_version s) (st_data s) (st_budgets s) (st_steps s)
    (st_refusals s) (st_rollbacks s) m (st_times s) (st_records s) (st_pending s) (st_held s) (st_keys s) (st_calls s)
    (st_stopped s).
Definition with_pending (pending : map Z reservation) (held : map string (Z * string)) (keys : map string key_use)
    (s : state) : state :=
  mkState (st_policy s) (st_seq s) (st_head s) (st_time s) (st_version s) (st_data s) (st_budgets s) (st_steps s)
    (st_refusals s) (st_rollbacks s) (st_emergencies s) (st_times s) (st_records s) pending held keys (st_calls s)
    (st_stopped s).
Definition with_stopped (w : option string) (s : state) : state :=
  mkState (st_policy s) (st_seq s) (st_head s) (st_time s) (st_version s) (st_data s) (st_budgets s) (st_steps s)
    (st_refusals s) (st_rollbacks s) (st_emergencies s) (st_times s) (st_records s) (st_pending s) (st_held s)
    (st_keys s) (st_calls s) w.
Definition with_chain (seq : Z) (head : string) (s : state) : state :=
  mkState (st_policy s) seq head (st_time s) (st_version s) (st_data s) (st_budgets s) (st_steps s)
    (st_refusals s) (st_rollbacks s) (st_emergencies s) (st_times s) (st_records s) (st_pending s) (st_held s)
    (st_keys s) (st_calls s) (st_stopped s).

(* ── command.ts, receipt.ts ────────────────────────────────────────────────────────────────────────────── *)
Inductive receipt := StepReceipt (version : Z) (hash : string) | ReservationReceipt (seq : Z) (hash : string) | NoReceipt.

(** `note` stands for what a command has besides: reasons, outcomes, who granted. It is in the entry and decides nothing. *)
Inductive command :=
| CExecute (a : action)
| CReserve (a : action) (key : option string)
| CSettle (r : receipt) (cost : option charges) (drop : bool) (note : value)
| CRelease (r : receipt) (note : value)
| CRollback (from to : receipt)
| CGrant (key : string) (v : value) (note : value)
| CObserve (probe : string) (values : map string value) (take : bool)
| CStop (reason : string)
| CResume (reason : string)
| CMalformed (why : code) (note : value).

(* ── checks: invariant.ts, judge.ts ────────────────────────────────────────────────────────────────────── *)
Inductive result := Ok | Violated (why : code) | NotJudged.
Record check := { c_name : string; c_result : result; c_monitoring : bool }.

Definition passing (name : string) : check := {| c_name := name; c_result := Ok; c_monitoring := false |}.
Definition violated (name : string) (why : code) : check :=
  {| c_name := name; c_result := Violated why; c_monitoring := false |}.
Definition check_that (b : bool) (name : string) (why : code) : check :=
  if b then passing name else violated name why.

Definition stops_nothing (c : check) : bool :=
  match c_result c with Ok => true | _ => c_monitoring c end.
Definition passes (cs : list check) : bool := forallb stops_nothing cs.

Definition history_of (s : state) : history :=
  {| h_steps := st_steps s; h_refusals := st_refusals s; h_rollbacks := st_rollbacks s;
     h_emergencies := fold_right (fun e n => snd e + n) 0 (st_emergencies s);
     h_spent := List.map gross (st_budgets s); h_calls := st_calls s |}.

Definition step_time_of (s : state) (back : Z) : option Z := get (st_times s) (st_steps s - back).

Definition scene_of (s : state) (kind : scene_kind) (a : option action) (after : data) (time : Z) : scene :=
  {| sc_kind := kind; sc_before := st_data s; sc_after := after; sc_action := a; sc_time := time;
     sc_step_time := step_time_of s; sc_history := history_of s |}.

Definition judge (i : invariant) (sc : option scene) : check :=
  {| c_name := "invariant " ++ i_name i;
     c_result := match sc with
                 | None => NotJudged
                 | Some sc => if holds (i_rule i) sc then Ok else Violated CInvariant
                 end;
     c_monitoring := negb (i_blocking i) |}.

Definition push_invariants (s : state) (kind : scene_kind) (a : option action) (after : option data) (time : Z)
  : list check :=
  let sc := option_map (fun d => scene_of s kind a d time) after in
  List.map (fun i => judge i sc) (p_invariants (st_policy s)).

Definition try_effects (d : data) (a : action) : option data * check :=
  match apply_effects d (a_effects a) with
  | Applied after => (Some after, passing "effects")
  | Not why => (None, violated "effects" why)
  end.

Definition protected_effect (p : policy) (e : effect) : bool :=
  mem (e_key e) (p_protects p) ||
  mem (e_key e) (p_counters p) &&
  negb (match e_op e, e_value e with OIncrement, Some (VNum q) => 0 <? Qnum q | _, _ => false end).

Definition check_protected (p : policy) (a : action) : check :=
  check_that (negb (existsb (protected_effect p) (a_effects a))) "protected" CProtected.

Definition is_free (s : state) (k : string) : bool := match get (st_held s) k with None => true | Some _ => false end.
Definition check_held (s : state) (keys : list string) : check := check_that (forallb (is_free s) keys) "held" CHeld.

Fixpoint budget_checks (ps : list bpolicy) (bs : list budget) (c : charges) (i : nat) (time : Z) : list check :=
  match ps, bs with
  | p :: ps', b :: bs' =>
      check_that (charge c i <=? left_of (budget_at b p time) p) ("budget " ++ bp_name p) CBudget
        :: budget_checks ps' bs' c (S i) time
  | _, _ => []
  end.

Fixpoint dear_enough (ps : list bpolicy) (c : charges) (i : nat) : bool :=
  match ps with [] => true | p :: ps' => (bp_min_cost p <=? charge c i) && dear_enough ps' c (S i) end.

Definition check_step_limit (s : state) (a : action) : check :=
  match p_max_steps (st_policy s) with
  | Some n => if n <=? st_steps s then violated "step-limit" CStepLimit else
      match a_tool a with
      | Some t => check_that (negb ((limit_tools <=? size (st_calls s)) && match get (st_calls s) t with None => true | _ => false end)) "step-limit" CLimit
      | None => passing "step-limit"
      end
  | None =>
      match a_tool a with
      | Some t => check_that (negb ((limit_tools <=? size (st_calls s)) && match get (st_calls s) t with None => true | _ => false end)) "step-limit" CLimit
      | None => passing "step-limit"
      end
  end.

Definition judge_action (s : state) (a : action) (time : Z) : list check * option data :=
  let p := st_policy s in
  let '(after, effects) := try_effects (st_data s) a in
  ( [ check_that (match st_stopped s with None => true | Some _ => false end) "stopped" CStopped;
      check_that (match a_reads a with None => true | Some v => v =? st_version s end) "version" CVersion;
      check_protected p a;
      check_held s (a_writes a) ]
    ++ [effects]
    ++ budget_checks (p_budgets p) (st_budgets s) (a_charges a) 0 time
    ++ [ check_that (dear_enough (p_budgets p) (a_charges a) 0) "min-cost" CMinCost; check_step_limit s a ]
    ++ push_invariants s Ordinary (Some a) after time,
    after ).

(* ── commit.ts ─────────────────────────────────────────────────────────────────────────────────────────── *)
Definition change (d : data) (s : state) : state :=
  let version := st_version s + 1 in
  with_data d version (remove (st_records s) (version - p_undo_steps (st_policy s))) s.

Definition count_step (a : action) (time : Z) (s : state) : state :=
  let n := p_window_steps (st_policy s) in
  let steps := st_steps s + 1 in
  let times := if n =? 0 then st_times s else remove (set (st_times s) steps time) (steps - n) in
  let calls := match a_tool a with
               | None => st_calls s
               | Some t => set (st_calls s) t (match get (st_calls s) t with Some k => k | None => 0 end + 1)
               end in
  with_counts steps times calls s.

Definition update_all (time : Z) (f : nat -> budget -> budget) (s : state) : state :=
  with_budgets (update_budgets (p_budgets (st_policy s)) (st_budgets s) time f) s.

Definition windows_at (p : policy) (time : Z) : list Z := List.map (fun b => window_at b time) (p_budgets p).

Definition before_of (s : state) (keys : list string) : list (string * option value) :=
  List.map (fun k => (k, get (st_data s) k)) keys.

Definition record_of (s : state) (a : action) (c : charges) (time : Z) (hash : string) : step_record :=
  {| s_version := st_version s + 1; s_hash := hash; s_before := before_of s (a_writes a); s_charges := c;
     s_windows := windows_at (st_policy s) time; s_undo := a_undo a; s_status := Open |}.

Definition final_record (s : state) (keys : list string) (hash : string) : step_record :=
  {| s_version := st_version s + 1; s_hash := hash; s_before := before_of s keys; s_charges := []; s_windows := [];
     s_undo := None; s_status := Final |}.

(* ── decision.ts ───────────────────────────────────────────────────────────────────────────────────────── *)
Inductive kind := KExecute | KEmergency | KReserve | KSettle | KRelease | KRollback | KGrant | KObserve | KStop | KResume | KMalformed.

(** What else there is to say to whoever asked. *)
Inductive answer := Nothing | Repeats (seq : Z) (hash : string) | UndoOf (undo : list value) | Drift (keys : list string).

Record decision := {
  d_command : command;
  d_kind : kind;
  d_allowed : bool;
  d_checks : list check;
  d_time : Z;
  d_cost : charges;
  d_next : state;
  d_record : option (string -> step_record);
  d_reservation : option (action * option string);
  d_answer : answer;
}.

Definition no_charges (s : state) : charges := List.map (fun _ => 0) (st_budgets s).

Definition refusal (s : state) (c : command) (k : kind) (checks : list check) (time : Z) : decision :=
  {| d_command := c; d_kind := k; d_allowed := false; d_checks := checks; d_time := time; d_cost := no_charges s;
     d_next := with_refusals (st_refusals s + 1) (with_time time s); d_record := None; d_reservation := None;
     d_answer := Nothing |}.

Definition allow (s : state) (c : command) (k : kind) (checks : list check) (time : Z) (cost : charges) (next : state)
    (record : option (string -> step_record)) (reservation : option (action * option string)) (a : answer) : decision :=
  {| d_command := c; d_kind := k; d_allowed := true; d_checks := checks; d_time := time; d_cost := cost;
     d_next := next; d_record := record; d_reservation := reservation; d_answer := a |}.

(* ── step.ts ───────────────────────────────────────────────────────────────────────────────────────────── *)
Definition op_eqb (a b : operation) : bool :=
  match a, b with
  | OSet, OSet | OIncrement, OIncrement | ODecrement, ODecrement | OMultiply, OMultiply | OAppend, OAppend
  | ORemove, ORemove | ODelete, ODelete => true
  | _, _ => false
  end.
Definition effect_eqb (a b : effect) : bool :=
  String.eqb (e_key a) (e_key b) && op_eqb (e_op a) (e_op b) && same (e_value a) (e_value b).
Fixpoint effects_eqb (xs ys : list effect) : bool :=
  match xs, ys with
  | [], [] => true
  | x :: xs', y :: ys' => effect_eqb x y && effects_eqb xs' ys'
  | _, _ => false
  end.

Definition set_all (d : data) (es : list effect) : data :=
  fold_left (fun d e => set d (e_key e) (match e_value e with Some v => v | None => VNull end)) es d.

Definition uses (s : state) (id : string) : Z := match get (st_emergencies s) id with Some n => n | None => 0 end.

Definition decide_emergency (s : state) (a : action) (em : emergency) (time : Z) : decision :=
  let used := uses s (a_id a) in
  let declared := match a_effects a with [] => true | es => effects_eqb es (em_effects em) end in
  let is_free := forallb (fun u => u =? 0) (a_charges a) in
  let after := set_all (st_data s) (em_effects em) in
  let checks :=
    [ check_that declared "emergency" CEmergency;
      check_that is_free "emergency-cost" CEmergency;
      check_that (used <? em_cap em) "emergency-cap" CEmergency ]
    ++ push_invariants s InEmergency (Some a) (Some after) time in
  if passes checks then
    allow s (CExecute a) KEmergency checks time (no_charges s)
      (with_emergencies (set (st_emergencies s) (a_id a) (used + 1)) (with_time time (change after s)))
      (Some (final_record s (List.map e_key (em_effects em)))) None Nothing
  else refusal s (CExecute a) KEmergency checks time.

Definition decide_execute (s : state) (a : action) (time : Z) : decision :=
  match get (p_emergencies (st_policy s)) (a_id a) with
  | Some em => decide_emergency s a em time
  | None =>
      let '(checks, after) := judge_action s a time in
      match passes checks, after with
      | true, Some after =>
          allow s (CExecute a) KExecute checks time (a_charges a)
            (update_all time (fun i b => spend b (charge (a_charges a) i))
               (change after (count_step a time (with_time time s))))
            (Some (record_of s a (a_charges a) time)) None Nothing
      | _, _ => refusal s (CExecute a) KExecute checks time
      end
  end.

(* ── reserve.ts ────────────────────────────────────────────────────────────────────────────────────────── *)
Definition opt_eqb {A} (f : A -> A -> bool) (a b : option A) : bool :=
  match a, b with None, None => true | Some x, Some y => f x y | _, _ => false end.
Fixpoint charges_eqb (a b : charges) : bool :=
  match a, b with [], [] => true | x :: a', y :: b' => (x =? y) && charges_eqb a' b' | _, _ => false end.

(** The same canonical text. *)
Definition action_eqb (a b : action) : bool :=
  String.eqb (a_id a) (a_id b) && opt_eqb String.eqb (a_tool a) (a_tool b) && same (a_args a) (a_args b)
  && effects_eqb (a_effects a) (a_effects b) && charges_eqb (a_costs a) (a_costs b)
  && opt_eqb Z.eqb (a_reads a) (a_reads b) && same (a_undo a) (a_undo b).

Definition check_key (s : state) (key : option string) (use : option key_use) (is_same : bool) : check :=
  match key, use with
  | None, _ => passing "idempotency-key"
  | Some _, None => check_that (size (st_keys s) <? limit_idempotency_keys) "idempotency-key" CLimit
  | Some _, Some u =>
      check_that (is_same && match ku_status u with Released => true | _ => false end) "idempotency-key" CIdempotencyKey
  end.

Definition decide_reserve (s : state) (a : action) (key : option string) (time : Z) : decision :=
  let c := CReserve a key in
  let use := match key with None => None | Some k => get (st_keys s) k end in
  let is_same := match use with None => false | Some u => action_eqb (ku_action u) a end in
  match use with
  | Some {| ku_status := Settled; ku_receipt := (seq, hash) |} =>
      if is_same then
        allow s c KReserve [passing "idempotency-key"] time (no_charges s) (with_time time s) None None (Repeats seq hash)
      else
        refusal s c KReserve
          ([ check_key s key use is_same;
             check_that (size (st_pending s) <? limit_pending) "pending" CLimit;
             check_that (match get (p_emergencies (st_policy s)) (a_id a) with None => true | _ => false end) "emergency" CEmergency ]
           ++ fst (judge_action s a time)) time
  | _ =>
      let checks :=
        [ check_key s key use is_same;
          check_that (size (st_pending s) <? limit_pending) "pending" CLimit;
          check_that (match get (p_emergencies (st_policy s)) (a_id a) with None => true | _ => false end) "emergency" CEmergency ]
        ++ fst (judge_action s a time) in
      if passes checks then
        allow s c KReserve checks time (a_charges a)
          (update_all time (fun i b => hold b (charge (a_charges a) i)) (count_step a time (with_time time s)))
          None (Some (a, key)) Nothing
      else refusal s c KReserve checks time
  end.

Definition pending_of (s : state) (r : receipt) : option reservation :=
  match r with
  | ReservationReceipt n h =>
      match get (st_pending s) n with
      | Some rv => if (rv_seq rv =? n) && String.eqb (rv_hash rv) h then Some rv else None
      | None => None
      end
  | _ => None
  end.

Fixpoint exceeds (c held : charges) : bool :=
  match c, held with
  | [], _ => false
  | u :: c', [] => (0 <? u) || exceeds c' []
  | u :: c', h :: held' => (h <? u) || exceeds c' held'
  end.

Definition is_holder (rv : reservation) (h : option (Z * string)) : bool :=
  match h with Some (n, x) => (n =? rv_seq rv) && String.eqb x (rv_hash rv) | None => false end.

Definition outcome (rv : reservation) (status : use_status) (s : state) : state :=
  let held := fold_left (fun m k => if is_holder rv (get m k) then remove m k else m) (a_writes (rv_action rv)) (st_held s) in
  let keys := match rv_key rv with
              | None => st_keys s
              | Some k => set (st_keys s) k {| ku_action := rv_action rv; ku_status := status; ku_receipt := (rv_seq rv, rv_hash rv) |}
              end in
  with_pending (remove (st_pending s) (rv_seq rv)) held keys s.

Definition decide_settle (s : state) (r : receipt) (cost : option charges) (drop : bool) (note : value) (time : Z) : decision :=
  let c := CSettle r cost drop note in
  match pending_of s r with
  | None => refusal s c KSettle [violated "receipt" CReceipt] time
  | Some rv =>
      let a := rv_action rv in
      let paid := match cost with None => a_charges a | Some paid => paid end in
      let '(after, effects) := if drop then (Some (st_data s), []) else
                                 let '(after, check) := try_effects (st_data s) a in (after, [check]) in
      let checks :=
        [ passing "receipt"; check_that (negb (exceeds paid (a_charges a))) "cost" CBudget ] ++ effects
        ++ (if drop then [] else push_invariants s Other (Some a) after time) in
      match passes checks, after with
      | true, Some after =>
          allow s c KSettle checks time paid
            (update_all time (fun i b => spend (unhold b (charge (a_charges a) i)) (charge paid i))
               (outcome rv Settled (change after (with_time time s))))
            (Some (fun hash =>
               let made := record_of s a paid time hash in
               if drop then {| s_version := s_version made; s_hash := s_hash made; s_before := []; s_charges := s_charges made;
                               s_windows := s_windows made; s_undo := s_undo made; s_status := s_status made |}
               else made))
            None Nothing
      | _, _ => refusal s c KSettle checks time
      end
  end.

Definition decide_release (s : state) (r : receipt) (note : value) (time : Z) : decision :=
  let c := CRelease r note in
  match pending_of s r with
  | None => refusal s c KRelease [violated "receipt" CReceipt] time
  | Some rv =>
      allow s c KRelease [passing "receipt"] time (no_charges s)
        (update_all time (fun i b => unhold b (charge (a_charges (rv_action rv)) i)) (outcome rv Released (with_time time s)))
        None None Nothing
  end.

Definition with_reservation (rv : reservation) (s : state) : state :=
  let held := fold_left (fun m k => set m k (rv_seq rv, rv_hash rv)) (a_writes (rv_action rv)) (st_held s) in
  let keys := match rv_key rv with
              | None => st_keys s
              | Some k => set (st_keys s) k {| ku_action := rv_action rv; ku_status := Pending; ku_receipt := (rv_seq rv, rv_hash rv) |}
              end in
  with_pending (set (st_pending s) (rv_seq rv) rv) held keys s.

(* ── rollback.ts ───────────────────────────────────────────────────────────────────────────────────────── *)
Definition step_of (s : state) (r : receipt) : option step_record :=
  match r with
  | StepReceipt n h =>
      match get (st_records s) n with
      | Some x => if String.eqb (s_hash x) h then match s_status x with Open => Some x | _ => None end else None
      | None => None
      end
  | _ => None
  end.

(** The steps of n versions down from one, newest first, without those undone before; none if one is final. *)
Fixpoint walk (records : map Z step_record) (from : Z) (n : nat) : option (list step_record) :=
  match n with
  | O => Some []
  | S n' =>
      match get records from with
      | None => walk records (from - 1) n'
      | Some x =>
          match s_status x with
          | Undone => walk records (from - 1) n'
          | Final => None
          | Open => option_map (cons x) (walk records (from - 1) n')
          end
      end
  end.

Definition steps_between (s : state) (from to : receipt) : option (list step_record) :=
  match step_of s from, step_of s to with
  | Some first, Some last =>
      if s_version last <? s_version first then None
      else walk (st_records s) (s_version last) (Z.to_nat (s_version last - s_version first + 1))
  | _, _ => None
  end.

Definition keys_in (steps : list step_record) : list string := flat_map (fun x => List.map fst (s_before x)) steps.

Definition depends (s : state) (keys : list string) (version : Z) : bool :=
  match get (st_records s) version with
  | Some x => match s_status x with Undone => false | _ => existsb (fun b => mem (fst b) keys) (s_before x) end
  | None => false
  end.

(** Whether any of the n versions from one on depends on the keys. *)
Fixpoint any_later (s : state) (keys : list string) (version : Z) (n : nat) : bool :=
  match n with O => false | S n' => depends s keys version || any_later s keys (version + 1) n' end.

Definition newest_of (s : state) (steps : list step_record) : Z :=
  match steps with [] => st_version s | x :: _ => s_version x end.

Definition check_later (s : state) (steps : list step_record) : check :=
  let newest := newest_of s steps in
  check_that (negb (any_later s (keys_in steps) (newest + 1) (Z.to_nat (st_version s - newest)))) "dependent" CDependent.

Definition restore_one (d : data) (b : string * option value) : data :=
  match snd b with None => remove d (fst b) | Some v => set d (fst b) v end.
Definition restored (d : data) (steps : list step_record) : data :=
  fold_left (fun d x => fold_left restore_one (s_before x) d) steps d.

Definition undone (x : step_record) : step_record :=
  {| s_version := s_version x; s_hash := s_hash x; s_before := s_before x; s_charges := s_charges x;
     s_windows := s_windows x; s_undo := s_undo x; s_status := Undone |}.

Definition mark_undone (steps : list step_record) (records : map Z step_record) : map Z step_record :=
  fold_left (fun m x => match get m (s_version x) with None => m | Some _ => set m (s_version x) (undone x) end) steps records.

Definition refund_all (steps : list step_record) (i : nat) (b : budget) : budget :=
  fold_left (fun b x => refund b (charge (s_charges x) i) (nth i (s_windows x) 0)) steps b.

Definition undo_values (steps : list step_record) : list value :=
  flat_map (fun x => match s_undo x with None => [] | Some v => [v] end) steps.

Definition decide_rollback (s : state) (from to : receipt) (time : Z) : decision :=
  let c := CRollback from to in
  match steps_between s from to with
  | None => refusal s c KRollback [violated "receipt" CReceipt] time
  | Some steps =>
      if negb (check_size (VList (undo_values steps))) then refusal s c KRollback [violated "receipt" CLimit] time
      else
        let after := restored (st_data s) steps in
        let checks :=
          [ passing "receipt"; check_later s steps; check_held s (keys_in steps) ]
          ++ push_invariants s Other None (Some after) time in
        if passes checks then
          let s' := change after (with_time time s) in
          allow s c KRollback checks time (no_charges s)
            (update_all time (refund_all steps)
               (with_rollbacks (st_rollbacks s + 1)
                  (with_data (st_data s') (st_version s') (mark_undone steps (st_records s')) s')))
            None None (UndoOf (undo_values steps))
        else refusal s c KRollback checks time
  end.

(* ── operator.ts ───────────────────────────────────────────────────────────────────────────────────────── *)
Definition unchanged (s : state) (c : command) (k : kind) (checks : list check) (time : Z) (next : state) : decision :=
  allow s c k checks time (no_charges s) next None None Nothing.

Definition decide_changed (s : state) (c : command) (k : kind) (checks : list check) (after : data) (keys : list string)
    (time : Z) (a : answer) : decision :=
  allow s c k checks time (no_charges s) (with_time time (change after s)) (Some (final_record s keys)) None a.

Definition decide_grant (s : state) (key : string) (v : value) (note : value) (time : Z) : decision :=
  let c := CGrant key v note in
  let after := set (st_data s) key v in
  let checks :=
    [ check_that (mem key (p_protects (st_policy s))) "protected" CProtected; check_held s [key] ]
    ++ push_invariants s Other None (Some after) time in
  if passes checks then decide_changed s c KGrant checks after [key] time Nothing
  else refusal s c KGrant checks time.

Definition is_drift (ours theirs : option value) (threshold : Q) : bool :=
  match ours, theirs with
  | Some (VNum a), Some (VNum b) => negb (Qle_bool (Qminus a b) threshold && Qle_bool (Qopp threshold) (Qminus a b))
  | _, _ => negb (same ours theirs)
  end.

Definition taken (d : data) (values : map string value) (keys : list string) : data :=
  fold_left (fun d k => match get values k with None => remove d k | Some v => set d k v end) keys d.

Definition stopping (d : decision) : decision :=
  {| d_command := d_command d; d_kind := d_kind d; d_allowed := d_allowed d; d_checks := d_checks d; d_time := d_time d;
     d_cost := d_cost d; d_next := with_stopped (Some "drift"%string) (d_next d); d_record := d_record d;
     d_reservation := d_reservation d; d_answer := d_answer d |}.

Definition answering (a : answer) (d : decision) : decision :=
  {| d_command := d_command d; d_kind := d_kind d; d_allowed := d_allowed d; d_checks := d_checks d; d_time := d_time d;
     d_cost := d_cost d; d_next := d_next d; d_record := d_record d; d_reservation := d_reservation d; d_answer := a |}.

Definition decide_observe (s : state) (name : string) (values : map string value) (take : bool) (time : Z) : decision :=
  let c := CObserve name values take in
  match get (p_probes (st_policy s)) name with
  | None => refusal s c KObserve [violated "probe" CShape] time
  | Some pr =>
      if negb (forallb (fun kv => mem (fst kv) (pr_keys pr)) values) then
        refusal s c KObserve [violated "probe" CShape] time
      else
        let drifted := filter (fun k => is_drift (get (st_data s) k) (get values k) (pr_threshold pr)) (pr_keys pr) in
        let none := match drifted with [] => true | _ => false end in
        let drift := check_that none "drift" CDrift in
        if negb take then
          let checks := [passing "probe"; drift] in
          if none then answering (Drift drifted) (unchanged s c KObserve checks time (with_time time s))
          else answering (Drift drifted) (stopping (refusal s c KObserve checks time))
        else
          let after := taken (st_data s) values (pr_keys pr) in
          let checks :=
            [ passing "probe"; {| c_name := "drift"; c_result := c_result drift; c_monitoring := true |};
              check_held s (pr_keys pr) ]
            ++ push_invariants s Other None (Some after) time in
          if passes checks then decide_changed s c KObserve checks after (pr_keys pr) time (Drift drifted)
          else if none then refusal s c KObserve checks time
          else answering (Drift drifted) (stopping (refusal s c KObserve checks time))
  end.

(* ── decide ────────────────────────────────────────────────────────────────────────────────────────────── *)
(** None for a clock that gives no safe integer. *)
Definition time_of (s : state) (clock : option Z) : Z :=
  match clock with Some c => if st_time s <? c then c else st_time s | None => st_time s end.

Definition decide (s : state) (c : command) (clock : option Z) : decision :=
  let time := time_of s clock in
  match c with
  | CExecute a => decide_execute s a time
  | CReserve a key => decide_reserve s a key time
  | CSettle r cost drop note => decide_settle s r cost drop note time
  | CRelease r note => decide_release s r note time
  | CRollback from to => decide_rollback s from to time
  | CGrant key v note => decide_grant s key v note time
  | CObserve name values take => decide_observe s name values take time
  | CStop reason => unchanged s c KStop [passing "reason"] time (with_stopped (Some reason) (with_time time s))
  | CResume _ => unchanged s c KResume [passing "reason"] time (with_stopped None (with_time time s))
  | CMalformed why _ => refusal s c KMalformed [violated "shape" why] time
  end.

(* ── seal, of trace/entry.ts: the next state, once the hash of the entry is known ──────────────────────── *)
Definition seal (s : state) (d : decision) (hash : string) : state * receipt :=
  let next := d_next d in
  let seq := st_seq s + 1 in
  match d_record d with
  | Some make =>
      let x := make hash in
      let records := if 0 <? p_undo_steps (st_policy s) then set (st_records next) (s_version x) x else st_records next in
      (with_chain seq hash (with_data (st_data next) (st_version next) records next),
       match s_status x with Open => StepReceipt (s_version x) hash | _ => NoReceipt end)
  | None =>
      match d_reservation d with
      | Some (a, key) =>
          (with_reservation {| rv_seq := seq; rv_hash := hash; rv_action := a; rv_key := key; rv_time := d_time d |}
             (with_chain seq hash next),
           ReservationReceipt seq hash)
      | None => (with_chain seq hash next, NoReceipt)
      end
  end.

Definition step (s : state) (c : command) (clock : option Z) (hash : string) : state :=
  fst (seal s (decide s c clock) hash).

(* ── open.ts ───────────────────────────────────────────────────────────────────────────────────────────── *)
Definition initial_checks (s : state) : list check := push_invariants s Initial None (Some (st_data s)) 0.

Definition emergency_action (id : string) (n : nat) : action :=
  {| a_id := id; a_tool := None; a_args := None; a_effects := []; a_charges := repeat 0 n; a_costs := repeat 0 n;
     a_reads := None; a_undo := None |}.

Definition open_kernel (p : policy) (d : data) (clock : Z) (hash : string) : option state :=
  let time := if 0 <? clock then clock else 0 in
  let s := state_before p d in
  if negb (passes (initial_checks s)) then None
  else
    let opened := with_time time (with_chain 1 hash s) in
    if forallb (fun e => (em_cap (snd e) =? 0)
                         || d_allowed (decide opened (CExecute (emergency_action (fst e) (length (p_budgets p)))) (Some time)))
               (p_emergencies p)
    then Some opened else None.
