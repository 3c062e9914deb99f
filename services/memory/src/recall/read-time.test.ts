import { describe, expect, it } from '@jest/globals';
import { precisionOf, readTime } from './read-time.js';

const NOW = new Date('2026-05-20T12:00:00Z');
const day = (date: Date) => date.toISOString().slice(0, 10);
const spanOf = (query: string, now = NOW) => {
  const span = readTime(query, now);
  return span && [day(span.from), day(span.to)];
};

describe('the time a question asks about', () => {
  it.each([
    ['what did I say yesterday?', '2026-05-18', '2026-05-20'],
    ['what did we do last March?', '2026-03-01', '2026-04-01'],
    ['where was I in June?', '2025-06-01', '2025-07-01'],
    ['what was I up to in March 2024?', '2024-03-01', '2024-04-01'],
    ['what did I tell you on 7 May 2023?', '2023-05-06', '2023-05-08'],
    ['what happened in 2024?', '2024-01-01', '2025-01-01'],
    ['how was I last summer?', '2025-06-01', '2025-09-01'],
    ['what did I do in the winter of 2023?', '2023-12-01', '2024-03-01'],
    ['what was wrong three weeks ago?', '2026-04-25', '2026-05-03'],
    ['what did I plan two months ago?', '2026-03-04', '2026-04-04'],
    ['what did I do the week before last?', '2026-05-03', '2026-05-11'],
    ['what did I do the weekend before last?', '2026-05-08', '2026-05-11'],
    ['what did I do the month before last?', '2026-03-01', '2026-04-01'],
    ['what did I do the year before last?', '2024-01-01', '2025-01-01'],
    ['what did I do the Monday before last?', '2026-05-10', '2026-05-12'],
    ['what did I do Monday last week?', '2026-05-10', '2026-05-18'],
    ['what did I say after 3 May?', '2026-05-02', '2026-05-20'],
    ['what did I say after March?', '2026-03-01', '2026-05-20'],
    ['what have I done after 2020?', '2020-01-01', '2026-05-20'],
    ['what did I say the day after 3 May?', '2026-05-03', '2026-05-05'],
    ['what did I do last week?', '2026-05-10', '2026-05-18'],
    ['what have I done since last week?', '2026-05-10', '2026-05-20'],
    ['what did I do last weekend?', '2026-05-15', '2026-05-18'],
    ['what did I say in the last two weeks?', '2026-05-06', '2026-05-20'],
    ['what did I say in the last few days?', '2026-05-16', '2026-05-20'],
    ['what have I done these past couple of weeks?', '2026-05-06', '2026-05-20'],
    ['what did I eat in the last 24 hours?', '2026-05-19', '2026-05-20'],
    ['what did I do over the past month?', '2026-04-20', '2026-05-20'],
    ['what did I do in the past week?', '2026-05-13', '2026-05-20'],
    ['what have I read in the last 6 months?', '2025-11-21', '2026-05-20'],
    ['what was I like in the last year?', '2025-05-20', '2026-05-20'],
    ['what did I do last month?', '2026-04-01', '2026-05-01'],
    ['what did I do last year?', '2025-01-01', '2026-01-01'],
    ['where did I live before 2020?', '1970-01-01', '2020-01-01'],
    ['what have I done since last Friday?', '2026-05-14', '2026-05-20'],
    ['what did I eat yesterday before the film?', '2026-05-18', '2026-05-20'],
    ['what did I say last March, since I forgot?', '2026-03-01', '2026-04-01'],
    ['what was I like until about last March?', '1970-01-01', '2026-03-01'],
    ['how was I before the summer of 2025?', '1970-01-01', '2025-06-01'],
    ['what have I done since the winter of 2023?', '2023-12-01', '2026-05-20'],
    ['what did I do on August 11?', '2025-08-10', '2025-08-12'],
    ['where was I between August 11 and August 15 2023?', '2023-08-10', '2023-08-16'],
    ['where was I between March and May 2023?', '2023-03-01', '2023-06-01'],
    ['what did I do the week before 3 August 2025?', '2025-07-26', '2025-08-04'],
    ['whom did I meet two weeks before August 11, 2025?', '2025-07-24', '2025-08-01'],
    ['what did I do the week before 3 August?', '2025-07-26', '2025-08-04'],
    ['what did I do the week before 3 May?', '2026-04-25', '2026-05-04'],
    ['whom did I meet two weeks before August 11?', '2025-07-24', '2025-08-01'],
    ['what have I done since the week before 3 May?', '2026-04-25', '2026-05-20'],
    ['what was wrong last week, as I said on 6 November 2025?', '2025-11-05', '2025-11-07'],
    ['what did I plan on the evening of 7 July 2025?', '2025-07-06', '2025-07-08'],
    ['where was I in March last year?', '2025-03-01', '2025-04-01'],
    ['where was I last year, in March?', '2025-03-01', '2025-04-01'],
    ['where was I in March of last year?', '2025-03-01', '2025-04-01'],
    ['where was I in March two years ago?', '2024-03-01', '2024-04-01'],
    ['where was I in March 2 years ago?', '2024-03-01', '2024-04-01'],
    ['where was I three years ago in March?', '2023-03-01', '2023-04-01'],
    ['where was I on 3 March last year?', '2025-03-02', '2025-03-04'],
    ['where was I last year on March 3rd?', '2025-03-02', '2025-03-04'],
    ['where was I last year between February and April?', '2025-02-01', '2025-05-01'],
    ['what have I done since March last year?', '2025-03-01', '2026-05-20'],
    ['what did I do the week before 3 May last year?', '2025-04-25', '2025-05-04'],
    ['where was I in the spring last year?', '2025-03-01', '2025-06-01'],
    ['where was I last year in spring?', '2025-03-01', '2025-06-01'],
    ['when did I fall last year?', '2025-01-01', '2026-01-01'],
    ['what did I say last year, may I ask?', '2025-01-01', '2026-01-01'],
    ['when did I march last year?', '2025-01-01', '2026-01-01'],
    ['when did I start to march last year?', '2025-01-01', '2026-01-01'],
    ['where was I last year from March to May?', '2025-03-01', '2025-06-01'],
    ['last year in March you named a book, which?', '2025-03-01', '2025-04-01'],
    ['where was I in May the year before last?', '2024-05-01', '2024-06-01'],
    ['where was I eleven years ago in March?', '2015-03-01', '2015-04-01'],
    ['where was I a few years ago in March?', '2022-11-18', '2023-11-19'],
    ['where was I in March a few years ago?', '2022-11-18', '2023-11-19'],
    ['where was I last May?', '2025-05-01', '2025-06-01'],
    ['where was I between 28 December 2024 and 3 January?', '2024-12-27', '2025-01-04'],
    ['where was I between 28 December and 3 January 2025?', '2024-12-27', '2025-01-04'],
  ])('%s', (query, from, to) => {
    expect(spanOf(query)).toEqual([from, to]);
  });

  it.each([
    ['2026-05-18', 'last week', '2026-05-10', '2026-05-18'],
    ['2026-05-18', 'last weekend', '2026-05-15', '2026-05-18'],
    ['2026-05-17', 'last week', '2026-05-03', '2026-05-11'],
    ['2026-05-23', 'last weekend', '2026-05-15', '2026-05-18'],
    ['2026-11-28', 'last November', '2025-11-01', '2025-12-01'],
    ['2026-11-28', 'in November last year', '2025-11-01', '2025-12-01'],
    ['2026-11-28', 'in November', '2026-11-01', '2026-12-01'],
    ['2026-12-30', 'between 28 December and 3 January', '2025-12-27', '2026-01-04'],
    ['2027-01-01', 'from 28 December to 3 January', '2025-12-27', '2026-01-04'],
    ['2027-02-01', 'from 28 December to 3 January', '2026-12-27', '2027-01-04'],
    ['2026-11-28', 'between 20 November and 5 January', '2025-11-19', '2026-01-06'],
    // A month before a day that it does not have.
    ['2026-03-30', 'last month', '2026-02-01', '2026-03-01'],
    ['2026-12-31', 'last month', '2026-11-01', '2026-12-01'],
    ['2026-03-31', 'a month ago', '2026-02-12', '2026-03-15'],
    ['2028-02-29', 'a year ago', '2026-08-29', '2027-08-30'],
    // What begins tomorrow has not been.
    ['2026-12-31', 'in January', '2026-01-01', '2026-02-01'],
    // The leap day, in years with and without it.
    ['2026-03-04', 'on 29 February', '2024-02-28', '2024-03-01'],
    ['2027-12-04', 'on February 29th', '2024-02-28', '2024-03-01'],
    ['2028-01-04', 'on 29 February', '2024-02-28', '2024-03-01'],
    ['2028-03-04', 'on the 29th of February', '2028-02-28', '2028-03-01'],
    ['2026-03-04', 'on 29 February 2020', '2020-02-28', '2020-03-01'],
    ['2028-03-04', 'between 29 February and 3 March 2024', '2024-02-28', '2024-03-04'],
    // A weekday that is nearer ahead, on a Friday.
    ['2026-01-02', 'on Monday', '2025-12-28', '2025-12-30'],
    ['2026-01-02', 'this Monday', '2025-12-28', '2025-12-30'],
    ['2026-01-02', 'on Thursday', '2025-12-31', '2026-01-02'],
  ])('on %s: %s', (now, query, from, to) => {
    expect(spanOf(`where was I ${query}?`, new Date(now))).toEqual([from, to]);
  });

  it.each([
    'what did I do on Monday?',
    'Mira, how did it go on Monday morning?',
    'I forget. Did Tom call on Monday?',
    'what time was the dentist this Monday?',
  ])('is the weekday that was, also where the next is nearer: %s', (query) => {
    expect(spanOf(query, new Date('2026-01-02'))).toEqual(['2025-12-28', '2025-12-30']);
  });

  it.each([
    'what is my dog called?',
    'may I ask what I like?',
    'how does the sun feel?',
    'what will I do next week?',
    'what is for tomorrow?',
    'what will I do the week before 3 August 2030?',
    'what do I have on Saturday?',
    'what did I plan for Saturday?',
    'what did I plan for next Saturday?',
    'what was I to do on next Saturday?',
    // A weekday ahead, where another clause tells what was.
    'did I say what we do on Saturday?',
    'did I tell you about my exam on Saturday?',
    'what did I say we were doing on Saturday?',
    'what was I to do on Saturday evening?',
    'who was coming on Saturday?',
    'what is on Saturday? I did forget',
    'I was wondering whether we could swim on Saturday',
    'what did you said, what we on Saturday machen?',
    'what will I do on 29 February next year?',
    'do I like spring?',
    'what is the second best?',
    'how was the opening night?',
  ])('is none in: %s', (query) => {
    expect(spanOf(query)).toBeNull();
  });

  it.each([
    ['on 7 May 2023', 'days'],
    ['the week before 3 August 2025', 'days'],
    ['in March', 'month'],
    ['in the winter of 2023', 'longer'],
    ['before 2020', 'longer'],
  ])('is named closely or not: %s is %s', (query, precision) => {
    expect(precisionOf(readTime(query, NOW)!)).toBe(precision);
  });

  it('before the last of something else is none of before last', () => {
    const span = readTime('what did I do the week before last', NOW);
    expect(readTime('what did I do the week before last Christmas?', NOW)).not.toEqual(span);
    expect(readTime('what did I do the week before last, with Tom?', NOW)).toEqual(span);
  });

  it('that is some days ago is that day, in any zone', () => {
    const span = { from: new Date('2026-05-17T12:00:00Z'), to: new Date('2026-05-19T12:00:00Z') };
    expect(readTime('what did I do two days ago?', NOW)).toEqual(span);
  });
});
