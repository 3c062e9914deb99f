import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Database } from '@kith/database';
import { SpeakerNames } from './speaker-names.js';

it('a name that is added while the names cannot be read ends nothing but that reading', async () => {
  const $queryRaw = () => Promise.reject(new Error('the database is away'));
  const names = new SpeakerNames({ reader: () => ({ $queryRaw }) } as unknown as Database);
  const asked = names.of('ann');
  names.add('ann', 'Ann');
  await expect(asked).rejects.toThrow('away');
  // A rejection that nobody handles would end the process by now.
  await setImmediate();
  await expect(names.of('ann')).rejects.toThrow('away');
});
