import { describe, expect, it } from '@jest/globals';
import { playFaultRounds } from './run-script.js';

describe('the fault harness, with services placed apart', () => {
  it('finds no breach in a short round of every sort of fault', async () => {
    expect(await playFaultRounds('apart', 15)).toContain(' 0 breaches');
  }, 240_000);
});
