import { describe, expect, it } from '@jest/globals';
import { describeEnd, describeSource, onTheirClock } from './outreach-words.js';

describe('an outreach in words', () => {
  it.each([
    ['turn:019a0000-0000-7000-8000-0000aabbccdd', 'what was said in turn …bbccdd'],
    ['memory:019a0000-0000-7000-8000-0000aabbccdd', 'memory …bbccdd'],
    ['need:belonging', 'its need of belonging'],
    ['thought', 'a thought of its own'],
  ])('names the source %s', (source, words) => expect(describeSource(source)).toBe(words));

  it('says what became of it, and why it failed', () => {
    expect(describeEnd({ status: 'sent', problem: null, channelId: null })).toBe('sent');
    expect(describeEnd({ status: 'sent', problem: null, channelId: '42' })).toBe('sent in channel 42');
    expect(describeEnd({ status: 'failed', problem: 'DMs are closed', channelId: null })).toBe(
      'it did not come: DMs are closed',
    );
  });

  it("shows a time on the person's clock, wherever the browser is", () => {
    expect(onTheirClock('2026-01-14T23:30:00Z', 'Europe/Berlin')).toBe('Thursday 15 January at 00:30');
  });
});
