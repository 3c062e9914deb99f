export type { ModelCard } from './budget/model-card.js';
export { ModelCards, promptLimit, promptRoom, type CardedModel } from './budget/model-cards.js';
export type { CountTokens } from './count-once.js';
export type { ModelRole, ModelStatus, RoleEvent, RoleReply } from './chain/model-role.js';
export type { ModelTest } from './chain/test-model.js';
export { completeJson, type JsonPrompt } from './complete-json.js';
export { decideRetry } from './errors/decide-retry.js';
export {
  isAboutRequest,
  ModelChainError,
  ModelError,
  type ModelErrorKind,
  type ModelTry,
} from './errors/model-error.js';
export { readFailure } from './errors/read-failure.js';
export { CallHooks } from './hooks/call-hooks.js';
export type { CallPayload } from './hooks/model-call.js';
export type { CallAccount, Hook, HookPoint, HookRefusal, HookRun } from './hooks/hook.js';
export { HookList } from './hooks/hook-list.js';
export { loadHooks } from './hooks/load-hooks.js';
export { isTokenCount } from './is-token-count.js';
export { estimatePrompt, jsonTokens, PICTURE_TOKENS } from './estimate-prompt.js';
export { estimateTokens } from './estimate-tokens.js';
export { MAX_TOOL_NAME } from './messages.js';
export type { ChatMessage, ImagePart, ImageType, Reasoning, ToolCall, ToolDefinition } from './messages.js';
export type { ModelPrice, ModelRequest, OfferedModel } from './provider.js';
export { openHosts, type ModelHost } from './settings/open-hosts.js';
export { chooseModel } from './settings/choose-model.js';
export { ModelChoices, type ModelChoice } from './settings/model-choices.js';
export { PREFERENCES, type HostName } from './settings/model-families.js';
export { namesOf } from './providers/names-of.js';
export { openAiClient } from './providers/openai-client.js';
export { rehearse } from './providers/rehearsal-provider.js';
export { createModelRoles, wrongModelSettings, type ModelRoles } from './settings/model-roles.js';
export { ModelSettings } from './settings/model-settings.js';
