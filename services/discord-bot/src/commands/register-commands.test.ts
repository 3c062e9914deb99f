import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { registerCommands } from './register-commands.js';

const logger = pino({ level: 'silent' });

describe('registering commands', () => {
  it('is tried again until it works, and not after that', async () => {
    let tries = 0;
    const register = async () => {
      tries += 1;
      if (tries < 3) throw new Error('503');
    };
    await registerCommands(register, new AbortController().signal, logger, () => 1);
    expect(tries).toBe(3);
  });

  it('ends with the process', async () => {
    const stopping = new AbortController();
    const registering = registerCommands(
      () => Promise.reject(new Error('503')),
      stopping.signal,
      logger,
      () => 60_000,
    );
    stopping.abort();
    await expect(registering).resolves.toBeUndefined();
  });
});
