(** The obligations and the meaning of documents as a program. *)
From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlNativeString.
From ForeclaimIR Require Import Meaning Obligations.
Extraction Language OCaml.
Set Extraction AutoInline.
Extraction "model.ml" obligations run eval sort_of.
