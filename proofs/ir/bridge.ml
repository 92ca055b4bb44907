(* Between JavaScript and the extracted obligations: reads documents from a text and writes terms. Atoms are
   `<length>:<bytes>`, lists are `(…)`, numbers are binary. It decides nothing. *)
open Model

type sx = A of string | L of sx list

let parse text =
  let n = String.length text and at = ref 0 in
  let rec one () =
    if text.[!at] = '(' then (incr at; let l = many [] in L l)
    else begin
      let colon = String.index_from text !at ':' in
      let len = int_of_string (String.sub text !at (colon - !at)) in
      at := colon + 1 + len; A (String.sub text (colon + 1) len)
    end
  and many acc = if !at >= n then failwith "open list" else if text.[!at] = ')' then (incr at; List.rev acc) else many (one () :: acc) in
  one ()

let rec print buffer = function
  | A s -> Buffer.add_string buffer (string_of_int (String.length s)); Buffer.add_char buffer ':'; Buffer.add_string buffer s
  | L l -> Buffer.add_char buffer '('; List.iter (print buffer) l; Buffer.add_char buffer ')'
let show x = let b = Buffer.create 1024 in print b x; Buffer.contents b

let pos_of s from = let p = ref XH in for i = from + 1 to String.length s - 1 do p := if s.[i] = '1' then XI !p else XO !p done; !p
let z_of s = if s = "0" then Z0 else if s.[0] = '-' then Zneg (pos_of s 1) else Zpos (pos_of s 0)
let pos_text p =
  let rec bits acc = function XH -> '1' :: acc | XO p -> bits ('0' :: acc) p | XI p -> bits ('1' :: acc) p in
  String.of_seq (List.to_seq (bits [] p))
let z_text = function Z0 -> "0" | Zpos p -> pos_text p | Zneg p -> "-" ^ pos_text p

let rec value = function
  | L [A "null"] -> VNull
  | L [A "b"; A b] -> VBool (b = "1")
  | L [A "n"; A a; A b] -> VNum { qnum = z_of a; qden = (match z_of b with Zpos p -> p | _ -> failwith "denominator") }
  | L [A "s"; A s] -> VStr s
  | L [A "o"; A s] -> VOpaque s
  | L [A "none"] -> VNone
  | L [A "some"; v] -> VSome (value v)
  | L (A "r" :: fs) -> List.fold_right (fun f r -> match f with L [A n; v] -> VCons (n, value v, r) | _ -> failwith "field") fs VNil
  | _ -> failwith "value"
let rec valuex = function
  | VNull -> L [A "null"]
  | VBool b -> L [A "b"; A (if b then "1" else "0")]
  | VNum q -> L [A "n"; A (z_text q.qnum); A (pos_text q.qden)]
  | VStr s -> L [A "s"; A s]
  | VOpaque s -> L [A "o"; A s]
  | VNone -> L [A "none"]
  | VSome v -> L [A "some"; valuex v]
  | VNil -> L [A "r"]
  | VCons (f, v, r) -> (match valuex r with L (A "r" :: fs) -> L (A "r" :: L [A f; valuex v] :: fs) | _ -> failwith "record")

let rec ty = function
  | A "bool" -> TyScalar SBool | A "int" -> TyScalar SInt | A "real" -> TyScalar SReal | A "string" -> TyScalar SStr
  | A "any" -> TyScalar SAny
  | L [A "option"; t] -> TyOpt (ty t)
  | L (A "record" :: fs) -> List.fold_right (fun f r -> match f with L [A n; t] -> TyCons (n, ty t, r) | _ -> failwith "field") fs TyNil
  | _ -> failwith "type"
let str = function A s -> s | _ -> failwith "text"
let strs = function L l -> List.map str l | _ -> failwith "texts"
let opt f = function L [] -> None | L [x] -> Some (f x) | _ -> failwith "option"

