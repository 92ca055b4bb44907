/** An answer of the service, or its refusal. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Refusal };

export interface Refusal {
  /** 0 if there was no answer. */
  readonly status: number;
  readonly message: string;
  readonly help: string | null;
}
