import { expect, it } from '@jest/globals';
import { describeNeed } from './mood-words.js';

it('says how a need stands, from met to pressing', () => {
  const words = [
    { level: 0.1, urgency: 0 },
    { level: 0.3, urgency: 0 },
    { level: 0.6, urgency: 0.05 },
    { level: 0.9, urgency: 0.4 },
  ].map((stand) => describeNeed({ need: 'novelty', ...stand }));
  expect(words).toEqual(['met', 'well', 'could do with some', 'on its mind']);
});
