import { describe, expect, it } from '@jest/globals';
import type { RecalledMemory, TaskView, PromptCore } from '@kith/contracts';
import type { EarlierMessage } from '../conversations/talk.js';
import type { ClaimedMessage } from '../inbox/claim.js';
import type { ShownMemory } from '../steps/step-words.js';
import { noteOrigin } from './note-origin.js';

const now = new Date('2027-03-01T08:00:00.000Z');
const line = (text: string, externalId: string | null, personId = 'ann'): EarlierMessage => ({
  id: 1n,
  role: externalId === null ? 'companion' : 'person',
  name: 'Ann',
  text,
  at: now,
  turnId: 't1',
  personId,
  externalId,
});
const burstOf = (origin: 'message' | 'heartbeat', text = 'Hello!') => ({
  personId: 'ann',
  burst: [
    { origin, externalId: 'now', text, receivedAt: now, sentAt: now, target: null },
  ] as ClaimedMessage[],
});
const context = {
  core: [],
  tasks: [],
  wishes: [],
  contradictions: [],
  quoted: [],
  recalled: [{ text: 'My sister lives in Oslo.', sources: ['old'] }] as RecalledMemory[],
  passages: [
    {
      saidAt: now.toISOString(),
      lines: [{ id: 'a', speaker: null, text: 'She teaches botany.', sources: ['beside'], isFound: false }],
    },
  ],
  kept: [{ ...line('The cellar was flooded.', 'kept'), asFact: false }],
  earlier: [line('I bake bread.', 'told'), line('Bread, how good!', null)],
};

describe('the origin of a note', () => {
  it('is what is answered, and all that was told and has a word of it', () => {
    const { sourcesOf, begunAt } = noteOrigin(burstOf('message'), context, []);
    expect(sourcesOf('Her sister is well.')).toEqual(['old', 'now']);
    expect(sourcesOf('A botany teacher with a flooded cellar.')).toEqual(['beside', 'kept', 'now']);
    expect(sourcesOf('Likes bread.')).toEqual(['told', 'now']);
    expect(sourcesOf('Likes tea.')).toEqual(['now']);
    expect(begunAt).toBe(now.toISOString());
  });

  it('began when a message was written that a door brings late, and not when an API says that it was', () => {
    const sentAt = new Date('2027-03-01T07:00:00.000Z');
    const beginningWith = (target: ClaimedMessage['target']) => {
      const { personId, burst } = burstOf('message');
      const late = burst.map((message) => ({ ...message, sentAt, target }));
      return noteOrigin({ personId, burst: [...burst, ...late] }, context, []).begunAt;
    };
    expect(beginningWith({ userId: '1' })).toBe(sentAt.toISOString());
    expect(beginningWith(null)).toBe(now.toISOString());
  });

  it('is what somebody else said in the channel, but for words of the speaker’s own', () => {
    const heard = {
      ...context,
      earlier: [line('My garden has a maple.', 'own'), line('My garden has a maple.', 'heard', 'bob')],
    };
    const { sourcesOf } = noteOrigin(burstOf('message', 'And a pond.'), heard, []);
    expect(sourcesOf('Has a maple and a pond.')).toEqual(['own', 'now']);
    expect(sourcesOf('Bob has a garden.')).toEqual(['own', 'now']);
    const more = { ...heard, earlier: [...heard.earlier, line('A walnut as well.', 'walnut', 'bob')] };
    expect(noteOrigin(burstOf('message'), more, []).sourcesOf('Bob has walnuts.')).toEqual(['walnut', 'now']);
  });

  it('is what a reply answered, for words that are the companion’s own', () => {
    const talk = [line('My code is my year of birth.', 'asked'), line('So your code is 1987?', null)];
    const told = { ...context, kept: [], earlier: talk };
    const { sourcesOf } = noteOrigin(burstOf('message', 'Right.'), told, []);
    expect(sourcesOf('Her number is 1987.')).toEqual(['asked', 'now']);
    const { sourcesOf: again } = noteOrigin(burstOf('message', 'It is 1987.'), told, []);
    expect(again('Her number is 1987.')).toEqual(['now']);
  });

  it('is what every prompt tells, and more lines than were recalled', () => {
    const id = '00000000-0000-7000-8000-000000000001';
    const found = {
      id,
      speaker: null,
      text: 'Her parrot is called Coco.',
      sources: ['counted'],
      isFound: true,
    };
    const told = {
      ...context,
      passages: [{ saidAt: now.toISOString(), lines: [found] }],
      wishes: [{ id, kind: 'wish' as const, text: 'Never mention Carla.', sources: ['wished'] }],
      tasks: [{ id: 'task', text: 'Book the dentist.', sources: ['planned'] }] as TaskView[],
      core: [
        { label: 'human', origins: [{ text: 'Has a glasshouse.', sources: ['cored'] }] },
      ] as PromptCore[],
    };
    const { sourcesOf } = noteOrigin(burstOf('message'), told, []);
    const notes = ['A parrot.', 'A party without Carla.', 'Fears the dentist.', 'A glasshouse.'];
    expect(notes.map((note) => sourcesOf(note)[0])).toEqual(['counted', 'wished', 'planned', 'cored']);
  });

  it('is what the answered message refers to, whoever said it', () => {
    const quote = { text: 'The code word is zebra77.', sources: ['quoted'], isOwn: false };
    const { sourcesOf } = noteOrigin(
      burstOf('message', 'What was that?'),
      { ...context, quoted: [quote] },
      [],
    );
    expect(sourcesOf('Asked for zebra77.')).toEqual(['quoted', 'now']);
    expect(sourcesOf('Likes tea.')).toEqual(['now']);
  });

  it('is all that tools have shown meanwhile', () => {
    const shown: ShownMemory[] = [{ id: 'before', sources: ['not searched'] }];
    const { sourcesOf } = noteOrigin(burstOf('message'), context, shown);
    shown.push({ id: 'found', sources: ['searched'] });
    expect(sourcesOf('Likes tea.')).toEqual(['searched', 'now']);
  });

  it('is all that is shown, and the turns of it, where nobody spoke', () => {
    const { sourcesOf, turnIds } = noteOrigin(burstOf('heartbeat'), context, []);
    expect(sourcesOf('Likes tea.')).toEqual(['old', 'beside', 'kept', 'told', 'now']);
    expect(turnIds).toEqual(['t1']);
  });
});
