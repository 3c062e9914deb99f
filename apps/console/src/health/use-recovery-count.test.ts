import { describe, expect, it } from '@jest/globals';
import { isRecovery, type SuiteState } from './use-recovery-count.js';

const state = (status: SuiteState['status'], ...keys: string[]): SuiteState => ({
  status,
  troubles: keys.map((key) => ({ key, what: `${key} is down`, effect: null, since: null })),
});

describe('a recovery', () => {
  it('is a connection that is back, or a part', () => {
    expect(isRecovery(state('reconnecting'), state('ready'))).toBe(true);
    expect(isRecovery(state('ready', 'memory', 'discord-bot'), state('ready', 'discord-bot'))).toBe(true);
  });

  it('is neither the first connection nor a new trouble nor one that goes on', () => {
    expect(isRecovery(state('connecting'), state('ready'))).toBe(false);
    expect(isRecovery(state('ready'), state('ready', 'memory'))).toBe(false);
    expect(isRecovery(state('ready', 'memory'), state('ready', 'memory'))).toBe(false);
    expect(isRecovery(state('ready', 'memory'), state('reconnecting'))).toBe(false);
  });
});
