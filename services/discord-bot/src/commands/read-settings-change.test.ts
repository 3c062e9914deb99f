import { describe, expect, it } from '@jest/globals';
import { readSettingsChange } from './read-settings-change.js';

const none = {
  ...{ outreach: null, timezone: null, quietFrom: null, quietUntil: null },
  ...{ dailyCap: null, weeklyCap: null, topicsOff: null },
};

describe('readSettingsChange', () => {
  it('takes only what was given', () => {
    expect(readSettingsChange(none)).toEqual({ change: null });
    expect(readSettingsChange({ ...none, outreach: 'on', quietFrom: '8:30' })).toEqual({
      change: { optedIn: true, quietFrom: '08:30' },
    });
    expect(readSettingsChange({ ...none, dailyCap: 0 })).toEqual({ change: { dailyCap: 0 } });
  });

  it('finds a zone by its city, and reads topics as a list', () => {
    expect(readSettingsChange({ ...none, timezone: ' berlin ', topicsOff: 'work, my ex' })).toEqual({
      change: { timeZone: 'Europe/Berlin', topicsOff: ['work', 'my ex'] },
    });
    expect(readSettingsChange({ ...none, topicsOff: 'none' })).toEqual({ change: { topicsOff: [] } });
    expect(readSettingsChange({ ...none, timezone: 'Berln' })).toEqual({
      problem: expect.stringContaining('did you mean Europe/Berlin'),
    });
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
