import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { ResumePoint, SessionProgress, type DiscordSession } from './resume-point.js';

const session: DiscordSession = { id: 'a', resumeUrl: 'wss://resume', botId: '100', sequence: 10 };
const done = Promise.resolve(true);

/** Something that is being handed over. */
function handingOver() {
  let accept: (accepted: boolean) => void = () => undefined;
  const accepted = new Promise<boolean>((resolve) => (accept = resolve));
  return { accepted, accept };
}

describe('how far a session is accepted', () => {
  it('is up to the first event that is still handed over', async () => {
    const progress = new SessionProgress(session);
    expect(progress.accepted).toEqual(session);
    const [slow, slower] = [handingOver(), handingOver()];
    progress.heard(11, done);
    progress.heard(12, slow.accepted);
    progress.heard(13, slower.accepted);
    progress.heard(14, done);
    await done;
    expect(progress.accepted.sequence).toBe(11);
    slow.accept(true);
    await slow.accepted;
    expect(progress.accepted.sequence).toBe(12);
    expect(progress.isAllAccepted).toBe(false);
    slower.accept(true);
    await slower.accepted;
    expect(progress).toMatchObject({ accepted: { sequence: 14 }, isAllAccepted: true });
  });

  it('stays before an event that was not taken', async () => {
    const progress = new SessionProgress(session);
    progress.heard(11, Promise.resolve(false));
    progress.heard(12, done);
    await done;
    expect(progress).toMatchObject({ accepted: { sequence: 10 }, isAllAccepted: false });
  });
});

describe('where the next process goes on', () => {
  it('is the session before, until all that it told is accepted', async () => {
    const saved: DiscordSession[] = [];
    const store = { saveSession: async (next: DiscordSession) => void saved.push(next) };
    const point = new ResumePoint(store, pino({ level: 'silent' }));
    const before = point.follow(session);
    const slow = handingOver();
    before.heard(11, slow.accepted);
    point.follow({ ...session, id: 'b', sequence: 1 }, before);
    await point.save();
    expect(saved.at(-1)).toEqual(session);
    slow.accept(true);
    await slow.accepted;
    await point.save();
    expect(saved.at(-1)).toMatchObject({ id: 'b', sequence: 1 });
  });
});
