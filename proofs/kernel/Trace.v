(** Entries, and doing them again: src/kernel/trace/{entry,open,read,verify}.ts. An entry is a structure here and a canonical
    JSON text there; the hash is of all of it in both. *)
From Coq Require Import ZArith QArith String Bool Lia List.
From Foreclaim Require Import Maps Value Budget Rule Kernel Run.
Import ListNotations.
Open Scope Z_scope.

Record entry := {
  en_seq : Z;
  en_prev : string;
  en_writer : string;
  en_time : Z;
  en_command : command;
  en_kind : kind;
  en_allowed : bool;
  en_checks : list check;
  en_cost : charges;
  en_answer : answer;
  en_budgets : list budget;
  en_root : string * string;       (* digests of the data before and after *)
  en_version : Z * Z;
}.

(** What the hash is of: the opening, with the policy as data, or an entry. *)
Inductive text := TOpen (policy : value) (initial : data) (time : Z) | TEntry (e : entry).

(* ── equality is decidable ─────────────────────────────────────────────────────────────────────────────── *)
Definition Q_eq (a b : Q) : {a = b} + {a <> b}.
Proof. decide equality; [ apply Pos.eq_dec | apply Z.eq_dec ]. Defined.

Definition pair_eq {A B} (f : forall a b : A, {a = b} + {a <> b}) (g : forall a b : B, {a = b} + {a <> b}) (x y : A * B)
  : {x = y} + {x <> y}.
Proof. decide equality. Defined.

Definition option_eq {A} (f : forall a b : A, {a = b} + {a <> b}) (x y : option A) : {x = y} + {x <> y}.
Proof. decide equality. Defined.

Definition value_eq : forall a b : value, {a = b} + {a <> b}.
Proof.
  fix IH 1. intros a b. destruct a as [| x | x | x | x | x], b as [| y | y | y | y | y]; try (right; discriminate).
  - now left.
  - destruct (bool_dec x y) as [-> | N]; [ now left | right; congruence ].
  - destruct (Q_eq x y) as [-> | N]; [ now left | right; congruence ].
  - destruct (string_dec x y) as [-> | N]; [ now left | right; congruence ].
  - destruct (list_eq_dec IH x y) as [-> | N]; [ now left | right; congruence ].
  - destruct (list_eq_dec (pair_eq string_dec IH) x y) as [-> | N]; [ now left | right; congruence ].
Defined.

Definition effect_eq (a b : effect) : {a = b} + {a <> b}.
Proof. decide equality; [ apply (option_eq value_eq) | decide equality | apply string_dec ]. Defined.

Definition action_eq (a b : action) : {a = b} + {a <> b}.
Proof.
  decide equality; try apply (option_eq value_eq); try apply (option_eq Z.eq_dec); try apply (list_eq_dec Z.eq_dec);
    try apply (option_eq string_dec); try apply string_dec. apply (list_eq_dec effect_eq).
Defined.

Definition code_eq (a b : code) : {a = b} + {a <> b}. Proof. decide equality. Defined.
Definition receipt_eq (a b : receipt) : {a = b} + {a <> b}. Proof. decide equality; (apply string_dec || apply Z.eq_dec). Defined.
Definition check_eq (a b : check) : {a = b} + {a <> b}.
Proof. decide equality; [ apply bool_dec | decide equality; apply code_eq | apply string_dec ]. Defined.
Definition kind_eq (a b : kind) : {a = b} + {a <> b}. Proof. decide equality. Defined.
Definition answer_eq (a b : answer) : {a = b} + {a <> b}.
Proof. decide equality; try apply string_dec; try apply Z.eq_dec; [ apply (list_eq_dec value_eq) | apply (list_eq_dec string_dec) ]. Defined.
Definition budget_eq (a b : budget) : {a = b} + {a <> b}. Proof. decide equality; apply Z.eq_dec. Defined.
Definition data_eq : forall a b : data, {a = b} + {a <> b} := list_eq_dec (pair_eq string_dec value_eq).

Definition command_eq (a b : command) : {a = b} + {a <> b}.
Proof.
  decide equality; try apply value_eq; try apply string_dec; try apply bool_dec; try apply code_eq; try apply receipt_eq;
    try apply action_eq; try apply (option_eq string_dec); try apply (option_eq (list_eq_dec Z.eq_dec)). apply data_eq.
