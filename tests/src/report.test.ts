import { describe, expect, it } from '@jest/globals';
import type { RoundResult } from '../faults/play-round.ts';
import { summarise } from '../faults/report.ts';

const round = (change: Partial<RoundResult>): RoundResult => ({
  round: 1,
  fault: 'redis slow',
  seed: 1,
  hit: true,
  mayMiss: undefined,
  messages: 7,
  drainMs: 100,
  recoveryMs: null,
  slowness: 1,
  breaches: [],
  evidence: {} as RoundResult['evidence'],
  ...change,
});
const atStep = { fault: 'kill gateway at claimed', mayMiss: 'step', hit: false } as const;

describe('the summary of fault rounds', () => {
  it('passes where nothing broke and each fault came to pass, or had a reason not to', () => {
    const unmounted = { fault: 'disk full', mayMiss: 'mount', hit: false } as const;
    expect(summarise([round({}), round(unmounted), round(atStep)])).toMatchObject({
      isPassed: true,
      line: '3 rounds, 1 hit, 21 messages, 0 breaches',
    });
    const breach = { invariant: 'any', messageId: null, detail: '' };
    expect(summarise([round({ breaches: [breach] })]).isPassed).toBe(false);
  });

  it('fails where a fault did not come to pass that always does', () => {
    expect(summarise([round({ hit: false })])).toMatchObject({
      isPassed: false,
      line: expect.stringMatching(/^1 rounds, 0 hit, .*\nMISSED redis slow$/),
    });
  });

  it('fails where no step came by in any of several rounds', () => {
    const rounds = Array.from({ length: 3 }, () => round(atStep));
    expect(summarise(rounds).isPassed).toBe(false);
    expect(summarise([...rounds, round({ ...atStep, hit: true })]).isPassed).toBe(true);
    const apart = ['committed', 'queued', 'claimed'].map((step) => round({ ...atStep, fault: step }));
    expect(summarise(apart).isPassed).toBe(false);
  });

  it('fails where one step came by in none of several rounds, whatever came of others', () => {
    const rounds = Array.from({ length: 3 }, () => round(atStep));
    const other = round({ ...atStep, fault: 'kill memory at embedding-written', hit: true });
    expect(summarise([...rounds, other])).toMatchObject({
      isPassed: false,
      line: expect.stringContaining('MISSED kill gateway at claimed'),
    });
    expect(summarise([...rounds.slice(1), other]).isPassed).toBe(true);
  });
});
