export { completeJson } from './complete-json.js';
export { estimateTokens } from './estimate-tokens.js';
export type { ChatMessage } from './message.js';
export { ModelChainError } from './model-error.js';
export { createModelRoles, type ModelRoles, type ModelSettings } from './roles/create-roles.js';
export type { ModelRole } from './roles/model-role.js';
