import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { outreachContract } from '@kith/contracts';
import { others, stores, messenger, overview, allow, forget } from './open-scheduler.js';

/** Tests what becomes of reasons that companions thought of themselves. */
export function thoughts(): void {
  it('keeps what a companion thought of, for who allows it, once and within the year', async () => {
    const personId = randomUUID();
    const intend = (days: number) =>
      messenger.ask(outreachContract.intend, {
        personId,
        companionId: 'odo',
        about: 'how the exam went',
        at: new Date(Date.now() + days * 86_400_000).toISOString(),
      });
    expect(await intend(2)).toEqual({ kept: false, why: 'they have not allowed you to write first' });
    await allow(personId);
    expect((await intend(-1)).kept).toBe(false);
    expect((await intend(500)).kept).toBe(false);
    expect(await intend(2)).toEqual({ kept: true, why: null });
    expect(await intend(3)).toEqual({ kept: false, why: 'that is kept already' });
    expect((await overview(personId)).intentions).toMatchObject([
      { about: 'how the exam went', kind: 'interest' },
    ]);
    // It was thought of in private talk: no channel that they allow may hear of it.
    expect(await stores.query('SELECT audience FROM intentions WHERE person_id = $1', [personId])).toEqual([
      { audience: 'direct' },
    ]);
  });

  it('forgets what a companion thought of with any message that it came from', async () => {
    const personId = randomUUID();
    await allow(personId);
    const at = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const intend = (about: string, messageIds: string[]) =>
      messenger.ask(outreachContract.intend, { personId, companionId: 'odo', about, at, messageIds });
    await intend('how the test went', ['m1', 'm2']);
    await intend('how the garden does', ['m3']);
    await intend('how the boat does', ['m4']);
    await forget(personId, { messageIds: ['m2'] });
    const { intentions } = await overview(personId);
    expect(intentions.map(({ about }) => about).toSorted()).toEqual([
      'how the boat does',
      'how the garden does',
    ]);
  });

  it('keeps nothing of what was forgotten since a companion read it', async () => {
    const personId = randomUUID();
    await allow(personId);
    const at = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const thought = { personId, companionId: 'odo', about: 'how the test went', at };
    others.forgotten.add('gone');
    const late = await messenger.ask(outreachContract.intend, { ...thought, messageIds: ['there', 'gone'] });
    expect(late).toEqual({ kept: false, why: 'it was forgotten meanwhile' });
    others.tasks = [];
    const ofTask = { ...thought, messageIds: ['there'], taskId: randomUUID() };
    expect(await messenger.ask(outreachContract.intend, ofTask)).toMatchObject({ kept: false });
    expect((await overview(personId)).intentions).toEqual([]);
  });
}
