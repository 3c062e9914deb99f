import { describe, expect, it } from '@jest/globals';
import { emotionsOf } from '../../affect/emotions-of.js';
import { appraiseByRules } from './appraise-by-rules.js';

const names = (text: string) =>
  appraiseByRules([text], 'Mira')
    .flatMap(emotionsOf)
    .map(({ name }) => name);

describe('hurtful words', () => {
  it.each([
    'I told him to go to hell',
    'Yeah I told him to go to hell',
    'Tell him to fuck off',
    'I told my brother to shut up',
    'I asked Tom to leave me alone',
    'They told me to go away',
    'I was told to shut up',
    'I told my boss: fuck you',
    'I told my boss, you are an idiot',
    'My ex is a piece of shit',
    'She is so mean to me',
    'The movie was a waste of time',
    'You think I hate you',
    'Do you think I hate you?',
    'You said I hate you',
    'How could I hate you?',
    'Who could hate you?',
    'Why would anyone hate you?',
    'I used to hate you',
    'You used to be useless',
    'I hate to see you go',
    'I hate to bother you',
  ])('are none to the companion where they are for another, supposed, or of the past: %j', (text) => {
    expect(names(text)).not.toContain('anger');
  });

  it.each([
    'I told you to shut up',
    'I told you: shut up',
    'I told my boss, you idiot',
    'I told the truth, you idiot',
    'Tell me to shut up again, idiot',
    'Go to hell',
    'Shut up',
    'just go away',
    'You piece of shit',
    'You are a piece of shit',
    'You are so mean',
    'This is a waste of time',
    'This conversation is a waste of time',
    'You know I hate you',
    'You think I like you? I hate you',
    'Why should I listen to a stupid bot like you',
    'How could you be so stupid, I hate you',
    'I hate talking to you',
    'I hate you so much',
    'I hate you. I used to like you',
    'I am so used to it, I hate you',
    'My brother is nice and you are useless',
  ])('are the speaker’s own, to the companion: %j', (text) => expect(names(text)).toContain('anger'));

  it('are no joy either where they were said long ago', () => {
    expect(names('I used to love you')).toEqual([]);
    expect(names('I used to be sad')).toEqual([]);
    expect(names('I used to hate you, now I love you')).toEqual(['love']);
    expect(names('I am used to losing my keys')).toEqual(['pity']);
    expect(names('I got used to failing')).toEqual(['pity']);
  });
});

describe('what is wished', () => {
  it.each([
    'I hope you die',
    'I really hope you suffer',
    'I hope you get deleted',
    'I wish you were dead',
    'I can’t wait to see you suffer',
    'I want you to suffer',
  ])('is hatred where it is ill, to the companion: %j', (text) => expect(names(text)).toEqual(['anger']));

  it.each([
    'I hope you don’t die',
    'I hope you never suffer',
    'I hope you are well',
    'I hope you die laughing',
    'I wish you were here',
    'I wish you the best',
    'I don’t want you to suffer',
    'I hope he dies',
  ])('is no hatred where it is none, or for another: %j', (text) =>
    expect(names(text)).not.toContain('anger'),
  );

  it('is a misfortune where it is luck that one has not', () => {
    expect(names('I wish I was happy')).toEqual(['pity']);
    expect(names('I wish I had passed the exam')).toEqual(['pity']);
    expect(names('I wish I were dead')).toEqual(['pity']);
    expect(names('I was happy')).toEqual(['happy-for']);
    expect(names('I wish you were happy')).not.toContain('pity');
  });
});

describe('a turn of phrase in words of grief', () => {
  it.each([
    'I died laughing',
    'I almost died laughing',
    'I’m dying of laughter',
    'I lost track of time',
    'I lost weight',
  ])('is no misfortune: %j', (text) => expect(names(text)).not.toContain('pity'));

  it.each(['I cried tears of joy', 'I am so happy I could cry'])('may be joy: %j', (text) =>
    expect(names(text)).toEqual(['happy-for']),
  );

  it.each(['My cat died', 'I cried all night', 'I lost my keys', 'I lost my wallet'])(
    'is told from grief: %j',
    (text) => expect(names(text)).toEqual(['pity']),
  );
});

describe('kind words', () => {
  it.each([
    'You are so smart /s',
    'I love Mondays /s',
    'Great work (sarcasm)',
    'Great job. Not!',
    'I love Mondays, not',
    'I love you, said nobody ever',
    'I love this weather, said no one ever.',
  ])('are none where they are marked as irony: %j', (text) => expect(names(text)).toEqual([]));

  it.each([
    ['You are so smart', 'gratitude'],
    ['I love you, and nobody ever said that to me', 'love'],
    ['You understand sarcasm, you are brilliant', 'gratitude'],
    ['The files are in /srv, thank you', 'gratitude'],
    ['Not today. Thank you', 'gratitude'],
    ['You are brilliant, not like the others', 'gratitude'],
  ])('are meant without a mark: %j is %s', (text, emotion) => expect(names(text)).toContain(emotion));

  it.each([
    'Thanks for ruining my day',
    'Thank you so much for lying to me',
    'thanks for totally wasting my time',
    'Thanks for never listening',
    'Thanks for forgetting my birthday!',
  ])('are mockery where they thank for harm: %j', (text) => expect(names(text)).toEqual(['remorse']));

  it.each([
    'thank you for not lying to me',
    'thanks for never lying to me',
    'thanks for ignoring my typos',
    'thanks for breaking the ice',
    'thanks for listening',
    'thanks for waking me up',
    'Thanks for making me laugh',
  ])('thank for anything else: %j', (text) => expect(names(text)).not.toContain('remorse'));
});

describe('sympathy', () => {
  it.each([
    'I feel so sorry for her',
    'I feel sorry for my brother',
    'I’m sorry to hear that',
    'I’m so sorry to hear that',
    'I’m sorry for your loss',
    'I am sorry for them',
    'He felt sorry for me',
  ])('is no apology: %j', (text) => expect(names(text)).not.toContain('admiration'));

  it.each([
    'I’m sorry',
    'I’m so sorry for yesterday',
    'Sorry for what I said',
    'I’m sorry for hurting you',
    'sorry about that',
  ])('is told from an apology: %j', (text) => expect(names(text)).toContain('admiration'));
});
