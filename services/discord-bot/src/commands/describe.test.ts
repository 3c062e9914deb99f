import { AppError, type AttemptView } from '@kith/contracts';
import { describe, expect, it } from '@jest/globals';
import { fitLines, shortLine } from './fitted-text.js';
import {
  describeAttempts,
  describePersonality,
  describeSettings,
  describeStatus,
} from './companion/companion-words.js';
import { describeError } from './describe-error.js';
import {
  askToForget,
  describeForgotten,
  describeRestored,
  describeList,
  describeSearch,
} from './memories/memory-words.js';

const companion = {
  id: 'mira',
  name: 'Mira',
  tagline: 'curious and warm',
  description: 'Likes rain.',
  traits: { openness: 0.8, conscientiousness: 0.5, extraversion: 0.4, agreeableness: 0.9, stability: 0.6 },
  timeZone: 'UTC',
  version: 1,
};
const mood = {
  now: { pad: { p: 0.4, a: -0.2, d: 0.1 }, label: 'relaxed', strength: 'moderately' },
  baseline: { p: 0, a: 0, d: 0 },
  halfLifeMs: 3 * 3_600_000,
  series: [
    { at: '2026-03-01T10:00:00Z', pad: { p: 0, a: 0, d: 0 }, emotion: null, intensity: null },
    { at: '2026-03-01T11:00:00Z', pad: { p: 0.4, a: 0, d: 0 }, emotion: 'joy', intensity: 0.5 },
  ],
  bond: null,
};
const memory = {
  id: '019a0000-0000-7000-8000-0000aabbccdd',
  text: 'has a **cat**\ncalled Miso',
  saidAt: '2026-03-01T10:00:00Z',
  kind: 'fact' as const,
  shelf: 'open' as const,
  shelfReason: null,
  pinned: false,
};
const pageOf = (total: number) => ({ page: 1, pages: Math.ceil(total / 10), total });

