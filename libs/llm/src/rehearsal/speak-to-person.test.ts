import { describe, expect, it } from '@jest/globals';
import { speakToPerson } from './speak-to-person.js';

describe('a note of a person, told to them', () => {
  it.each([
    ['They are called Ada.', 'You are called Ada.'],
    ['They are called Ada. They live in Rome.', 'You are called Ada. You live in Rome.'],
    ['Their dog is called Rex', 'Your dog is called Rex'],
    ['They walk their dog themselves', 'You walk your dog yourself'],
    ['This person is called Ada (since 3 May 2026)', 'You are called Ada (since 3 May 2026)'],
    ['The person lives in Rome (since 3 May 2026)', 'You live in Rome (since 3 May 2026)'],
    ['Ada lives in Tokyo (since 3 May 2026)', 'You live in Tokyo (since 3 May 2026)'],
    ['Perhaps Ada lives in Tokyo (since 3 May 2026)', 'Perhaps you live in Tokyo (since 3 May 2026)'],
    ['Perhaps Ada’s partner is called Bo', 'Perhaps your partner is called Bo'],
    ['Ada is from Rome', 'You are from Rome'],
    ['Ada works as nurse', 'You work as nurse'],
    ['Ada studies law', 'You study law'],
    ['Ada eats meat', 'You eat meat'],
    ['Ada is 40 years old', 'You are 40 years old'],
    ['Ada’s birthday is on 3 May', 'Your birthday is on 3 May'],
    ['Ada’s cat is called Tom', 'Your cat is called Tom'],
    ['Ada’s favourite colour is red', 'Your favourite colour is red'],
    ['Ada is allergic to nuts', 'You are allergic to nuts'],
    ['Ada dislikes jazz', 'You dislike jazz'],
    ['Ada prefers tea over coffee', 'You prefer tea over coffee'],
    ['Ada asked: “Call her by her name”', 'You asked: “Call her by her name”'],
    ['Ada goes in for chess', 'You go in for chess'],
    ['Ada: feeling is sad', 'Your feeling is sad'],
    ['Ada Lovelace teaches maths', 'You teach maths'],
    ['Ada still lives with her mother and has a dog', 'You still live with your mother and have a dog'],
    ['Ada doesn’t like her job', 'You don’t like your job'],
    [
      'Ada has a sister who is a nurse and lives in Rome',
      'You have a sister who is a nurse and lives in Rome',
    ],
    ['Ada moved to Rome in May', 'You moved to Rome in May'],
  ])('"%s" is "%s"', (told, spoken) => {
    expect(speakToPerson(told, ['Ada Lovelace', 'Ada'])).toBe(spoken);
  });

  it.each([
    'Keeps bees behind the barn.',
    'Bo lives in Rome',
    'Adam lives in Rome',
    'Ada loves the house that her mother built',
    'Ada says she is tired',
    'Ada married her in May',
    'Theirs is a long story',
  ])('"%s" stays as it is', (told) => {
    expect(speakToPerson(told, ['Ada Lovelace', 'Ada'])).toBe(told);
  });

  it('leaves alone a later sentence that may be about others', () => {
    expect(speakToPerson('They have two brothers. Both live in Rome. They like tea.', [])).toBe(
      'You have two brothers. Both live in Rome. They like tea.',
    );
  });
});
