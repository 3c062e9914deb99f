import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isErased } from '@kith/contracts';
import { ErasureRecords } from '../erasure/erasure-records.js';
import { claimBurst } from './claim-burst.js';
import { commitTurn, isOvertaken } from '../outcome/commit-turn.js';
import { type Speaker } from '../conversations/conversations.js';
import { TurnInterrupted } from '../signals/interruptions.js';
import { reviseMessage, stopMessages } from './revise-message.js';
import { answered, LIMITS, marks, withTalk } from '../e2e/talk.js';
import { ToolCallRecords } from '../tools/permission/tool-call-records.js';
import { giveTryBack, releaseLease, renewLease } from './lease.js';
import { insertStep } from '../steps/step-log.js';
import { turnIdOf } from '../signals/turn-id-of.js';
import type { Claim } from './claim.js';

const talk = withTalk();

/** Commits a step of a claim's turn that is about to call a tool. */
function callTool(where: Speaker, claim: Claim) {
  const turnId = turnIdOf(where.conversationId, claim.burst[0]!.id);
  const cost = { model: 'test', promptTokens: 1, completionTokens: 1 };
  const calls = [{ name: 'book', state: 'planned' as const }];
  return talk.database.write(where, (tx) =>
    insertStep(tx, claim, turnId, { number: 1, sealed: null, calls, ...cost }),
  );
}

