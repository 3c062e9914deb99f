import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { present, type ReadTurn } from '@kith/contracts';
import { TurnLedger } from '@kith/database';
import {
  NOON,
  consents,
  database,
  ended,
  forgetting,
  gateway,
  handle,
  handleAgain,
  intake,
  lastSpoke,
  minutes,
  optIn,
  personId,
  reason,
  records,
  saidBy,
  setUpOutreach,
} from '../e2e/outreach-suite.js';
import { noticeReasons } from '../reasons/notice-reasons.js';

setUpOutreach();

describe('reasons that are noticed', () => {
  it('leaves what ends its reader unread, says so, and goes on with the next', async () => {
    gateway.turns = ['hostile', 'ask me'].map((text) => saidBy(personId, text));
    const turnIds = gateway.turns.map(({ turnId }) => turnId);
    await expect(intake.notice(turnIds)).rejects.toMatchObject({
      code: 'invalid_request',
      message: `ended its reader twice, and is left unread: turn ${turnIds[0]}`,
    });
    expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ about: 'ask me' }]);
    // It was taken note of: the job that comes again has nothing to read.
    const ledger = new TurnLedger(database, 'outreach_handled_turns');
    expect(await ledger.missing(turnIds)).toEqual([]);
  });

  it.each(['paused', 'stopped', 'cannot-write-there'])(
    'ends consent where they say so and get no answer (%s), which takes nothing else up',
    async (reason) => {
      await optIn();
      gateway.turns = ['never write to me', 'ask me'].map((text): ReadTurn => ({
        ...saidBy(personId, text),
        outcome: 'silent',
        reason,
      }));
      await intake.notice(gateway.turns.map(({ turnId }) => turnId));
      const { situation, intentions } = await records.overview(personId, NOON);
      expect(situation.settings).toMatchObject({ optedIn: false });
      expect(intentions).toEqual([]);
    },
  );

  it('ends consent where they say so, and once', async () => {
    await optIn();
    await handle(ended(), [reason(minutes(60), 'call mum')]);
    const told = saidBy(personId, 'never write to me');
    gateway.turns = [told];
    await intake.notice([told.turnId]);
    const overview = () => records.overview(personId, NOON);
    expect((await overview()).situation.settings).toMatchObject({ optedIn: false, channel: null });
    expect((await overview()).intentions).toMatchObject([{ about: 'call mum', status: 'dropped' }]);
    // Given again, it is not ended by the words of before, whatever reads them once more.
    await optIn(minutes(1));
    await intake.notice([told.turnId]);
    await intake.noticeAgain(told.turnId);
    expect((await overview()).situation.settings).toMatchObject({ optedIn: true });
    // Nor by those of an archive that is brought in later.
    const old = saidBy(personId, 'never write to me');
    const at = minutes(-25 * 60).toISOString();
    gateway.turns = [{ ...old, messages: old.messages.map((message) => ({ ...message, at })) }];
    await intake.notice([old.turnId]);
    expect((await overview()).situation.settings).toMatchObject({ optedIn: true });
  });

  it('ends consent where a message is edited to say so, and drops what it gave before that', async () => {
    await optIn();
    await handle(ended({ endedAt: NOON }), [reason(minutes(60), 'call mum')]);
    const told = saidBy(personId, 'stop mesaging me');
    gateway.turns = [told];
    await intake.notice([told.turnId]);
    const [said] = told.messages;
    gateway.turns = [{ ...told, messages: [{ ...present(said), text: 'never write to me' }] }];
    await intake.noticeAgain(told.turnId);
    const overview = () => records.overview(personId, NOON);
    expect((await overview()).situation.settings).toMatchObject({ optedIn: false });
    expect((await overview()).intentions.map(({ status }) => status)).toEqual(['dropped', 'dropped']);
    // What they ask for later waits for a new consent, whatever reads the words once more.
    await handle(ended({ endedAt: minutes(5) }), [reason(minutes(90), 'call dad')]);
    await intake.noticeAgain(told.turnId);
    expect((await overview()).intentions).toContainEqual(
      expect.objectContaining({ about: 'call dad', status: 'open' }),
    );
  });

  it('ends consent where they said so while Discord was away, unless they gave it since', async () => {
    const told = saidBy(personId, 'never write to me');
    const at = minutes(-49 * 60).toISOString();
    const late = () => ({
      ...told,
      turnId: randomUUID(),
      messages: told.messages.map((one) => ({ ...one, at })),
    });
    const catchUp = async () => {
      gateway.turns = [late()];
      await intake.notice(gateway.turns.map(({ turnId }) => turnId));
      return (await records.overview(personId, NOON)).situation.settings.optedIn;
    };
    await optIn(minutes(-48 * 60));
    expect(await catchUp()).toBe(true);
    await optIn(minutes(-50 * 60));
    expect(await catchUp()).toBe(false);
  });

  it('lets the consent stand that is given before the words that end it are read', async () => {
    await optIn();
    const told = saidBy(personId, 'never write to me');
    gateway.turns = [told];
    await optIn(minutes(1));
    await intake.notice([told.turnId]);
    expect((await records.overview(personId, NOON)).situation.settings.optedIn).toBe(true);
  });

  it('keeps no promise of a reply that did not arrive, and what the person asked for', async () => {
    const asking = saidBy(personId, 'ask me');
    const reply = { role: 'companion' as const, personId: null, text: 'I will', externalId: null };
    const answered = { ...asking, messages: [...asking.messages, { ...reply, at: NOON.toISOString() }] };
    const kept = async () =>
      (await records.overview(personId, NOON)).intentions.map(({ kind, about }) => [kind, about]).sort();
    gateway.turns = [answered];
    // Its job may have read it before, so it is taken note of at once.
    await intake.noticeAgain(asking.turnId);
    expect(await kept()).toEqual([['promise', 'it was promised']]);
    await intake.notice([asking.turnId]);
    expect(await kept()).toEqual([['promise', 'it was promised']]);
    gateway.turns = [asking];
    await intake.noticeAgain(asking.turnId);
    await intake.noticeAgain(asking.turnId);
    expect(await kept()).toEqual([['request', 'ask me']]);
    // It arrives in the end.
    gateway.turns = [answered];
    await intake.noticeAgain(asking.turnId);
    expect(await kept()).toEqual([
      ['promise', 'it was promised'],
      ['request', 'ask me'],
    ]);
  });

  it('keeps no promise of a reply that went because it repeats what is forgotten, until an undo', async () => {
    const asking = saidBy(personId, 'ask me');
    const reply = { role: 'companion' as const, personId: null, text: 'I will', externalId: null };
    const answered = { ...asking, messages: [...asking.messages, { ...reply, at: NOON.toISOString() }] };
    const kept = async () =>
      (await records.overview(personId, NOON)).intentions.map(({ kind, about }) => [kind, about]).sort();
    gateway.turns = [answered];
    await intake.notice([asking.turnId]);
    expect(await kept()).toEqual([['promise', 'it was promised']]);
    gateway.turns = [asking];
    const order = { orderId: randomUUID(), personId, companionId: 'mira', before: null };
    const undoUntil = new Date(Date.now() + 60_000).toISOString();
    const made = { turnIds: [], messageIds: [], memoryIds: [], replyTurnIds: [asking.turnId] };
    for (const _ of ['once', 'again']) {
      await forgetting.forget({ ...order, ...made, undoUntil, isReread: false, isNoticedAgain: false });
      await intake.noticeReplies(made.replyTurnIds);
      expect(await kept()).toEqual([['request', 'ask me']]);
    }
    gateway.turns = [answered];
    await forgetting.undo({ ...order, turnIds: [], replyTurnIds: made.replyTurnIds });
    await intake.noticeReplies(made.replyTurnIds);
    expect(await kept()).toContainEqual(['promise', 'it was promised']);
  });

  it('are written for once, where a later turn says them again', async () => {
    const told = (person: string, companion: string) =>
      noticeReasons(
        { person: [{ text: person, saidAt: NOON }], companion: [{ text: companion, saidAt: NOON }] },
        'UTC',
      );
    const asked = told('remind me tomorrow at 9 to call mum', "I'll remind you tomorrow at 9.");
    expect(await handle(ended(), asked)).toBe(1);
    expect(await handle(ended(), told('thanks', "Of course, I'll message you tomorrow at 9."))).toBe(0);
    expect(await handle(ended(), told('thanks', "I'll message you tomorrow."))).toBe(0);
    expect(await handle(ended(), asked)).toBe(0);
    // Something else at the same hour is another reason, promised or not.
    const other = told('remind me tomorrow at 9 to water the plants', "I'll remind you tomorrow at 9.");
    expect(await handle(ended(), other)).toBe(1);
    expect((await records.overview(personId, NOON)).intentions.map(({ about }) => about).sort()).toEqual([
      'remind me tomorrow at 9 to call mum',
      'remind me tomorrow at 9 to water the plants',
    ]);
  });

  it('are of one day where a birthday is corrected, of that person alone', async () => {
    const tell = (text: string, turn = ended()) =>
      handle(turn, noticeReasons({ person: [{ text, saidAt: NOON }], companion: [] }, 'UTC'));
    const first = ended();
    await tell('My birthday is on 3 May', first);
    await tell("My mum's birthday is on 7 June");
    expect(await tell('Sorry, that was wrong: my birthday is on 4 May')).toBe(1);
    // Its turn, read once more, brings nothing back.
    await handleAgain(
      first,
      noticeReasons({ person: [{ text: 'My birthday is on 3 May', saidAt: NOON }], companion: [] }, 'UTC'),
      [],
    );
    const { intentions } = await records.overview(personId, NOON);
    const open = intentions.filter(({ status }) => status === 'open');
    expect(open.map(({ dueAt }) => dueAt.toISOString().slice(0, 10))).toEqual(['2026-06-07', '2026-05-04']);
  });

  describe('of a turn that is read again', () => {
    const read = (text: string) => noticeReasons({ person: [{ text, saidAt: NOON }], companion: [] }, 'UTC');
    const kept = async () =>
      (await records.overview(personId, NOON)).intentions.map(({ about, status }) => `${status}: ${about}`);
    /** Reads it again, of which a message was deleted or edited, as the gateway's order does. */
    const again = async (turn: ReturnType<typeof ended>, text: string) => {
      const order = { orderId: randomUUID(), personId, companionId: 'mira', before: null, undoUntil: null };
      const made = { turnIds: [turn.turnId], messageIds: [], memoryIds: [], replyTurnIds: [] };
      await forgetting.forget({ ...order, ...made, isReread: false, isNoticedAgain: true });
      await handleAgain(turn, read(text));
    };
    const WRONG = 'My birthday is on 3 May';
    const RIGHT = 'Sorry, that was wrong: my birthday is on 4 May';
    const turn = () => ended({ endedAt: minutes(-60) });
    const correction = () => ended({ endedAt: minutes(-50) });

    it.each([
      ['another message of it is deleted', WRONG],
      ['it is edited', `Hey, ${WRONG.toLowerCase()}`],
    ])('leave the birthday as a later turn corrects it, where %s', async (_, text) => {
      const first = turn();
      await handle(first, read(WRONG));
      await handle(correction(), read(RIGHT));
      for (const __ of ['once', 'again']) {
        await again(first, text);
        expect((await kept()).toSorted()).toEqual([`dropped: ${text}`, `open: ${RIGHT}`]);
      }
    });

    it('bring the birthday back where the correction is gone for good, and no undo can restore it', async () => {
      const [first, second] = [turn(), correction()];
      await handle(first, read(WRONG));
      await handle(second, read(RIGHT));
      const order = { orderId: randomUUID(), personId, companionId: 'mira', before: null };
      const made = { turnIds: [second.turnId], messageIds: [], memoryIds: [], replyTurnIds: [] };
      const undoUntil = new Date(Date.now() + 60_000).toISOString();
      await forgetting.forget({ ...order, ...made, undoUntil, isReread: false, isNoticedAgain: false });
      await again(first, WRONG);
      expect(await kept()).toEqual([`dropped: ${WRONG}`]);
      await forgetting.undo({ ...order, ...made });
      expect((await kept()).toSorted()).toEqual([`dropped: ${WRONG}`, `open: ${RIGHT}`]);
      await again(second, 'hi');
      await again(first, WRONG);
      expect(await kept()).toEqual([`open: ${WRONG}`]);
    });

    it('leave it so where the wrong one is read late', async () => {
      await handle(correction(), read(RIGHT));
      await handle(turn(), read(WRONG));
      expect((await kept()).toSorted()).toEqual([`dropped: ${WRONG}`, `open: ${RIGHT}`]);
    });

    it('stay dropped where opting out dropped them, and go with their words', async () => {
      const ASKED = 'remind me tomorrow at 9 to call Bob';
      const [first, second] = [turn(), correction()];
      await optIn();
      await handle(first, read(ASKED));
      await handle(second, read(ASKED.replace('remind', 'Remind')));
      await consents.change(personId, { optedIn: false }, NOON);
      await again(first, ASKED);
      await again(second, ASKED.replace('remind', 'Remind'));
      expect(await kept()).toEqual([`dropped: ${ASKED}`]);
      await again(first, 'hi');
      expect(await kept()).toEqual([`dropped: ${ASKED}`]);
      await again(second, 'hi');
      expect(await kept()).toEqual([]);
    });

    it('have the time of their turn', async () => {
      const first = turn();
      await handle(first, read(WRONG));
      await again(first, WRONG);
      const { intentions } = await records.overview(personId, NOON);
      expect(intentions).toMatchObject([{ createdAt: first.endedAt, status: 'open' }]);
    });
  });

  describe('of a message that is edited', () => {
    const kept = async () => (await records.overview(personId, NOON)).intentions.map(({ about }) => about);
    /** Carries out an edit as the gateway's order does. */
    const edit = async ({ turnId, ...turn }: ReadTurn, text: string) => {
      gateway.turns = [{ ...saidBy(personId, text), turnId, companionId: turn.companionId }];
      await intake.takeNote([turnId]);
      const order = { orderId: randomUUID(), personId, companionId: 'mira', before: null, undoUntil: null };
      const made = {
        turnIds: [turnId],
        messageIds: [],
        memoryIds: [],
        replyTurnIds: [],
        isReread: true,
        isNoticedAgain: true,
      };
      await forgetting.forget({ ...order, ...made });
    };

    it('is what the new words ask for, also where its job has read the old ones', async () => {
      const turn = saidBy(personId, 'remind me to call Bob');
      gateway.turns = [turn];
      gateway.beforePrivacy = [() => edit(turn, 'remind me to call Ann')];
      await intake.notice([turn.turnId]);
      await intake.noticeAgain(turn.turnId);
      expect(await kept()).toEqual(['remind me to call Ann']);
      expect(await lastSpoke()).toEqual(NOON);
    });

    it('is what the newest words ask for, where those before are being read', async () => {
      const turn = saidBy(personId, 'remind me to call Bob');
      gateway.turns = [turn];
      await intake.notice([turn.turnId]);
      await edit(turn, 'remind me to call Ann');
      const editedAgain = async () => {
        await edit(turn, 'remind me to call Eve');
        await intake.noticeAgain(turn.turnId);
      };
      gateway.beforePrivacy = [() => Promise.resolve(), editedAgain];
      await intake.noticeAgain(turn.turnId);
      expect(await kept()).toEqual(['remind me to call Eve']);
    });
  });
});
