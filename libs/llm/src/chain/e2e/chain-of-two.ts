import { ScriptedModel } from '@kith/testing';
import { createModelRoles, type ModelRoles } from '../../settings/model-roles.js';
import type { ModelSettings } from '../../settings/model-settings.js';
import type { ModelRole, RoleEvent } from '../model-role.js';

export let first: ScriptedModel;
export let second: ScriptedModel;

/** Starts both hosts. */
export async function startHosts(): Promise<void> {
  [first, second] = await Promise.all([ScriptedModel.start(), ScriptedModel.start()]);
}

/** Has both hosts answer as they are. */
export function resetHosts(): void {
  first.reset();
  second.reset();
}

/** Ends both hosts. */
export const stopHosts = () => Promise.all([first.stop(), second.stop()]);

export const FIRST = 'compatible:one';
export const SECOND = 'groq:two';

/** A chain of two models at two hosts, or of the first alone. */
export function chain(overrides: Partial<ModelSettings> = {}): ModelRole {
  return roles(overrides).chat;
}

/** The roles of such a chain. */
export function roles(overrides: Partial<ModelSettings>): ModelRoles {
  first.replyWith(() => 'The first one speaks.');
  second.replyWith(() => 'The second one speaks.');
  return createModelRoles({
    ...first.settings(5_000),
    chatModels: `${FIRST},${SECOND}`,
    budgetMs: 10_000,
    groq: { apiKey: 'k', baseUrl: second.url },
    gemini: { apiKey: 'k', baseUrl: first.url },
    ...overrides,
  });
}

export const request = { messages: [{ role: 'user', content: 'Hello' }] as const };

/** All events of a stream. */
export async function collect(events: AsyncIterable<RoleEvent>): Promise<RoleEvent[]> {
  const seen: RoleEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}
