export type { ModelRole, ModelStatus, RoleEvent, RoleReply } from './chain/model-role.js';
export { completeJson } from './complete-json.js';
export { ModelChainError, ModelError, type ModelErrorKind, type ModelTry } from './errors/model-error.js';
export { estimateTokens } from './estimate-tokens.js';
export type { ChatMessage, ToolCall, ToolDefinition } from './messages.js';
export type { ModelRequest } from './provider.js';
export { createModelRoles, type ModelRoles } from './settings/model-roles.js';
export { ModelSettings } from './settings/model-settings.js';
