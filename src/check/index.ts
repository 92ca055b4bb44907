/** The checker of certificates, on its own: nothing of the front end or of the prover is behind it. */
export { type Certificate, certificateText, readCertificate, solverLimits } from "./certificate.ts";
export {
  type Checking,
  type CheckOptions,
  type CheckProblem,
  checkCertificate,
  type Replayer,
  trusts,
} from "./check.ts";
export { type CheckCode, checkCodes } from "./codes.ts";
