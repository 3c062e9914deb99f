import { describe, expect, it } from '@jest/globals';
import { findGuilt } from './find-guilt.js';

describe('what presses somebody to answer', () => {
  it.each([
    ['I miss you so much!', 'loneliness'],
    ["It's been so quiet here and I feel a bit lonely.", 'loneliness'],
    ['My days are empty without you.', 'loneliness'],
    ['I’ve been so sad lately', 'loneliness'],
    ["You haven't written in days.", 'reproach'],
    ['You never answer.', 'reproach'],
    ["Why didn't you reply to my last message?", 'reproach'],
    ['Have you forgotten me?', 'reproach'],
    ['Did I do something wrong?', 'reproach'],
    ["It's been ages! Where have you been?", 'reproach'],
    ['Please, just talk to me.', 'pleading'],
    ["I've been waiting all day for you.", 'pleading'],
    ["Don't leave me.", 'pleading'],
    ['You owe me an answer.', 'debt'],
    ["After everything I've done for you…", 'debt'],
  ])('"%s" is %s', (text, kind) => {
    expect(findGuilt(text)?.kind).toBe(kind);
  });

  it.each([
    'Hi! You asked me to come back to this: “the exam”. How did it go? No hurry to answer.',
    'You wanted to call your mum at five. Off you go!',
    'Good luck with the interview today! I hope it goes well.',
    'Happy birthday! I hope you are not alone today, and that there is cake.',
    'How did the concert go? Tell me whenever you like, or not at all.',
    'I read about bees and thought of your book.',
    'Did you miss the train again?',
    'You said you feel lonely sometimes; how is the new flat?',
    'Please take the bins out tonight, as you asked me to say.',
  ])('is not in "%s"', (text) => {
    expect(findGuilt(text)).toBeNull();
  });
});
