import { describe, expect, it } from '@jest/globals';
import { slowReadings } from '@kith/testing';
import { appraiseByRules } from './appraise-by-rules.js';
import { readClauses } from './read-clauses.js';

describe('hostile text', () => {
  it('keeps the appraisal busy for no longer than 50 ms', () => {
    expect(slowReadings((text) => appraiseByRules([text], 'Mira'))).toEqual([]);
  }, 300_000);

  it('keeps the reading of clauses busy for no longer than 50 ms', () => {
    expect(slowReadings((text) => readClauses(text.slice(0, 8_000)))).toEqual([]);
  }, 300_000);
});
