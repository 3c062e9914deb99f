import { describe, expect, it } from '@jest/globals';
import { slowReadings } from '@kith/testing';
import { speakerLabels, type Speaker } from './speaker-labels.js';

const person = (name: string, personId: string | null): Speaker => ({ role: 'person', name, personId });
const mira = (personId: string): Speaker => ({ role: 'companion', name: 'Mira', personId });

/** Labels of speakers, in the order in which they are told. */
function labelsOf(...told: Speaker[]): string[] {
  return told.map(speakerLabels(told, 'Mira'));
}

describe('the label of a speaker', () => {
  it('is their name, and the companion’s own, whomever it talks with', () => {
    expect(labelsOf(person('Ann', 'p1'), mira('p1'), person('Bob', 'p2'), mira('p2'))).toEqual([
      ...['Ann', 'Mira', 'Bob', 'Mira'],
    ]);
  });

  it('tells people of one name apart, in the order in which they appear', () => {
    const alexes = [person('Alex', 'p1'), person('Alex', 'p2'), person('alex', 'p3'), person('Alex', 'p2')];
    expect(labelsOf(...alexes)).toEqual(['Alex', 'Alex (2)', 'alex (3)', 'Alex (2)']);
    expect(labelsOf(person('Alex', 'p1'), person('Alex', null))).toEqual(['Alex', 'Alex (2)']);
  });

  it.each([
    ['Mira', 'Mira (member)'],
    ['MIRA', 'MIRA (member)'],
    ['Mi\u200bra', 'Mi\u200bra (member)'],
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

  it('is nobody else’s, also where a name looks like a mark of ours', () => {
    const [first, second, third] = labelsOf(
      person('Mira (member)', 'p1'),
      person('Mira', 'p2'),
      person('Mira', 'p3'),
    );
    expect([first, second, third]).toEqual(['Mira (member)', 'Mira (member 2)', 'Mira (member 3)']);
    expect(labelsOf(person('Alex (2)', 'p1'), person('Alex', 'p2'), person('Alex', 'p3'))).toEqual([
      ...['Alex (2)', 'Alex', 'Alex (3)'],
    ]);
    expect(labelsOf(person('🙂', 'p1'), person('🙂', 'p2'), person('', 'p3'))).toEqual([
      ...['🙂', '🙂 (2)', 'someone'],
    ]);
  });

  it('tells names apart that are as long as one may be', () => {
    const long = 'x'.repeat(40);
    expect(labelsOf(person(long, 'p1'), person(`${long}y`, 'p2'))).toEqual([long, `${long} (2)`]);
  });

  it('is found fast, whatever somebody is called', () => {
    expect(slowReadings((name) => labelsOf(person(name, 'p1'), person(name, 'p2')))).toEqual([]);
  }, 300_000);
});
