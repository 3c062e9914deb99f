import { describe, expect, it } from '@jest/globals';
import { hostileTexts } from '@kith/testing';
import { PairPlaces } from './pair-places.js';

/** Finds a key as a search would: where its rarest pair may stand. */
function finds(places: PairPlaces, text: string, key: string): boolean {
  const offset = places.rarestIn(key);
  if (offset === null) return false;
  return [...places.placesOf(key, offset)].some((place) => text.startsWith(key, place - offset));
}

describe('places of pairs', () => {
  it('lead to each key that a text has, and to no other', () => {
    for (const { text } of hostileTexts(300)) {
      const places = new PairPlaces(text);
      for (const at of [0, 7, 150, text.length - 4]) {
        const key = text.slice(at, at + 4);
        for (const looked of [key, `${key}漢`, `x${key}`])
          expect([looked, finds(places, text, looked)]).toEqual([looked, text.includes(looked)]);
        expect(places.hasCharacter(key.charAt(0))).toBe(true);
      }
      expect(places.hasCharacter('字')).toBe(false);
    }
  });

  it('are told from the first', () => {
    expect([...new PairPlaces('a mill, the mill').placesOf('mill', 0)]).toEqual([2, 12]);
  });

  it('are none in a text without characters', () => {
    expect(new PairPlaces('').rarestIn('mill')).toBeNull();
  });
});
