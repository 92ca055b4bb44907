/**
 * The hall: load → prove → decide → run, as functions. The command, the library, the service and every other way in come
 * through here. Nothing here prints, ends the process, or runs what nobody approved.
 */
export type { Question } from "../prove/index.ts";
export {
  givenUpAnswer,
  notRun,
  type ProveAnswer,
  type RunAnswer,
  type RunStatus,
} from "./agent/answers.ts";
export {
  type AgentContext,
  type AgentSettings,
  type CatalogueAnswer,
  catalogueForAgent,
  type FormQuestion,
  type FormReply,
  type GivenProgram,
  proveForAgent,
  type RunStage,
  runForAgent,
  type Standing,
  standingForAgent,
} from "./agent/jobs.ts";
export { questionOf, type RunQuestion } from "./agent/question.ts";
export { type OpenQuestion, Runs, type StartedRun, type StartRun } from "./agent/runs.ts";
export {
  type AgentToolName,
  agentTools,
  misfit,
  type ProgramInput,
  type SearchInput,
  type WaitInput,
} from "./agent/schemas.ts";
export { declarationsOf, type FoundTools, searchTools } from "./agent/search.ts";
export { type AttestChoice, attestAction } from "./attest/attest.ts";
export { type Attest, type AttestorFiles, attestorsOf } from "./attest/attestors.ts";
export { checkerDefaults, checkerLimits, runChecker } from "./attest/checker.ts";
export { certify } from "./certify.ts";
export {
  type CheckHow,
  checkCertificateText,
  checkerLines,
  verifyCertificateText,
} from "./check-certificate.ts";
export { type CliCode, codeTitle } from "./codes.ts";
export { type AppliedPolicy, applyPolicy } from "./decide/apply-policy.ts";
export { applyPolicyFile, checkPolicyOn } from "./decide/check-policy.ts";
export { fileForWorker, type WorkerAnswer } from "./decide/file-for-worker.ts";
export { compileClauses, folderOf, type LoadedPolicy, loadPolicy } from "./decide/load-policy.ts";
export { pageOf, serviceFor } from "./decide/own-service.ts";
export { noReply, type PersonQuestion, type PersonReply } from "./decide/person-questions.ts";
export { policyChannel } from "./decide/policy-channel.ts";
export { type SigningKey, signingKey, verifyingKey } from "./decide/receipt.ts";
export { endOf } from "./decide/run-teller.ts";
export { ServiceChannel } from "./decide/service-channel.ts";
export type { ServiceAddress } from "./decide/service-client.ts";
export {
  type Answer,
  type ApprovalChannel,
  type Approved,
  decide,
  type Rejected,
  type RunRequest,
  refusedAtStart,
} from "./decide.ts";
export {
  type Failure,
  firstFailure,
  plainFailure,
  textFailure,
} from "./failure.ts";
export { Lines } from "./files/lines.ts";
export { nodeClock, nodeFiles, readAll } from "./files/node.ts";
export { inFolder, posix, shown } from "./files/paths.ts";
export {
  type Clock,
  type FileSystem,
  type NotCreated,
  type ReadBytes,
  type SourceFiles,
  standardInput,
  withText,
} from "./files/port.ts";
export { readSource, type Source } from "./files/source.ts";
export { type Line, linesOf } from "./files/stream-lines.ts";
export { systemCode, systemWords } from "./files/system-words.ts";
export { writeText } from "./files/write.ts";
export { agentGuide } from "./init/agent-guide.ts";
export { exampleProgram, type ProjectFile, projectFiles } from "./init/project.ts";
export { moduleFiles } from "./init/std-modules.ts";
export { actionsIn, type Given } from "./ledger/actions.ts";
export { type KernelInitOptions, type MadeKernel, makeKernel } from "./ledger/init-kernel.ts";
export {
  type KeyFiles,
  keyPathOf,
  keysAt,
  makeKeys,
  publicPathOf,
  readPrivateKey,
  readPublicKey,
} from "./ledger/keys.ts";
export { openMemoryKernel } from "./ledger/memory-kernel.ts";
export type { NewLedger } from "./ledger/new-ledger.ts";
export {
  type Address,
  type Asker,
  absentFile,
  addressOf,
  firstBytes,
  type KernelChoice,
  noLedger,
  requireKernel,
  withKernel,
  withLedger,
} from "./ledger/open.ts";
export { type AskedOfKernel, type GrantChoice, grantOf, objectAt } from "./ledger/operate.ts";
export {
  loadWorld,
  type ReconcileChoice,
  type ReconcileReport,
  reconcileJson,
  reconcileLedger,
} from "./ledger/reconcile.ts";
export { type Recovered, recovered, type ScrubbedKernel, scrubbed } from "./ledger/recover.ts";
export { withRunKernel } from "./ledger/run-kernel.ts";
export { type ResolveChoice, settlementOf } from "./ledger/settlement.ts";
export { type CheckpointOptions, signTrace } from "./ledger/sign-checkpoint.ts";
export { type JudgedAction, stepKernel } from "./ledger/steps.ts";
export {
  type ChosenRows,
  chooseRows,
  type RowChoice,
  readTrace,
  rowFilter,
  type TraceRow,
} from "./ledger/trace-rows.ts";
export { exportLine, type TraceSource, traceOf, Unreadable, withTrace } from "./ledger/trace-source.ts";
export {
  type Against,
  keyOfCheckpoint,
  loadAgainst,
  type Verified,
  verified,
} from "./ledger/verification.ts";
export { buildLayer } from "./load/build-layer.ts";
export { mountedFor, mountLayers } from "./load/bundle-file-system.ts";
export { type CatalogueModule, catalogueOf, type Entry, type Flag, type Policy } from "./load/catalogue.ts";
export {
  type LoadedDocument,
  type LoadedRun,
  loadDocument,
  loadInputs,
  loadJson,
  loadRun,
  placed,
  problemAt,
} from "./load/documents.ts";
export { authorsWords, ownStatements, ownWords } from "./load/effect-ir.ts";
export {
  isDocument,
  isJson,
  isTypeScript,
  looksLikeDocument,
  misnamed,
  nameProgram,
  optionsFor,
  type ProgramForm,
} from "./load/form.ts";
export { exampleOf, missingInputs } from "./load/missing-inputs.ts";
export { modulesIn, usualFolders } from "./load/module-files.ts";
export { brokenFailure, type LoadedPlan, loadBook, loadPlan, loadState } from "./load/plan.ts";
export { type CompiledStated, compileStated, type StatedPlace } from "./load/stated.ts";
export { folderWords, isAbsent } from "./load/tool-folders.ts";
export { failuresOf, type LoadedProgram, loadProgram, Modules } from "./load/typescript.ts";
export { areTools, loadToolModules, type VisibleFolder, visibleTools } from "./load/visible-tools.ts";
export { failuresIn, hashOf, type Loaded, load, loadRunnable, type Runnable } from "./load.ts";
export { evaluateText } from "./mock/evaluate.ts";
export { inputsOf, type MockRunOptions, readTwice, recordedRunOf, runWithMocks } from "./mock/mock-run.ts";
export {
  type PlaygroundFile,
  type PlaygroundFiles,
  playgroundFiles,
  writePlayground,
} from "./playground/files.ts";
export { type PlaygroundServer, servePlayground } from "./playground/serve.ts";
export type { DomainCoverage, TargetCoverage } from "./prove/coverage.ts";
export { type SolverName, SolverPool, solverNames, solverResources } from "./prove/solver-pool.ts";
export { type Proved, type ProveHow, prove, withProver } from "./prove.ts";
export { isClause } from "./relate/clause.ts";
export { compareSides } from "./relate/compare.ts";
export { joinedLayer } from "./relate/layer.ts";
export { lintPath } from "./relate/lint-path.ts";
export type { PlacedFindings } from "./relate/placed.ts";
export { differenceReport, relationReport } from "./relate/report.ts";
export { loadSide, type Side } from "./relate/side.ts";
export { moduleReport } from "./report/catalogue.ts";
export { judgedJson, statusJson, warningsIn } from "./report/kernel.ts";
export { interruptionWords, notes } from "./report/notes.ts";
export { planReport } from "./report/plan-run.ts";
export { policyReport } from "./report/policy.ts";
export { problemsToJson } from "./report/problems.ts";
export { proofView, type Viewed } from "./report/proof-view.ts";
export {
  allHold,
  type FinishedRun,
  finish,
  isFine,
  type Judged,
  judgeAll,
  judgedToJson,
  recordedRunReport,
} from "./report/recorded-run.ts";
export { type Showable, shownText } from "./report/show.ts";
export { type Located, SourceMap } from "./report/source-map.ts";
export { type Change, type Step, stepsOf } from "./report/steps.ts";
export { notFollowedWords, type ProgramVerdict, verdictOf } from "./report/verdict.ts";
export {
  argumentsText,
  callText,
  guaranteeAbout,
  guaranteeText,
  involvedIn,
  nameText,
  numberText,
  obligationText,
  relativeTo,
  valueText,
} from "./report/wording.ts";
export { count, entriesText, grouped, listed } from "./report/words.ts";
export {
  type GuaranteeReport,
  invalidReport,
  type ObligationReport,
  type PositionReport,
  type ProblemReport,
  type ProofReport,
  problemReports,
  proofReport,
  runProblemReports,
  runReport,
} from "./report.ts";
export { type Finished, moduleTools, type RunHow, resume, run, type ToolSource } from "./run.ts";
export type { FromWorker, ToWorker, WorkerSetup } from "./service/messages.ts";
export { PolicyFile } from "./service/policy-file.ts";
export { type JobContext, proveJob } from "./service/prove-job.ts";
export { ProverPool } from "./service/prover-pool.ts";
export { type AgentService, type ServiceSettings, serveApprovals } from "./service/start-service.ts";
export { closedFiles, readToolFiles } from "./service/tool-files.ts";
export { proveForService } from "./service/worker.ts";
export { childTools } from "./tool-process/child-tools.ts";
export { serveTools } from "./tool-process/serve-tools.ts";
export { checkerFolder, toolLoader } from "./unbundled-imports.ts";
export { Worker, type WorkerSettings } from "./worker/worker.ts";
