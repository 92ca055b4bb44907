(* Between JavaScript and the extracted model: reads policies and commands from a text, and writes states and decisions.
   Atoms are `<length>:<bytes>`, lists are `(…)`; numbers are binary, with a sign. It decides nothing. *)
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

(* numbers *)
let pos_of s from =
  let p = ref XH in
  for i = from + 1 to String.length s - 1 do p := if s.[i] = '1' then XI !p else XO !p done; !p
let z_of s = if s = "0" then Z0 else if s.[0] = '-' then Zneg (pos_of s 1) else Zpos (pos_of s 0)
let pos_text p =
  let rec bits acc = function XH -> '1' :: acc | XO p -> bits ('0' :: acc) p | XI p -> bits ('1' :: acc) p in
  String.of_seq (List.to_seq (bits [] p))
let z_text = function Z0 -> "0" | Zpos p -> pos_text p | Zneg p -> "-" ^ pos_text p
let z = function A s -> z_of s | _ -> failwith "number"
let zx n = A (z_text n)
let q num den = { qnum = z num; qden = (match z den with Zpos p -> p | _ -> failwith "denominator") }
let rec nat_of n = if n = 0 then O else S (nat_of (n - 1))

let str = function A s -> s | _ -> failwith "text"
let items = function L l -> l | _ -> failwith "list"
let opt f = function L [] -> None | L [x] -> Some (f x) | _ -> failwith "option"
let optx f = function None -> L [] | Some x -> L [f x]
let flag = function A "1" -> true | A "0" -> false | _ -> failwith "flag"
let flagx b = A (if b then "1" else "0")

let rec value = function
  | L [A "z"] -> VNull
  | L [A "b"; b] -> VBool (flag b)
  | L [A "n"; a; b] -> VNum (q a b)
  | L [A "s"; s] -> VStr (str s)
  | L (A "l" :: l) -> VList (List.map value l)
  | L (A "r" :: l) -> VRec (List.map (function L [k; v] -> (str k, value v) | _ -> failwith "field") l)
  | _ -> failwith "value"
let rec valuex = function
  | VNull -> L [A "z"]
  | VBool b -> L [A "b"; flagx b]
  | VNum x -> L [A "n"; zx x.qnum; A (pos_text x.qden)]
  | VStr s -> L [A "s"; A s]
  | VList l -> L (A "l" :: List.map valuex l)
  | VRec l -> L (A "r" :: List.map (fun (k, v) -> L [A k; valuex v]) l)

let op = function
  | "set" -> OSet | "increment" -> OIncrement | "decrement" -> ODecrement | "multiply" -> OMultiply
  | "append" -> OAppend | "remove" -> ORemove | "delete" -> ODelete | _ -> failwith "op"
let effect_ = function L [k; o; v] -> { e_key = str k; e_op = op (str o); e_value = opt value v } | _ -> failwith "effect"
let charges c = List.map z (items c)

let budget = function
  | L [name; limit; min; window; around] ->
      { bp_name = str name; bp_limit = z limit; bp_min_cost = z min; bp_window = opt z window;
        bp_around = List.map (fun x -> nat_of (int_of_string (str x))) (items around) }
  | _ -> failwith "budget"

let rule missing = function
  | L [A "rateLimit"; k; a; b] -> rate_limit missing (str k) (q a b)
  | L [A "ceiling"; k; a; b] -> ceiling missing (str k) (q a b)
  | L [A "range"; k; a; b; c; d] -> range missing (str k) (q a b) (q c d)
  | L [A "requiredKeys"; ks] -> required_keys missing (List.map str (items ks))
  | L [A "readOnly"; ks] -> read_only missing (List.map str (items ks))
  | L [A "noDelete"; keeps; ks] -> no_delete missing (flag keeps) (List.map str (items ks))
  | L [A "allowedValues"; k; vs] -> allowed_values missing (str k) (List.map value (items vs))
  | L [A "monotoneIncreasing"; k] -> monotone_increasing missing (str k)
  | L [A "monotoneDecreasing"; k] -> monotone_decreasing missing (str k)
  | L [A "listLength"; k; n] -> list_length missing (str k) (z n)
  | L [A "noDuplicates"; k] -> no_duplicates missing (str k)
  | L [A "stringLength"; k; n] -> string_length missing (str k) (z n)
  | L [A "approvalGate"; k] -> approval_gate missing (str k)
  | L [A "terminalFlag"; k] -> terminal_flag missing (str k)
  | L [A "timeWindow"; m; w] -> time_window (z m) (z w)
  | _ -> failwith "rule"

