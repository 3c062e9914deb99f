import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineSettings, listSettings, readSettings, setting } from './settings.js';

const settings = defineSettings({
  http: { port: setting('TEST_PORT', z.coerce.number().int().default(1)).is('a port') },
  store: {
    url: setting('TEST_URL', z.url()).is('an address'),
    secret: setting('TEST_SECRET', z.string().min(20, 'is shorter than 20 characters')).is('a secret'),
  },
});

describe('settings', () => {
  it('are grouped by collaborator, with defaults where nothing is set', () => {
    const read = readSettings(settings, {
      TEST_URL: 'redis://x',
      TEST_SECRET: 'a'.repeat(20),
      TEST_PORT: '',
    });
    expect(read).toEqual({ http: { port: 1 }, store: { url: 'redis://x', secret: 'a'.repeat(20) } });
  });

  it('are read without the spaces around them, and spaces alone count as unset', () => {
    const given = { TEST_URL: ' redis://x ', TEST_SECRET: `\u00a0${'a'.repeat(20)}`, TEST_PORT: ' ' };
    const read = { http: { port: 1 }, store: { url: 'redis://x', secret: 'a'.repeat(20) } };
    expect(readSettings(settings, given)).toEqual(read);
  });

  it('name every problem at once and print no value', () => {
    let message = '';
    try {
      readSettings(settings, { TEST_PORT: 'eleven', TEST_SECRET: 'hunter2' });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain('TEST_PORT: a number (a port)');
    expect(message).toContain('TEST_URL: is not set (an address)');
    expect(message).toContain('TEST_SECRET: is shorter than 20 characters');
    expect(message).not.toContain('hunter2');
    expect(message).not.toContain('eleven');
  });

  it('can be listed, for the example file', () => {
    expect(listSettings(settings).map(({ variable }) => variable)).toEqual([
      'TEST_PORT',
      'TEST_URL',
      'TEST_SECRET',
    ]);
  });
});
