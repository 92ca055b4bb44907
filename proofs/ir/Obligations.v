(** The checker's translation: documents to obligations over scalar terms. src/check/{value,expression,program,formula,
    obligations}.ts, for documents without loops, lists and fluents. What has no translation is refused: None. *)
From Coq Require Import ZArith QArith Qreduction String Bool Lia List.
From ForeclaimIR Require Import Meaning.
Import ListNotations.
Open Scope Z_scope.

(* ── terms: what a solver is asked about ───────────────────────────────────────────────────────────────── *)
(** A variable names what it stands for: a part of an input, or of what call n returned, or whether call n failed. *)
Inductive part := PPresent | PValue | PHead | PTail.
Inductive var :=
| XInput (name : string) (path : list part) (s : sort)
| XResult (call : nat) (path : list part) (s : sort)
| XFailed (call : nat)
| XTook (call : nat)
| XLeft (call : nat) (path : list part) (s : sort).
Definition sort_of (x : var) : sort := match x with XInput _ _ s | XResult _ _ s | XLeft _ _ s => s | _ => SBool end.

Inductive term :=
| TConst (v : val)
| TVar (x : var)
| TUn (o : unop) (t : term)
| TBin (o : binop) (a b : term)
| TIte (c a b : term)
| TEq (a b : term).

Definition tTrue := TConst (VBool true).
Definition tFalse := TConst (VBool false).

Section Terms.
  Variable other1 : string -> val -> val.
  Variable other2 : string -> val -> val -> val.

  Definition model := var -> val.
  Definition respects (m : model) : Prop := forall x, has_sort (m x) (sort_of x) = true.

  Fixpoint ev (m : model) (t : term) : val :=
    match t with
    | TConst v => v
    | TVar x => m x
    | TUn o t => apply1 other1 o (ev m t)
    | TBin o a b => apply2 other2 o (ev m a) (ev m b)
    | TIte c a b => if truth (ev m c) then ev m a else ev m b
    | TEq a b => VBool (val_eqb (ev m a) (ev m b))
    end.

  (** What a solver answers with `unsat`: no model of the assumptions breaks the goal. *)
  Definition valid (o : list term * term) : Prop :=
    forall m, respects m -> Forall (fun a => truth (ev m a) = true) (fst o) -> truth (ev m (snd o)) = true.
End Terms.

(* ── value.ts: values that are not known yet, in the shape of their types ──────────────────────────────── *)
Inductive plain :=
| PTerm (t : term)
| PNone
| POpt (present : term) (p : plain)
| PNil
| PCons (f : string) (p rest : plain).

Fixpoint known (v : val) : plain :=
  match v with
  | VNone => PNone
  | VSome v => POpt tTrue (known v)
  | VNil => PNil
  | VCons f v r => PCons f (known v) (known r)
  | _ => PTerm (TConst v)
  end.

Fixpoint shaped (t : ty) (mk : list part -> sort -> var) (path : list part) : plain :=
  match t with
  | TyScalar s => PTerm (TVar (mk path s))
  | TyOpt t => POpt (TVar (mk (path ++ [PPresent]) SBool)) (shaped t mk (path ++ [PValue]))
  | TyNil => PNil
  | TyCons f t r => PCons f (shaped t mk (path ++ [PHead])) (shaped r mk (path ++ [PTail]))
  end.

Fixpoint field (p : plain) (f : string) : option plain :=
  match p with PCons g q r => if String.eqb g f then Some q else field r f | _ => None end.

Fixpoint merge (c : term) (p q : plain) : option plain :=
  match p, q with
  | PTerm a, PTerm b => Some (PTerm (TIte c a b))
  | PNone, PNone => Some PNone
  | POpt a p, PNone => Some (POpt (TIte c a tFalse) p)
  | PNone, POpt b q => Some (POpt (TIte c tFalse b) q)
  | POpt a p, POpt b q => option_map (POpt (TIte c a b)) (merge c p q)
  | PNil, PNil => Some PNil
  | PCons f p r, PCons g q s =>
      if String.eqb f g then
        match merge c p q, merge c r s with Some x, Some y => Some (PCons f x y) | _, _ => None end
      else None
  | _, _ => None
  end.

