import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { EndedTurn } from '../store/noticed-reasons.js';
import { decideOutreach } from '../decision/decide-outreach.js';
import { whyNowhere } from '../decision/choose-place.js';
import { outlookOf } from '../decision/outlook-of.js';
import {
  attemptRecords,
  attempts,
  consents,
  dispatcher,
  ended,
  gateway,
  handle,
  intake,
  intend,
  intentionRecords,
  left,
  mayArrive,
  minutes,
  NOON,
  optIn,
  personId,
  readIn,
  reason,
  reasonOf,
  records,
  refuse,
  saidBy,
  sent,
  setUpOutreach,
  stores,
  turnRecords,
} from '../e2e/outreach-suite.js';

setUpOutreach();

describe('outreach in a channel', () => {
  const here = (channel: string | null = '42') => consents.change(personId, { channel }, minutes(-60));
  const told = (audience: EndedTurn['audience'], about = 'ask me how it went') =>
    handle(ended({ audience }), [reason(minutes(-1), about)]);
  const decide = async (now = NOON) => (await records.decideFor(personId, now, false)).decision;

  it('is allowed by naming it, says there what was said there, and never what was said in a DM', async () => {
    expect(await here()).toMatchObject({
      optedIn: true,
      direct: false,
      channel: { id: '42', problem: null },
    });
    await told('direct', 'ask me about my secret');
    expect(await decide()).toMatchObject({ kind: 'wait', why: 'nowhere' });
    await told('channel:discord:7', 'ask me in the other place');
    expect(await decide()).toMatchObject({ kind: 'wait', why: 'nowhere' });
    // What a companion thinks of by itself was said between the two alone.
    const thought = { about: 'their secret', dueAt: minutes(-1), exact: true, sources: ['thought'] };
    const whose = { personId, companionId: 'wren' };
    await intentionRecords().intend(whose, thought, minutes(-30), async () => null);
    expect(await decide()).toMatchObject({ kind: 'wait', why: 'nowhere' });
    await told('channel:discord:42');
    await dispatcher.scan(NOON);
    expect(await attempts()).toMatchObject([
      { channelId: '42', because: expect.stringContaining('ask me how it went') },
    ]);
  });

  it('says in a DM what was told in one, where both are allowed', async () => {
    await optIn();
    await here();
    await told('direct');
    expect(await decide()).toMatchObject({ place: { channelId: null } });
    expect(await attempts()).toMatchObject([{ channelId: null }]);
  });

  it('comes as a direct message when the channel is closed to it, and says so', async () => {
    await optIn();
    await here();
    await told('channel:discord:42');
    await decide();
    await sent(minutes(1));
    await refuse(minutes(2), '42');
    expect(await attempts()).toMatchObject([
      { status: 'failed', problem: 'Discord 403/50013; it comes as a direct message' },
    ]);
    expect(await decide(minutes(3))).toMatchObject({ place: { channelId: null } });
    const [row] = await stores.query(
      'SELECT unanswered, channel_problem FROM outreach_settings WHERE person_id = $1',
      [personId],
    );
    expect(row).toEqual({ unanswered: 0, channel_problem: 'Discord 403/50013' });
    // Answered there again, they can be written to there again.
    await handle(ended({ audience: 'channel:discord:42', endedAt: minutes(5) }), []);
    expect((await records.overview(personId, NOON)).situation.settings.channel).toEqual({
      id: '42',
      problem: null,
    });
  });

  it('is refused before its turn is heard of, which does not end the direct message that comes instead', async () => {
    await optIn();
    await here();
    await told('channel:discord:42');
    await decide();
    await refuse(minutes(1), '42');
    expect(await decide(minutes(1))).toMatchObject({ place: { channelId: null } });
    const [direct, refused] = await attempts();
    await sent(minutes(1), refused);
    expect(await attempts()).toMatchObject([
      { status: 'queued', channelId: null },
      { status: 'failed', channelId: '42' },
    ]);
    expect(await reasonOf(direct, minutes(1))).not.toBeNull();
    await sent(minutes(2));
    expect(await attempts()).toMatchObject([{ status: 'sent' }, { status: 'failed' }]);
  });

  it.each([
    ['named anew', async () => void (await here())],
    [
      'where they are answered again',
      async () => void (await handle(ended({ audience: 'channel:discord:42', endedAt: minutes(5) }), [])),
    ],
  ])('keeps the reason that a channel refused until that is %s', async (_, open) => {
    await here();
    await told('channel:discord:42');
    await decide();
    await refuse(minutes(2), '42');
    await dispatcher.scan(minutes(3));
    expect(await attempts()).toHaveLength(1);
    await open();
    expect(await decide(minutes(20))).toMatchObject({ place: { channelId: '42' } });
  });

  it('drops the reason that a channel refused with the consent', async () => {
    await here();
    await told('channel:discord:42');
    await decide();
    await sent(minutes(1));
    await consents.change(personId, { optedIn: false }, minutes(2));
    await refuse(minutes(3), '42');
    expect((await records.overview(personId, NOON)).intentions).toMatchObject([{ status: 'done' }]);
  });

  it('ends there when no direct messages are allowed, and the person is told why', async () => {
    await here();
    await told('channel:discord:42');
    await decide();
    await refuse(minutes(2), '42');
    expect(await attempts()).toMatchObject([
      { status: 'failed', problem: 'Discord 403/50013; direct messages are not allowed' },
    ]);
    const { situation } = await records.overview(personId, minutes(3));
    const outlook = outlookOf(decideOutreach(situation), whyNowhere(situation));
    expect(outlook).toMatchObject({
      waitsFor: 'unreachable',
      words: expect.stringContaining('Discord 403/50013'),
    });
  });

  it('is not where the operator keeps the channel quiet', async () => {
    await here();
    await told('channel:discord:42');
    await consents.setChannelMode({ channelId: '42', mode: 'off' });
    expect(await decide()).toMatchObject({ why: 'unreachable' });
    await expect(consents.change(randomUUID(), { channel: '42' }, NOON)).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(await consents.channelModes()).toEqual([{ channelId: '42', mode: 'off' }]);
    await consents.setChannelMode({ channelId: '42', mode: 'on' });
    expect(await decide()).toMatchObject({ place: { channelId: '42' } });
  });

  it('is held back while the app is away from the channel, with the reasons that were told there', async () => {
    await optIn();
    await here();
    await told('channel:discord:42', 'ask me about my boat');
    const { attempt } = await records.decideFor(personId, NOON, false);
    await told('channel:discord:42', 'ask me about my exam');
    await told('direct', 'ask me about my dog');
    const heard = async () => {
      const { intentions, recent } = await records.overview(personId, NOON);
      return [
        intentions.map(({ about }) => about.replace('ask me about my ', '')).sort(),
        [...recent, ...(await attemptRecords.list(personId, 10))].length,
        await reasonOf(attempt, NOON),
      ];
    };
    const open = [['boat', 'dog', 'exam'], 2, expect.stringContaining('boat')];
    expect(await heard()).toEqual(open);
    await left.note(['channel:discord:42'], true);
    expect(await heard()).toEqual([['dog'], 0, null]);
    await stores.query(`UPDATE intentions SET status = 'done' WHERE about LIKE '%dog'`);
    expect(await records.peopleWithDueReason(NOON)).toEqual([]);
    expect(await decide()).toMatchObject({ kind: 'wait' });
    await left.note(['channel:discord:42'], false);
    // The message under way was called off, and its reason waits again.
    expect(await heard()).toEqual([['boat', 'dog', 'exam'], 2, null]);
    expect(await records.peopleWithDueReason(NOON)).toEqual([personId]);
  });

  it('is held back as well where it comes as a direct message, for a reason that was told there', async () => {
    await optIn();
    await told('channel:discord:42', 'ask me about my boat');
    const { attempt } = await records.decideFor(personId, NOON, false);
    expect(await attemptRecords.list(personId, 10)).toMatchObject([{ channelId: null }]);
    await left.note(['channel:discord:42'], true);
    expect(await attemptRecords.list(personId, 10)).toEqual([]);
    expect(await reasonOf(attempt, NOON)).toBeNull();
    await left.note(['channel:discord:42'], false);
  });

  it('is forgotten with the channel, with the reasons that were told there', async () => {
    await optIn();
    await here();
    await told('channel:discord:42', 'ask me about my boat');
    await decide();
    await told('channel:discord:42', 'ask me about my exam');
    await told('direct', 'ask me about my dog');
    const abouts = async () =>
      (await records.overview(personId, NOON)).intentions.map(({ about }) => about).sort();
    const intentions = intentionRecords();
    // Thought of in direct messages, of what was said in the channel.
    const thought = { dueAt: minutes(60), exact: true, sources: ['message:m1'] };
    const whose = { personId, companionId: 'wren' };
    await intentions.intend(whose, { ...thought, about: 'their boat' }, NOON, async () => null);
    expect(await abouts()).toHaveLength(4);
    // A turn of the channel whose reading is under way.
    const audience = 'channel:discord:42' as const;
    const late = { ...saidBy(personId, 'ask me about my ring'), audience };
    const place = { audience, messageIds: ['m1'], turns: [{ turnId: late.turnId, personId }] };
    expect(await attempts()).toHaveLength(1);
    await intentions.forgetPlace(place);
    gateway.turns = [late];
    await intake.notice([late.turnId]);
    expect([await abouts(), await attempts()]).toEqual([['ask me about my dog'], []]);
  });

  it('of its own accord is held back and forgotten with the channel as well', async () => {
    await here();
    const own = { kind: 'need' as const, about: 'how they are', source: 'need:1', audience: null };
    const whose = { personId, companionId: 'wren' };
    await intentionRecords().keepOwn(whose, own, minutes(-120), async () => true);
    expect(await decide()).toMatchObject({ place: { channelId: '42' } });
    const audience = 'channel:discord:42' as const;
    await left.note([audience], true);
    const shown = await attempts();
    await left.note([audience], false);
    expect([shown, await attempts()]).toMatchObject([[], [{ channelId: '42' }]]);
    await intentionRecords().forgetPlace({ audience, messageIds: [], turns: [] });
    expect(await attempts()).toEqual([]);
  });

  it('is refused by the channel that it was for, and not by the one they chose since', async () => {
    await here();
    await told('channel:discord:42');
    await decide();
    await here('7');
    await refuse(minutes(2), '42');
    const { settings } = (await records.overview(personId, NOON)).situation;
    expect(settings.channel).toEqual({ id: '7', problem: null });
  });

  it('that is withdrawn ends what was decided for it', async () => {
    await optIn();
    await here();
    await told('channel:discord:42');
    await decide();
    expect(await here(null)).toMatchObject({ optedIn: true, direct: true, channel: null });
    expect(await attempts()).toMatchObject([{ status: 'failed', problem: 'it was not allowed any more' }]);
    // It may still be said where they do allow it.
    expect((await records.overview(personId, NOON)).intentions).toHaveLength(1);
  });

  it('is not allowed again by a later yes, once they asked not to be written to any more', async () => {
    await here();
    const enough = await readIn(ended({ endedAt: minutes(-30) }), []);
    await turnRecords.handle([{ ...enough, silencedAt: minutes(2) }], NOON);
    expect(await optIn()).toMatchObject({ optedIn: true, direct: true, channel: null });
  });

  it('that is withdrawn gets no message that was written for it already', async () => {
    await optIn();
    await here();
    await told('channel:discord:42');
    const { attempt } = await records.decideFor(personId, NOON, false);
    await sent(minutes(1));
    expect(await mayArrive(attempt, minutes(2))).toBe(true);
    await here(null);
    expect(await mayArrive(attempt, minutes(2))).toBe(false);
    expect(await decide(minutes(2))).toMatchObject({ place: { channelId: null } });
  });

  it('ends what was decided for direct messages when those are withdrawn', async () => {
    await optIn();
    await intend(minutes(-1));
    expect(await decide()).toMatchObject({ place: { channelId: null } });
    await consents.change(personId, { direct: false, channel: '42' }, NOON);
    expect(await attempts()).toMatchObject([
      { channelId: null, status: 'failed', problem: 'it was not allowed any more' },
    ]);
  });
});
