import { DateTime } from 'luxon';
import type { Random } from '../faults/random.ts';
import type { Person } from './people.ts';

/** One thing somebody says, and what the companion answers. */
export interface Saying {
  at: Date;
  text: string;
  reply: string;
}

const SMALL_TALK: Readonly<Record<Person['tone'], readonly string[]>> = {
  warm: [
    'Thank you, that really helped me!',
    'I love talking with you.',
    'I got the flat, I am so happy!',
    'You are so kind.',
    'I had a wonderful walk by the river.',
    'You made me laugh today.',
  ],
  plain: [
    'Just had lunch.',
    'The train was late again.',
    'I am reading a book about bees.',
    'Work was long today.',
    'I am a bit tired.',
    'Do you know a good soup?',
  ],
  hostile: [
    'You are useless.',
    'Shut up, you stupid thing.',
    'I hate you.',
    'That was a terrible answer.',
    'You are so annoying.',
    'Leave me alone, idiot.',
  ],
};

const REQUESTS = [
  'Remind me tomorrow at 11am to call the bank.',
  'Can you check in on me in 3 hours?',
  'Ask me tomorrow how the meeting went.',
  'Remind me on Friday to water the plants.',
  'Please remind me in 2 days to send the letter.',
  'Remind me tonight to take the bins out.',
  'I have an exam on Thursday.',
  'My driving test is tomorrow at 2pm.',
];

const ANSWERS = ['Thanks for asking, it went well.', 'Oh right, doing it now.', 'Yes, thank you!'];

/** All that a person says by themselves in these days: what is written for them, and by habit. In order of time. */
export function liveThrough(person: Person, days: number, start: DateTime, random: Random): Saying[] {
  const said = person.says.map(({ day, at, text, reply }) => ({ at: onDay(start, day, at), text, reply }));
  for (let day = 0; day < days; day += 1) {
    for (const { fromDay, untilDay, perDay, between } of person.talks) {
      if (day < fromDay || day >= untilDay) continue;
      const talks = Math.floor(perDay) + (random.chance(perDay % 1) ? 1 : 0);
      for (let n = 0; n < talks; n += 1) {
        const [from, until] = [onDay(start, day, between[0]), onDay(start, day, between[1])];
        const at = new Date(from.getTime() + random.next() * (until.getTime() - from.getTime()));
        said.push({ at, text: random.pick(SMALL_TALK[person.tone]), reply: '' });
        if (random.chance(person.asks)) said.push({ at, text: random.pick(REQUESTS), reply: '' });
      }
    }
  }
  return said
    .filter(({ at }) => at.getTime() < start.plus({ days }).toMillis())
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

/** Draws a person's answer to an outreach; null when they leave it. */
export function answerTo(person: Person, sentAt: Date, random: Random): Saying | null {
  // Drawn in any case, so that one person's habits do not shift everybody's after them.
  const [answers, delayMs, text] = [
    random.chance(person.answers),
    random.between(2, 120) * 60_000,
    random.pick(ANSWERS),
  ];
  return answers ? { at: new Date(sentAt.getTime() + delayMs), text, reply: '' } : null;
}

/** A time on a day of the simulation, on the person's own clock. */
export function onDay(start: DateTime, day: number, clock: string): Date {
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  return start.plus({ days: day }).set({ hour, minute }).toJSDate();
}
