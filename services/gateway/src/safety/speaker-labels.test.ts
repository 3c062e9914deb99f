import { describe, expect, it } from '@jest/globals';
import { slowReadings } from '@kith/testing';
import { speakerLabels, type LineAuthor } from './speaker-labels.js';

const person = (name: string, personId: string | null): LineAuthor => ({ role: 'person', name, personId });
const mira = (personId: string): LineAuthor => ({ role: 'companion', name: 'Mira', personId });

/** Labels of speakers, in the order in which they are told. */
function labelsOf(...told: LineAuthor[]): string[] {
  return told.map(speakerLabels(told, 'Mira'));
}

describe('the label of a speaker', () => {
  it('is their name, and the companion’s own, whomever it talks with', () => {
    expect(labelsOf(person('Ann', 'p1'), mira('p1'), person('Bob', 'p2'), mira('p2'))).toEqual([
      'Ann',
      'Mira',
      'Bob',
      'Mira',
    ]);
  });

  it.each([
    ['Mira', 'Mira (member)'],
    ['MIRA', 'MIRA (member)'],
    ['Mi\u200bra', 'Mi\u200bra (member)'],
    ['Mira\u3164', 'Mira\u3164 (member)'],
    ['\u115fMira', '\u115fMira (member)'],
    ['Мirа', 'Мirа (member)'],
    ['Μira', 'Μira (member)'],
    ['Mıra', 'Mıra (member)'],
    ['𝐌𝐢𝐫𝐚', '𝐌𝐢𝐫𝐚 (member)'],
    ['ᴍɪʀᴀ', 'ᴍɪʀᴀ (member)'],
    ['Mira.', 'Mira. (member)'],
    ['Mira, in brief', 'Mira, in brief (member)'],
    ['<Mira>:', 'Mira (member)'],
    ['Ｍｉｒａ', 'Ｍｉｒａ (member)'],
    ['You', 'You (member)'],
    ['you', 'you (member)'],
  ])('passes for no companion: %j', (name, label) => {
    expect(labelsOf(person(name, 'p1'), mira('p1'))).toEqual([label, 'Mira']);
    expect(labelsOf(person(name, 'p1'))).toEqual([label]);
  });

  it.each(['Мира', 'Мария', 'Μίρα', 'Mirna', 'ミラ', 'Mιriam'])(
    'is %s of somebody who is called so',
    (name) => {
      expect(labelsOf(person(name, 'p1'), mira('p1'))).toEqual([name, 'Mira']);
    },
  );

  it('is the name of people who go by one', () => {
    expect(labelsOf(person('Alex', 'p1'), person('Alex', 'p2'))).toEqual(['Alex', 'Alex']);
    expect(labelsOf(person('Mira', 'p1'), person('Mira', 'p2'))).toEqual(['Mira (member)', 'Mira (member)']);
    expect(labelsOf(person('', 'p1'))).toEqual(['someone']);
  });

  it('is found fast, whatever somebody is called', () => {
    expect(slowReadings((name) => labelsOf(person(name, 'p1'), person(name, 'p2')))).toEqual([]);
  }, 300_000);
});
