import { expect, it } from '@jest/globals';
import { textOf, type ChatMessage } from '../messages.js';
import { byTurns } from './by-turns.js';

it('lets a person begin, and each side speak once, with its names, pictures and calls', () => {
  const picture = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
  const toolCalls = [{ id: 'a', name: 'look_up', arguments: {} }];
  const messages: ChatMessage[] = [
    { role: 'system', content: 'Be kind.' },
    { role: 'assistant', content: 'Hello!' },
    { role: 'assistant', content: 'Still there?' },
    { role: 'user', content: 'Yes.', name: 'Ann' },
    { role: 'user', content: [{ type: 'text', text: 'Look' }, picture] },
    { role: 'assistant', content: 'Let me see.', toolCalls },
    { role: 'tool', content: 'sun', toolCallId: 'a', name: 'look_up' },
  ];
  const turns = byTurns(messages);
  expect(turns.map(({ role, content }) => [role, textOf(content)])).toEqual([
    ['system', 'Be kind.'],
    ['user', '…'],
    ['assistant', 'Hello!\n\nStill there?'],
    ['user', 'Ann: Yes.\n\nLook'],
    ['assistant', 'Let me see.'],
    ['tool', 'sun'],
  ]);
  expect(turns[3]?.content).toContainEqual(picture);
  expect(turns.slice(4)).toEqual(messages.slice(5));
  expect(byTurns(turns)).toEqual(turns);
});
