import { randomUUID } from 'node:crypto';
import { HookList } from '@kith/llm';
import type { Speaker } from '../../conversations/conversations.js';
import { withTalk } from '../../e2e/talk.js';
import { effectTool, toolsOver } from '../testing-tools.js';
import type { Tool } from '../tool.js';
import type { TurnAuthority } from '../turn-authority.js';

export const talk = withTalk();
export const everywhere = { companionId: null, server: null, channel: null, role: null };
export const place = { companionId: 'mira', server: null, channel: null, roles: [] };
export const context = { key: 'k', signal: new AbortController().signal };

export let tool: string;
export let effects: unknown[];
export let speaker: Speaker;

/** Gives a test a speaker, and a tool that changes something. */
export async function newTool(): Promise<void> {
  // Rules are of all people, so each test has a tool of its own. Its name keeps all that is random, as letters.
  tool = `send_note_${randomUUID()
    .slice(0, 8)
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!)}`;
  effects = [];
  speaker = await talk.place();
}

/** Opens tools as the gateway does. */
export function open(tools: Tool[] = [effectTool(tool, effects, ['send a note'])], hooks = new HookList()) {
  return toolsOver(talk.database, tools, hooks);
}

/** A turn in which the speaker said this. */
export function turn(said: string): TurnAuthority {
  return {
    ...speaker,
    turnId: randomUUID(),
    origin: 'message',
    door: 'discord',
    place,
    said: [said],
    isPresent: true,
  };
}

/** Has a turn's model call the tool. */
export async function call(
  permitted: ReturnType<typeof open>['permitted'],
  authority: TurnAuthority,
  to = 'Bob',
) {
  const runner = await permitted.runnerFor(authority, []);
  const result = await runner.run({ id: 'c', name: tool, arguments: { to } }, context);
  return { ...result, asked: runner.questions, offered: runner.definitions.map(({ name }) => name) };
}
