/** Error codes of certificates; a closed set. Each code has a page in `docs/reference/errors/`. */
export const checkCodes = {
  FC5301: "program is not proved",
  FC5302: "program cannot be certified",
  FC5303: "certificate cannot be read",
  FC5304: "certificate was changed",
  FC5305: "certificate does not fit its document",
  FC5306: "evidence does not hold",
  FC5307: "certificate of another document",
} as const;

export type CheckCode = keyof typeof checkCodes;