describe('what commands show', () => {
  it('keeps a text on one line, without markup, and cuts it', () => {
    expect(shortLine(memory.text, 50)).toBe('has a cat called Miso');
    expect(shortLine('_so_ __much__ of search_memory', 50)).toBe('so much of search_memory');
    expect(shortLine('имя_файла и два_слова', 50)).toBe('имяфайла и дваслова');
    expect(shortLine('see [my bank](https://evil.example)', 50)).toBe('see [my bank] (https://evil.example)');
    expect(shortLine('🦊'.repeat(30), 10)).not.toMatch(/\p{Surrogate}/u);
  });

  it('never makes more than a message holds', () => {
    expect(fitLines(Array.from({ length: 100 }, () => 'x'.repeat(100))).length).toBeLessThan(2_000);
    const many = Array.from({ length: 10 }, () => ({ ...memory, text: 'y'.repeat(4_000) }));
    expect(describeList(many, pageOf(400)).length).toBeLessThan(2_000);
  });

  it('says in full why something it began did not come', () => {
    const problem =
      'Discord 403/50007: Cannot send messages to this user; direct messages are closed to the bot: the privacy settings of a server that it is in open them';
    const attempt = { because: 'You asked for it', decidedAt: '2026-03-01T10:00:00Z', channelId: null };
    const shown = describeAttempts([{ ...attempt, status: 'failed', problem } as AttemptView]);
    expect(shown).toContain(`(it did not come: ${problem})`);
  });

  it('shows as many troubles of a large outage as a message holds', () => {
    const degraded = Array.from({ length: 40 }, (_, n) => ({
      part: 'p',
      effect: `${n} ${'x'.repeat(150)}`,
      since: '2026-01-01T00:00:00.000Z',
    }));
    const text = describeStatus({
      companion: null,
      models: null,
      memories: null,
      outreach: null,
      connection: { state: 'ready', user: 'mira', guilds: 1, problem: null },
      services: [{ name: 'memory', health: { service: 'memory', ready: true, degraded, dependencies: {} } }],
    });
    expect(text).toMatch(/Writing first: .*\nServices:\n- 0 x/s);
    expect(text.length).toBeLessThan(2_000);
  });

  it('shows all the memories that it asks about or lists, cut until they fit', () => {
    const ten = Array.from({ length: 10 }, (_, n) => ({
      ...memory,
      id: `019a0000-0000-7000-8000-00000000000${n}`,
      text: `${n}${'y'.repeat(4_000)}`,
      ...(n % 2 === 0
        ? { pinned: true, shelf: 'quarantine' as const, shelfReason: 'orders to the companion' }
        : {}),
    }));
    const shown = [askToForget(ten, 12), describeList(ten, pageOf(400)), describeSearch(ten, true)];
    for (const text of shown) {
      for (const n of ten.keys())
        expect(text).toMatch(new RegExp(`^- \`00000${n}\` .* ${n}y{80,148}…$`, 'mu'));
      expect(text.length).toBeLessThan(2_000);
    }
    // What fits is not cut more than usual.
    expect(askToForget([ten[1]!], 0)).toContain(`1${'y'.repeat(148)}…`);
  });

  it('says what is there, what there is more of, and when there is nothing', () => {
    expect(describeList([memory], pageOf(1))).toBe(
      'All there is: 1 memory.\n- `bbccdd` <t:1772359200:d> (fact) has a cat called Miso',
    );
    expect(describeList([memory], pageOf(30))).toContain('Page 1 of 3, 30 memories');
    expect(describeList([], pageOf(0))).toContain('Nothing is kept about you yet');
    expect(describeSearch([], false)).toBe('Nothing comes to mind for that.');
    expect(describeSearch([memory], true)).toContain('out of reach');
    expect(askToForget([memory], 0)).toContain('Forget this memory? You have ten minutes to take it back.');
    expect(askToForget([memory], 2)).toContain(
      'Forget this memory, and the 2 lines of your talk it came from?',
    );
    expect(describeForgotten(0, 0)).toBe('There was nothing left to forget.');
    expect(describeForgotten(1, 0)).toBe('Forgotten: 1 memory. In ten minutes it is gone for good.');
    expect(describeRestored(0, 2)).toBe('I have it back: 2 lines of our talk.');
    expect(describeRestored(0, 0)).toBe('It is taken back, apart from what was deleted or forgotten since.');
    expect(describeForgotten(3, 1)).toBe(
      'Forgotten: 3 memories and 1 line of our talk. In ten minutes it is gone for good.',
    );
  });

  it('says who it is and how it feels, and when that is out of reach', () => {
    expect(describePersonality(companion, mood)).toBe(
      '**Mira**, curious and warm\nLikes rain.\nNow: moderately relaxed.',
    );
    const sad = { ...mood, now: { ...mood.now, label: 'bored' } };
    expect(describePersonality(companion, sad)).toContain('Now: moderately subdued.');
    expect(describePersonality(companion, null)).toContain('out of reach');
    // An author may have written nothing for readers; the prompt's words are not for them.
    expect(describePersonality({ ...companion, description: '' }, mood)).toBe(
      '**Mira**, curious and warm\nNow: moderately relaxed.',
    );
  });

  it('names what is out of reach in a status and shows the rest', () => {
    const status = { state: 'ready', user: 'mira', guilds: 1, problem: null } as const;
    const up = { up: true, problem: null, tookMs: 1 };
    const health = {
      service: 'gateway',
      ready: false,
      degraded: [],
      dependencies: { redis: up, postgres: { ...up, up: false } },
    };
    const byRules = { part: 'fast-model', effect: 'moods go by rules', since: '2026-01-01T00:00:00.000Z' };
    const text = describeStatus({
      companion: null,
      connection: status,
      models: ['openai:gpt-6.1-terra'],
      services: [
        { name: 'memory', health: null },
        { name: 'gateway', health },
        { name: 'personality', health: { ...health, ready: true, degraded: [byRules] } },
      ],
      memories: null,
      outreach: {
        optedIn: false,
        direct: true,
        channel: null,
        timeZone: 'UTC',
        quietFrom: '22:00',
        quietUntil: '08:00',
        dailyCap: 1,
        weeklyCap: 5,
        topicsOff: [],
      },
    });
    expect(text).toMatch(
      /Services:\n- memory does not answer\n- gateway misses postgres\n- moods go by rules \(since <t:1767225600:R>\)$/,
    );
    expect(text).toContain('memory is out of reach right now');
    expect(text).toContain('Writing first: off.');
    expect(text).toContain('in 1 server.');
  });

  it('says where it may write first, and about what in a channel', () => {
    const settings = {
      optedIn: true,
      direct: true,
      channel: { id: '7', problem: null },
      timeZone: 'UTC',
      quietFrom: '22:00',
      quietUntil: '08:00',
      dailyCap: 1,
      weeklyCap: 5,
      topicsOff: [],
    };
    expect(describeSettings(settings, true)).toContain(
      'Writing first: **on**, in <#7>: about what you said there, or of its own accord; and in your direct messages\n',
    );
    expect(describeSettings({ ...settings, optedIn: false }, true)).toContain('Writing first: **off**\n');
    expect(describeSettings({ ...settings, quietFrom: '08:00', quietUntil: '08:00' }, true)).toContain(
      'Quiet hours: **none**\n',
    );
  });

  it('tells people of errors in its own words', () => {
    expect(describeError(new AppError('unavailable', 'redis at 10.0.0.3'))).toContain('out of reach');
    expect(describeError(new TypeError('boom'))).toContain('went wrong');
  });
});