let unop = function "not" -> Not | "neg" -> Neg | n -> Other1 n
let binop = function
  | "and" -> And | "or" -> Or | "implies" -> Implies | "+" -> Add | "-" -> Sub | "*" -> Mul | "<" -> Lt0 | "<=" -> Le | ">" -> Gt0
  | ">=" -> Ge | "++" -> Concat | n -> Other2 n
let rec expr = function
  | L [A "const"; v] -> EConst (value v)
  | L [A "var"; A x] -> EVar x
  | L [A "field"; e; A f] -> EField (expr e, f)
  | L [A "let"; A x; e; b] -> ELet (x, expr e, expr b)
  | L [A "un"; A o; e] -> EUn (unop o, expr e)
  | L [A "bin"; A o; a; b] -> EBin (binop o, expr a, expr b)
  | L [A "if"; c; a; b] -> EIf (expr c, expr a, expr b)
  | L [A "eq"; a; b] -> EEq (expr a, expr b)
  | L [A "some"; e] -> ESome (expr e)
  | L [A "isSome"; e] -> EIsSome (expr e)
  | L [A "value"; d; e] -> EValue (value d, expr e)
  | L [A "orElse"; a; b] -> EOrElse (expr a, expr b)
  | L (A "record" :: fs) -> List.fold_right (fun f r -> match f with L [A n; e] -> ECons (n, expr e, r) | _ -> failwith "field") fs ENil
  | L [A "fold"; ts; A x; A acc; init; step] -> EFold (strs ts, x, acc, expr init, expr step)
  | L [A "forall"; ts; A x; w; b] -> EForall (strs ts, x, expr w, expr b)
  | L [A "exists"; ts; A x; w; b] -> EExists (strs ts, x, expr w, expr b)
  | L [A "sum"; ts; A x; w; b] -> ESum (strs ts, x, expr w, expr b)
  | _ -> failwith "expression"
let exprs = function L l -> List.map expr l | _ -> failwith "expressions"
let tool = function
  | L [A n; ps; r; req; ens; cost; left] ->
      { t_name = n; t_params = strs ps; t_result = opt ty r; t_requires = exprs req; t_ensures = exprs ens; t_cost = opt expr cost; t_left = ty left }
  | _ -> failwith "tool"
let command = function
  | L [A "let"; A x; e] -> CLet (x, expr e)
  | L [A "require"; w; c] -> CRequire (expr w, expr c)
  | L [A "call"; t; L args; b; w; c] ->
      CCall (tool t, List.map (function L [A n; e] -> (n, expr e) | _ -> failwith "argument") args, opt str b, opt expr w, opt str c)
  | _ -> failwith "command"
let document = function
  | L [L inputs; L body; gs] ->
      { d_inputs = List.map (function L [A n; t] -> (n, ty t) | _ -> failwith "input") inputs;
        d_body = List.map command body; d_guarantees = exprs gs }
  | _ -> failwith "document"

let sort_text = function SBool -> "bool" | SInt -> "int" | SReal -> "real" | SStr -> "string" | SAny -> "any"
let rec nat_int = function O -> 0 | S n -> 1 + nat_int n
let part = function PPresent -> "?" | PValue -> "!" | PHead -> "h" | PTail -> "t"
let path p = String.concat "" (List.map part p)
let var_text = function
  | XInput (n, p, _) -> "input " ^ n ^ " " ^ path p
  | XResult (c, p, _) -> Printf.sprintf "result %d %s" (nat_int c) (path p)
  | XFailed c -> Printf.sprintf "failed %d" (nat_int c)
  | XTook c -> Printf.sprintf "took %d" (nat_int c)
  | XLeft (c, p, _) -> Printf.sprintf "left %d %s" (nat_int c) (path p)
let un_text = function Not -> "not" | Neg -> "neg" | Other1 n -> n
let bin_text = function
  | And -> "and" | Or -> "or" | Implies -> "implies" | Add -> "+" | Sub -> "-" | Mul -> "*" | Lt0 -> "<" | Le -> "<=" | Gt0 -> ">"
  | Ge -> ">=" | Concat -> "++" | Other2 n -> n

