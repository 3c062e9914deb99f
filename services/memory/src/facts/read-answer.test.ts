import { describe, expect, it } from '@jest/globals';
import { readAnswer } from './read-answer.js';
import { answerOf } from './yes-or-no.js';

const says = (question: string, answer: string) =>
  readAnswer(answer, question).map(({ attribute, value, was }) =>
    [attribute, value ?? `not ${was}`].join(' = '),
  );

describe('a short answer', () => {
  it.each([
    ['Do you like jazz?', 'Yes, very much!', 'likes:jazz = likes'],
    ['Oh nice. So, do you like jazz?', 'yeah 😊', 'likes:jazz = likes'],
    ['Ann, are you a nurse?', 'I am', 'job = nurse'],
    ['You live in Paris, right?', 'Exactly', 'home = Paris'],
    ['Have you moved to Oslo?', 'yes I have', 'home = Oslo'],
    ['Is your dog called Rex?', 'Of course', 'pet:dog = Rex'],
    ['Are you allergic to peanuts?', 'Yep.', 'allergy:peanuts = allergic'],
    ['Do you like jazz?', 'Not really', 'likes:jazz = dislikes'],
    ['Do you still live in Bern?', 'No, not any more.', 'home = not Bern'],
    ['Are you vegetarian?', 'nope', 'diet = not vegetarian'],
    ['Do you hate jazz?', 'No', 'likes:jazz = not dislikes'],
  ])('%s – %s', (question, answer, statement) => {
    expect(says(question, answer)).toEqual([statement]);
    expect(readAnswer(answer, question)[0]).toMatchObject({ isAnswer: true });
  });

  it.each([
    ['Do you like it?', 'yes'],
    ['Do you like jazz or blues?', 'yes'],
    ['Do you like jazz? Do you like blues?', 'yes'],
    ['Don’t you like jazz?', 'yes'],
    ['Would you like tea?', 'yes'],
    ['Have you ever lived in Rome?', 'yes'],
    ['Do you like jazz?', 'yeah right'],
    ['Do you like jazz?', 'yes and no'],
    ['Do you like jazz?', 'ok'],
    ['Do you like jazz?', 'no idea'],
    ['Do you like jazz?', 'Do you?'],
    ['I think you like jazz.', 'yes'],
    ['Have you quit smoking?', 'no'],
    ['Do you no longer live in Rome?', 'no'],
    ['If it rains, do you like jazz?', 'yes'],
  ])(
    'tells nothing by a question that does not say what is meant, or when it is none: %s – %s',
    (question, answer) => {
      expect(says(question, answer)).toEqual([]);
    },
  );
});

it('an answer begins with its yes or no', () => {
  expect(['Yes, see you there', 'okay!', 'Oui', 'sure thing'].map(answerOf)).toEqual(Array(4).fill('yes'));
  expect(['No way', 'not really, sorry', 'Nein'].map(answerOf)).toEqual(Array(3).fill('no'));
  expect(['yesterday I ran', 'nobody knows', 'jam', 'I live in Rome'].map(answerOf)).toEqual(
    Array(4).fill(null),
  );
});
