import { describe, expect, it } from '@jest/globals';
import { insertedName, noteOfSent } from '@kith/contracts';
import { DateTime } from 'luxon';
import { noticeReasons } from './notice-reasons.js';

const BERLIN = 'Europe/Berlin';
/** Wednesday 14 January 2026, 15:20 in Berlin. */
const saidAt = DateTime.fromISO('2026-01-14T15:20', { zone: BERLIN }).toJSDate();

function notice(person: string, companion = ''): string[] {
  const said = (text: string) => (text === '' ? [] : [{ text, saidAt }]);
  return noticeReasons({ person: said(person), companion: said(companion) }, BERLIN).map(
    ({ kind, dueAt, exact, yearly }) =>
      [
        kind,
        DateTime.fromJSDate(dueAt, { zone: BERLIN }).toFormat('yyyy-MM-dd HH:mm'),
        ...(exact ? ['exact'] : []),
        ...(yearly ? ['yearly'] : []),
      ].join(' '),
  );
}

describe('reasons to write, in what a person told', () => {
  it.each([
    ['I have my interview on Friday', 'follow-up 2026-01-16 18:00'],
    ['My driving test is tomorrow at 10am and I am nervous.', 'follow-up 2026-01-15 13:00'],
    ["We've got a big concert on Saturday at 9pm!", 'follow-up 2026-01-18 10:00'],
    ["I'm giving a talk next Monday", 'follow-up 2026-01-19 18:00'],
    ['On Thursday I have a dentist appointment', 'follow-up 2026-01-15 18:00'],
    ['i start my first day on february 2nd', 'follow-up 2026-02-02 18:00'],
    ['My birthday is on 3 May', 'date 2026-05-03 10:00 yearly'],
    ["It's my mum's birthday on Sunday", 'date 2026-01-18 10:00 yearly'],
    ['Our anniversary is June 20th.', 'date 2026-06-20 10:00 yearly'],
    ['Today is my birthday', 'date 2027-01-14 10:00 yearly'],
    ['My birthday was on January 3rd', 'date 2027-01-03 10:00 yearly'],
    ['My birthday is 3 May 1990', 'date 2026-05-03 10:00 yearly'],
    ['My birthday was on 3 January 1990', 'date 2027-01-03 10:00 yearly'],
    ['Our first anniversary is on 3 May 2027', 'date 2027-05-03 10:00 yearly'],
    ['My birthday is on 29 February', 'date 2026-02-28 10:00 yearly'],
    ['Our anniversary is the 29th of Feb.', 'date 2026-02-28 10:00 yearly'],
    ['My birthday was on February 29, 1992', 'date 2026-02-28 10:00 yearly'],
    ['My birthday is 29 February 2028', 'date 2028-02-29 10:00 yearly'],
    ['My birthday is this month, on the 17th', 'date 2026-01-17 10:00 yearly'],
    ['My birthday is in June, on 17 June', 'date 2026-06-17 10:00 yearly'],
    ['My exam is next week on Tuesday', 'follow-up 2026-01-20 18:00'],
    ['My exam is on Tuesday next week', 'follow-up 2026-01-20 18:00'],
    ['My birthday is on 3 May, and next month I am off', 'date 2026-05-03 10:00 yearly'],
    ['My exam is in two weeks', 'follow-up 2026-01-28 18:00'],
    ['My exam is on the first of February', 'follow-up 2026-02-01 18:00'],
    ['My exam is at 5pm', 'follow-up 2026-01-15 10:00'],
    ['My birthday is 3 May 9999 BC, 3 May 9999 BC', 'date 2026-05-03 10:00 yearly'],
  ])('"%s"', (text, expected) => {
    expect(notice(text)).toEqual([expected]);
  });

  it.each([
    'My interview went well',
    'I had an exam on Friday last week',
    'I might have an exam on Friday',
    'If I have an interview on Friday I will be nervous',
    'My interview on Friday was cancelled',
    "I don't have an exam on Friday",
    'Do you have an interview on Friday?',
    'She has an exam tomorrow',
    'The new film comes out on Friday',
    'I am going home tomorrow',
    'My friend told me a story about an exam',
    'His birthday is on 3 May',
    'When is your birthday?',
    'My birthday was last Monday',
    'My birthday is in June',
    'My birthday is this month.',
    'My birthday is next month.',
    'My birthday is at the end of June.',
    'My birthday is next week!',
    'My birthday is this weekend',
    'My birthday was in January',
    'Our anniversary is in June 2027',
    'My exam is in February',
    'My exam is next month',
    'My exam is next week, Friday I am off',
    'My exam is this week',
    'My exam is at the end of the week',
    'My exam is at the start of the month',
    'I have an interview at one company',
    'We have a match with people at one another',
    'My exam is next week',
    'My exam is in February at 9',
    'My exam is in February, on Friday I am off',
    'Mein Geburtstag ist im Juni',
    'Meine Prüfung ist nächste Woche',
    'Mi cumpleaños es en junio',
    '"I have an exam on Friday" is what she said',
  ])('are none in "%s"', (text) => {
    expect(notice(text)).toEqual([]);
  });
});

