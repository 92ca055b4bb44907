(** Values of the state and effects on it: src/ir/value.ts, src/ir/number.ts, src/kernel/core/effects.ts, limits.ts.
    Numbers are exact rationals in lowest terms, as in number.ts. Texts are sequences of bytes here and of UTF-16 code
    units there; the two differ only in how long a text that is not ASCII counts (check_size, stringLength). *)
From Coq Require Import ZArith QArith Qreduction String Bool Lia List.
From Foreclaim Require Import Maps.
Import ListNotations.
Open Scope Z_scope.

(* ── limits.ts ─────────────────────────────────────────────────────────────────────────────────────────── *)
Definition limit_depth : Z := 64.
Definition limit_nodes : Z := 20000.
Definition limit_bits : Z := 1024.
Definition limit_keys : Z := 1000000.
Definition limit_tools : Z := 10000.
Definition limit_pending : Z := 10000.
Definition limit_idempotency_keys : Z := 1000000.
Definition max_safe : Z := 9007199254740991.

(* ── values ────────────────────────────────────────────────────────────────────────────────────────────── *)
Inductive value :=
| VNull
| VBool (b : bool)
| VNum (q : Q)
| VStr (s : string)
| VList (items : list value)
| VRec (fields : list (string * value)).   (* names in order, each once *)

Definition num_eqb (a b : Q) : bool := Z.eqb (Qnum a) (Qnum b) && Pos.eqb (Qden a) (Qden b).

Fixpoint value_eqb (a b : value) : bool :=
  match a, b with
  | VNull, VNull => true
  | VBool x, VBool y => Bool.eqb x y
  | VNum x, VNum y => num_eqb x y
  | VStr x, VStr y => String.eqb x y
  | VList xs, VList ys =>
      (fix items (xs ys : list value) : bool :=
         match xs, ys with
         | [], [] => true
         | x :: xs', y :: ys' => value_eqb x y && items xs' ys'
         | _, _ => false
         end) xs ys
  | VRec xs, VRec ys =>
      (fix fields (xs ys : list (string * value)) : bool :=
         match xs, ys with
         | [], [] => true
         | (n, x) :: xs', (m, y) :: ys' => String.eqb n m && value_eqb x y && fields xs' ys'
         | _, _ => false
         end) xs ys
  | _, _ => false
  end.

(** sameValue(get(…), get(…)) *)
Definition same (a b : option value) : bool :=
  match a, b with
  | None, None => true
  | Some x, Some y => value_eqb x y
  | _, _ => false
  end.

(** checkNumber: at most 1,024 bits in each half. Sums, differences and products of finite decimals are finite decimals. *)
Definition fits_bits (z : Z) : bool := Z.abs z <? 2 ^ limit_bits.
Definition check_number (q : Q) : bool := fits_bits (Qnum q) && fits_bits (Zpos (Qden q)).

(** checkSize in decode.ts: parts, and depth. *)
Definition text_parts (s : string) : Z := Z.of_nat (String.length s) / 64.

Fixpoint parts (v : value) : Z :=
  match v with
  | VStr s => 1 + text_parts s
  | VList l => 1 + (fix items l := match l with [] => 0 | x :: l' => parts x + items l' end) l
  | VRec l => 1 + (fix fields l := match l with [] => 0 | (n, x) :: l' => text_parts n + parts x + fields l' end) l
  | _ => 1
  end.

Fixpoint depth (v : value) : Z :=
  match v with
  | VList l => (fix items l := match l with [] => 0 | x :: l' => Z.max (1 + depth x) (items l') end) l
  | VRec l => (fix fields l := match l with [] => 0 | (_, x) :: l' => Z.max (1 + depth x) (fields l') end) l
  | _ => 0
  end.

Definition check_size (v : value) : bool := (depth v <=? limit_depth) && (parts v <=? limit_nodes).

(* ── codes of refusals: problem.ts ─────────────────────────────────────────────────────────────────────── *)
Inductive code :=
| CShape | CLimit | CVersion | CStopped | CEmergency | CProtected | CHeld | CEffect | CMinCost | CBudget | CStepLimit
| CInvariant | CReceipt | CDependent | CIdempotencyKey | CDrift.

(* ── effects.ts ────────────────────────────────────────────────────────────────────────────────────────── *)
Definition data := map string value.

