import { describe, expect, it } from '@jest/globals';
import { factImportance } from './plan-facts.js';

describe('the importance of a fact', () => {
  it('is as it was judged, else that of its line, and never small talk', () => {
    expect(factImportance({ importance: 3 }, 'I like tea')).toBe(3);
    expect(factImportance({}, 'I like tea')).toBe(6);
    expect(
      factImportance({}, 'My mother died in March and I am so sad, I live alone with my dog now.'),
    ).toBeGreaterThan(8);
  });
});
