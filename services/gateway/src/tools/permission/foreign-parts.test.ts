import { describe, expect, it } from '@jest/globals';
import { foreignParts } from './foreign-parts.js';

const schema = { properties: { given: {} } };
const foreignIn = (given: unknown, ...said: string[]) => foreignParts({ given }, said, schema);

describe('parts of an argument that the person did not say', () => {
  it.each<[string, string | number]>([
    ['10²', '102'],
    ['½', '12'],
    ['$500', '€500'],
    ['$500', '500 €'],
    ['$1.000', '€1.000'],
    ['500', '$ 500'],
    ['5', '5%'],
    ['5', '5 °'],
    ['1.000', 1],
    ['1.001', 1001],
  ])('are found in another amount than theirs: %s %j', (said, given) => {
    expect(foreignIn(given, `Send ${said} to Bob`)).not.toEqual([]);
  });

  it.each([
    'Bob 😀',
    'Bob -__-_--_',
    'Bob ·--',
    'Bob ((())',
    'Bob €',
    'Bob\u2003Bob',
    'Bob\u00a0Bob',
    'Bob\tBob',
    'Bob   Bob',
  ])('are found in marks, pictures and white space: %j', (given) => {
    expect(foreignIn(given, 'Send 5 to Bob')).not.toEqual([]);
  });

  it('are found in an address that a picture makes another one', () => {
    expect(foreignIn('kiel.org', 'Send it to 😀kiel.org')).toEqual(['kiel.org']);
  });

  it('are found without delay, however much a model adds', () => {
    const said = Array.from({ length: 10 }, (_, n) => `word${n} `.repeat(80));
    const given = Array.from({ length: 50_000 }, (_, n) => `wordy${n.toString(36)}`);
    const begun = performance.now();
    expect(foreignIn(given, ...said)).not.toEqual([]);
    expect(foreignIn(given.join(' '), ...said)).not.toEqual([]);
    // Looking at each word took ten times as long.
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});

describe('what the person said', () => {
  it.each([
    '5pm',
    '2.5 kg',
    '10%',
    'room 12B',
    '12:30',
    '2026-12-01',
    '+49 30 1234',
    '1, 2, 3',
    '10²',
    'Élodie’s café',
    "l'été",
    'Zoe\u0308',
    'a  b',
    'see\u00a0you',
    'hm *** hm',
    '₹ 20',
    'I ❤️ Kiel',
  ])('is theirs as it stands: %s', (text) => {
    expect(foreignIn(text, `Send Bob ${text}`)).toEqual([]);
  });

  it.each<[string, string | number]>([
    ['$500', '500'],
    ['$500', '500 $'],
    ['500 €', '500€'],
    ['5 %', 5],
    ['12 $5', 5],
    ['20 °C', '20°C'],
    ['3.141', 3.141],
    ['52.520, -13.405', -13.405],
    ['5؟', 5],
    ['１，０００', 1000],
  ])('is theirs in the amounts that it names: %s %j', (said, given) => {
    expect(foreignIn(given, `Send Bob ${said}`)).toEqual([]);
  });

  it.each([
    ['नमस्ते।', 'नमस्ते'],
    ['مَرحَبًا؟', 'مَرحَبًا'],
    ['hello😀', 'hello 😀'],
    ['hello 😀!', '😀hello'],
    ['hello ❤', 'hello ❤️'],
    ['hello 👩‍🚀', 'hello👩‍🚀'],
    ['Zoe\u0308', 'Zoë'],
  ])('is theirs whatever marks and pictures stand beside its words: %s %s', (said, given) => {
    expect(foreignIn(given, `Send Bob ${said}`)).toEqual([]);
  });
});
