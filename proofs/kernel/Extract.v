(** The model as a program. Numbers stay what they are in Coq: nothing but booleans, lists, options, pairs and strings is
    mapped to OCaml's own. *)
From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlNativeString.
From Foreclaim Require Import Maps Value Budget Rule Kernel Run Trace.
Extraction Language OCaml.
Set Extraction AutoInline.
Extraction "model.ml"
  make_policy with_around open_kernel decide seal step
  ceiling range rate_limit monotone_increasing monotone_decreasing required_keys read_only no_delete allowed_values
  list_length no_duplicates string_length approval_gate terminal_flag time_window
  wf_commandb Z.add Z.mul Z.opp.
