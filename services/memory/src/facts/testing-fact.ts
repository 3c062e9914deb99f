import type { PlacedFact } from './audience-facts.js';

/** Makes a fact for tests: told once, at this time, in a DM, and holding since. */
export function testingFact(at: Date, over: Partial<PlacedFact> = {}): PlacedFact {
  return {
    id: 'f',
    attribute: 'home',
    value: 'Rome',
    audience: 'direct',
    isSure: true,
    evidence: 1,
    sources: [],
    validFrom: at,
    saidAt: at,
    validTo: null,
    supersededBy: null,
    holdsUntil: null,
    wording: null,
    importance: null,
    ...over,
  };
}
