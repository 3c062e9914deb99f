import { describe, expect, it } from '@jest/globals';
import { DateTime } from 'luxon';
import { cutAbout } from './cut-about.js';
import { noticeIntentions } from './notice-intentions.js';

const BERLIN = 'Europe/Berlin';
/** Wednesday 14 January 2026, 15:20 in Berlin. */
const WEDNESDAY = '2026-01-14T15:20';

function notice(text: string, said = WEDNESDAY, zone = BERLIN): string[] {
  const saidAt = DateTime.fromISO(said, { zone }).toJSDate();
  return noticeIntentions([{ text, saidAt }], zone).map(
    ({ about, dueAt }) => `${DateTime.fromJSDate(dueAt, { zone }).toFormat('yyyy-MM-dd HH:mm')} ${about}`,
  );
}

describe('noticeIntentions', () => {
  it.each([
    ['Ask me tomorrow how the interview went', '2026-01-15 18:00 Ask me tomorrow how the interview went'],
    [
      'Can you ask me on Friday whether I booked it?',
      '2026-01-16 10:00 ask me on Friday whether I booked it',
    ],
    ['remind me on Friday to call mum', '2026-01-16 10:00 remind me on Friday to call mum'],
    ['Remind me to call mum at 5pm please', '2026-01-14 17:00 Remind me to call mum at 5pm'],
    ['remind me to stretch in half an hour', '2026-01-14 15:50 remind me to stretch in half an hour'],
    ['remind me tomorrow to call mum at 5 p.m.', '2026-01-15 17:00 remind me tomorrow to call mum at 5 pm'],
    ['check in on me in 2 hours', '2026-01-14 17:20 check in on me in 2 hours'],
    ['please check up on me this evening', '2026-01-14 19:00 check up on me this evening'],
    [
      'tell me tomorrow morning that I can do this',
      '2026-01-15 09:00 tell me tomorrow morning that I can do this',
    ],
    ['Tell me to go to bed at 11pm', '2026-01-14 23:00 Tell me to go to bed at 11pm'],
    ['ping me in 20 minutes', '2026-01-14 15:40 ping me in 20 minutes'],
    ['message me next Monday afternoon', '2026-01-19 15:00 message me next Monday afternoon'],
    ['write to me on 3 February at 08:30', '2026-02-03 08:30 write to me on 3 February at 08:30'],
    ['Tomorrow remind me to water the plants', '2026-01-15 10:00 remind me to water the plants'],
    ['In 3 days, ask me about the tooth', '2026-01-17 10:00 ask me about the tooth'],
    ['Hey Mira remind me tomorrow to pay rent', '2026-01-15 10:00 remind me tomorrow to pay rent'],
    ['Mira remind me tomorrow to pay rent', '2026-01-15 10:00 remind me tomorrow to pay rent'],
    ['<@123456> remind me tomorrow to pay rent', '2026-01-15 10:00 remind me tomorrow to pay rent'],
    ['I’d like you to remind me on Sunday to rest', '2026-01-18 10:00 remind me on Sunday to rest'],
    ['remind me not to text him tonight', '2026-01-14 20:00 remind me not to text him tonight'],
    ['follow up with me next week', '2026-01-21 10:00 follow up with me next week'],
  ])('understands "%s"', (text, expected) => {
    expect(notice(text)).toEqual([expected]);
  });

  it.each([
    ['remind me to call mum', '2026-01-15 10:00 remind me to call mum'],
    ['Please check in on me', '2026-01-15 10:00 check in on me'],
    ["don't let me forget the cake", "2026-01-15 10:00 don't let me forget the cake"],
    ['ask me how the exam went', '2026-01-15 18:00 ask me how the exam went'],
    ["ask me again when I'm home", "2026-01-15 10:00 ask me again when I'm home"],
    ['remind me later to drink water', '2026-01-14 18:20 remind me later to drink water'],
  ])('takes the next day, or a few hours for "later", without a date: "%s"', (text, expected) => {
    expect(notice(text)).toEqual([expected]);
  });

  it.each([
    ['tomorrow morning at 5', '2026-01-14T15:20', '2026-01-15 05:00'],
    ['tomorrow at half past 8 pm', '2026-01-14T15:20', '2026-01-15 20:30'],
    ['tomorrow at half past 3 in the afternoon', '2026-01-14T15:20', '2026-01-15 15:30'],
    ['tomorrow at quarter to 7 in the morning', '2026-01-14T15:20', '2026-01-15 06:45'],
    ['at half past 8 in the evening', '2026-01-14T07:00', '2026-01-14 20:30'],
    ['tomorrow at 8 in the evening', '2026-01-14T15:20', '2026-01-15 20:00'],
    ['at quarter to one', '2026-01-14T12:05', '2026-01-14 12:45'],
    ['this afternoon', '2026-01-14T15:30', '2026-01-14 16:30'],
    ['this evening', '2026-01-14T20:30', '2026-01-14 21:30'],
    ['in the afternoon', '2026-01-14T19:30', '2026-01-15 15:00'],
  ])('means the hour of the part of the day that is named: "%s", said at %s', (when, said, expected) => {
    expect(notice(`Remind me ${when} to call mum`, said)).toEqual([
      `${expected} Remind me ${when} to call mum`,
    ]);
  });

  it('means the day about to begin when it is asked in the small hours', () => {
    expect(notice('remind me to call mum', '2026-01-15T01:30')).toEqual([
      '2026-01-15 10:00 remind me to call mum',
    ]);
  });

  it.each([
    "don't remind me tomorrow to call mum",
    'Please do not ask me tomorrow how it went',
    'never remind me of that on Friday',
    'Stop. You do not have to check in on me',
    "you don't need to remind me on Friday",
    "I don't want you to check in on me tomorrow",
    "I don't think you should remind me tomorrow",
    "don't call me and remind me tomorrow",
    'no need to ask me tomorrow',
  ])('keeps nothing of a request not to: "%s"', (text) => {
    expect(notice(text)).toEqual([]);
  });

  it.each([
    "don't forget to ask me tomorrow about the cat",
    "Don't forget to remind me on Friday",
    "I don't know yet, so ask me tomorrow",
    "I'm not sure but ask me on Friday",
  ])('is not taken in by a negation that is none: "%s"', (text) => {
    expect(notice(text)).toHaveLength(1);
  });

  it.each([
    'remind me what we talked about yesterday',
    'Can you remind me who wrote that?',
    'remind me of the plan',
    'tell me a joke',
    'tell me what happens tomorrow',
    "tell me tomorrow's weather",
    'tell me about your plans for Friday',
    'ask me anything',
    'ask me a question about Rome',
    'did you ask me something yesterday?',
    'why would you ask me tomorrow?',
    'When will you check in on me?',
    'what did they tell me on Friday',
    'if you ask me, tomorrow will be fine',
    'you remind me of my sister',
    'You remind me of last summer',
  ])('leaves alone what wants an answer now: "%s"', (text) => {
    expect(notice(text)).toEqual([]);
  });

  it.each([
    'my boss will ask me tomorrow how it went',
    "she'll come by and ask me tomorrow",
    'He told me on Friday to call',
    'I asked my brother to remind me tomorrow',
    'they always ask me on Fridays',
    'My mum said "remind me tomorrow to call"',
    '> remind me tomorrow to call\nlol what is that',
    '```\nremind me tomorrow\n```',
    'People ask me on Monday why I am tired',
  ])('leaves alone what somebody else does or said: "%s"', (text) => {
    expect(notice(text)).toEqual([]);
  });

  it.each([
    'remind me on 1 January 2020 to call',
    'remind me yesterday',
    'ask me about what happened last Friday',
    'remind me in 3 years to open the letter',
  ])('keeps nothing that lies in the past or beyond a year: "%s"', (text) => {
    expect(notice(text)).toEqual([]);
  });

  it('reads a time that has passed today as tomorrow', () => {
    expect(notice('remind me at 9am to eat')).toEqual(['2026-01-15 09:00 remind me at 9am to eat']);
  });

  it.each([
    ['remind me at 5 to leave', WEDNESDAY, '2026-01-14 17:00'],
    ['remind me today at 5 to leave', WEDNESDAY, '2026-01-14 17:00'],
    ['remind me at 9 to leave', WEDNESDAY, '2026-01-14 21:00'],
    ['remind me at 3 to leave', WEDNESDAY, '2026-01-15 15:00'],
    ['remind me at 11:30 to leave', '2026-01-14T09:00', '2026-01-14 11:30'],
    ['remind me at 05:00 to leave', WEDNESDAY, '2026-01-15 05:00'],
    ['remind me at 2 to sleep', '2026-01-14T00:30', '2026-01-14 02:00'],
    ['remind me tomorrow at 5 to leave', WEDNESDAY, '2026-01-15 17:00'],
    ['remind me tomorrow at 9 to leave', WEDNESDAY, '2026-01-15 09:00'],
    ['remind me tomorrow to leave at 9', WEDNESDAY, '2026-01-15 09:00'],
    ['remind me tomorrow to leave at 5', WEDNESDAY, '2026-01-15 17:00'],
    ['remind me at half past 8 to leave', WEDNESDAY, '2026-01-14 20:30'],
    ['remind me tomorrow at quarter to nine to leave', WEDNESDAY, '2026-01-15 08:45'],
  ])('reads an hour without "am" or "pm" as it is meant: "%s" at %s', (text, said, due) => {
    expect(notice(text, said)).toEqual([`${due} ${text}`]);
  });

  it.each([
    ['remind me tonight to call', '2026-01-14T21:10', '2026-01-14 22:10'],
    ['remind me this evening to call', '2026-01-14T19:30', '2026-01-14 20:30'],
    ['remind me tonight to call', '2026-01-14T00:30', '2026-01-14 20:00'],
  ])('comes within the hour where the part of the day has begun: "%s" at %s', (text, said, due) => {
    expect(notice(text, said)).toEqual([`${due} ${text}`]);
  });

  it.each([
    ['remind me on the 20th to pay', WEDNESDAY, '2026-01-20 10:00'],
    ['remind me to pay on the 5th', WEDNESDAY, '2026-02-05 10:00'],
    ['remind me on the 20th at 8pm to pay', WEDNESDAY, '2026-01-20 20:00'],
    ['on the 20th, remind me to pay', WEDNESDAY, '2026-01-20 10:00'],
    ['remind me on the 3rd of next month to pay', WEDNESDAY, '2026-02-03 10:00'],
    ['remind me by the 31st to pay', '2026-02-10T12:00', '2026-03-31 10:00'],
    ['remind me to move in on the 5th floor', WEDNESDAY, '2026-01-15 10:00'],
    ['remind me on the 5th of March to pay', WEDNESDAY, '2026-03-05 10:00'],
  ])('reads a day of the month: "%s" at %s', (text, said, due) => {
    expect(notice(text, said)[0]?.slice(0, 16)).toBe(due);
  });

  it.each([
    ['remind me in a month to pay', '2026-01-31T12:00', '2026-02-28 10:00'],
    ['remind me next month to pay', '2026-01-30T12:00', '2026-02-28 10:00'],
    ['remind me in 3 months to pay', '2026-01-31T12:00', '2026-04-30 10:00'],
    ['remind me in a month to pay', '2026-01-28T12:00', '2026-02-28 10:00'],
    ['remind me in 3 days to pay', '2026-01-30T12:00', '2026-02-02 10:00'],
  ])('stays in the month that is meant, however short: "%s" at %s', (text, said, due) => {
    expect(notice(text, said)[0]?.slice(0, 16)).toBe(due);
  });

  it('reads a date that has passed this year as the next', () => {
    expect(notice('remind me on January 2nd to rest')).toEqual([
      '2027-01-02 10:00 remind me on January 2nd to rest',
    ]);
  });

  it('takes the day from the sentence before, and its words, when the request points back', () => {
    expect(notice('I have an interview on Friday. Ask me how it went!')).toEqual([
      '2026-01-16 18:00 I have an interview on Friday. Ask me how it went',
    ]);
    expect(notice('My driving test is tomorrow, ask me how it went')).toEqual([
      '2026-01-15 18:00 My driving test is tomorrow. ask me how it went',
    ]);
  });

  it('takes the later of two days for a question and the earlier for a reminder', () => {
    expect(notice("ask me how Friday's interview went on Saturday")[0]).toMatch(/^2026-01-17/);
    expect(notice('remind me to pack for Saturday on Friday')[0]).toMatch(/^2026-01-16/);
  });

  it('takes several requests apart', () => {
    expect(notice('Remind me tomorrow to call mum and ask me on Friday how the trip was')).toEqual([
      '2026-01-15 10:00 Remind me tomorrow to call mum',
      '2026-01-16 10:00 ask me on Friday how the trip was',
    ]);
  });

  it('keeps a request said twice once, and at most five', () => {
    expect(notice('remind me to eat. remind me to eat.')).toHaveLength(1);
    const list = Array.from({ length: 9 }, (_, index) => `remind me in ${index + 1} hours to stand.`).join(
      ' ',
    );
    expect(notice(list)).toHaveLength(5);
  });

  it('counts a request that is said again from then on', () => {
    const text = 'remind me in 2 hours to stand';
    const saidAt = DateTime.fromISO(WEDNESDAY, { zone: BERLIN });
    const said = [0, 10].map((minutes) => ({ text, saidAt: saidAt.plus({ minutes }).toJSDate() }));
    expect(noticeIntentions(said, BERLIN).map(({ dueAt }) => dueAt)).toEqual([
      saidAt.plus({ hours: 2, minutes: 10 }).toJSDate(),
    ]);
  });

  it('caps the words it keeps', () => {
    const [kept] = notice(`remind me tomorrow to ${'very '.repeat(100)}rest`);
    expect(kept).toHaveLength('2026-01-15 10:00 '.length + 240);
    expect(kept).toMatch(/…$/);
    expect(cutAbout(`x${'😀'.repeat(200)}`).isWellFormed()).toBe(true);
  });

  it('reads days on the clock of the zone it was said in', () => {
    const saidAt = new Date('2026-01-14T23:30:00Z');
    const message = [{ text: 'remind me tomorrow to call', saidAt }];
    expect(noticeIntentions(message, 'UTC')[0]?.dueAt.toISOString()).toBe('2026-01-15T10:00:00.000Z');
    // In Auckland it is Thursday noon by then.
    expect(noticeIntentions(message, 'Pacific/Auckland')[0]?.dueAt.toISOString()).toBe(
      '2026-01-15T21:00:00.000Z',
    );
  });

  describe('over a change of the clock', () => {
    it('keeps the hour of a day and the length of a duration', () => {
      const saturday = '2026-03-28T20:00';
      expect(notice('remind me tomorrow at 9 to call', saturday)[0]).toMatch(/^2026-03-29 09:00/);
      // Eight hours from 20:00 are 05:00, for 02:00 to 03:00 is missing.
      expect(notice('remind me in 8 hours to call', saturday)[0]).toMatch(/^2026-03-29 05:00/);
      expect(notice('remind me in 2 days to call', saturday)[0]).toMatch(/^2026-03-30 10:00/);
    });

    it('moves an hour that does not exist to the one after', () => {
      expect(notice('remind me tomorrow at 2:30 am to call', '2026-03-28T20:00')[0]).toMatch(
        /^2026-03-29 03:30/,
      );
    });

    it('keeps the hour in autumn', () => {
      expect(notice('remind me tomorrow at 9 to call', '2026-10-24T20:00')[0]).toMatch(/^2026-10-25 09:00/);
      expect(notice('remind me in 8 hours to call', '2026-10-24T20:00')[0]).toMatch(/^2026-10-25 03:00/);
    });
  });

  it('keeps the own words of a request beside others that are spelt out', () => {
    expect(notice("I'm gonna sleep. So tired, gotta go, remind me tomorrow to call mum!")).toEqual([
      '2026-01-15 10:00 remind me tomorrow to call mum',
    ]);
  });

  it('reads nothing into small talk', () => {
    expect(
      notice('I sat down and told my mum that tomorrow will be a good day. May I ask you something?'),
    ).toEqual([]);
    expect(notice('')).toEqual([]);
  });

  it.each([
    'remind me on 31 June to pay',
    'remind me on February 30th at 9 to pay',
    'remind me on the 29th of February to pay',
    'remind me to pay on 32.1.',
    'remind me at 25:00 to pay',
    'remind me at 1700 to pay',
    'remind me to pay at 5ish',
    'remind me in 10 to pay',
    'remind me on Easter to pay',
    'remind me next summer to pay',
    'remind me on my birthday to pay',
    'remind me on the fifth to pay',
    'remind me at the end of the day to pay',
    'remind me in 2030 to pay',
    "remind me on the 24th mum's birthday",
  ])('is not put on the next day where the named time is none that can be read: "%s"', (text) => {
    expect(notice(text)).toEqual([]);
  });

  it.each([
    'remind me to look at two flats',
    'remind me to buy Christmas presents',
    'remind me before Christmas to pay',
    'remind me to plan the week',
    'remind me to pay for the month',
    'remind me to drop it on the 5th floor',
    'remind me to work on 2 separate essays',
    'remind me to work on the 2nd chapter',
    'remind me to write on the 19th century',
    'remind me to send my end of day report',
    "remind me to plan next summer's trip",
    'remind me to put the oven on 180',
    'remind me to cut it by 12.5 percent',
    'remind me to read what happened in 1945',
    'remind me that we met on 12 June 2020',
  ])('comes the next day where no time is named: "%s"', (text) => {
    expect(notice(text)).toEqual([`2026-01-15 10:00 ${text}`]);
  });
});