(** Terms of constants are constants: positions of calls are known, and many conditions with them. *)
Definition tEq (a b : term) : term :=
  match a, b with TConst x, TConst y => TConst (VBool (val_eqb x y)) | _, _ => TEq a b end.
Definition tBin (o : binop) (a b : term) : term :=
  match o, a, b with
  | Other2 _, _, _ => TBin o a b
  | _, TConst x, TConst y => TConst (apply2 (fun _ _ _ => VNull) o x y)
  | _, _, _ => TBin o a b
  end.
Definition tUn (o : unop) (a : term) : term :=
  match o, a with
  | Other1 _, _ => TUn o a
  | _, TConst x => TConst (apply1 (fun _ _ => VNull) o x)
  | _, _ => TUn o a
  end.

Definition tAnd (a b : term) : term := TBin And a b.
Definition tOr (a b : term) : term := TBin Or a b.
Definition tNot (a : term) : term := TUn Not a.
Definition tImplies (a b : term) : term := TBin Implies a b.

Fixpoint equal (p q : plain) : option term :=
  match p, q with
  | PTerm a, PTerm b => Some (tEq a b)
  | PNone, PNone | PNil, PNil => Some tTrue
  | POpt a _, PNone | PNone, POpt a _ => Some (tNot a)
  | POpt a p, POpt b q =>
      option_map (fun e => tOr (tAnd (tNot a) (tNot b)) (tAnd a (tAnd b e))) (equal p q)
  | PCons f p r, PCons g q s =>
      if String.eqb f g then match equal p q, equal r s with Some x, Some y => Some (tAnd x y) | _, _ => None end
      else None
  | _, _ => None
  end.

Definition as_term (p : option plain) : option term := match p with Some (PTerm t) => Some t | _ => None end.

(* ── expression.ts and formula.ts ──────────────────────────────────────────────────────────────────────── *)
Definition names := list (string * plain).
Fixpoint find (r : names) (x : string) : option plain :=
  match r with [] => None | (y, p) :: r' => if String.eqb x y then Some p else find r' x end.

(** A call that the program may make. *)
Record srow := { r_tool : string; r_happened : term; r_args : plain }.

Definition both {A B} (a : option A) (b : option B) : option (A * B) :=
  match a, b with Some x, Some y => Some (x, y) | _, _ => None end.

(** Joins what is said of each call of these tools. *)
Fixpoint over (ts : list string) (say : srow -> option (term * term)) (join : srow -> term -> term -> term -> term)
    (last : term) (l : list srow) : option term :=
  match l with
  | [] => Some last
  | c :: l' =>
      if of_tools ts (r_tool c) then
        match say c, over ts say join last l' with Some (w, b), Some rest => Some (join c w b rest) | _, _ => None end
      else over ts say join last l'
  end.

Definition is_true_term (t : term) : bool := match t with TConst (VBool true) => true | _ => false end.

(** The value after one call that may have been made. *)
Definition after_call (happened : term) (then_ before : plain) : option plain :=
  if is_true_term happened then Some then_ else merge happened then_ before.

Fixpoint folding (ts : list string) (say : srow -> plain -> option plain) (l : list srow) (p : plain) : option plain :=
  match l with
  | [] => Some p
  | c :: l' =>
      if of_tools ts (r_tool c) then
        match say c p with
        | Some q => match after_call (r_happened c) q p with Some p' => folding ts say l' p' | None => None end
        | None => None
        end
      else folding ts say l' p
  end.

