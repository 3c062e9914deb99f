import { describe, expect, it } from '@jest/globals';
import type { ChatMessage } from './messages.js';
import { hasPictures, withoutPictures } from './pictures.js';

const picture = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
const text = { type: 'text', text: 'look\n[sent a picture: cat.png]' } as const;
const messages: ChatMessage[] = [
  { role: 'system', content: [{ type: 'text', text: 'rules' }] },
  { role: 'user', content: [text, picture] },
];

describe('a request to a model that sees nothing', () => {
  it('keeps its words and loses its pictures', () => {
    expect(hasPictures({ messages })).toBe(true);
    const blind = withoutPictures({ messages, maxTokens: 5 });
    expect(blind).toEqual({ messages: [messages[0], { role: 'user', content: [text] }], maxTokens: 5 });
    expect(hasPictures(blind)).toBe(false);
  });
});