describe('accepting', () => {
  it('keeps a message once, however often it is delivered', async () => {
    const where = await talk.place();
    const results = await Promise.all([1, 2, 3, 4].map(() => talk.accept(where, 'same')));
    expect(results.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(results.map(({ inboxId }) => inboxId)).size).toBe(1);
  });

  it('numbers the messages of a conversation in the order in which they can be seen', async () => {
    const where = await talk.place();
    const ids = async () => {
      const rows = await talk.rowsOf<{ id: string }>('inbox', 'id', where);
      return new Set(rows.map(({ id }) => Number(id)));
    };
    const snapshots: Set<number>[] = [];
    const state = { isAccepting: true };
    const looking = (async () => {
      while (state.isAccepting) snapshots.push(await ids());
    })();
    await Promise.all(Array.from({ length: 200 }, (_, n) => talk.accept(where, `m${n}`)));
    state.isAccepting = false;
    await looking;
    const all = [...(await ids())];
    // A worker that saw a message saw every earlier one too, or it would answer out of order.
    for (const seen of snapshots) {
      const newest = Math.max(...seen);
      expect(all.filter((id) => id < newest && !seen.has(id))).toEqual([]);
    }
  });

  it.each([true, false])(
    'tells the speaker’s name, and whether they talk in private and tools asked them here (at once: %s)',
    async (atOnce) => {
      const claimOf = async (where: Speaker, id: string) => {
        const { claim } = await talk.accept(where, id, atOnce);
        return claim ?? talk.claim(where);
      };
      const where = await talk.place();
      const first = await claimOf(where, 'first');
      expect(first).toMatchObject({ personName: 'Ann', wasAsked: false, isPrivate: false });
      await commitTurn(talk.database, first, answered(), false);
      await new ToolCallRecords(talk.database).ask(
        {
          ...where,
          key: randomUUID(),
          turnId: randomUUID(),
          tool: 'send',
          pin: '',
          arguments: {},
          place: { companionId: 'mira', server: null, channel: null, roles: null },
        },
        new Date(),
      );
      await talk.database.asPerson(where.personId, (tx) =>
        tx.person.update({ where: { id: where.personId }, data: { privateFrom: new Date() } }),
      );
      expect(await claimOf(where, 'second')).toMatchObject({ wasAsked: true, isPrivate: true });
      expect(await claimOf(await talk.place(), 'other')).toMatchObject({ wasAsked: false });
    },
  );

  it('keeps pictures until the turn’s outcome, an edit, a deletion or a stop', async () => {
    const pictures = [{ url: 'https://cdn.discordapp.com/attachments/1/2/cat.png' }];
    const { database, stores } = talk;
    const ends: ((where: Speaker, messageId: string) => Promise<unknown>)[] = [
      async (where) => commitTurn(database, await talk.claim(where), answered(), false),
      async (where) => stopMessages(database, { ...where, at: new Date() }),
      (_, messageId) => reviseMessage(database, { door: 'discord', messageId, text: 'no', at: new Date() }),
      (_, messageId) => reviseMessage(database, { door: 'discord', messageId, text: null, at: new Date() }),
    ];
    for (const end of ends) {
      const where = await talk.place();
      const messageId = randomUUID();
      const accepted = await talk.say(where, { externalId: messageId, text: 'look', pictures }, true);
      expect(accepted.claim!.pictures).toEqual(pictures);
      await releaseLease(database, accepted.claim!, 'interrupted');
      expect((await talk.claim(where)).pictures).toEqual(pictures);
      await stores.query('UPDATE inbox SET lease_until = NULL WHERE external_id = $1', [messageId]);
      await end(where, messageId);
      const kept = await stores.query('SELECT pictures FROM inbox WHERE external_id = $1', [messageId]);
      expect(kept).toEqual([{ pictures: null }]);
    }
  });

  it.each(['look', 'look here'])(
    'shows the pictures that an edit to “%s” leaves, and no other',
    async (text) => {
      const where = await talk.place();
      const [cat, dog] = ['cat', 'dog'].map((name) => ({ url: `https://cdn.discordapp.com/${name}.png` }));
      const externalId = randomUUID();
      await show(where, externalId, [cat!.url, dog!.url]);
      const edit = { door: 'http', messageId: externalId, text, at: new Date() } as const;
      await reviseMessage(talk.database, { ...edit, pictures: [dog!] });
      const claim = await talk.claim(where);
      expect(claim.pictures).toEqual([dog]);
      await releaseLease(talk.database, claim, 'interrupted');
      await talk.stores.query('UPDATE inbox SET lease_until = NULL WHERE external_id = $1', [externalId]);
      await reviseMessage(talk.database, edit);
      expect((await talk.claim(where)).pictures).toEqual([]);
    },
  );

  /** Accepts a message with pictures of its own. */
  const show = (where: Speaker, externalId: string, urls: string[]) =>
    talk.say(where, {
      door: 'http',
      externalId,
      text: 'look',
      target: null,
      pictures: urls.map((url) => ({ url })),
    });

  it('takes the newest pictures of a burst, as many as a model is shown, and none where an apology is due', async () => {
    const where = await talk.place();
    const urls = Array.from({ length: 6 }, (_, n) => `https://cdn.discordapp.com/${n}.png`);
    await show(where, 'a', urls.slice(0, 1));
    await show(where, 'b', urls.slice(1, 4));
    await talk.accept(where, 'c');
    await show(where, 'd', urls.slice(4));
    const claim = await talk.claim(where);
    expect(claim.burst).toHaveLength(4);
    expect(claim.pictures.map(({ url }) => url)).toEqual(urls.slice(2));
    expect(JSON.stringify(claim.burst, (_, value) => String(value))).not.toContain('.png');
    await talk.stores.query(
      'UPDATE inbox SET attempts = 3, lease_until = NULL WHERE conversation_id = $1 AND outcome IS NULL',
      [where.conversationId],
    );
    expect(await talk.claim(where)).toMatchObject({ poison: true, pictures: [] });
  });

  it('takes no more whole pictures of somebody of whom four large requests wait', async () => {
    const where = await talk.place();
    // Such as Postgres can make no smaller.
    const large = () => `data:image/png;base64,${randomBytes(2_900_000).toString('base64')}`;
    for (const id of ['a', 'b', 'c', 'd', 'e']) await show(where, id, [large(), large()]);
    const small = ['data:image/png;base64,AAAA'];
    await expect(show(where, 'f', small)).rejects.toMatchObject({ code: 'rate_limited' });
    expect((await show(where, 'a', small)).duplicate).toBe(true);
    expect((await talk.accept(where, 'words')).duplicate).toBe(false);
    expect((await show(where, 'at an address', ['https://cdn.discordapp.com/1.png'])).duplicate).toBe(false);
    expect((await show(await talk.place(), 'another’s', small)).duplicate).toBe(false);
    await commitTurn(talk.database, await talk.claim(where), answered(), false);
    expect((await show(where, 'f', small)).duplicate).toBe(false);
  });

  it('claims a speaker’s only open message with its acceptance, as a worker would', async () => {
    const where = await talk.place();
    const { claim: own, waiting } = await talk.accept(where, 'first', true);
    expect([own?.leaseToken, own?.burst.map(({ externalId }) => externalId), waiting]).toEqual([
      1,
      ['first'],
      0,
    ]);
    expect(await claimBurst(talk.turnStores, where, LIMITS)).toEqual({ kind: 'busy' });
    expect((await talk.accept(where, 'second', true)).claim).toBeNull();
    expect((await talk.accept(where, 'first', true)).claim).toBeNull();
    const { more } = await commitTurn(talk.database, own!, answered(), false);
    expect(more).toBe(true);
    const next = await talk.claim(where);
    expect(next.burst.map(({ externalId }) => externalId)).toEqual(['second']);
    const { companionId, audience, kind, changeCount } = next;
    expect(own).toMatchObject({ companionId, audience, kind, changeCount });
  });

  it('gives what it claimed to another worker once the lease has run out, and refuses the first one’s outcome', async () => {
    const where = await talk.place();
    const { claim: lost } = await talk.accept(where, 'first', true);
    await talk.stores.query(`UPDATE inbox SET lease_until = now() - interval '1 s' WHERE id = $1`, [
      String(lost!.burst[0]!.id),
    ]);
    const found = await talk.claim(where);
    expect([found.leaseToken, found.burst[0]!.attempts]).toEqual([2, 1]);
    await expect(commitTurn(talk.database, lost!, answered(), false)).rejects.toThrow(TurnInterrupted);
    expect(await renewLease(talk.database, lost!)).toBe(false);
    await releaseLease(talk.database, lost!, 'interrupted');
    expect(await claimBurst(talk.turnStores, where, LIMITS)).toEqual({ kind: 'busy' });
    // The first one lives on: what it tried ended no process, and is no try.
    await giveTryBack(talk.database, lost!);
    await releaseLease(talk.database, found, 'failed');
    const again = await talk.claim(where);
    expect([again.leaseToken, again.burst[0]!.attempts]).toEqual([3, 1]);
    await giveTryBack(talk.database, { ...again, leaseToken: 11 });
    await releaseLease(talk.database, again, 'failed');
    const last = await talk.claim(where);
    expect(last.burst[0]!.attempts).toBe(2);
    await commitTurn(talk.database, last, answered(), false);
  });

  it('keeps a burst together whose turn has called a tool, however often it fails, and apologises once for it', async () => {
    const where = await talk.place();
    const idsOf = ({ burst }: Claim) => burst.map(({ externalId }) => externalId);
    await talk.accept(where, 'first');
    await talk.accept(where, 'book it');
    let claim = await talk.claim(where);
    await callTool(where, claim);
    await talk.accept(where, 'later');
    for (const isPoison of [false, false, true]) {
      await releaseLease(talk.database, claim, 'failed');
      claim = await talk.claim(where);
      expect(claim.poison).toBe(isPoison);
      expect(idsOf(claim).slice(0, 2)).toEqual(['first', 'book it']);
    }
    expect(idsOf(claim)).toHaveLength(2);
    await commitTurn(talk.database, claim, answered(), false);
    expect(idsOf(await talk.claim(where))).toEqual(['later']);
  });

  it('keeps a burst together whose turn has called a tool when one of it is edited to what fills a prompt alone', async () => {
    const where = await talk.place();
    await talk.accept(where, 'to be edited');
    await talk.accept(where, 'book it');
    const claim = await talk.claim(where);
    await callTool(where, claim);
    const text = 'word '.repeat(LIMITS.maxTokens);
    await reviseMessage(talk.database, { door: 'discord', messageId: 'to be edited', text, at: new Date() });
    await releaseLease(talk.database, claim, 'interrupted');
    // As whoever did not hear of it does; and a renewal that was on its way.
    await releaseLease(talk.database, claim, 'interrupted');
    expect(await renewLease(talk.database, claim)).toBe(false);
    const { burst } = await talk.claim(where);
    expect(burst.map(({ externalId, attempts }) => [externalId, attempts])).toEqual([
      ['to be edited', 0],
      ['book it', 0],
    ]);
  });

  it('claims one of many messages of a speaker that come at once, the first', async () => {
    const where = await talk.place();
    const accepted = await Promise.all(
      Array.from({ length: 20 }, (_, n) => talk.accept(where, `m${n}`, true)),
    );
    const claims = accepted.flatMap((one) => one.claim ?? []);
    expect(claims).toHaveLength(1);
    const first = Math.min(...accepted.map(({ inboxId }) => Number(inboxId)));
    expect(Number(claims[0]!.burst[0]!.id)).toBe(first);
  });
});

