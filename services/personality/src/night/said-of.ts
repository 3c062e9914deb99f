import type { DayEvent } from './self-note.js';

/** Words of the diary for an emotion. Impersonal on purpose: operators read it as well. */
const SAID_OF: Readonly<Record<string, string>> = {
  gratitude: 'there was kindness',
  admiration: 'there was something to admire',
  gratification: 'something I did was of use',
  pride: 'I was content with something I did',
  love: 'there was affection',
  liking: 'I heard of things worth liking',
  joy: 'there was simple good company',
  'happy-for': 'there was good news to be happy about',
  pity: 'there was sorrow, and it stayed with me',
  hope: 'there was something to hope for',
  fear: 'there was something to be anxious about',
  relief: 'a worry turned out to be nothing',
  satisfaction: 'something hoped for came true',
  disappointment: 'something hoped for fell through',
  'fears-confirmed': 'something feared came true',
  anger: 'there were harsh words',
  reproach: 'there was something I minded',
  hate: 'I met with something I cannot abide',
  distress: 'something weighed on me',
  remorse: 'I got something wrong and was sorry for it',
  shame: 'I was not at my best',
  disliking: 'I heard of things I do not care for',
};

/** Begins a sentence of the diary with what was felt. */
export function saidOf({ emotion }: DayEvent): string {
  const said = SAID_OF[emotion] ?? emotion;
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}`;
}
