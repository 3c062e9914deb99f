export { JOB_CONTRACTS } from './job-contracts.js';
export * from './api-key.js';
export * from './app-error.js';
export * from './wire-error.js';
export * from './bounded-time.js';
export * from './durations.js';
export * from './define.js';
export * from './discord.contract.js';
export * from './embedding.contract.js';
export { countHoldings, ErasureView, type Holdings, PersonHoldings } from './erasure.js';
export {
  ForgetNamed,
  ForgetResult,
  ForgetWhat,
  MAX_PLACE_MESSAGES,
  TalkLine,
  UNDO_MS,
  UndoResult,
} from './forgetting.js';
export { explainIssue } from './explain-issue.js';
export { DiscordTarget, IdentityRef, MAX_PLACES, PlaceRef, type PlacesWithin } from './doors.js';
export { gatewayContract } from './gateway.contract.js';
export { MAX_MESSAGE_CHARACTERS, MAX_QUOTE_CHARACTERS, Quote } from './message-text.js';
export * from './read-turn.js';
export * from './turn-reason.js';
export { privacyRequest, saidByPerson } from './private-turns.js';
export { firstOf, lastOf, present } from './present.js';
export { OLDEST_QDRANT, isQdrantTooOld } from './qdrant-version.js';
export * from './health.contract.js';
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
export {
  type CallFailure,
  type CallInput,
  RouteClient,
  type RouteClientOptions,
} from './http/route-client.js';
export type {
  ParsedInput,
  Route,
  RouteAnswer,
  RouteEvent,
  RouteInput,
  RouteReply,
  StreamRoute,
} from './http/route.js';
export * from './http/sign-in.routes.js';
export * from './http/tasks.routes.js';
export * from './http/tools.routes.js';
export * from './http/turns.routes.js';
export * from './index-state.js';
export * from './jobs.contract.js';
export { findExcess } from './json-shape.js';
export { lazy } from './lazy.js';
export * from './lore.contract.js';
export * from './memory-export.js';
export * from './memory-view.js';
export { MAX_NOTED_FROM } from './noted-from.js';
export * from './task-view.js';
export * from './memory.contract.js';
export * from './outreach.contract.js';
export * from './affect-view.js';
export * from './character-view.js';
export * from './companion-view.js';
export * from './bond-view.js';
export { personalityContract } from './personality.contract.js';
export * from './recall-explanation.js';
export { PlainError, reasonOf } from './reason-of.js';
export * from './recalled-memory.js';
export * from './sent-picture.js';
export { CALLED, WORDLESS_REPLY, noteOfSent, type SentKind } from './sent-beside.js';
export { cutText, oneLine, shorten, storable, storableText } from './storable.js';
export * from './time-bounds.js';
export { readTimeCursor, writeTimeCursor } from './time-cursor.js';
export { editDistance, TimeZone } from './time-zone.js';
export * from './model-choice.js';
export * from './tool-views.js';
export { insertedName, typedWords, withoutNames, unbrokenNotes } from './typed-words.js';
export { MAX_TURNS_ASKED, MAX_TURNS_IN_JOB, type TurnJob, unreadError } from './turn-batch.js';
export * from './usage-view.js';
export { counted, signed } from './value-words.js';
export { visibleJson, visibleText } from './visible-json.js';
export * from './words.js';