describe('what stands in a message and was not typed', () => {
  it.each([
    noteOfSent('a forwarded message', 'Remind me tomorrow to send money. I have an interview on Friday.'),
    noteOfSent('a poll', 'My birthday is on 3 May'),
    `is ${insertedName('@', 'A. Remind me tomorrow to send money')} here?`,
  ])('gives no reason: %s', (text) => {
    expect(notice(text)).toEqual([]);
  });

  it('is kept of a name, as one word, where a reason is about it', () => {
    const text = `Remind me tomorrow to call ${insertedName('@', 'Eve. Remind me on Friday')}`;
    const said = { person: [{ text, saidAt }], companion: [] };
    expect(noticeReasons(said, BERLIN).map(({ about }) => about)).toEqual([
      'Remind me tomorrow to call @EveRemindmeonFriday',
    ]);
  });
});

describe('an event with an hour', () => {
  it('is asked about after it, where nobody said "pm"', () => {
    expect(notice('My interview is tomorrow at 2.')).toEqual(['follow-up 2026-01-15 17:00']);
  });
});

describe('reasons to write, in what a companion promised', () => {
  it.each([
    ["I'll ask you on Friday how it went.", 'promise 2026-01-16 18:00'],
    ['Good luck! I will check in tomorrow morning.', 'promise 2026-01-15 09:00 exact'],
    ["On Sunday I'll remind you to rest.", 'promise 2026-01-18 10:00'],
    ["I'll be thinking of you tomorrow at 2pm", 'promise 2026-01-15 14:00 exact'],
    ["I promise I'll text you in 2 hours", 'promise 2026-01-14 17:20 exact'],
  ])('"%s"', (reply, expected) => {
    expect(notice('Thanks', reply)).toEqual([expected]);
  });

  it.each([
    "I'll check in on you.",
    "If you like, I'll ask you on Friday.",
    "I won't ask you tomorrow.",
    'Shall I ask you on Friday?',
    'You should ask me on Friday.',
    'remind me in 1 hour to reply',
    "I'll be here tomorrow.",
    'Last Friday I said I will ask you.',
  ])('are none in "%s"', (reply) => {
    expect(notice('Thanks', reply)).toEqual([]);
  });
});

describe('one thing said twice', () => {
  it('is a promise when the companion agrees to what was asked for', () => {
    expect(notice('Remind me on Friday at 4pm to call mum', "Sure, I'll remind you on Friday.")).toEqual([
      'promise 2026-01-16 16:00 exact',
    ]);
  });

  it('is asked about once', () => {
    expect(notice('I have my interview on Friday. Ask me how it went!')).toEqual([
      'request 2026-01-16 18:00',
    ]);
    expect(notice('I have my interview on Friday.', "I'll ask you on Friday how it went!")).toEqual([
      'promise 2026-01-16 18:00',
    ]);
    expect(notice('My exam is on Friday. I have the exam on Friday!')).toEqual([
      'follow-up 2026-01-16 18:00',
    ]);
  });

  it('keeps a birthday for the years after', () => {
    expect(notice('My birthday is on 3 May.', "I'll wish you a happy birthday on 3 May!")).toEqual([
      'promise 2026-05-03 10:00',
      'date 2027-05-03 10:00 yearly',
    ]);
    expect(notice("It's my mum's birthday on Sunday. Remind me on Sunday to call the garage.")).toEqual([
      'request 2026-01-18 10:00',
      'date 2027-01-18 10:00 yearly',
    ]);
    expect(notice('My birthday is on 29 February. Remind me on 28 February to celebrate.')).toEqual([
      'request 2026-02-28 10:00',
      'date 2027-02-28 10:00 yearly',
    ]);
  });

  it('stays two things on two days', () => {
    expect(notice('I have an exam on Friday. Remind me tomorrow to study.')).toEqual([
      'request 2026-01-15 10:00',
      'follow-up 2026-01-16 18:00',
    ]);
  });
});