Inductive operation := OSet | OIncrement | ODecrement | OMultiply | OAppend | ORemove | ODelete.

Record effect := { e_key : string; e_op : operation; e_value : option value }.

Inductive applied := Applied (after : data) | Not (why : code).

Definition computed (f : Q -> Q -> Q) (before operand : value) : value + code :=
  match before, operand with
  | VNum a, VNum b => let result := Qred (f a b) in if check_number result then inl (VNum result) else inr CLimit
  | _, _ => inr CEffect
  end.

Fixpoint without (x : value) (l : list value) : option (list value) :=
  match l with
  | [] => None
  | y :: l' => if value_eqb y x then Some l' else option_map (cons y) (without x l')
  end.

Definition changed (before : value) (op : operation) (operand : value) : value + code :=
  match op with
  | OIncrement => computed Qplus before operand
  | ODecrement => computed Qminus before operand
  | OMultiply => computed Qmult before operand
  | OAppend =>
      match before with
      | VList l => let longer := VList (l ++ [operand]) in if check_size longer then inl longer else inr CLimit
      | _ => inr CEffect
      end
  | ORemove =>
      match before with
      | VList l => match without operand l with Some rest => inl (VList rest) | None => inr CEffect end
      | _ => inr CEffect
      end
  | OSet | ODelete => inr CEffect
  end.

Definition apply_effect (d : data) (e : effect) : applied :=
  let before := get d (e_key e) in
  match e_op e, e_value e, before with
  | ODelete, _, None => Not CEffect
  | ODelete, _, Some _ => Applied (remove d (e_key e))
  | _, None, _ => Not CEffect
  | OSet, Some v, None => if limit_keys <=? size d then Not CLimit else Applied (set d (e_key e) v)
  | OSet, Some v, Some _ => Applied (set d (e_key e) v)
  | _, Some _, None => Not CEffect
  | op, Some v, Some b => match changed b op v with inl now => Applied (set d (e_key e) now) | inr why => Not why end
  end.

Fixpoint apply_effects (d : data) (es : list effect) : applied :=
  match es with
  | [] => Applied d
  | e :: es' => match apply_effect d e with Applied d' => apply_effects d' es' | Not why => Not why end
  end.

(** The keys that effects write, each once, in the order of the first write. *)
Fixpoint keys_of (seen : list string) (es : list effect) : list string :=
  match es with
  | [] => rev seen
  | e :: es' => if mem (e_key e) seen then keys_of seen es' else keys_of (e_key e :: seen) es'
  end.
Definition writes_of (es : list effect) : list string := keys_of [] es.

(* ── what the theorems need to know ────────────────────────────────────────────────────────────────────── *)
Lemma In_writes_iff k es : In k (writes_of es) <-> In k (List.map e_key es).
Proof.
  unfold writes_of.
  assert (G : forall seen, In k (keys_of seen es) <-> In k seen \/ In k (List.map e_key es)).
  { induction es as [| e es IH]; intros seen; cbn.
    - rewrite <- in_rev. tauto.
    - destruct (mem (e_key e) seen) eqn:M.
      + rewrite IH. apply mem_In in M. split; [ tauto |]. intros [I | [<- | I]]; auto.
      + rewrite IH. cbn. tauto. }
  rewrite G. cbn. tauto.
Qed.

Lemma apply_effect_frame d e d' k : apply_effect d e = Applied d' -> k <> e_key e -> get d' k = get d k.
Proof.
  unfold apply_effect. intros A N.
  destruct (e_op e), (e_value e) as [v |], (get d (e_key e)) as [b |]; try discriminate A;
    try (destruct (limit_keys <=? size d); [ discriminate A |]);
    try (destruct (changed b _ v); [| discriminate A ]);
    inversion A; subst d'; try (now apply get_set_other); now apply get_remove_other.
Qed.

(** What effects do not name, they do not change. *)
Lemma apply_effects_frame es d d' k :
  apply_effects d es = Applied d' -> ~ In k (writes_of es) -> get d' k = get d k.
Proof.
  rewrite In_writes_iff. revert d. induction es as [| e es IH]; intros d; cbn.
  - intros A _. now inversion A.
  - destruct (apply_effect d e) as [d1 | why] eqn:E; [| discriminate ]. intros A N.
    rewrite (IH d1 A) by tauto. apply (apply_effect_frame _ _ _ _ E). intros ->. apply N. now left.
Qed.
