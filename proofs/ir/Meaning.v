(** The Effect IR without loops, lists and fluents: values, expressions, formulas over the calls, commands, and what they mean.
    src/ir/{document,value}.ts, src/ir/eval/{evaluate,formula}.ts, src/ir/run/{interpret,calls}.ts.
    Expressions are total: what the type checker rules out is `VNull` here. *)
From Coq Require Import ZArith QArith Qreduction String Bool Lia List.
Import ListNotations.
Open Scope Z_scope.

Inductive val :=
| VNull | VBool (b : bool) | VNum (q : Q) | VStr (s : string)
| VOpaque (s : string)                             (* a list, map or JSON, by its canonical text *)
| VNone | VSome (v : val)
| VNil | VCons (f : string) (v rest : val).        (* a record: its fields in the order of its type *)

Definition truth (v : val) : bool := match v with VBool true => true | _ => false end.
Definition num (v : val) : Q := match v with VNum q => q | _ => 0%Q end.
Definition txt (v : val) : string := match v with VStr s => s | _ => EmptyString end.

Definition q_eqb (a b : Q) : bool := Z.eqb (Qnum a) (Qnum b) && Pos.eqb (Qden a) (Qden b).
Fixpoint val_eqb (a b : val) : bool :=
  match a, b with
  | VNull, VNull | VNone, VNone | VNil, VNil => true
  | VBool x, VBool y => Bool.eqb x y
  | VNum x, VNum y => q_eqb x y
  | VStr x, VStr y | VOpaque x, VOpaque y => String.eqb x y
  | VSome x, VSome y => val_eqb x y
  | VCons f x r, VCons g y s => String.eqb f g && val_eqb x y && val_eqb r s
  | _, _ => false
  end.

Fixpoint vfield (v : val) (f : string) : val :=
  match v with VCons g x r => if String.eqb g f then x else vfield r f | _ => VNull end.

(* ── operators: those that are scalar ──────────────────────────────────────────────────────────────────── *)
Inductive unop := Not | Neg | Other1 (name : string).
Inductive binop := And | Or | Implies | Add | Sub | Mul | Lt | Le | Gt | Ge | Concat | Other2 (name : string).

Definition nadd (a b : Q) : Q := Qred (a + b).
Definition qlt (a b : Q) : bool := negb (Qle_bool b a).

