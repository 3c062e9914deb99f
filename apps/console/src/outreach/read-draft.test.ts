import { describe, expect, it } from '@jest/globals';
import { draftOf, readDraft } from './read-draft.js';

const draft = {
  ...{ timeZone: 'berlin', quietFrom: '22:00', quietUntil: '08:00' },
  ...{ dailyCap: '1', weeklyCap: '5', topicsOff: ' work, , my ex' },
};

describe('readDraft', () => {
  it('reads a city as its zone, and topics as a list', () => {
    const read = readDraft(draft);
    expect(read).toEqual({
      change: {
        ...{ timeZone: 'Europe/Berlin', quietFrom: '22:00', quietUntil: '08:00' },
        ...{ dailyCap: 1, weeklyCap: 5, topicsOff: ['work', 'my ex'] },
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

  it('gives back what it was made of', () => {
    const settings = {
      ...{
        optedIn: true,
        direct: true,
        channel: null,
        timeZone: 'Europe/Madrid',
        quietFrom: '23:00',
        quietUntil: '07:30',
      },
      ...{ dailyCap: 2, weeklyCap: 0, topicsOff: ['football', 'work'] },
    };
    const { optedIn: _, direct: __, channel: ___, ...rest } = settings;
    expect(readDraft(draftOf(settings))).toEqual({ change: rest });
  });
});
