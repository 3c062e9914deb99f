import { describe, expect, it } from '@jest/globals';
import { draftEpisodes } from './draft-episodes.js';
import { testingTurn } from './testing-turn.js';
import { contentHashOf } from '../words/content-hash.js';

const BOB = '00000000-0000-4000-8000-000000000002';

describe('what is kept of a turn', () => {
  it('is each of the person’s messages, with the message it comes from and when it was said', () => {
    const [draft, ...rest] = draftEpisodes(testingTurn([{ text: 'My sister is called Ida' }]));
    expect(rest).toEqual([]);
    expect(draft).toMatchObject({
      text: 'My sister is called Ida',
      sources: ['m0'],
      saidAt: new Date('2026-05-01T10:00:00Z'),
    });
  });

  it('is nothing the companion said, and nothing another person said', () => {
    expect(
      draftEpisodes(
        testingTurn([
          { role: 'companion', personId: null, externalId: null, text: 'You love jazz' },
          { personId: BOB, text: 'Bob here' },
        ]),
      ),
    ).toEqual([]);
  });

  it.each(['silent', 'dropped'] as const)('is nothing of a turn that ended %s', (outcome) => {
    expect(draftEpisodes(testingTurn([{}], { outcome }))).toEqual([]);
  });

  it('is kept also when every model was down', () => {
    expect(draftEpisodes(testingTurn([{}], { outcome: 'apologised' }))).toHaveLength(1);
  });

  it('is one memory when the same thing is said twice in one burst', () => {
    const drafts = draftEpisodes(testingTurn([{ text: 'I like TEA' }, { text: 'i  like tea' }]));
    expect(drafts.map(({ sources }) => sources)).toEqual([['m0', 'm1']]);
  });

  it('is several memories of one source when a message is long', () => {
    const drafts = draftEpisodes(
      testingTurn([{ text: 'I went to the market and bought some pears. '.repeat(40) + 'And home.' }]),
    );
    expect(drafts.length).toBeGreaterThan(1);
    expect(new Set(drafts.flatMap(({ sources }) => sources))).toEqual(new Set(['m0']));
  });

  it('leaves out what has no letter or digit', () => {
    expect(draftEpisodes(testingTurn([{ text: '🎉🎉 !!!' }]))).toEqual([]);
  });

  it('names a message without an id of its own by its turn', () => {
    const turn = testingTurn([{ externalId: null }]);
    expect(draftEpisodes(turn)[0]?.sources).toEqual([`${turn.turnId}:0`]);
  });
});

describe('the content hash', () => {
  it('is the same whatever the case, accents and spacing', () => {
    expect(contentHashOf(' Café  au lait\n')).toBe(contentHashOf('cafe au lait'));
    expect(contentHashOf('tea')).not.toBe(contentHashOf('teas'));
  });
});