Section Meaning.
  (** What every other operator of the table does: any functions whatsoever. *)
  Variable other1 : string -> val -> val.
  Variable other2 : string -> val -> val -> val.

  Definition apply1 (o : unop) (a : val) : val :=
    match o with Not => VBool (negb (truth a)) | Neg => VNum (Qred (Qopp (num a))) | Other1 n => other1 n a end.
  Definition apply2 (o : binop) (a b : val) : val :=
    match o with
    | And => VBool (truth a && truth b)
    | Or => VBool (truth a || truth b)
    | Implies => VBool (negb (truth a) || truth b)
    | Add => VNum (nadd (num a) (num b))
    | Sub => VNum (Qred (num a - num b))
    | Mul => VNum (Qred (num a * num b))
    | Lt => VBool (qlt (num a) (num b))
    | Le => VBool (Qle_bool (num a) (num b))
    | Gt => VBool (qlt (num b) (num a))
    | Ge => VBool (Qle_bool (num b) (num a))
    | Concat => VStr (txt a ++ txt b)
    | Other2 n => other2 n a b
    end.

  (* ── expressions ─────────────────────────────────────────────────────────────────────────────────────── *)
  Inductive expr :=
  | EConst (v : val)
  | EVar (x : string)
  | EField (e : expr) (f : string)
  | ELet (x : string) (e body : expr)
  | EUn (o : unop) (e : expr)
  | EBin (o : binop) (a b : expr)
  | EIf (c a b : expr)
  | EEq (a b : expr)
  | ESome (e : expr)
  | EIsSome (e : expr)
  | EValue (default : val) (e : expr)              (* `value`, with the default of its type *)
  | EOrElse (e otherwise : expr)
  | ENil                                           (* a record, field by field *)
  | ECons (f : string) (e rest : expr)
  (* `step` of each call of these tools, bound to x, on the value so far, bound to acc *)
  | EFold (tools : list string) (x acc : string) (init step : expr)
  (* of the calls of these tools, each bound to x, for which `where` holds *)
  | EForall (tools : list string) (x : string) (where_ body : expr)
  | EExists (tools : list string) (x : string) (where_ body : expr)
  | ESum (tools : list string) (x : string) (where_ value : expr).   (* a count is a sum of ones *)

  Definition env := list (string * val).
  Fixpoint look (r : env) (x : string) : val :=
    match r with [] => VNull | (y, v) :: r' => if String.eqb x y then v else look r' x end.

  (** A call that happened: its tool and its arguments. *)
  Definition row := (string * val)%type.
  Definition of_tools (tools : list string) (t : string) : bool := existsb (String.eqb t) tools.

  Fixpoint eval (e : expr) (r : env) (calls : list row) : val :=
    match e with
    | EConst v => v
    | EVar x => look r x
    | EField e f => vfield (eval e r calls) f
    | ELet x e b => eval b ((x, eval e r calls) :: r) calls
    | EUn o e => apply1 o (eval e r calls)
    | EBin o a b => apply2 o (eval a r calls) (eval b r calls)
    | EIf c a b => if truth (eval c r calls) then eval a r calls else eval b r calls
    | EEq a b => VBool (val_eqb (eval a r calls) (eval b r calls))
    | ESome e => VSome (eval e r calls)
    | EIsSome e => VBool (match eval e r calls with VSome _ => true | _ => false end)
    | EValue d e => match eval e r calls with VSome v => v | _ => d end
    | EOrElse e o => match eval e r calls with VSome v => v | _ => eval o r calls end
    | ENil => VNil
    | ECons f e rest => VCons f (eval e r calls) (eval rest r calls)
    | EFold ts x acc init step =>
        fold_left (fun a c => if of_tools ts (fst c) then eval step ((x, snd c) :: (acc, a) :: r) calls else a) calls
                  (eval init r calls)
    | EForall ts x w b =>
        VBool (forallb (fun c => negb (of_tools ts (fst c) && truth (eval w ((x, snd c) :: r) calls))
                                 || truth (eval b ((x, snd c) :: r) calls)) calls)
    | EExists ts x w b =>
        VBool (existsb (fun c => of_tools ts (fst c) && truth (eval w ((x, snd c) :: r) calls)
                                 && truth (eval b ((x, snd c) :: r) calls)) calls)
    | ESum ts x w v =>
        VNum (fold_right (fun c n => nadd (if of_tools ts (fst c) && truth (eval w ((x, snd c) :: r) calls)
                                           then num (eval v ((x, snd c) :: r) calls) else 0%Q) n) 0%Q calls)
    end.

  (* ── types ───────────────────────────────────────────────────────────────────────────────────────────── *)
  Inductive sort := SBool | SInt | SReal | SStr | SAny.
  Inductive ty := TyScalar (s : sort) | TyOpt (t : ty) | TyNil | TyCons (f : string) (t rest : ty).

  Definition is_int (q : Q) : bool := Pos.eqb (Qden q) 1.
  Definition has_sort (v : val) (s : sort) : bool :=
    match s, v with
    | SBool, VBool _ => true | SInt, VNum q => is_int q | SReal, VNum _ => true | SStr, VStr _ => true
    | SAny, VOpaque _ => true
    | _, _ => false
    end.
  Fixpoint conforms (v : val) (t : ty) : bool :=
    match t, v with
    | TyScalar s, _ => has_sort v s
    | TyOpt _, VNone => true
    | TyOpt t, VSome v => conforms v t
    | TyNil, VNil => true
    | TyCons f t rt, VCons g v rv => String.eqb f g && conforms v t && conforms rv rt
    | _, _ => false
    end.

  (* ── tools, commands, documents ──────────────────────────────────────────────────────────────────────── *)
  Record tool := {
    t_name : string;
    t_params : list string;
    t_result : option ty;
    t_requires : list expr;
    t_ensures : list expr;
    t_cost : option expr;
    t_left : ty;                                     (* of what a failed call may leave in the fluents that it sets *)
  }.

  Inductive command :=
  | CLet (x : string) (e : expr)
  | CRequire (when_ : expr) (condition : expr)
  | CCall (t : tool) (args : list (string * expr)) (bind : option string) (when_ : option expr) (catch : option string).

  Record document := {
    d_inputs : list (string * ty);
    d_body : list command;
    d_guarantees : list expr;
  }.

  (* ── running: the world answers each call, by its number ─────────────────────────────────────────────── *)
  Inductive outcome := Returned (v : val) | Failed (took : bool) (left : val).
  Variable world : nat -> outcome.

  Inductive stop := StopRequire | StopRequires | StopCost | StopFailed | StopType | StopEnsures.
  Inductive ran := Completed (r : env) (calls : list row) | Stopped (why : stop).

  Definition clause_env (t : tool) (args : val) : env := List.map (fun p => (p, vfield args p)) (t_params t).
  Fixpoint record_of (r : env) (args : list (string * expr)) : val :=
    match args with [] => VNil | (f, e) :: rest => VCons f (eval e r []) (record_of r rest) end.

  Definition bound (bind : option string) (v : val) (r : env) : env := match bind with Some x => (x, v) :: r | None => r end.
  Definition is_some {A} (o : option A) : bool := match o with Some _ => true | None => false end.

  (** A call as guarantees see it: its arguments, and under names that no argument has its number, its result, whether it
      had its effect, whether it failed, and what it left behind if it did. *)
  Definition row_of (n : nat) (result : val) (took failed : bool) (left args : val) : val :=
    VCons "#" (VNum (inject_Z (Z.of_nat n)))
      (VCons "=" result (VCons "!" (VBool took) (VCons "~" (VBool failed) (VCons "?" left args)))).

  (** `calls` are those that were reached so far, in order. What tools require is judged on them: the state of fluents is
      what the calls have written. *)
  Fixpoint run (n : nat) (body : list command) (r : env) (calls : list row) : ran :=
    match body with
    | [] => Completed r calls
    | CLet x e :: rest => run n rest ((x, eval e r []) :: r) calls
    | CRequire w c :: rest =>
        if negb (truth (eval w r [])) || truth (eval c r []) then run n rest r calls else Stopped StopRequire
    | CCall t args bind w catch :: rest =>
        let reached := match w with None => true | Some e => truth (eval e r []) end in
        let maybe := is_some w || is_some catch in
        let bind := match t_result t with None => None | Some _ => bind end in
        if negb reached then
          run (S n) rest (bound bind VNone (bound catch (VBool false) r)) calls
        else
          let a := record_of r args in
          let ce := clause_env t a in
          if negb (forallb (fun c => truth (eval c ce calls)) (t_requires t)) then Stopped StopRequires
          else if negb (match t_cost t with None => true | Some e => Qle_bool 0 (num (eval e ce calls)) end) then Stopped StopCost
          else
            match world n with
            | Failed took lf =>
                if is_some catch then
                  if negb (conforms lf (t_left t)) then Stopped StopType
                  else run (S n) rest (bound bind VNone (bound catch (VBool true) r))
                         (calls ++ [(t_name t, row_of n VNone took true (VSome lf) a)])
                else Stopped StopFailed
            | Returned v =>
                if negb (match t_result t with None => true | Some ty => conforms v ty end) then Stopped StopType
                else if negb (forallb (fun c => truth (eval c (match t_result t with Some _ => ("result"%string, v) :: ce | None => ce end) [])) (t_ensures t)) then Stopped StopEnsures
                else
                  let held := if maybe then VSome v else v in
                  let result := match t_result t with None => VNone | Some _ => VSome v end in
                  run (S n) rest (bound bind held (bound catch (VBool false) r))
                    (calls ++ [(t_name t, row_of n result true false VNone a)])
            end
    end.

  Definition fits (inputs : env) (types : list (string * ty)) : Prop :=
    List.map fst inputs = List.map fst types /\
    Forall2 (fun i t => conforms (snd i) (snd t) = true) inputs types.
End Meaning.