describe('the lease', () => {
  it('has run out where it is of a time that the clock was set back from', async () => {
    const where = await talk.place();
    const { inboxId } = await talk.accept(where, 'a', true);
    const ahead = `now() + interval '1 hour'`;
    await talk.stores.query(`UPDATE inbox SET lease_until = ${ahead}, received_at = ${ahead} WHERE id = $1`, [
      inboxId,
    ]);
    expect(await talk.claim(where)).toMatchObject({ leaseToken: 2 });
    expect(await claimBurst(talk.turnStores, where, LIMITS)).toEqual({ kind: 'busy' });
  });

  it('goes to one of several workers', async () => {
    const where = await talk.place();
    await talk.accept(where, 'a');
    const results = await Promise.all([1, 2, 3].map(() => claimBurst(talk.turnStores, where, LIMITS)));
    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['busy', 'busy', 'claimed']);
  });
});

describe('people who speak at once in a channel', () => {
  it('have a turn each under way at the same time, and each their own next message after it', async () => {
    const speakers = await talk.channelOf(2);
    const [ann, ben] = speakers as [Speaker, Speaker];
    await talk.accept(ann, 'ann 1');
    const mine = await talk.claim(ann);
    await talk.accept(ben, 'ben 1');
    await talk.accept(ann, 'ann 2');
    expect(await claimBurst(talk.turnStores, ann, LIMITS)).toEqual({ kind: 'busy' });
    const bens = await talk.claim(ben);
    expect(bens.burst.map(({ externalId }) => externalId)).toEqual(['ben 1']);
    // Ben's outcome does not wait for Ann's, and says nothing of what she still waits for.
    expect(await commitTurn(talk.database, bens, answered(), true)).toMatchObject({ more: false });
    expect(await commitTurn(talk.database, mine, answered(), false)).toMatchObject({ more: true });
    expect((await talk.claim(ann)).burst.map(({ externalId }) => externalId)).toEqual(['ann 2']);
  });

  it.each(['with its acceptance', 'by a worker'])(
    'are told all that was said there, oldest first, but for what was private of others: claimed %s',
    async (how) => {
      const [ann, ben] = (await talk.channelOf(2)) as [Speaker, Speaker];
      for (const [speaker, id] of [
        [ann, 'ann 1'],
        [ben, 'ben 1'],
        [ben, 'ben 2'],
      ] as const) {
        await talk.accept(speaker, id);
        await commitTurn(talk.database, await talk.claim(speaker), answered(), false);
      }
      await talk.stores.query(
        `UPDATE transcript SET withheld = 'private' WHERE external_id IN ('ann 1', 'ben 1')`,
      );
      const { claim: own } = await talk.accept(ann, 'ann 2', how === 'with its acceptance');
      const { earlier } = own ?? (await talk.claim(ann));
      const lines = earlier.map(({ role, externalId }) => externalId ?? role);
      expect(lines).toEqual(['ann 1', 'companion', 'companion', 'ben 2', 'companion']);
    },
  );

  it('are not overtaken by each other, and lose no lease to each other', async () => {
    const [ann, ben] = (await talk.channelOf(2)) as [Speaker, Speaker];
    await talk.accept(ann, 'ann 1');
    const mine = await talk.claim(ann);
    await talk.accept(ben, 'ben 1');
    expect(await isOvertaken(talk.database, mine)).toBe(false);
    await talk.claim(ben);
    expect(await renewLease(talk.database, mine)).toBe(true);
    await expect(commitTurn(talk.database, mine, answered(), true)).resolves.toMatchObject({ more: false });
  });

  it('find what they said and what was answered side by side in the transcript, however they end', async () => {
    const speakers = await talk.channelOf(12);
    await Promise.all(speakers.map((speaker, n) => talk.accept(speaker, `m${n}`)));
    const claims = await Promise.all(speakers.map((speaker) => talk.claim(speaker)));
    await Promise.all(claims.map((one) => commitTurn(talk.database, one, answered(), false)));
    const rows = await talk.stores.query<{ turn_id: string; role: string }>(
      'SELECT turn_id, role FROM transcript WHERE conversation_id = $1 ORDER BY id',
      [speakers[0]!.conversationId],
    );
    expect(rows).toHaveLength(24);
    for (let at = 0; at < rows.length; at += 2) {
      expect([rows[at]!.role, rows[at + 1]!.role]).toEqual(['person', 'companion']);
      expect(rows[at]!.turn_id).toBe(rows[at + 1]!.turn_id);
    }
  });

  it('are claimed and ended without a deadlock while they write on, stop and are erased', async () => {
    const speakers = await talk.channelOf(6);
    const busy = speakers.flatMap((speaker, n) => [
      ...Array.from({ length: 10 }, (_, m) => talk.accept(speaker, `m${n} ${m}`)),
      ...Array.from({ length: 10 }, () => answerNext(speaker)),
      stopMessages(talk.database, { ...speaker, at: new Date() }),
    ]);
    const erased = speakers[0]!.personId;
    const erasing = new ErasureRecords(talk.database, marks).begin(erased, 'person');
    const results = await Promise.allSettled([...busy, erasing]);
    const failed = results.flatMap((one) =>
      one.status === 'rejected' && !isErased(one.reason) ? [one] : [],
    );
    expect(failed.map(({ reason }) => String(reason))).toEqual([]);
    for (const speaker of speakers) while (await answerNext(speaker));
    const open = await talk.stores.query(
      'SELECT 1 FROM inbox WHERE conversation_id = $1 AND outcome IS NULL',
      [speakers[0]!.conversationId],
    );
    expect(open).toEqual([]);
  });

  /** One turn, as a worker takes it. Returns whether there was one. */
  async function answerNext(speaker: Speaker): Promise<boolean> {
    const result = await claimBurst(talk.turnStores, speaker, LIMITS);
    if (result.kind !== 'claimed') return false;
    try {
      await commitTurn(talk.database, result.claim, answered(), false);
    } catch (error) {
      // Stopped or erased meanwhile.
      if (!(error instanceof TurnInterrupted) && !isErased(error)) throw error;
      await releaseLease(talk.database, result.claim, 'interrupted');
    }
    return true;
  }
});
