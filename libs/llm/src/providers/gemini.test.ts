import { describe, expect, it } from '@jest/globals';
import { renderGemini } from './gemini.js';

describe('renderGemini', () => {
  it('joins what stands as system, wherever it stands', () => {
    const { system, contents } = renderGemini([
      { role: 'system', content: 'You are Mira.' },
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'Be brief.' },
    ]);
    expect(system).toBe('You are Mira.\n\nBe brief.');
    expect(contents).toEqual([{ role: 'user', parts: [{ text: 'Hi' }] }]);
  });

  it('makes neighbours of one side parts of one content, and says who speaks', () => {
    const { contents } = renderGemini([
      { role: 'user', content: 'Hi', name: 'Ana' },
      { role: 'user', content: 'Hey', name: 'Ben' },
      { role: 'assistant', content: 'Hello, both.' },
    ]);
    expect(contents).toEqual([
      { role: 'user', parts: [{ text: 'Ana: Hi' }, { text: 'Ben: Hey' }] },
      { role: 'model', parts: [{ text: 'Hello, both.' }] },
    ]);
  });

  it("gives a call's signature back with it, and no empty text before it", () => {
    const call = { id: 'c', name: 'look_up', arguments: { city: 'Ulm' }, signature: 'c2ln' };
    const { contents } = renderGemini([{ role: 'assistant', content: '', toolCalls: [call] }]);
    expect(contents).toEqual([
      {
        role: 'model',
        parts: [{ functionCall: { name: 'look_up', args: { city: 'Ulm' } }, thoughtSignature: 'c2ln' }],
      },
    ]);
  });
});
