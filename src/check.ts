/** The checker of certificates, on its own: nothing of the front end or of the prover is behind it. */
export {
  type Certificate,
  type CheckCode,
  type Checking,
  type CheckOptions,
  type CheckProblem,
  certificateText,
  checkCertificate,
  checkCodes,
  type Replayer,
  readCertificate,
  solverLimits,
  trusts,
} from "./certificate/index.ts";
