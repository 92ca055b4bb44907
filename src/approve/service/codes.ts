/** Why the service refuses; a closed set. 41xx is about the service, with the status of HTTP that goes with each. */
export const serviceCodes = {
  FC4101: "not signed in",
  FC4102: "not allowed with this credential",
  FC4103: "not found",
  FC4104: "body is malformed",
  FC4105: "body is too large",
  FC4106: "already decided",
  FC4107: "request was changed since",
  FC4108: "not possible in this state",
  FC4109: "request comes from another site",
  FC4110: "too many requests at once",
  FC4111: "too many open requests",
  FC4112: "number cannot be shown exactly",
  FC4113: "service is not available",
  FC4114: "unknown host",
} as const;

export type ServiceCode = keyof typeof serviceCodes;

export const statusOfCode: Readonly<
  Record<ServiceCode, 400 | 401 | 403 | 404 | 409 | 413 | 421 | 422 | 429 | 503>
> = {
  FC4101: 401,
  FC4102: 403,
  FC4103: 404,
  FC4104: 400,
  FC4105: 413,
  FC4106: 409,
  FC4107: 409,
  FC4108: 409,
  FC4109: 403,
  FC4110: 429,
  FC4111: 429,
  FC4112: 422,
  FC4113: 503,
  FC4114: 421,
};

/** Thrown inside the service where something is refused, and answered in one place. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: ServiceCode;
  readonly help: string | undefined;
  /** Further fields of the error, such as a decision that was already made. */
  readonly more: object;

  constructor(code: ServiceCode, message: string, help?: string, more: object = {}) {
    super(message);
    this.code = code;
    this.help = help;
    this.more = more;
  }
}
