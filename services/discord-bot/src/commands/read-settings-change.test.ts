import { describe, expect, it } from '@jest/globals';
import { readSettingsChange } from './read-settings-change.js';

const none = { outreach: null, timezone: null, quietFrom: null, quietUntil: null, dailyCap: null };

describe('readSettingsChange', () => {
  it('takes only what was given', () => {
    expect(readSettingsChange(none)).toEqual({ change: null });
    expect(readSettingsChange({ ...none, outreach: 'on', quietFrom: '8:30' })).toEqual({
      change: { optedIn: true, quietFrom: '08:30' },
    });
    expect(readSettingsChange({ ...none, dailyCap: 0 })).toEqual({ change: { dailyCap: 0 } });
  });

  it('says by option what is wrong, and changes nothing', () => {
    const read = readSettingsChange({
      ...none,
      outreach: 'on',
      timezone: 'Mars/Olympus',
      quietUntil: '25:00',
    });
    expect(read).toEqual({
      problem: expect.stringMatching(/^Nothing was changed\. `timezone`: .*; `quiet-until`: /),
    });
  });
});
