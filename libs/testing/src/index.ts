export { componentsOf, DiscordDouble, isEphemeral } from './discord/discord-double.js';
export type { DiscordInteraction } from './discord/interaction-routes.js';
export type { SentMessage } from './discord/journal.js';
export type { DiscordChannel, DiscordMessage, DiscordUser } from './discord/world.js';
export { eventually } from './eventually.js';
export { FaultProxy, type NetworkState } from './fault-proxy.js';
export { freshStores, type FreshStores } from './stores.js';
export { QdrantDouble } from './qdrant/qdrant-double.js';
export { ScriptedModel } from './scripted-model/scripted-model.js';
