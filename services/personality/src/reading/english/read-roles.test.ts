import { describe, expect, it } from '@jest/globals';
import { readWords } from '@kith/reading';
import { readRoles } from './read-roles.js';

const roles = (text: string) => readRoles(readWords(text), 'mira');

describe('roles', () => {
  it.each([
    ["i've lost my keys", 'speaker'],
    ['feeling low today', 'speaker'],
    ['my back hurts', 'belonging'],
    ['my sister won', 'close'],
    ['she won', 'close'],
    ['u forgot', 'companion'],
    ['mira is late', 'companion'],
    ['your idea worked', 'companion'],
    ['my teacher said you are clever', 'companion'],
    ["can't believe how patient you were", 'companion'],
    ['the guy who mocked you won', 'enemy'],
    ['the guy who helped you won', 'stranger'],
    ['that film is great', 'thing'],
    ["my neighbour's music is loud", 'belonging'],
    ['tom won', 'unknown'],
    ['brilliant', 'nobody'],
  ])('find whom a clause is about: %j is %s', (text, subject) => {
    expect(roles(text).subject).toBe(subject);
  });

  it('take the subject before them where a clause goes on without one', () => {
    expect(readRoles(['but', 'failed'], 'mira', 'close').subject).toBe('close');
    expect(readRoles(['but', 'i', 'failed'], 'mira', 'close').subject).toBe('speaker');
  });

  it.each(['she might leave', "we're gonna win", 'the exam is next week', 'what if it breaks'])(
    'tell what is still to come: %j',
    (text) => {
      expect(roles(text).ahead).toBe(true);
      expect(roles('i won last week').ahead).toBe(false);
    },
  );
});
