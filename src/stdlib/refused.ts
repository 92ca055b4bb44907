/** The error of a tool that refuses a call: a code that callers rely on, and a sentence. */

export class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "Refused";
    this.code = code;
  }
}

export function refused(code: string, message: string): never {
  throw new Refused(code, message);
}
