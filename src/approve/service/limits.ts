/** LIMIT: every bound of the service, in one place. What lies beyond one is refused. */
export const serviceLimits = {
  /** Bytes of a body. */
  bodyBytes: 1024 * 1024,
  /** Code units of the text of a program. */
  programLength: 256 * 1024,
  fileLength: 200,
  /** Code units of the inputs as JSON. */
  inputsLength: 256 * 1024,
  /** Length of an agent's description, and of a reviewer's text. */
  wordsLength: 20_000,
  textLength: 20_000,
  /** Size of a run's progress report. */
  progressBytes: 512 * 1024,
  progressCalls: 2_000,
  progressText: 4_000,
  progressNotes: 500,
  /** Length of a question in the middle of a run, and of the reply. */
  questionLength: 12_000,
  questionItems: 200,
  /** Bytes of a proof as it is shown. */
  proofBytes: 4 * 1024 * 1024,
  listed: 200,
  /** Terms of a standing approval: later requests that it approves, and its life in seconds. */
  standingUses: 1_000,
  standingSeconds: 90 * 24 * 60 * 60,
  /** Lines of a comparison with an earlier request that are shown, and changed lines that are told apart. */
  comparedLines: 600,
  comparedEdits: 400,
  webhooks: 20,
  /** Attempts to tell a webhook, the time limit of one, and the time between them, which doubles. */
  webhookAttempts: 8,
  webhookTimeoutMs: 10_000,
  webhookBackoffMs: 500,
  webhookBackoffMostMs: 300_000,
  webhookLookMs: 1_000,
  waitSeconds: 60,
  /** Live listeners in all, and of one credential. */
  listeners: 500,
  listenersEach: 50,
  /** Clients that wait for one request each. */
  waiting: 2_000,
  waitingEach: 200,
  /** Events that a slow listener may be behind. */
  eventsBehind: 256,
  /** Proof attempts per request, if earlier provers disappeared. */
  attempts: 3,
  /** Credentials and addresses that are counted at the same time. */
  counted: 10_000,
  failedSignIns: 10,
  failedSignInsMs: 60_000,
} as const;
