import { describe, expect, it } from '@jest/globals';
import { slowReadings } from '@kith/testing';
import { chunkDocument } from '../documents/chunk-document.js';
import { matchLore } from '../lore/match-lore.js';
import { analyseText } from '../words/analyse-text.js';
import { isOfSelf, shareAsked, statesPreference, statesRule } from '../recall/line-traits.js';
import { readQuestion, tellsWhen } from '../recall/read-question.js';
import { readTime } from '../recall/read-time.js';
import { decideWrite } from '../words/decide-write.js';
import { scoreImportance } from '../words/score-importance.js';
import { splitText } from '../words/split-text.js';
import { extractFacts } from '../facts/extract-facts.js';
import { readAnswer } from '../facts/read-answer.js';
import { answerOf } from '../facts/yes-or-no.js';
import { readByRules } from '../facts/read-by-rules.js';
import { readIntroduction } from '../facts/read-introduction.js';
import { questionsBefore } from '../facts/questions-before.js';
import { wasUsed } from '../facts/plan-uses.js';
import { contentHashOf } from '../words/content-hash.js';

const NOW = new Date('2026-06-01T12:00:00Z');
const LORE = ['moon', 'a', '漢'].map((key) => ({
  id: key,
  name: key,
  keys: [key],
  secondaryKeys: [],
  content: key,
  enabled: true,
  constant: false,
  caseSensitive: false,
  wholeWords: key !== 'moon',
  probability: 100,
  recursive: true,
  priority: 1,
  insertionOrder: 1,
  updatedAt: NOW.toISOString(),
}));

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  facts: extractFacts,
  answers: (text) => readAnswer(text, 'Do you like jazz?'),
  'questions that are answered': (text) => readAnswer('yes', text),
  'yes or no': answerOf,
  'lines after a question': (text) => readByRules({ text, before: text }),
  'what was asked before a line': (text) =>
    questionsBefore([{ id: 'm', turnId: 't', saidAt: NOW }], [{ turnId: 't', text: `${text}?`, at: NOW }]),
  'names that are given': readIntroduction,
  'what a reply spoke of': (text) => wasUsed({ text, speaker: 'Ann' }, { said: [text], reply: text }),
  times: (text) => readTime(text, NOW),
  questions: (text) => readQuestion(text, [{ name: 'Ann', isOwn: false }], NOW),
  'whether it tells when': tellsWhen,
  'whether it is of its speaker': isOfSelf,
  'how much of it asks': shareAsked,
  'whether it states a preference': statesPreference,
  'whether it states a rule': statesRule,
  importance: scoreImportance,
  'what is quarantined': (text) => decideWrite(text, 0),
  'splitting of messages': splitText,
  'hashes of what was said': (text) => splitText(text.slice(0, 4_000)).map(contentHashOf),
  'chunks of documents': chunkDocument,
  words: analyseText,
  lore: (text) => matchLore(LORE, { texts: [text], maxTokens: 500 }),
};

describe('hostile text', () => {
  it.each(Object.entries(READERS))(
    'keeps %s busy for no longer than 50 ms',
    (_, read) => {
      expect(slowReadings(read)).toEqual([]);
    },
    120_000,
  );
});
