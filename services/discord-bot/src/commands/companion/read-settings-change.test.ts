import { describe, expect, it } from '@jest/globals';
import { readSettingsChange, type SettingsOptions } from './read-settings-change.js';

const none = {
  ...{ outreach: null, timezone: null, quietFrom: null, quietUntil: null },
  ...{ dailyCap: null, weeklyCap: null, topicsOff: null },
};

const read = (options: SettingsOptions, here: string | null = null) => readSettingsChange(options, here);

describe('readSettingsChange', () => {
  it('takes only what was given', () => {
    expect(read(none)).toEqual({ change: null });
    expect(read({ ...none, outreach: 'on', quietFrom: '8:30' })).toEqual({
      change: { optedIn: true, quietFrom: '08:30' },
    });
    expect(read({ ...none, dailyCap: 0 })).toEqual({ change: { dailyCap: 0 } });
  });

  it('takes "here" for the channel it was said in, and in a DM for the DM', () => {
    expect(read({ ...none, outreach: 'here' }, '42')).toEqual({ change: { channel: '42' } });
    expect(read({ ...none, outreach: 'here' })).toEqual({ change: { optedIn: true } });
    expect(read({ ...none, outreach: 'off' }, '42')).toEqual({ change: { optedIn: false } });
  });

  it('finds a zone by its city, and reads topics as a list', () => {
    expect(read({ ...none, timezone: ' berlin ', topicsOff: 'work, my ex' })).toEqual({
      change: { timeZone: 'Europe/Berlin', topicsOff: ['work', 'my ex'] },
    });
    expect(read({ ...none, topicsOff: 'none' })).toEqual({ change: { topicsOff: [] } });
    expect(read({ ...none, timezone: 'Berln' })).toEqual({
      problem: expect.stringContaining('did you mean Europe/Berlin'),
    });
  });

  it('says by option what is wrong, and changes nothing', () => {
    const wrong = read({ ...none, outreach: 'on', timezone: 'Mars/Olympus', quietUntil: '25:00' });
    expect(wrong).toEqual({
      problem: expect.stringMatching(/^Nothing was changed\. `timezone`: .*; `quiet-until`: /),
    });
  });
});
