import { describe, expect, it } from '@jest/globals';
import { changedIn, draftOf, readDraft, without } from './read-draft.js';

const settings = {
  optedIn: true,
  direct: true,
  channel: null,
  timeZone: 'Europe/Madrid',
  quietFrom: '23:00',
  quietUntil: '07:30',
  dailyCap: 2,
  weeklyCap: 0,
  topicsOff: ['football', 'work'],
};
const draft = {
  timeZone: 'berlin',
  quietFrom: '22:00',
  quietUntil: '08:00',
  dailyCap: '1',
  weeklyCap: '5',
  topicsOff: ' work, , my ex',
};

describe('readDraft', () => {
  it('reads a city as its zone, and topics as a list', () => {
    const read = readDraft(draft);
    expect(read).toEqual({
      change: {
        timeZone: 'Europe/Berlin',
        quietFrom: '22:00',
        quietUntil: '08:00',
        dailyCap: 1,
        weeklyCap: 5,
        topicsOff: ['work', 'my ex'],
      },
    });
  });

  it('says by field what is wrong', () => {
    const wrong = { timeZone: 'Berln', quietUntil: '', dailyCap: '', weeklyCap: '51', topicsOff: 'a, work' };
    expect(readDraft({ ...draft, ...wrong })).toEqual({
      problems: {
        timeZone: expect.stringContaining('did you mean Europe/Berlin'),
        quietUntil: 'a time such as 22:30',
        dailyCap: 'a number',
        weeklyCap: 'at most 50',
        topicsOff: 'at least two letters',
      },
    });
  });

  it('changes what was typed alone: the rest may have been changed elsewhere', () => {
    expect(readDraft({ dailyCap: '3' })).toEqual({ change: { dailyCap: 3 } });
    expect(readDraft({})).toEqual({ change: {} });
  });

  it('gives back what it was made of', () => {
    const { optedIn: _, direct: __, channel: ___, ...rest } = settings;
    expect(readDraft(draftOf(settings))).toEqual({ change: rest });
  });
});

describe('what was typed', () => {
  it('is to be saved where it is not as the settings have it', () => {
    expect(changedIn({ dailyCap: '2', weeklyCap: '1', topicsOff: 'football, work' }, settings)).toEqual({
      weeklyCap: '1',
    });
  });

  it('stays where it was typed while something else was saved', () => {
    const sent = { dailyCap: '3', timeZone: 'berlin' };
    expect(without({ ...sent, dailyCap: '2' }, sent)).toEqual({ dailyCap: '2' });
  });
});
