export { Broadcasts, type BroadcastsOptions } from './broadcasts.js';
export { correlationIdOrNew, currentCorrelationId, withCorrelationId } from './correlation.js';
export { assertOneHandler, contractsOf } from './handlers/contracts-of.js';
export { Answers, Hears, Works } from './handlers/decorators.js';
export type { FailedJob, JobOptions, Recurrence } from './jobs/job-queues.js';
export { type JobDone, type JobRun, Postponed } from './jobs/job-runner.js';
export { Yielder } from './yielder.js';
export { allOrOneByOne, oneByOne } from './jobs/one-by-one.js';
export type { WatchedQueue } from './jobs/watched-worker.js';
export { endKept, KeptAnswers } from './kept-answers.js';
export { Neighbours } from './local/neighbours.js';
export type { MessagingLogger } from './logger.js';
export { MessagingModule, type MessagingOptions } from './messaging.module.js';
export { Messenger, type MessengerOptions } from './messenger.js';
export {
  type DeadLetter,
  type DeadLetterQuery,
  listDeadLetters,
  replayDeadLetters,
} from './streams/dead-letters.js';
export type { HandledEntry, StreamsServerOptions } from './streams/server-options.js';
export { MicroBatcher } from './micro-batcher.js';
export { orNull } from './or-null.js';
export { Pause } from './pause.js';
export { redisProbe } from './redis-probe.js';
export { StreamsServer } from './streams/streams-server.js';
export { isDoneWithin, withinTime } from './within-time.js';