Fixpoint sym (e : expr) (r : names) (rows : list srow) : option plain :=
  match e with
  | EConst v => Some (known v)
  | EVar x => find r x
  | EField e f => match sym e r rows with Some p => field p f | None => None end
  | ELet x e b => match sym e r rows with Some p => sym b ((x, p) :: r) rows | None => None end
  | EUn o e => option_map (fun t => PTerm (tUn o t)) (as_term (sym e r rows))
  | EBin o a b =>
      match as_term (sym a r rows), as_term (sym b r rows) with
      | Some x, Some y => Some (PTerm (tBin o x y))
      | _, _ => None
      end
  | EIf c a b =>
      match as_term (sym c r rows) with
      | Some (TConst v) => if truth v then sym a r rows else sym b r rows
      | Some c => match sym a r rows, sym b r rows with Some p, Some q => merge c p q | _, _ => None end
      | None => None
      end
  | EEq a b =>
      match sym a r rows, sym b r rows with Some p, Some q => option_map PTerm (equal p q) | _, _ => None end
  | ESome e => option_map (POpt tTrue) (sym e r rows)
  | EIsSome e =>
      match sym e r rows with
      | Some (POpt c _) => Some (PTerm (TIte c tTrue tFalse)) | Some PNone => Some (PTerm tFalse) | _ => None
      end
  | EValue d e =>
      match sym e r rows with
      | Some (POpt c p) => merge c p (known d) | Some PNone => Some (known d) | _ => None
      end
  | EOrElse e o =>
      match sym e r rows, sym o r rows with
      | Some (POpt c p), Some q => merge c p q
      | Some PNone, Some q => Some q
      | _, _ => None
      end
  | ENil => Some PNil
  | ECons f e rest =>
      match sym e r rows, sym rest r rows with Some p, Some q => Some (PCons f p q) | _, _ => None end
  | EFold ts x acc init step =>
      match sym init r rows with
      | Some p => folding ts (fun c q => sym step ((x, r_args c) :: (acc, q) :: r) rows) rows p
      | None => None
      end
  | EForall ts x w b =>
      let say c := both (as_term (sym w ((x, r_args c) :: r) rows)) (as_term (sym b ((x, r_args c) :: r) rows)) in
      option_map PTerm (over ts say (fun c w b rest => tAnd (tImplies (tAnd (r_happened c) w) b) rest) tTrue rows)
  | EExists ts x w b =>
      let say c := both (as_term (sym w ((x, r_args c) :: r) rows)) (as_term (sym b ((x, r_args c) :: r) rows)) in
      option_map PTerm (over ts say (fun c w b rest => tOr (tAnd (tAnd (r_happened c) w) b) rest) tFalse rows)
  | ESum ts x w v =>
      let say c := both (as_term (sym w ((x, r_args c) :: r) rows)) (as_term (sym v ((x, r_args c) :: r) rows)) in
      option_map PTerm
        (over ts say (fun c w v rest => TBin Add (TIte (tAnd (r_happened c) w) v (TConst (VNum 0))) rest) (TConst (VNum 0)) rows)
  end.

(* ── program.ts ────────────────────────────────────────────────────────────────────────────────────────── *)
Record walk := {
  w_names : names;
  w_assumptions : list term;           (* newest first *)
  w_claims : list (list term * term);  (* what must hold, with what may be assumed *)
  w_rows : list srow;
}.

Definition claim (t : term) (w : walk) : walk :=
  {| w_names := w_names w; w_assumptions := t :: w_assumptions w; w_claims := (w_assumptions w, t) :: w_claims w; w_rows := w_rows w |}.
Definition assume (t : term) (w : walk) : walk :=
  {| w_names := w_names w; w_assumptions := t :: w_assumptions w; w_claims := w_claims w; w_rows := w_rows w |}.
Definition name (bind : option string) (p : plain) (w : walk) : walk :=
  match bind with
  | None => w
  | Some x => {| w_names := (x, p) :: w_names w; w_assumptions := w_assumptions w; w_claims := w_claims w; w_rows := w_rows w |}
  end.
Definition add_row (c : srow) (w : walk) : walk :=
  {| w_names := w_names w; w_assumptions := w_assumptions w; w_claims := w_claims w; w_rows := w_rows w ++ [c] |}.

Fixpoint sym_record (r : names) (args : list (string * expr)) : option plain :=
  match args with
  | [] => Some PNil
  | (f, e) :: rest => match sym e r [], sym_record r rest with Some p, Some q => Some (PCons f p q) | _, _ => None end
  end.

Fixpoint clause_names (params : list string) (args : plain) : option names :=
  match params with
  | [] => Some []
  | p :: rest => match field args p, clause_names rest args with Some q, Some r => Some ((p, q) :: r) | _, _ => None end
  end.

