import { describe, expect, it } from '@jest/globals';
import { extractFacts } from './extract-facts.js';
import { readIntroduction } from './read-introduction.js';

describe('an introduction', () => {
  it.each([
    ["Hi, I'm Ada", 'Ada'],
    ['hello there Mira! I am Ada Lovelace.', 'Ada Lovelace'],
    ['Hey, I’m Zoë, nice to meet you', 'Zoë'],
    ["Good morning, I'm Jean-Luc and I hate cilantro", 'Jean-Luc'],
  ])('%j gives the name %j', (said, name) => {
    expect(readIntroduction(said)).toBe(name);
    expect(extractFacts(said)).toContainEqual({ attribute: 'name', value: name, isSure: true });
  });

  it.each([
    "I'm Ada",
    "Hi, I'm German",
    "Hi, I'm Happy to be here",
    "Hi, I'm tired",
    "Hi! I'm so Sorry",
    "Hi, I'm Ada?",
    'Hi',
    '',
  ])('%j gives none', (said) => {
    expect(extractFacts(said).filter(({ attribute }) => attribute === 'name')).toEqual([]);
  });
});
