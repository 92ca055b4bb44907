/** For data under construction: an optional part is set only when there is one, never to `undefined`. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
