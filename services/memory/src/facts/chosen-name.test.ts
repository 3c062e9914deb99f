import { expect, it } from '@jest/globals';
import { reworded, type KnownFact } from './chosen-name.js';
import { testingFact } from './testing-fact.js';

const AT = new Date('2026-05-05T10:00:00Z');

const fact = (id: string, over: Partial<KnownFact>) =>
  ({
    ...testingFact(AT, { id, importance: 6 }),
    companionId: 'wren',
    kind: 'fact',
    shelf: 'open',
    speaker: 'Ann',
    isLeft: false,
    text: 'Ann lives in Rome (since 5 May 2026)',
    ...over,
  }) as KnownFact;

it.each([
  ['in a channel', {}, ['Ada lives in Rome (since 5 May 2026)']],
  ['in a server that was left', { isLeft: true }, []],
  ['and took back', { shelf: 'withdrawn' }, []],
  ['and was not kept', { shelf: 'quarantine' }, []],
])('facts of a DM go by a name that was given %s or not', (_, over, texts) => {
  const name = { attribute: 'name', value: 'Ada', text: 'This person is called Ada (since 5 May 2026)' };
  const rows = [fact('home', {}), fact('name', { ...name, audience: 'channel:discord:1', ...over })];
  const home = reworded(rows).filter(({ id }) => id === 'home');
  expect(home.map(({ text }) => text)).toEqual(texts);
});
