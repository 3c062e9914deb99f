export { JOB_CONTRACTS } from './rpc/job-contracts.js';
export * from './values/api-key.js';
export * from './errors/app-error.js';
export * from './errors/wire-error.js';
export * from './time/bounded-time.js';
export * from './time/durations.js';
export * from './rpc/define.js';
export * from './rpc/discord.contract.js';
export * from './rpc/embedding.contract.js';
export { countHoldings, ErasureView, type Holdings, PersonHoldings } from './rpc/erasure.js';
export {
  ForgetNamed,
  ForgetResult,
  ForgetWhat,
  MAX_PLACE_MESSAGES,
  TalkLine,
  UNDO_MS,
  UndoResult,
} from './rpc/forgetting.js';
export { explainIssue } from './errors/explain-issue.js';
export { DiscordTarget, IdentityRef, MAX_PLACES, PlaceRef, type PlacesWithin } from './values/doors.js';
export { gatewayContract } from './rpc/gateway.contract.js';
export { MAX_MESSAGE_CHARACTERS, MAX_QUOTE_CHARACTERS, Quote } from './text/message-text.js';
export * from './values/read-turn.js';
export * from './values/turn-reason.js';
export { privacyRequest, saidByPerson } from './values/private-turns.js';
export { firstOf, lastOf, present } from './present.js';
export { OLDEST_QDRANT, isQdrantTooOld } from './qdrant-version.js';
export * from './rpc/health.contract.js';
export { ALL_ROUTES, ROUTE_GROUPS } from './http/all-routes.js';
export { ApiScope, holdsScope } from './http/api-scope.js';
export * from './http/audit.routes.js';
export * from './http/chat.routes.js';
export * from './http/companions.routes.js';
export * from './http/conversations.routes.js';
export * from './http/epoch-view.js';
export * from './http/documents.routes.js';
export * from './http/health.routes.js';
export * from './http/jobs.routes.js';
export * from './http/keys.routes.js';
export * from './http/lore.routes.js';
export * from './http/memories.routes.js';
export * from './http/models.routes.js';
export * from './http/outreach.routes.js';
export { Page, PageLimit } from './http/page.js';
export * from './http/people.routes.js';
export * from './http/personas.routes.js';
export { Problem } from './http/problem.js';
export * from './http/route-client.js';
export type * from './http/route.js';
export * from './http/sign-in.routes.js';
export * from './http/tasks.routes.js';
export * from './http/tools.routes.js';
export * from './http/turns.routes.js';
export * from './views/index-state.js';
export * from './rpc/jobs.contract.js';
export { findExcess } from './text/json-shape.js';
export { lazy } from './lazy.js';
export * from './rpc/lore.contract.js';
export * from './views/memory-export.js';
export * from './views/memory-view.js';
export { MAX_NOTED_FROM } from './values/noted-from.js';
export * from './views/task-view.js';
export * from './rpc/memory.contract.js';
export * from './rpc/outreach.contract.js';
export * from './views/affect-view.js';
export * from './views/character-view.js';
export * from './views/companion-view.js';
export * from './views/bond-view.js';
export { personalityContract } from './rpc/personality.contract.js';
export * from './views/recall-explanation.js';
export { PlainError, reasonOf } from './errors/reason-of.js';
export * from './views/recalled-memory.js';
export * from './values/sent-picture.js';
export { CALLED, WORDLESS_REPLY, noteOfSent, type SentKind } from './text/sent-beside.js';
export { cutText, oneLine, shorten, storable, storableText } from './text/storable.js';
export * from './time/time-bounds.js';
export { readTimeCursor, writeTimeCursor } from './values/time-cursor.js';
export { editDistance, TimeZone } from './time/time-zone.js';
export * from './values/model-choice.js';
export * from './views/tool-views.js';
export { insertedName, typedWords, withoutNames, unbrokenNotes } from './text/typed-words.js';
export { MAX_TURNS_ASKED, MAX_TURNS_IN_JOB, type TurnJob, unreadError } from './rpc/turn-batch.js';
export * from './views/usage-view.js';
export { counted, signed } from './text/value-words.js';
export { visibleJson, visibleText } from './text/visible-json.js';
export * from './values/words.js';