(* Terms share their parts; each node is written once. *)
open Js_of_ocaml
let obligations_ text =
  match obligations (document (parse text)) with
  | None -> show (L [])
  | Some (claims, goals) ->
      let seen = Js.Unsafe.new_obj (Js.Unsafe.pure_js_expr "Map") [||] in
      let known : (string, int) Hashtbl.t = Hashtbl.create 64 in
      let nodes = ref [] and count = ref 0 in
      let rec id (t : term) : int =
        let before : int Js.optdef = Js.Unsafe.meth_call seen "get" [| Js.Unsafe.inject (Obj.magic t : Js.Unsafe.any) |] in
        match Js.Optdef.to_option before with
        | Some n -> n
        | None ->
            let made = match t with
              | TConst v -> L [A "const"; valuex v]
              | TVar x -> L [A "var"; A (var_text x); A (sort_text (sort_of x))]
              | TUn (o, a) -> L [A "un"; A (un_text o); ix a]
              | TBin (o, a, b) -> let a = ix a in L [A "bin"; A (bin_text o); a; ix b]
              | TIte (c, a, b) -> let c = ix c in let a = ix a in L [A "ite"; c; a; ix b]
              | TEq (a, b) -> let a = ix a in L [A "eq"; a; ix b] in
            let key = show made in
            let n = match Hashtbl.find_opt known key with
              | Some n -> n
              | None -> let n = !count in incr count; nodes := made :: !nodes; Hashtbl.replace known key n; n in
            ignore (Js.Unsafe.meth_call seen "set" [| Js.Unsafe.inject (Obj.magic t : Js.Unsafe.any); Js.Unsafe.inject n |]);
            n
      and ix t = A (string_of_int (id t)) in
      let one (assumptions, goal) = L [L (List.rev_map ix assumptions); ix goal] in
      let claims = List.map one claims in
      let goals = List.map one goals in
      show (L [L (List.rev !nodes); L claims; L goals])

(* A run: (document inputs world) *)
let stop_text = function
  | StopRequire -> "require" | StopRequires -> "requires" | StopCost -> "cost" | StopFailed -> "failed" | StopType -> "type" | StopEnsures -> "ensures"
let run_ ask text = match parse text with
  | L [d; L inputs; L world] ->
      let d = document d in
      let inputs = List.map (function L [A n; v] -> (n, value v) | _ -> failwith "input") inputs in
      let world = Array.of_list (List.map (function
        | L [A "returned"; v] -> Returned (value v) | L [A "failed"; A t; v] -> Failed (t = "1", value v) | _ -> failwith "outcome") world) in
      let ask1 name v = value (parse (ask (show (L [A name; valuex v])))) in
      let ask2 name a b = value (parse (ask (show (L [A name; valuex a; valuex b])))) in
      (match run ask1 ask2 (fun n -> world.(nat_int n)) O d.d_body inputs [] with
       | Stopped why -> show (L [A "stopped"; A (stop_text why)])
       | Completed (_, calls) ->
           show (L [A "completed"; A (string_of_int (List.length calls));
                    L (List.map (fun g -> A (match eval ask1 ask2 g inputs calls with VBool true -> "holds" | VBool false -> "violated" | _ -> "none")) d.d_guarantees)]))
  | _ -> failwith "run"

let () =
  let out = Js.Unsafe.pure_js_expr "exports" in
  Js.Unsafe.set out "obligations" (Js.wrap_callback (fun s -> Js.bytestring (obligations_ (Js.to_bytestring s))));
  Js.Unsafe.set out "run" (Js.wrap_callback (fun ask s ->
    let ask text = Js.to_bytestring (Js.Unsafe.fun_call ask [| Js.Unsafe.inject (Js.bytestring text) |]) in
    Js.bytestring (run_ ask (Js.to_bytestring s))))
