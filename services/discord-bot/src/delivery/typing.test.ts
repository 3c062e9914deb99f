import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { Typing } from './typing.js';

const place = { channelId: 'c', userId: 'u' };
const turn = { conversationId: 'conversation', personId: 'person' };
let shown: string[] = [];
let refuses = false;
let typing: Typing;

beforeEach(() => {
  jest.useFakeTimers();
  shown = [];
  refuses = false;
  const show = async (channelId: string): Promise<void> => {
    shown.push(channelId);
    if (refuses) throw new Error('403');
  };
  typing = new Typing(show, pino({ level: 'silent' }));
});

afterEach(() => {
  typing.stop();
  jest.useRealTimers();
});

describe('the typing indicator', () => {
  it('shows at once and again before Discord takes it down', () => {
    typing.begin(place, turn, Date.now());
    jest.advanceTimersByTime(17_000);
    expect(shown).toEqual(['c', 'c', 'c']);
  });

  it('stops at the delivery, and at the end of a turn that said nothing', () => {
    typing.begin(place, turn, Date.now());
    typing.delivered('c', 'u');
    typing.begin(place, turn, Date.now());
    typing.turnEnded(turn);
    jest.advanceTimersByTime(60_000);
    expect(shown).toEqual(['c', 'c']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('goes on while someone else in the channel still waits', () => {
    typing.begin(place, turn, Date.now());
    typing.begin({ channelId: 'c', userId: 'other' }, { ...turn, personId: 'other' }, Date.now());
    typing.delivered('c', 'u');
    jest.advanceTimersByTime(8_500);
    expect(shown).toHaveLength(2);
  });

  it('does not begin for a turn that ended before its acceptance was heard', () => {
    const since = Date.now();
    jest.advanceTimersByTime(50);
    typing.turnEnded(turn);
    typing.begin(place, turn, since);
    expect(shown).toEqual([]);
    typing.begin(place, turn, Date.now() + 1);
    expect(shown).toEqual(['c']);
  });

  it('does not go on for ever', async () => {
    typing.begin(place, turn, Date.now());
    await jest.advanceTimersByTimeAsync(600_000);
    // At once, then every eight seconds for less than two minutes.
    expect(shown).toHaveLength(15);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is asked for in few channels at once, however many wait, and not for who was answered meanwhile', async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    typing = new Typing((channelId) => (shown.push(channelId), answered), pino({ level: 'silent' }));
    for (let number = 0; number < 50; number += 1)
      typing.begin({ channelId: `c${number}`, userId: 'u' }, turn, Date.now());
    expect(shown).toHaveLength(10);
    typing.delivered('c49', 'u');
    answer();
    await jest.advanceTimersByTimeAsync(1);
    expect(shown).toEqual(Array.from({ length: 49 }, (_, number) => `c${number}`));
  });

  it('stops asking where Discord refuses it', async () => {
    refuses = true;
    typing.begin(place, turn, Date.now());
    await jest.advanceTimersByTimeAsync(60_000);
    expect(shown).toEqual(['c']);
  });
});
