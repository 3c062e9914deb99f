import { describe, expect, it } from '@jest/globals';
import { slowReadings } from '@kith/testing';
import { topicFinder } from '../decision/topic-finder.js';
import { findDates } from './find-dates.js';
import { noticeEvents } from './notice-events.js';
import { cutAbout } from './cut-about.js';
import { noticeIntentions } from './notice-intentions.js';
import { noticePromises } from './notice-promises.js';
import { readSentences } from './read-sentences.js';

const SAID_AT = new Date('2026-06-01T12:00:00Z');
const said = (text: string) => [{ text, saidAt: SAID_AT }];

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  sentences: readSentences,
  requests: (text) => noticeIntentions(said(text), 'Europe/Berlin'),
  promises: (text) => noticePromises(said(text), 'Europe/Berlin'),
  events: (text) => noticeEvents(said(text), 'Europe/Berlin'),
  dates: (text) => readSentences(text).map(({ english }) => findDates(english, SAID_AT, 'Europe/Berlin')),
  'what a reason is about': cutAbout,
  'a topic that is off': (text) => topicFinder([text])(text),
};

describe('hostile text', () => {
  it.each(Object.entries(READERS))(
    'keeps %s busy for no longer than 50 ms',
    (_, read) => {
      expect(slowReadings(read)).toEqual([]);
    },
    300_000,
  );
});
