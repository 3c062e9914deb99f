import { describe, expect, it } from '@jest/globals';
import { bestMsOf } from '@kith/testing';
import { ThoughtFilter } from './thought-filter.js';

function said(pieces: string[]): string {
  const filter = new ThoughtFilter();
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

describe('ThoughtFilter', () => {
  it('drops the thoughts in front of an answer, however they are cut into pieces', () => {
    const text = '<think>She asks about tea.</think>\n\nGreen, please.';
    expect(said([text])).toBe('Green, please.');
    expect(said(Array.from(text))).toBe('Green, please.');
  });

  it('passes plain text on at once', () => {
    const filter = new ThoughtFilter();
    expect(filter.push('Hel')).toBe('Hel');
    expect(filter.push('lo <think> you')).toBe('lo <think> you');
  });

  it('gives back what only began like a thought', () => {
    expect(said(['<th', 'ree'])).toBe('<three');
    expect(said(['<thi'])).toBe('<thi');
  });

  it('keeps the thoughts apart, also those that come as such', () => {
    const filter = new ThoughtFilter();
    filter.think('Tea? ');
    for (const piece of Array.from('<think>\nShe asks.\n</think>\nGreen.')) filter.push(piece);
    expect(filter.thought).toBe('Tea? \nShe asks.');
    filter.think('x'.repeat(30_000));
    expect(filter.thought).toHaveLength(20_000);
  });

  it('says nothing of thoughts that never end', () => {
    expect(said(['<think>and', ' on and on'])).toBe('');
  });

  it('reads a thought of a megabyte in a moment', () => {
    const thought = ['<think>', ...Array<string>(300_000).fill('and '), '</think>Tea.'];
    expect(said(thought)).toBe('Tea.');
    expect(bestMsOf(() => said(thought), 1_000)).toBeLessThan(1_000);
  });
});