Defined.

Definition entry_eq (a b : entry) : {a = b} + {a <> b}.
Proof.
  decide equality; try apply string_dec; try apply Z.eq_dec; try apply bool_dec; try apply command_eq; try apply kind_eq;
    try apply answer_eq; try apply (list_eq_dec Z.eq_dec); try apply (list_eq_dec check_eq); try apply (list_eq_dec budget_eq);
    [ apply (pair_eq Z.eq_dec Z.eq_dec) | apply (pair_eq string_dec string_dec) ].
Defined.

Definition text_eq (a b : text) : {a = b} + {a <> b}.
Proof. decide equality; [ apply Z.eq_dec | apply data_eq | apply value_eq | apply entry_eq ]. Defined.

(* ── what the decoder lets through ─────────────────────────────────────────────────────────────────────── *)
Definition nonnegb (c : charges) : bool := forallb (fun u => 0 <=? u) c.
Definition wf_commandb (c : command) : bool :=
  match c with
  | CExecute a | CReserve a _ => nonnegb (a_charges a)
  | CSettle _ (Some cost) _ _ => nonnegb cost
  | _ => true
  end.

Lemma nonnegb_ok c : nonnegb c = true <-> nonneg c.
Proof.
  unfold nonnegb, nonneg. rewrite forallb_forall, Forall_forall. split; intros H x I; specialize (H x I); now apply Z.leb_le.
Qed.

Lemma wf_commandb_ok c : wf_commandb c = true <-> wf_command c.
Proof. destruct c as [| | r [cost |] | | | | | | |]; cbn; try (split; [ easy | reflexivity ]); apply nonnegb_ok. Qed.

Section Trace.
  Variable sha : text -> string.                       (* SHA-256 of the canonical text *)
  Variable root : data -> string.                      (* digest of the trie *)
  Variable policy_of : value -> option policy.         (* policyOfBody *)

  Definition entry_of (s : state) (d : decision) (writer : string) : entry :=
    {| en_seq := st_seq s + 1; en_prev := st_head s; en_writer := writer; en_time := d_time d;
       en_command := d_command d; en_kind := d_kind d; en_allowed := d_allowed d; en_checks := d_checks d;
       en_cost := d_cost d; en_answer := d_answer d;
       en_budgets := update_budgets (p_budgets (st_policy s)) (st_budgets (d_next d)) (d_time d) (fun _ b => b);
       en_root := (root (st_data s), root (st_data (d_next d)));
       en_version := (st_version s, st_version (d_next d)) |}.

  Definition sealed := (text * string)%type.

  (** `again`: the entry once more, after the state that it came after. *)
  Definition again (s : option state) (x : sealed) : option state :=
    let '(t, h) := x in
    if negb (String.eqb (sha t) h) then None
    else
      match s, t with
      | None, TOpen body initial time =>
          match policy_of body with
          | Some p => if time =? (if 0 <? time then time else 0) then open_kernel p initial time h else None
          | None => None
          end
      | Some s, TEntry e =>
          if negb (wf_commandb (en_command e)) then None
          else
            let d := decide s (en_command e) (Some (en_time e)) in
            if entry_eq (entry_of s d (en_writer e)) e then Some (fst (seal s d h)) else None
      | _, _ => None
      end.

  (** `verify`: every entry again, from the first one on. *)
  Fixpoint verify_from (s : option state) (trace : list sealed) : option (option state) :=
    match trace with
    | [] => Some s
    | x :: rest => match again s x with Some s' => verify_from (Some s') rest | None => None end
    end.
  Definition verify (trace : list sealed) : option state :=
    match verify_from None trace with Some (Some s) => Some s | _ => None end.

  (** A trace as the kernel writes it. *)
  Inductive written : state -> list sealed -> Prop :=
  | w_open : forall body p initial clock s,
      let time := if 0 <? clock then clock else 0 in
      let t := TOpen body initial time in
      policy_of body = Some p -> open_kernel p initial clock (sha t) = Some s -> written s [(t, sha t)]
  | w_step : forall s trace c clock writer,
      written s trace -> wf_command c ->
      let t := TEntry (entry_of s (decide s c clock) writer) in
      written (step s c clock (sha t)) (trace ++ [(t, sha t)]).
End Trace.