let invariant = function
  | L [name; blocking; missing; r] -> { i_name = str name; i_blocking = flag blocking; i_rule = rule (flag missing) r }
  | _ -> failwith "invariant"

let policy = function
  | L [budgets; max_steps; invariants; emergencies; protects; probes; undo] ->
      make_policy (List.map budget (items budgets)) (opt z max_steps) (List.map invariant (items invariants))
        (List.map (function L [id; es; cap] -> (str id, { em_effects = List.map effect_ (items es); em_cap = z cap }) | _ -> failwith "emergency") (items emergencies))
        (List.map str (items protects))
        (List.map (function L [n; ks; a; b] -> (str n, { pr_keys = List.map str (items ks); pr_threshold = q a b }) | _ -> failwith "probe") (items probes))
        (z undo)
  | _ -> failwith "policy"

let cells d = List.map (function L [k; v] -> (str k, value v) | _ -> failwith "cell") (items d)

(* charges are worked out here from the costs, as `withAround` does *)
let action budgets = function
  | L [id; tool; args; effects; costs; reads; undo] ->
      let costs = charges costs in
      { a_id = str id; a_tool = opt str tool; a_args = opt value args; a_effects = List.map effect_ (items effects);
        a_costs = costs; a_charges = with_around budgets costs; a_reads = opt z reads; a_undo = opt value undo }
  | _ -> failwith "action"

let receipt = function
  | L [A "s"; n; h] -> StepReceipt (z n, str h)
  | L [A "r"; n; h] -> ReservationReceipt (z n, str h)
  | L [] -> NoReceipt
  | _ -> failwith "receipt"
let receiptx = function
  | StepReceipt (n, h) -> L [A "s"; zx n; A h]
  | ReservationReceipt (n, h) -> L [A "r"; zx n; A h]
  | NoReceipt -> L []

let code = function "shape" -> CShape | "limit" -> CLimit | _ -> failwith "code"
let codex = function
  | CShape -> "shape" | CLimit -> "limit" | CVersion -> "version" | CStopped -> "stopped" | CEmergency -> "emergency"
  | CProtected -> "protected" | CHeld -> "held" | CEffect -> "effect" | CMinCost -> "min-cost" | CBudget -> "budget"
  | CStepLimit -> "step-limit" | CInvariant -> "invariant" | CReceipt -> "receipt" | CDependent -> "dependent"
  | CIdempotencyKey -> "idempotency-key" | CDrift -> "drift"

let command budgets = function
  | L [A "execute"; a] -> CExecute (action budgets a)
  | L [A "reserve"; a; key] -> CReserve (action budgets a, opt str key)
  | L [A "settle"; r; cost; drop] -> CSettle (receipt r, opt (fun c -> with_around budgets (charges c)) cost, flag drop, VNull)
  | L [A "release"; r] -> CRelease (receipt r, VNull)
  | L [A "rollback"; f; t] -> CRollback (receipt f, receipt t)
  | L [A "grant"; k; v] -> CGrant (str k, value v, VNull)
  | L [A "observe"; p; vs; take] -> CObserve (str p, cells vs, flag take)
  | L [A "stop"; r] -> CStop (str r)
  | L [A "resume"; r] -> CResume (str r)
  | L [A "malformed"; c] -> CMalformed (code (str c), VNull)
  | _ -> failwith "command"

let resultx = function Ok -> L [A "ok"] | Violated c -> L [A "violated"; A (codex c)] | NotJudged -> L [A "not judged"]
let checkx c = L [A c.c_name; resultx c.c_result; flagx c.c_monitoring]
let kindx = function
  | KExecute -> "execute" | KEmergency -> "emergency" | KReserve -> "reserve" | KSettle -> "settle" | KRelease -> "release"
  | KRollback -> "rollback" | KGrant -> "grant" | KObserve -> "observe" | KStop -> "stop" | KResume -> "resume" | KMalformed -> "malformed"
