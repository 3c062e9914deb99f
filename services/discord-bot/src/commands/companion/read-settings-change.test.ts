import { describe, expect, it } from '@jest/globals';
import { readSettingsChange } from './read-settings-change.js';

const read = (options: Record<string, string | number>, here: string | null = null) =>
  readSettingsChange((option) => options[option], here);

describe('readSettingsChange', () => {
  it('takes only what was given', () => {
    expect(read({})).toEqual({ change: null });
    expect(read({ outreach: 'on', 'quiet-from': '8:30' })).toEqual({
      change: { optedIn: true, quietFrom: '08:30' },
    });
    expect(read({ 'daily-cap': 0 })).toEqual({ change: { dailyCap: 0 } });
  });

  it('takes "here" for the channel it was said in, and in a DM for the DM', () => {
    expect(read({ outreach: 'here' }, '42')).toEqual({ change: { channel: '42' } });
    expect(read({ outreach: 'here' })).toEqual({ change: { optedIn: true } });
    expect(read({ outreach: 'off' }, '42')).toEqual({ change: { optedIn: false } });
  });

  it('finds a zone by its city, and reads topics as a list', () => {
    expect(read({ timezone: ' berlin ', 'topics-off': 'work, my ex' })).toEqual({
      change: { timeZone: 'Europe/Berlin', topicsOff: ['work', 'my ex'] },
    });
    expect(read({ 'topics-off': 'none' })).toEqual({ change: { topicsOff: [] } });
    expect(read({ timezone: 'Berln' })).toEqual({
      problem: 'Nothing was changed. `timezone`: not a time zone: did you mean Europe/Berlin?',
    });
  });

  it('says by option what is wrong, and changes nothing', () => {
    const wrong = read({ outreach: 'on', timezone: 'Mars/Olympus', 'quiet-until': '25:00' });
    expect(wrong).toEqual({
      problem: expect.stringMatching(/^Nothing was changed\. `timezone`: .*; `quiet-until`: /),
    });
  });
});
