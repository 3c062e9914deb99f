import { describe, expect, it } from '@jest/globals';
import { slowReadings } from '@kith/testing';
import type { Prospect, ReadEvent } from './affect/prospect.js';
import { appraiseByRules } from './reading/english/appraise-by-rules.js';
import { weighProspects } from './reading/english/weigh-prospects.js';
import { readClauses } from '@kith/reading';
import { findHabits } from './night/find-habits.js';
import { isVetoed } from './persona/quirk.js';
import { diaryFor } from './night/diary-for.js';
import { formsSaidIn, phraseThatReturned, type SpokenTurn, findLaughedAt } from './reading/shared-jokes.js';
import { findProspect } from './reading/english/read-endings.js';

const AT = Date.parse('2026-06-01T12:00:00Z');
const HOPED: ReadEvent = {
  target: 'self',
  desirability: 0.6,
  praiseworthiness: 0,
  appealingness: 0,
  prospect: 'hoped',
  likelihood: 0.5,
  about: 'the exam',
} as ReadEvent;
const OPEN: readonly Prospect[] = Array.from({ length: 12 }, (_, n) => ({
  id: `${n}`,
  turnId: `${n}`,
  kind: 'hoped',
  about: `my ${n} driving exam`,
  since: AT - n,
  desirability: 0.5,
  likelihood: 0.5,
}));

function spoken(person: string, companion = 'haha, good one'): SpokenTurn {
  const messages = [
    { role: 'person' as const, text: person, externalId: null },
    { role: 'companion' as const, text: companion, externalId: null },
  ];
  return { turnId: 't', conversationId: 'c', audience: 'direct', at: AT, messages };
}

const dayTurn = (text: string, n: number) => ({
  turnId: `${n}`,
  personId: `${n}`,
  names: ['Ann'],
  audience: 'channel:discord:1',
  pleasant: true,
  said: [text],
  replies: [text],
});

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'the appraisal': (text) => appraiseByRules([text], 'Mira'),
  'the appraisal with prospects': (text) => appraiseByRules([text], 'Mira', { open: OPEN, at: AT }),
  clauses: (text) => readClauses(text.slice(0, 8_000)),
  'the weighing of prospects': (text) => weighProspects([text], [{ ...HOPED, about: undefined }], OPEN),
  'words that a model gave for a prospect': (text) =>
    weighProspects(['I hope'], [{ ...HOPED, about: text }], []),
  'which prospect is meant': (text) => findProspect(text.slice(0, 2_000), { open: OPEN, at: AT }),
  'what was laughed at': (text) => findLaughedAt(spoken(text), null),
  'laughter at what was said before': (text) => findLaughedAt(spoken(`haha ${text}`), spoken('hi', text)),
  'what came back of a joke': (text) =>
    phraseThatReturned(['the purple otter sings'], formsSaidIn(spoken(text, text))),
  habits: (text) => findHabits([dayTurn(text, 1)]),
  vetoes: (text) => isVetoed(text, ['otter', 'politics']),
  diaries: (text) => diaryFor(text, [1, 2]),
};

describe('hostile text', () => {
  it.each(Object.entries(READERS))(
    'keeps %s busy for no longer than 50 ms',
    (_, read) => {
      expect(slowReadings(read)).toEqual([]);
    },
    300_000,
  );
});
