import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from '../messages.js';
import { renderGemini } from './render-gemini.js';

describe('renderGemini', () => {
  it('joins what stands as system, wherever it stands', () => {
    const { system, contents } = renderGemini(
      [
        { role: 'system', content: 'You are Mira.' },
        { role: 'user', content: 'Hi' },
        { role: 'system', content: 'Be brief.' },
      ],
      'gemini-3.8-flash',
    );
    expect(system).toBe('You are Mira.\n\nBe brief.');
    expect(contents).toEqual([{ role: 'user', parts: [{ text: 'Hi' }] }]);
  });

  it('makes neighbours of one side parts of one content, and says who speaks', () => {
    const { contents } = renderGemini(
      [
        { role: 'user', content: 'Hi', name: 'Ana' },
        { role: 'user', content: 'Hey', name: 'Ben' },
        { role: 'assistant', content: 'Hello, both.' },
      ],
      'gemini-3.8-flash',
    );
    expect(contents).toEqual([
      { role: 'user', parts: [{ text: 'Ana: Hi' }, { text: 'Ben: Hey' }] },
      { role: 'model', parts: [{ text: 'Hello, both.' }] },
    ]);
  });

  const called = (signature?: string): ChatMessage[] => [
    { role: 'user', content: 'Well?' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [
        { id: 'c', name: 'look_up', arguments: { city: 'Ulm' }, ...(signature ? { signature } : {}) },
      ],
    },
    { role: 'tool', content: 'sunny', toolCallId: 'c', name: 'look_up' },
  ];
  const partOf = (messages: ChatMessage[], model: string) => renderGemini(messages, model).contents[1]!.parts;

  it("gives a call's signature back with it, and no empty text before it", () => {
    expect(partOf(called('c2ln'), 'gemini-3.8-flash')).toEqual([
      { functionCall: { name: 'look_up', args: { city: 'Ulm' } }, thoughtSignature: 'c2ln' },
    ]);
  });

  it('says of a call that another model made that it has no signature, to models that ask', () => {
    expect(partOf(called(), 'gemini-3.8-flash')).toMatchObject([
      { thoughtSignature: 'skip_thought_signature_validator' },
    ]);
    expect(partOf(called(), 'gemini-2.5-flash')?.[0]).not.toHaveProperty('thoughtSignature');
  });
});
