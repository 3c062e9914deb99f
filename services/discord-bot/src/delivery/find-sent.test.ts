import { describe, expect, it } from '@jest/globals';
import { findSent } from './find-sent.js';

const chunk = { content: 'hello', replyTo: undefined };
const posted = (id: string, changes: object = {}) => ({
  id,
  author: { id: 'me' },
  content: 'hello',
  ...changes,
});

describe('a chunk whose answer was lost', () => {
  it('is known by its words, and by what it answers', () => {
    expect(findSent(chunk, [posted('1', { content: 'x' }), posted('2')], new Set())?.id).toBe('2');
    const reply = { ...chunk, replyTo: 'm7' };
    const other = posted('1', { message_reference: { message_id: 'm6' } });
    const ours = posted('2', { message_reference: { message_id: 'm7' } });
    expect(findSent(reply, [other, ours], new Set())?.id).toBe('2');
    expect(findSent(reply, [other], new Set())).toBeUndefined();
  });

  it('is known by its words alone where what it answers was gone', () => {
    const reply = { ...chunk, replyTo: 'm7' };
    const other = posted('1', { message_reference: { message_id: 'm6' } });
    const ours = posted('3', { message_reference: { message_id: 'm7' } });
    expect(findSent(reply, [other, posted('2')], new Set())?.id).toBe('2');
    expect(findSent(reply, [other, posted('2'), ours], new Set())?.id).toBe('3');
  });

  it('is not taken for another reply of the same words', () => {
    expect(findSent(chunk, [posted('1')], new Set(['1']))).toBeUndefined();
    expect(findSent(chunk, [], new Set())).toBeUndefined();
  });
});