let answerx = function
  | Nothing -> L []
  | Repeats (n, h) -> L [A "repeats"; receiptx (ReservationReceipt (n, h))]
  | UndoOf l -> L [A "undo"; L (List.map valuex l)]
  | Drift l -> L [A "drift"; L (List.map (fun k -> A k) l)]
let statusx = function Open -> "open" | Undone -> "undone" | Final -> "final"
let usex = function Pending -> "pending" | Settled -> "settled" | Released -> "released"

let statex s =
  let sorted f l = L (List.map f (List.sort compare l)) in
  L [ zx s.st_seq; A s.st_head; zx s.st_time; zx s.st_version;
      sorted (fun (k, v) -> L [A k; valuex v]) s.st_data;
      L (List.map (fun b -> L [zx b.gross; zx b.refunded; zx b.spent; zx b.reserved; zx b.window]) s.st_budgets);
      zx s.st_steps; zx s.st_refusals; zx s.st_rollbacks;
      sorted (fun (k, n) -> L [A k; zx n]) s.st_emergencies;
      L (List.map (fun (k, n) -> L [zx k; zx n]) s.st_times);
      L (List.map (fun (k, x) -> L [zx k; zx x.s_version; A x.s_hash;
           L (List.map (fun (k, v) -> L [A k; optx valuex v]) x.s_before); L (List.map zx x.s_charges);
           L (List.map zx x.s_windows); optx valuex x.s_undo; A (statusx x.s_status)]) s.st_records);
      L (List.map (fun (k, r) -> L [zx k; zx r.rv_seq; A r.rv_hash; A r.rv_action.a_id; optx (fun k -> A k) r.rv_key; zx r.rv_time]) s.st_pending);
      sorted (fun (k, (n, h)) -> L [A k; receiptx (ReservationReceipt (n, h))]) s.st_held;
      L (List.map (fun (k, u) -> L [A k; A (usex u.ku_status); (let (n, h) = u.ku_receipt in receiptx (ReservationReceipt (n, h)))]) s.st_keys);
      sorted (fun (k, n) -> L [A k; zx n]) s.st_calls;
      flagx (s.st_stopped <> None) ]

let kernels : (int, state) Hashtbl.t = Hashtbl.create 16
let count = ref 0

(* (policy initial clock hash) → (id state), or () if the kernel cannot be opened *)
let open_ text = match parse text with
  | L [p; d; clock; hash] ->
      (match open_kernel (policy p) (cells d) (z clock) (str hash) with
       | None -> show (L [])
       | Some s -> incr count; Hashtbl.replace kernels !count s; show (L [A (string_of_int !count); statex s]))
  | _ -> failwith "open"

(* (id command clock hash keep) → (kind allowed checks cost answer receipt state) *)
let step_ text = match parse text with
  | L [A id; c; clock; hash; keep] ->
      let id = int_of_string id in
      let s = Hashtbl.find kernels id in
      let d = decide s (command s.st_policy.p_budgets c) (opt z clock) in
      let (s', r) = seal s d (str hash) in
      let id' = match keep with
        | A "1" -> Hashtbl.replace kernels id s'; id
        | A "new" -> incr count; Hashtbl.replace kernels !count s'; !count
        | _ -> id in
      show (L [A (kindx d.d_kind); flagx d.d_allowed; L (List.map checkx d.d_checks); L (List.map zx d.d_cost);
               answerx d.d_answer; receiptx r; statex s'; A (string_of_int id')])
  | _ -> failwith "step"

let drop_ text = Hashtbl.remove kernels (int_of_string text); ""

let () =
  let open Js_of_ocaml in
  let export name f =
    Js.Unsafe.set (Js.Unsafe.pure_js_expr "exports") name
      (Js.wrap_callback (fun s -> Js.bytestring (f (Js.to_bytestring s)))) in
  export "open" open_; export "step" step_; export "drop" drop_