Fixpoint claim_all (g : term) (cs : list expr) (r : names) (rows : list srow) (w : walk) : option walk :=
  match cs with
  | [] => Some w
  | c :: rest =>
      match as_term (sym c r rows) with Some t => claim_all g rest r rows (claim (tImplies g t) w) | None => None end
  end.
Fixpoint assume_all (g : term) (cs : list expr) (r : names) (w : walk) : option walk :=
  match cs with
  | [] => Some w
  | c :: rest => match as_term (sym c r []) with Some t => assume_all g rest r (assume (tImplies g t) w) | None => None end
  end.

Definition srow_of (n : nat) (result : plain) (took failed : term) (left args : plain) : plain :=
  PCons "#" (PTerm (TConst (VNum (inject_Z (Z.of_nat n)))))
    (PCons "=" result (PCons "!" (PTerm took) (PCons "~" (PTerm failed) (PCons "?" left args)))).

Fixpoint steps (n : nat) (body : list command) (w : walk) : option walk :=
  match body with
  | [] => Some w
  | CLet x e :: rest => match sym e (w_names w) [] with Some p => steps n rest (name (Some x) p w) | None => None end
  | CRequire wh c :: rest =>
      match as_term (sym wh (w_names w) []), as_term (sym c (w_names w) []) with
      | Some g, Some t => steps n rest (claim (tImplies g t) w)
      | _, _ => None
      end
  | CCall t args bind wh catch :: rest =>
      let maybe := is_some wh || is_some catch in
      match (match wh with None => Some tTrue | Some e => as_term (sym e (w_names w) []) end), sym_record (w_names w) args with
      | Some g, Some a =>
          match clause_names (t_params t) a with
          | Some ce =>
              let failed := if is_some catch then tAnd g (TVar (XFailed n)) else tFalse in
              let took := if is_some catch then tOr (tNot failed) (TVar (XTook n)) else tTrue in
              let answered := tAnd g (tNot failed) in
              match claim_all g (t_requires t) ce (w_rows w) w with
              | Some w1 =>
                  match (match t_cost t with
                         | None => Some w1
                         | Some e => option_map (fun c => claim (tImplies g (TBin Le (TConst (VNum 0)) c)) w1) (as_term (sym e ce (w_rows w)))
                         end) with
                  | Some w2 =>
                      let result := option_map (fun ty => shaped ty (XResult n) []) (t_result t) in
                      let ce' := match result with Some p => ("result"%string, p) :: ce | None => ce end in
                      match assume_all answered (t_ensures t) ce' w2 with
                      | Some w3 =>
                          let told := match result with Some p => POpt answered p | None => PNone end in
                          let left := POpt failed (shaped (t_left t) (XLeft n) []) in
                          let w4 := add_row {| r_tool := t_name t; r_happened := g; r_args := srow_of n told took failed left a |} w3 in
                          let w5 := name catch (PTerm failed) w4 in
                          let w6 := match result with
                                    | None => w5
                                    | Some p => name bind (if maybe then POpt answered p else p) w5
                                    end in
                          steps (S n) rest w6
                      | None => None
                      end
                  | None => None
                  end
              | None => None
              end
          | None => None
          end
      | _, _ => None
      end
  end.

(* ── obligations.ts ────────────────────────────────────────────────────────────────────────────────────── *)
Definition start (d : document) : walk :=
  {| w_names := List.map (fun i => (fst i, shaped (snd i) (XInput (fst i)) [])) (d_inputs d);
     w_assumptions := []; w_claims := []; w_rows := [] |}.

Fixpoint goals (gs : list expr) (r : names) (w : walk) : option (list (list term * term)) :=
  match gs with
  | [] => Some []
  | g :: rest =>
      match as_term (sym g r (w_rows w)), goals rest r w with
      | Some t, Some more => Some ((w_assumptions w, t) :: more)
      | _, _ => None
      end
  end.

(** All that must be shown of a document: what its calls and its program require, and what it guarantees. *)
Definition obligations (d : document) : option (list (list term * term) * list (list term * term)) :=
  match steps 0 (d_body d) (start d) with
  | Some w => match goals (d_guarantees d) (w_names (start d)) w with Some gs => Some (rev (w_claims w), gs) | None => None end
  | None => None
  end.
