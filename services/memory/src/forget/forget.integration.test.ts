import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { memoryContract, present, type ReadTurn, type RequestInput } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { onEachIndex } from '../e2e/on-each-index.js';
import { FactExtractor } from '../facts/fact-extractor.js';

onEachIndex('forgetting', (memory) => {
  const { remember, say, recall, textsOf, rowsOf, pointsOf, extract } = memory;
  const undoUntil = () => new Date(Date.now() + 60_000).toISOString();
  /** Has something forgotten that can be undone. */
  const order = async (personId: string, what: RequestInput<typeof memoryContract.forget>['what']) => {
    const orderId = randomUUID();
    await memory.messenger.ask(memoryContract.forget, { orderId, personId, what, undoUntil: undoUntil() });
    return orderId;
  };
  const undo = (personId: string, orderId: string) =>
    memory.messenger.ask(memoryContract.undoForget, { orderId, personId });

  describe('forgetting', () => {
    const forget = (personId: string, what: RequestInput<typeof memoryContract.forget>['what']) =>
      memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), personId, what });

    it('removes a memory from Postgres and from the index, and a late job does not bring it back', async () => {
      const turn = await say(['I like fish', 'I like soup']);
      const [fish] = await rowsOf(turn.personId);
      const id = fish?.['id'] as string;
      expect(await forget(turn.personId, { kind: 'ids', ids: [id] })).toMatchObject({ rows: 1, points: 1 });
      expect(await pointsOf(turn.personId)).toBe(1);
      await remember(turn);
      expect(textsOf(await recall(turn, 'fish soup'))).toEqual(['I like soup']);
      expect(await forget(turn.personId, { kind: 'ids', ids: [id] })).toMatchObject({ rows: 0, points: 0 });
    });

    it('names the messages it came from, the same when it is ordered again', async () => {
      const turn = await say(['I like fish']);
      const { personId } = turn;
      const [fish] = await rowsOf(personId);
      const order = { orderId: randomUUID(), personId, what: { kind: 'all' as const } };
      const done = await memory.messenger.ask(memoryContract.forget, order);
      expect(done).toMatchObject({ sources: fish?.['sources'], memoryIds: [fish?.['id']] });
      expect(await memory.messenger.ask(memoryContract.forget, order)).toMatchObject({
        rows: 1,
        points: 0,
        sources: fish?.['sources'],
      });
    });

    it('removes a fact that a restore brought back under another id, and reads it no more from the line that stays', async () => {
      const { personId, turnId } = await say('I live in Paris');
      const kinds = async () => (await rowsOf(personId)).map(({ kind }) => kind).toSorted();
      await extract(personId);
      expect(await kinds()).toEqual(['episode', 'fact']);
      const what = { kind: 'ids' as const, ids: [randomUUID()] };
      const order = { orderId: randomUUID(), personId, what, unread: [`${turnId}-0`] };
      await memory.messenger.ask(memoryContract.forget, order);
      await extract(personId);
      expect(await kinds()).toEqual(['episode']);
    });

    it('takes the lines that tell a fact which is forgotten by its id, unless their talk is kept, and gives them back', async () => {
      const turn = await say(['I live in Paris with a cat', 'I like soup']);
      const { personId } = turn;
      await extract(personId);
      const fact = (await rowsOf(personId)).find(({ text }) => String(text).includes('lives in Paris'));
      const order = (keepTalk: boolean) => ({
        orderId: randomUUID(),
        personId,
        keepTalk,
        what: { kind: 'ids' as const, ids: [String(fact!['id'])] },
        undoUntil: new Date(Date.now() + 60_000).toISOString(),
      });
      const lines = async () =>
        (await rowsOf(personId)).filter(({ kind }) => kind === 'episode').map(({ text }) => text);
      const forgetting = order(false);
      const source = `${turn.turnId}-0`;
      expect(await memory.messenger.ask(memoryContract.forget, forgetting)).toMatchObject({
        sources: [source],
      });
      expect(await lines()).toEqual(['I like soup']);
      await memory.messenger.ask(memoryContract.undoForget, forgetting);
      expect((await lines()).toSorted()).toEqual(['I like soup', 'I live in Paris with a cat']);
      const kept = order(true);
      expect(await memory.messenger.ask(memoryContract.forget, kept)).toMatchObject({ rows: 1 });
      expect((await lines()).toSorted()).toEqual(['I like soup', 'I live in Paris with a cat']);
      await memory.messenger.ask(memoryContract.undoForget, kept);
    });

    it('takes of a line that was said again only what tells the fact, and has the rest remembered again', async () => {
      const turn = await say('I live in Paris with a cat');
      const { personId } = turn;
      await extract(personId);
      const again = await say('I live in Paris with a cat', { personId });
      const fact = (await rowsOf(personId)).find(({ kind }) => kind === 'fact');
      const order = {
        orderId: randomUUID(),
        personId,
        what: { kind: 'ids' as const, ids: [String(fact!['id'])] },
      };
      const [told, others] = [[`${turn.turnId}-0`], [`${again.turnId}-0`]];
      const preview = await memory.messenger.ask(memoryContract.forget, { ...order, preview: true });
      expect(preview).toMatchObject({ rows: 2, sources: told });
      expect(preview.memories.map(({ kind }) => kind).toSorted()).toEqual(['episode', 'fact']);
      for (const _ of ['at first', 'once more'])
        expect(await memory.messenger.ask(memoryContract.forget, order)).toMatchObject({
          rows: 2,
          sources: told,
          others,
        });
      expect(await rowsOf(personId)).toEqual([]);
      await memory.messenger.ask(memoryContract.reread, { personId, turnIds: [turn.turnId, again.turnId] });
      await remember(turn);
      await remember(again);
      expect((await rowsOf(personId)).map(({ sources }) => sources)).toEqual([others]);
    });

    it('gives back what it took while that can be undone, and nothing reads it meanwhile', async () => {
      const turn = await say(['I live in Paris', 'I like soup']);
      const { personId } = turn;
      await extract(personId);
      const before = await rowsOf(personId);
      const undoUntil = new Date(Date.now() + 60_000).toISOString();
      const order = { orderId: randomUUID(), personId, what: { kind: 'all' as const }, undoUntil };
      await memory.messenger.ask(memoryContract.forget, order);
      expect(await rowsOf(personId)).toEqual([]);
      expect(textsOf(await recall(turn, 'Paris soup'))).toEqual([]);
      const { orderId } = order;
      await memory.messenger.ask(memoryContract.undoForget, { orderId, personId });
      const plain = (rows: Record<string, unknown>[]) =>
        rows
          .map(({ id, text, sources }) => ({ id, text, sources }))
          .toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
      expect(plain(await rowsOf(personId))).toEqual(plain(before));
      expect(textsOf(await recall(turn, 'soup'))).toContain('I like soup');
    });

    it('names the turns that were not remembered yet when they were forgotten, and are to be now', async () => {
      const { turnId: known, personId } = await say('I like soup');
      const unread = randomUUID();
      const what = { kind: 'sources' as const, sources: [`${known}-0`, `${unread}-0`] };
      const undoUntil = new Date(Date.now() + 60_000).toISOString();
      const order = { orderId: randomUUID(), personId, what, undoUntil };
      await memory.messenger.ask(memoryContract.forget, order);
      const asked = { orderId: order.orderId, personId, turnIds: [known, unread] };
      const undo = () => memory.messenger.ask(memoryContract.undoForget, asked);
      expect(await undo()).toEqual({ rows: 1, unread: [unread] });
      // Again where the answer was lost.
      expect(await undo()).toMatchObject({ unread: [unread] });
    });

    it('gives back nothing once its time is over, and keeps no words of it', async () => {
      const { personId } = await say('I like fish');
      const undoUntil = new Date(Date.now() - 1).toISOString();
      const order = { orderId: randomUUID(), personId, what: { kind: 'all' as const }, undoUntil };
      await memory.messenger.ask(memoryContract.forget, order);
      const { orderId } = order;
      expect(await memory.messenger.ask(memoryContract.undoForget, { orderId, personId })).toEqual({
        rows: 0,
        unread: [],
      });
      expect(await rowsOf(personId)).toEqual([]);
      expect(await memory.stores.query('SELECT 1 FROM memory_sealed_rows')).toEqual([]);
    });

    it('keeps the words that a message was edited to, and never again those before', async () => {
      const turn = memory.turn('I like fish');
      const { personId, turnId } = turn;
      await remember(turn);
      const source = `${turnId}-0`;
      const revised = { orderId: randomUUID(), personId, companionId: 'wren', source, turnId };
      await memory.messenger.ask(memoryContract.revise, { ...revised, revision: 1 });
      expect(await rowsOf(personId)).toEqual([]);
      // A job that read the old words before the edit comes late.
      await memory.messenger.ask(memoryContract.reread, { personId, turnIds: [] });
      await memory.stores.query('DELETE FROM memory_handled_turns WHERE turn_id = $1', [turnId]);
      await remember(turn);
      expect(await rowsOf(personId)).toEqual([]);
      turn.messages = turn.messages.map((message) => ({ ...message, text: 'I like figs', revision: 1 }));
      await memory.messenger.ask(memoryContract.reread, { personId, turnIds: [turnId] });
      await eventually('the new words are kept', async () => (await rowsOf(personId)).length === 1);
      expect((await rowsOf(personId))[0]).toMatchObject({ text: 'I like figs' });
    });

    it('brings no words back that were corrected or merged when another message of their turn is edited', async () => {
      const bakery = 'I will start my new job at the bakery';
      const turn = await say(['My sister lives in Oslo', `${bakery}!`, `${bakery}!!!`, 'She has a catt']);
      const { personId, turnId } = turn;
      const textsNow = async () => (await rowsOf(personId)).map(({ text }) => text).sort();
      const sister = (await rowsOf(personId)).find(({ text }) => text === 'My sister lives in Oslo');
      await memory.messenger.ask(memoryContract.change, {
        personId,
        id: sister?.['id'] as string,
        change: { text: 'My sister lives in Bergen' },
      });
      const day = new Date().toISOString().slice(0, 10);
      const from = `${day}T00:00:00.000Z`;
      const to = new Date(Date.parse(from) + 86_400_000).toISOString();
      await memory.parts.consolidation.consolidate({ personId, companionId: 'wren', day, from, to });

      const source = `${turnId}-3`;
      const revised = { orderId: randomUUID(), personId, companionId: 'wren', source, turnId, revision: 1 };
      await memory.messenger.ask(memoryContract.revise, revised);
      turn.messages = turn.messages.map((message) =>
        message.externalId === source ? { ...message, text: 'She has a cat', revision: 1 } : message,
      );
      await memory.messenger.ask(memoryContract.reread, { personId, turnIds: [turnId] });
      await eventually('the new words are kept', async () => (await textsNow()).includes('She has a cat'));
      expect(await textsNow()).toEqual([`${bakery}!!!`, 'My sister lives in Bergen', 'She has a cat']);
      // What they say anew is kept as what it is, whatever was corrected before.
      await say('My sister lives in Oslo', { personId });
      expect(await textsNow()).toContain('My sister lives in Oslo');
    });

    it('names what went with a changed message as often as it is asked', async () => {
      const first = await say('I like fish');
      const { personId, turnId } = first;
      const again = await say('I like fish', { personId });
      const [fish] = await rowsOf(personId);
      const source = `${turnId}-0`;
      const revised = {
        orderId: randomUUID(),
        personId,
        companionId: 'wren',
        source,
        turnId,
        revision: null,
      };
      const done = await memory.messenger.ask(memoryContract.revise, revised);
      expect(done).toEqual({ memoryIds: [fish!['id']], others: [`${again.turnId}-0`] });
      // The order was broken off behind it, and is carried out from its beginning.
      expect(await memory.messenger.ask(memoryContract.revise, revised)).toEqual(done);
    });

    it('undoes by source message, also one that is not stored yet', async () => {
      const turn = memory.turn(['I like fish', 'I like soup']);
      await forget(turn.personId, { kind: 'sources', sources: [`${turn.turnId}-0`] });
      await remember(turn);
      expect(textsOf(await recall(turn, 'fish soup'))).toEqual(['I like soup']);
      expect(await forget(turn.personId, { kind: 'sources', sources: [`${turn.turnId}-1`] })).toMatchObject({
        rows: 1,
        points: 1,
      });
    });

    it('forgets everything, keeps late jobs of before out, and remembers what is said after', async () => {
      const before = memory.turn('I like fish');
      await say('I like soup', { personId: before.personId });
      expect(await forget(before.personId, { kind: 'all' })).toMatchObject({ rows: 1, points: 1 });
      before.startedAt = new Date(Date.now() - 60_000).toISOString();
      await remember(before);
      expect(await rowsOf(before.personId)).toEqual([]);
      await say('I like bread', {
        personId: before.personId,
        startedAt: new Date(Date.now() + 60_000).toISOString(),
      });
      expect(await rowsOf(before.personId)).toHaveLength(1);
    });

    it('leaves the lines of later turns alone where everything is forgotten late, and nothing that may tell of before', async () => {
      const { personId } = await say('I live in Paris');
      await extract(personId);
      const [now] = await memory.stores.query('SELECT now() AS at');
      const at = (now!['at'] as Date).toISOString();
      const minute = (n: number) => new Date(Date.parse(at) + n * 60_000).toISOString();
      const [after, late, underWay] = ['I live in Rome', 'I bake bread', 'I like soup'].map((text, n) => {
        const turn = memory.turn(text, { personId, startedAt: minute(n < 2 ? 1 : -1) });
        turn.messages = turn.messages.map((message) => ({ ...message, at: minute(1) }));
        return turn;
      }) as [ReadTurn, ReadTurn, ReadTurn];
      await remember(after);
      await remember(underWay);
      await extract(personId);
      const note = {
        text: 'Ann left Paris.',
        saidAt: minute(2),
        speaker: 'Wren',
        note: true,
        sources: ['m-1'],
      };
      await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records: [note] });
      const scope = { personId, companionId: 'wren', audience: 'direct' as const, by: 'person' as const };
      const edit = { kind: 'append' as const, text: 'Ann left Paris.' };
      await memory.messenger.ask(memoryContract.editCore, { ...scope, label: 'human', edit });
      await memory.messenger.ask(memoryContract.forget, {
        orderId: randomUUID(),
        personId,
        what: { kind: 'all' },
        saidAfter: { at, turnIds: [after.turnId, late.turnId] },
      });
      const texts = async () => (await rowsOf(personId)).map(({ text }) => String(text)).toSorted();
      expect(await texts()).toEqual(['I live in Rome']);
      expect(await memory.messenger.ask(memoryContract.core, scope)).toEqual({ blocks: [] });
      await remember(late);
      await remember(memory.turn('I like fish', { personId, startedAt: minute(-1) }));
      await extract(personId);
      expect(await texts()).toEqual([
        expect.stringMatching(/^Ann lives in Rome \(since/),
        'I bake bread',
        'I live in Rome',
      ]);
    });

    it('leaves a line withdrawn that was put right since, where everything is forgotten late', async () => {
      const [now] = await memory.stores.query('SELECT now() AS at');
      const at = now!['at'] as Date;
      const later = new Date(at.getTime() + 60_000).toISOString();
      const turn = memory.turn('I live in Rme', { startedAt: later });
      turn.messages = turn.messages.map((message) => ({ ...message, at: later }));
      await remember(turn);
      const { personId } = turn;
      const note = {
        text: 'Ann lives in Rome.',
        saidAt: later,
        speaker: 'Wren',
        note: true,
        sources: ['m-1'],
      };
      await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records: [note] });
      await memory.stores.query(
        `UPDATE memories AS line SET shelf = 'withdrawn', superseded_by = note.id FROM memories AS note
         WHERE line.person_id = $1 AND note.person_id = $1 AND line.writer = 'person' AND note.id <> line.id`,
        [personId],
      );
      await memory.messenger.ask(memoryContract.forget, {
        orderId: randomUUID(),
        personId,
        what: { kind: 'all' },
        saidAfter: { at: at.toISOString(), turnIds: [turn.turnId] },
      });
      expect(await rowsOf(personId)).toEqual([
        expect.objectContaining({ text: 'I live in Rme', shelf: 'withdrawn' }),
      ]);
    });

    describe('while lines are read', () => {
      const at = new Date();
      const later = new Date(at.getTime() + 60_000).toISOString();
      /** Reads a line while something is done, each time it is read, beside a fact that the reader knows. */
      const readDuring = async (personId: string, change: (laterId: string) => Promise<unknown>) => {
        const turn = memory.turn('My sister moved to Rome', { personId, startedAt: later });
        turn.messages = turn.messages.map((message) => ({ ...message, at: later }));
        await remember(turn);
        const known: (string | null)[][] = [];
        const extractor = new FactExtractor(
          memory.parts.database,
          memory.parts.writer,
          memory.parts.messenger,
          async (lines, context) => {
            const knows = context.known.map(({ value }) => value);
            known.push(knows);
            await change(turn.turnId);
            const tells = { attribute: 'sister', value: ['Rome', ...knows].join(' after '), isSure: true };
            return { statements: lines.map(() => [tells]), importance: lines.map(() => 5) };
          },
        );
        await extractor.extract([{ personId, companionId: 'wren' }]);
        return known;
      };

      it.each<[string, (one: { turnId: string; factId: string; laterId: string }) => object]>([
        [
          'everything, late',
          ({ laterId }) => ({
            what: { kind: 'all' },
            saidAfter: { at: at.toISOString(), turnIds: [laterId] },
          }),
        ],
        [
          'a time',
          () => ({ what: { kind: 'period', from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z' } }),
        ],
        ['a message', ({ turnId }) => ({ what: { kind: 'sources', sources: [`${turnId}-0`] } })],
        ['a fact', ({ factId }) => ({ what: { kind: 'ids', ids: [factId] } })],
      ])('%s: stores nothing of a reading that knew it, and reads what is left again', async (_, orderOf) => {
        const { personId, turnId } = await say('I live in Paris');
        await extract(personId);
        const fact = (await rowsOf(personId)).find(({ kind }) => kind === 'fact');
        const orderId = randomUUID();
        const forgets = (laterId: string) => {
          const order = { orderId, personId, ...orderOf({ turnId, factId: String(fact?.['id']), laterId }) };
          return memory.messenger.ask(
            memoryContract.forget,
            order as RequestInput<typeof memoryContract.forget>,
          );
        };
        expect(await readDuring(personId, forgets)).toEqual([['Paris'], []]);
        expect((await rowsOf(personId)).map(({ value, text }) => value ?? text)).toEqual([
          'My sister moved to Rome',
          'Rome',
        ]);
      });

      it('leaves lines to upkeep where something is edited at each try', async () => {
        const { personId, turnId } = await say('I live in Paris');
        await extract(personId);
        let revision = 0;
        const edits = () =>
          memory.messenger.ask(memoryContract.revise, {
            orderId: randomUUID(),
            personId,
            companionId: 'wren',
            turnId,
            source: `${turnId}-0`,
            revision: (revision += 1),
          });
        expect(await readDuring(personId, edits)).toEqual([['Paris'], [], []]);
        expect(await rowsOf(personId)).toEqual([
          expect.objectContaining({ text: 'My sister moved to Rome', read_at: null }),
        ]);
      });
    });

    it('removes nothing of another person’s', async () => {
      const turn = await say('I like fish');
      const [row] = await rowsOf(turn.personId);
      expect(await forget(randomUUID(), { kind: 'ids', ids: [row?.['id'] as string] })).toMatchObject({
        rows: 0,
        points: 0,
      });
      expect(await pointsOf(turn.personId)).toBe(1);
    });

    it('leaves no point behind of what is forgotten while it is being embedded', async () => {
      const turn = memory.turn('I like fish');
      memory.neighbours.duringEmbedding = async () => {
        await forget(turn.personId, { kind: 'all' });
      };
      await remember(turn);
      expect(await rowsOf(turn.personId)).toEqual([]);
      expect(await pointsOf(turn.personId)).toBe(0);
    });
  });

  describe('undoing beside a later order that stands', () => {
    const FIRST = 'I water the fern on Mondays';
    const SECOND = 'My sister Ida has a limp';
    const THIRD = 'I bake rye bread';
    const source = (turnId: string, n: number) => ({ kind: 'sources' as const, sources: [`${turnId}-${n}`] });
    const wordsOf = async (personId: string) =>
      (await rowsOf(personId)).map(({ text }) => String(text)).join('\n');
    const reflect = (personId: string) => {
      // The day on which `say` says.
      const [day, from, to] = ['2026-05-01', '2026-05-01T00:00:00.000Z', '2026-05-02T00:00:00.000Z'];
      return memory.parts.consolidation.consolidate({ personId, companionId: 'wren', day, from, to });
    };
    const revise = (personId: string, turnId: string, n: number) =>
      memory.messenger.ask(memoryContract.revise, {
        orderId: randomUUID(),
        personId,
        companionId: 'wren',
        turnId,
        source: `${turnId}-${n}`,
        revision: 1,
      });

    it('brings back no reflection that quotes what went since', async () => {
      const { personId, turnId } = await say([FIRST, SECOND, THIRD]);
      await reflect(personId);
      expect((await wordsOf(personId)).split(SECOND)).toHaveLength(3);
      const first = await order(personId, source(turnId, 0));
      const second = await order(personId, source(turnId, 1));
      await undo(personId, first);
      expect((await rowsOf(personId)).map(({ text }) => text).toSorted()).toEqual([THIRD, FIRST].toSorted());
      await undo(personId, second);
      expect(await wordsOf(personId)).toContain(SECOND);
    });

    it('brings back no reflection with words that were put right since', async () => {
      const { personId, turnId } = await say([FIRST, SECOND, THIRD]);
      await reflect(personId);
      const first = await order(personId, source(turnId, 0));
      const id = (await rowsOf(personId)).find(({ text }) => text === SECOND)?.['id'] as string;
      const change = { text: 'My sister Ida is well' };
      await memory.messenger.ask(memoryContract.change, { personId, id, change });
      await undo(personId, first);
      expect(await wordsOf(personId)).toContain(FIRST);
      expect(await wordsOf(personId)).not.toContain('limp');
    });

    it('brings back no fact that went since', async () => {
      const { personId, turnId } = await say('I live in Paris');
      await extract(personId);
      const later = memory.turn('I live in Oslo', { personId });
      for (const message of later.messages) message.at = '2026-05-01T11:00:00.000Z';
      await remember(later);
      await extract(personId);
      expect(await wordsOf(personId)).toMatch(/Paris .*no longer/);
      const first = await order(personId, source(later.turnId, 0));
      await order(personId, source(turnId, 0));
      await undo(personId, first);
      expect(await wordsOf(personId)).toContain('Oslo');
      expect(await wordsOf(personId)).not.toContain('Paris');
    });

    it('brings back no archive note that repeats what was edited since', async () => {
      const { personId, turnId } = await say([FIRST, SECOND]);
      const note = { text: 'Ida walks badly.', saidAt: '2026-05-01T10:00:00Z', speaker: 'Wren', note: true };
      const records = [{ ...note, sources: [`${turnId}-0`, `${turnId}-1`] }];
      await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
      const first = await order(personId, source(turnId, 0));
      // As of an edit that found nothing to remove: the rows lie sealed.
      await memory.stores.query(
        `INSERT INTO forget_records (id, person_id, everything, sources, revision)
         VALUES (gen_random_uuid(), $1, false, ARRAY[$2], 1)`,
        [personId, `${turnId}-1`],
      );
      await undo(personId, first);
      expect(await wordsOf(personId)).not.toContain('walks badly');
      expect(await wordsOf(personId)).toContain(FIRST);
    });

    it('brings nothing back once everything was to be forgotten', async () => {
      const { personId, turnId } = await say([FIRST, SECOND]);
      const where = { personId, companionId: 'wren', audience: 'direct' };
      await memory.messenger.ask(memoryContract.editCore, {
        ...where,
        label: 'human',
        by: 'companion',
        sources: [`${turnId}-1`],
        edit: { kind: 'append', text: 'Ida has a limp.' },
      });
      const first = await order(personId, source(turnId, 0));
      await order(personId, { kind: 'all' });
      await undo(personId, first);
      expect(await rowsOf(personId)).toEqual([]);
      expect(await memory.messenger.ask(memoryContract.core, where)).toEqual({ blocks: [] });
    });

    it('brings back what was said after an order for everything that was carried out late, and only lines', async () => {
      const { personId } = await say(FIRST);
      const [now] = await memory.stores.query('SELECT now() AS at');
      const at = now!['at'] as Date;
      const later = new Date(at.getTime() + 60_000).toISOString();
      const turn = memory.turn([SECOND, 'I live in Rome'], { personId, startedAt: later });
      turn.messages = turn.messages.map((message) => ({ ...message, at: later }));
      await remember(turn);
      await extract(personId);
      const before = await rowsOf(personId);
      const what = { kind: 'sources' as const, sources: [0, 1].map((n) => `${turn.turnId}-${n}`) };
      const [early, since] = [
        await order(personId, { kind: 'period', from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z' }),
        await order(personId, what),
      ];
      await memory.messenger.ask(memoryContract.forget, {
        orderId: randomUUID(),
        personId,
        what: { kind: 'all' },
        undoUntil: undoUntil(),
        saidAfter: { at: at.toISOString(), turnIds: [turn.turnId] },
      });
      await undo(personId, early);
      await undo(personId, since);
      expect(await wordsOf(personId)).not.toContain(FIRST);
      // What is read from the lines anew, at any moment from here, has ids of its own.
      const after = new Set((await rowsOf(personId)).map(({ id }) => id));
      const restored = before.filter(({ id }) => after.has(id)).map(({ text }) => text);
      expect(new Set(restored)).toEqual(new Set([SECOND, 'I live in Rome']));
    });

    it.each([
      [
        'forgotten',
        async (personId: string, turnId: string) => void (await order(personId, source(turnId, 1))),
      ],
      ['edited', async (personId: string, turnId: string) => void (await revise(personId, turnId, 1))],
    ])('brings back no note for a message that was %s since', async (_, removeSecond) => {
      const { personId, turnId } = await say([FIRST, SECOND, THIRD]);
      const where = { personId, companionId: 'wren', audience: 'direct' };
      for (const [n, text] of ['Ann has a fern.', 'Ida has a limp.'].entries())
        await memory.messenger.ask(memoryContract.editCore, {
          ...where,
          label: 'human',
          by: 'companion',
          sources: [`${turnId}-${n}`],
          edit: { kind: 'append', text },
        });
      const first = await order(personId, source(turnId, 0));
      await removeSecond(personId, turnId);
      await undo(personId, first);
      expect(await memory.messenger.ask(memoryContract.core, where)).toMatchObject({
        blocks: [{ text: 'Ann has a fern.' }],
      });
      expect(await wordsOf(personId)).toContain(FIRST);
    });
  });

  describe('undoing several orders, the first one first', () => {
    const where = (personId: string) => ({ personId, companionId: 'wren', audience: 'direct' });
    const of = (...sources: string[]) => ({ kind: 'sources' as const, sources });
    const note = (personId: string, text: string, source: string) =>
      memory.messenger.ask(memoryContract.editCore, {
        ...where(personId),
        label: 'human',
        by: 'companion',
        sources: [source],
        edit: { kind: 'append', text },
      });
    const coreOf = async (personId: string) =>
      (await memory.messenger.ask(memoryContract.core, where(personId))).blocks.map(({ text }) => text);

    it('brings back each one’s notes, whichever comes next', async () => {
      const personId = randomUUID();
      for (const n of ['one', 'two', 'three', 'kept']) await note(personId, `Note ${n}.`, n);
      const first = await order(personId, of('one'));
      const second = await order(personId, of('two'));
      const third = await order(personId, of('three'));
      expect(await coreOf(personId)).toEqual(['Note kept.']);
      await undo(personId, first);
      expect(await coreOf(personId)).toEqual(['Note one.\nNote kept.']);
      await undo(personId, third);
      expect(await coreOf(personId)).toEqual(['Note one.\nNote three.\nNote kept.']);
      await undo(personId, second);
      expect(await coreOf(personId)).toEqual(['Note one.\nNote two.\nNote three.\nNote kept.']);
    });

    it('brings back notes beside an order that took none, and one of everything', async () => {
      const personId = randomUUID();
      for (const n of ['one', 'kept']) await note(personId, `Note ${n}.`, n);
      const first = await order(personId, of('one'));
      const empty = await order(personId, { kind: 'ids', ids: [randomUUID()] });
      const all = await order(personId, { kind: 'all' });
      await undo(personId, first);
      expect(await coreOf(personId)).toEqual([]);
      await undo(personId, empty);
      expect(await coreOf(personId)).toEqual([]);
      await undo(personId, all);
      expect(await coreOf(personId)).toEqual(['Note one.\nNote kept.']);
    });

    it('leaves alone a block that was edited between them', async () => {
      const personId = randomUUID();
      for (const n of ['one', 'two']) await note(personId, `Note ${n}.`, n);
      const first = await order(personId, of('one'));
      await note(personId, 'Note new.', 'new');
      const second = await order(personId, of('two'));
      await undo(personId, first);
      await undo(personId, second);
      expect(await coreOf(personId)).toEqual(['Note two.\nNote new.']);
    });

    it('brings a fact back as it was, though it held again in between', async () => {
      const { personId, turnId } = await say('I live in Paris');
      await extract(personId);
      const later = memory.turn('I live in Oslo', { personId });
      for (const message of later.messages) message.at = '2026-05-01T11:00:00.000Z';
      await remember(later);
      await extract(personId);
      const textsNow = async () => (await rowsOf(personId)).map(({ text }) => text);
      const before = await textsNow();
      const first = await order(personId, of(`${later.turnId}-0`));
      const second = await order(personId, of(`${turnId}-0`));
      await undo(personId, first);
      await undo(personId, second);
      expect(await textsNow()).toEqual(before);
    });

    describe('of a fact that another had ended', () => {
      const [march, may] = ['2026-03-01T10:00:00.000Z', '2026-05-01T10:00:00.000Z'];
      const lived = (value: string, validFrom: string, validTo: string | null) => ({
        kind: 'fact' as const,
        text: `I live in ${value}`,
        saidAt: validFrom,
        fact: { attribute: 'home', value, validFrom, validTo, isSure: true },
      });
      const home = async (personId: string, value: string) =>
        present((await rowsOf(personId)).find((one) => one['value'] === value));
      const forgetHome = async (personId: string, value: string) =>
        order(personId, { kind: 'ids', ids: [String((await home(personId, value))['id'])] });
      /** Has somebody move from Paris to Oslo, without messages that say so. */
      const move = async () => {
        const personId = randomUUID();
        const records = [lived('Paris', march, may), lived('Oslo', may, null)];
        await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
        return personId;
      };

      it('brings it not back once it was forgotten itself', async () => {
        const personId = await move();
        const valuesNow = async () => (await rowsOf(personId)).map(({ value }) => value).toSorted();
        const first = await forgetHome(personId, 'Oslo');
        const second = await forgetHome(personId, 'Paris');
        await undo(personId, first);
        expect(await valuesNow()).toEqual(['Oslo']);
        await undo(personId, second);
        expect(await valuesNow()).toEqual(['Oslo', 'Paris']);
      });

      it('ends it again with the words that its owner gave it meanwhile', async () => {
        const personId = await move();
        const forgotten = await forgetHome(personId, 'Oslo');
        const { id } = await home(personId, 'Paris');
        const change = { text: 'I live in Rome.', pinned: true };
        await memory.messenger.ask(memoryContract.change, { personId, id: String(id), change });
        await undo(personId, forgotten);
        expect(await home(personId, 'Rome')).toMatchObject({
          id,
          pinned: true,
          writer: 'person',
          superseded_by: (await home(personId, 'Oslo'))['id'],
          text: 'I live in Rome (from 1 March 2026 until 1 May 2026, no longer)',
        });
      });

      it('leaves it as it was told again meanwhile, which ends what had ended it', async () => {
        const personId = await move();
        const forgotten = await forgetHome(personId, 'Oslo');
        const { turnId } = await memory.sayOn('2026-06-01', 'I live in Paris', { personId });
        await extract(personId);
        await undo(personId, forgotten);
        const paris = await home(personId, 'Paris');
        expect(paris).toMatchObject({ valid_to: null, superseded_by: null });
        expect(paris['sources']).toContain(`${turnId}-0`);
        expect(await home(personId, 'Oslo')).toMatchObject({
          superseded_by: paris['id'],
          text: expect.stringMatching(/from 1 May .* until 1 June .* no longer/),
        });
      });

      it('leaves it withdrawn where it was taken back meanwhile', async () => {
        const personId = await move();
        const forgotten = await forgetHome(personId, 'Oslo');
        const { text } = await home(personId, 'Paris');
        const { outcome } = await memory.messenger.ask(memoryContract.amend, {
          ...where(personId),
          companionName: 'Wren',
          sources: ['m-now'],
          key: randomUUID(),
          old: String(text),
          text: null,
          said: ['It is wrong that I live in Paris.'],
        });
        expect(outcome).toBe('withdrawn');
        await undo(personId, forgotten);
        expect(await home(personId, 'Paris')).toMatchObject({
          shelf: 'withdrawn',
          shelf_reason: 'taken back',
        });
      });
    });

    it('leaves a memory as its owner put it right after its correction was forgotten', async () => {
      const { personId } = await say('I live in Berlin');
      const id = String((await rowsOf(personId))[0]!['id']);
      await memory.messenger.ask(memoryContract.amend, {
        ...where(personId),
        companionName: 'Wren',
        sources: ['m-now'],
        key: randomUUID(),
        old: 'I live in Berlin',
        text: 'They live in Hamburg',
        said: ['No, it is Hamburg.'],
      });
      const forgotten = await order(personId, of('m-now'));
      const change = { text: 'I live in Bremen' };
      await memory.messenger.ask(memoryContract.change, { personId, id, change });
      await undo(personId, forgotten);
      expect((await rowsOf(personId)).filter(({ kind }) => kind === 'episode')).toMatchObject([
        { id, text: 'I live in Bremen', shelf: 'open' },
        { text: 'They live in Hamburg', shelf: 'open' },
      ]);
    });

    it('brings back memories and tasks that both named', async () => {
      const { personId, turnId } = await say(['My knee hurts', 'I bake bread']);
      const told = `${turnId}-0`;
      const task = { text: 'Ask after the knee' };
      await memory.messenger.ask(memoryContract.addTask, {
        personId,
        companionId: 'wren',
        audience: 'direct',
        by: 'companion',
        sources: [told],
        task,
      });
      const before = await rowsOf(personId);
      const tasksOf = async () => (await memory.messenger.ask(memoryContract.tasks, { personId })).tasks;
      const first = await order(personId, of(told));
      const second = await order(personId, { kind: 'all' });
      const third = await order(personId, of(told));
      await undo(personId, first);
      expect([await rowsOf(personId), await tasksOf()]).toEqual([[], []]);
      await undo(personId, second);
      expect((await rowsOf(personId)).map(({ text }) => text)).toEqual(['I bake bread']);
      expect(await tasksOf()).toEqual([]);
      await undo(personId, third);
      expect((await rowsOf(personId)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
      expect(await tasksOf()).toMatchObject([task]);
      expect(await pointsOf(personId)).toBe(2);
    });
  });

  describe('erasing', () => {
    const erase = (personId: string, preview: boolean) =>
      memory.messenger.ask(memoryContract.erase, { personId, preview });

    it('counts what there is, removes rows and points, and leaves another person alone', async () => {
      const gone = await say(['I like fish', 'I like soup']);
      const other = await say('I like bread');
      expect((await erase(gone.personId, true)).holdings).toMatchObject({ memories: 2 });
      expect(await rowsOf(gone.personId)).toHaveLength(2);
      const { holdings } = await erase(gone.personId, false);
      expect(Object.values(holdings).every((count) => count === 0)).toBe(true);
      expect([await rowsOf(gone.personId), await pointsOf(gone.personId)]).toEqual([[], 0]);
      expect([await rowsOf(other.personId), await pointsOf(other.personId)]).toMatchObject([
        { length: 1 },
        1,
      ]);
    });
  });

  describe('forgetting more than one', () => {
    const forget = (over: Omit<RequestInput<typeof memoryContract.forget>, 'companionId' | 'orderId'>) =>
      memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), companionId: 'wren', ...over });
    const find = async (personId: string, query: string) =>
      (await memory.messenger.ask(memoryContract.findToForget, { personId, companionId: 'wren', query })).ids;

    it('goes by a time, once it was looked at, and keeps what comes late from it away', async () => {
      const { personId } = await say(['My knee hurts', 'I saw a doctor']);
      const late = memory.turn('She gave me a salve', { personId });
      const what = { kind: 'period' as const, from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z' };
      const preview = await forget({ personId, what, preview: true });
      expect(preview).toMatchObject({ rows: 2, points: 0 });
      expect(preview.memories).toHaveLength(2);
      expect((await rowsOf(personId)).length).toBe(2);
      const done = await forget({ personId, what });
      expect(done).toMatchObject({ rows: 2, points: 2 });
      await remember(late);
      expect(await rowsOf(personId)).toEqual([]);
    });

    it('remembers what is said after an order whose time reaches into the future', async () => {
      const { personId } = await say('My knee hurts');
      const late = memory.turn('She gave me a salve', { personId });
      await forget({
        personId,
        what: { kind: 'period', from: '2026-05-01T00:00:00Z', to: '2199-12-31T00:00:00Z' },
      });
      await remember(late);
      expect(await rowsOf(personId)).toEqual([]);
      const dayAfter = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      await memory.sayOn(dayAfter, 'I swim again', { personId });
      expect((await rowsOf(personId)).map(({ text }) => text)).toEqual(['I swim again']);
    });

    it('finds what to forget in its own language, whatever the form of its words', async () => {
      const { personId } = await say(['Meine Wohnungen in Graz sind zu klein', 'Ich backe gern Brote']);
      const ids = await find(personId, 'Vergiss das mit der Wohnung');
      const rows = await rowsOf(personId);
      expect(rows.filter(({ id }) => ids.includes(id as string))).toMatchObject([
        { text: 'Meine Wohnungen in Graz sind zu klein' },
      ]);
    });

    it.each([
      ['Ich war im Krankenhaus wegen meinem Knie.', 'Krankenhaus'],
      ['Wir waren im Café Möhring in Zürich.', 'MÖHRING'.normalize('NFD')],
      ['Wir waren im Café Möhring in Zürich.'.normalize('NFD'), 'Möhring'],
      ['Ich war im Kran\u00adken\u00adhaus wegen meinem Knie.', 'krankenhaus'],
      ['Die Große Bleiche ist laut.', 'GROSSE BLEICHE'],
      ['昨日ﾗｰﾒﾝを食べました', 'ラーメン'],
      ['أحب القَهْوَة\u200f كثيرا', 'القهوة'],
      ['قابلت أحمد في مستشفى القاهرة', 'احمد'],
      ['قابلت أحمد في مستشفى القاهرة', 'مستشفي'],
      ['أحب القهوة كثيرا', 'القـهوه'],
      ['昨日ﾘﾝｺﾞを食べました', 'りんご'],
      ['ねこを飼っています', 'ネコ'],
      ['My locker has the code １２３４', '1234'],
      ['🐶 sleeps in my bed', '🐶'],
      ['🐶 sleeps in my bed', 'please forget the 🐶'],
      ['I wave 👋🏽', '👋'],
      ['I wave 👋', '👋🏿'],
      ['We are 👨‍👩‍👧 now', '👨‍👩‍👧'],
      ['Who knows 🤷🏽‍♀️', '🤷'],
      ['I ❤ skiing', '❤️'],
      ['Off to 🇯🇵 again', '🇯🇵'],
    ])('finds %j by %j, heard or not, though its writer says most in English', async (text, query) => {
      const { personId } = await say([
        'I bake bread in the old house',
        'I know what I want for the day',
        text,
      ]);
      const found = async () => {
        const ids = await find(personId, query);
        return (await rowsOf(personId))
          .filter(({ id }) => ids.includes(String(id)))
          .map((row) => row['text']);
      };
      const heard = await found();
      await memory.stores.query(`UPDATE memories SET shelf = 'withdrawn' WHERE person_id = $1`, [personId]);
      expect([heard, await found()]).toEqual([[text], [text]]);
    });

    it('finds by an emoji only where no word finds anything', async () => {
      const { personId } = await say(['My dog Rex snores', 'I ❤️ skiing', 'I knit ❤️ and 🐶']);
      const found = async (query: string) => (await find(personId, query)).length;
      expect([await found('my dog ❤️'), await found('❤'), await found('🐱')]).toEqual([1, 2, 0]);
    });

    it('finds what was told in a server that was left, which is not recalled', async () => {
      const audience = 'channel:discord:gone-by' as const;
      const { personId } = await say('My sister Ida has a limp', { audience });
      await memory.messenger.ask(memoryContract.import, {
        personId,
        companionId: 'wren',
        records: [{ text: 'Ida bakes bread', saidAt: '2026-01-01T10:00:00Z' }],
      });
      await memory.parts.left.note([audience], true);
      const ids = await find(personId, 'forget about Ida');
      await memory.parts.left.note([audience], false);
      const found = (await rowsOf(personId)).filter(({ id }) => ids.includes(String(id)));
      expect(found.map(({ text }) => text).toSorted()).toEqual([
        'Ida bakes bread',
        'My sister Ida has a limp',
      ]);
    });

    it('finds what was withdrawn or is in quarantine, which is not recalled either', async () => {
      const { personId } = await say(['My knee hurts', 'My knee is blue', 'My knee is fine', 'I bake bread']);
      for (const [text, shelf] of [
        ['My knee hurts', 'withdrawn'],
        ['My knee is blue', 'quarantine'],
      ])
        await memory.stores.query('UPDATE memories SET shelf = $3 WHERE person_id = $1 AND text = $2', [
          personId,
          text,
          shelf,
        ]);
      const ids = await find(personId, 'my knee');
      const found = (await rowsOf(personId)).filter(({ id }) => ids.includes(String(id)));
      expect(found.map(({ text }) => text).toSorted()).toEqual([
        'My knee hurts',
        'My knee is blue',
        'My knee is fine',
      ]);
    });

    it('finds what is in quarantine, however much was withdrawn since', async () => {
      const { personId } = await memory.sayOn('2026-04-01', 'My knee is blue');
      const shelve = (shelf: string) =>
        memory.stores.query(`UPDATE memories SET shelf = $2 WHERE person_id = $1 AND shelf = 'open'`, [
          personId,
          shelf,
        ]);
      await shelve('quarantine');
      const days = Array.from({ length: 12 }, (_, n) => `My knee hurts for ${n + 2} days`);
      await say(days, { personId });
      await shelve('withdrawn');
      const ids = await find(personId, 'my knee');
      const found = (await rowsOf(personId)).filter(({ id }) => ids.includes(String(id)));
      expect(found.map(({ text }) => text)).toContain('My knee is blue');
      expect(found).toHaveLength(11);
    });

    it('takes of a note no more than the note, though it names all that it may repeat', async () => {
      const old = await say('My sister Ida lives in Reykjavik');
      const { personId } = old;
      await extract(personId);
      const before = await rowsOf(personId);
      const sources = [`${old.turnId}-0`, 'm-now'];
      const note = {
        text: 'Her sister lives in Reykjavik.',
        saidAt: '2026-01-01T10:00:00Z',
        speaker: 'Wren',
        note: true,
        sources,
      };
      await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records: [note] });
      expect(await rowsOf(personId)).toHaveLength(before.length + 1);
      const period = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
      const done = await forget({ personId, what: { kind: 'period', ...period } });
      expect(done).toMatchObject({ rows: 1, sources: [] });
      expect((await rowsOf(personId)).map(({ id }) => id).toSorted()).toEqual(
        before.map(({ id }) => id).toSorted(),
      );
    });

    it('takes the archive notes that were made of it, which name more messages than those to be forgotten', async () => {
      const { personId, turnId } = await say(['My sister Ida has a limp', 'I bake bread']);
      const words = { saidAt: '2026-01-01T10:00:00Z', speaker: 'Wren' };
      const records = [
        { ...words, text: 'Ida walks badly since.', note: true, sources: [`${turnId}-0`, 'm-now'] },
        { ...words, text: 'She bakes.', note: true, sources: [`${turnId}-1`] },
        // A line that they brought along themselves stays as it is.
        { ...words, text: 'Ida called from Oslo.', sources: [`${turnId}-0`] },
      ];
      await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
      const line = (await rowsOf(personId)).find(({ text }) => text === 'My sister Ida has a limp');
      const done = await forget({ personId, what: { kind: 'ids', ids: [String(line!['id'])] } });
      expect(done).toMatchObject({ rows: 2, sources: [`${turnId}-0`] });
      const left = (await rowsOf(personId)).map(({ text }) => text);
      expect(left.toSorted()).toEqual(['I bake bread', 'Ida called from Oslo.', 'She bakes.']);
    });

    it('takes what was noted elsewhere of a channel that was left', async () => {
      const audience = 'channel:discord:left' as const;
      const { personId, turnId } = await say('My sister Ida has a limp', { audience });
      const [told, other] = [`${turnId}-0`, 'm-other'];
      const where = { personId, companionId: 'wren', audience: 'direct' as const };
      const by = 'companion' as const;
      for (const [text, source] of [
        ['Ida walks badly.', told],
        ['Ann bakes.', other],
      ] as const) {
        const sources = [source];
        await memory.messenger.ask(memoryContract.editCore, {
          ...where,
          label: 'human',
          by,
          sources,
          edit: { kind: 'append', text },
        });
        await memory.messenger.ask(memoryContract.addTask, { ...where, by, sources, task: { text } });
        const note = { text, saidAt: '2026-01-01T10:00:00Z', speaker: 'Wren', note: true, sources };
        await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records: [note] });
      }
      const forgetPlace = (preview: boolean) =>
        memory.messenger.ask(memoryContract.forgetPlace, { audience, preview });
      expect(await forgetPlace(true)).toEqual({ sources: [told] });
      expect(await forgetPlace(false)).toEqual({ sources: [told] });
      const { blocks } = await memory.messenger.ask(memoryContract.core, where);
      const { tasks } = await memory.messenger.ask(memoryContract.tasks, { personId });
      const notes = await rowsOf(personId);
      expect([...blocks, ...tasks, ...notes].map(({ text }) => text)).toEqual(Array(3).fill('Ann bakes.'));
    });

    it('takes a fact of a channel that was ended elsewhere, with the end', async () => {
      const audience = 'channel:discord:kept' as const;
      const { personId } = await say('I live in Rome.', { audience });
      await extract(personId);
      await memory.sayOn('2026-06-01', "I don't live in Rome any more.", { personId });
      await extract(personId);
      expect((await rowsOf(personId)).filter(({ kind }) => kind === 'fact')).toHaveLength(2);
      const line = (await rowsOf(personId)).find(({ text }) => text === 'I live in Rome.');
      await forget({ personId, what: { kind: 'ids', ids: [String(line!['id'])] } });
      await extract(personId);
      expect((await rowsOf(personId)).map(({ text }) => text)).toEqual(["I don't live in Rome any more."]);
    });

    it.each(['sources', 'period'] as const)(
      'leaves a fact to the channel that told it where its end elsewhere is forgotten, by %s',
      async (kind) => {
        const told = await memory.sayOn('2026-05-01', 'I live in Rome.', {
          audience: 'channel:discord:told',
        });
        const { personId } = told;
        await extract(personId);
        const dm = await memory.sayOn('2026-06-01', "I don't live in Rome any more.", { personId });
        await extract(personId);
        const what =
          kind === 'sources'
            ? { kind, sources: [`${dm.turnId}-0`] }
            : { kind, from: '2026-06-01T00:00:00Z', to: '2026-06-02T00:00:00Z' };
        expect(await forget({ personId, what })).toMatchObject({ sources: [`${dm.turnId}-0`] });
        await extract(personId);
        expect((await rowsOf(personId)).map(({ text }) => text).toSorted()).toEqual([
          'Ann lives in Rome (since 1 May 2026)',
          'I live in Rome.',
        ]);
      },
    );

    it('brings nothing back of a place that is gone by the undo of an earlier order', async () => {
      const audience = 'channel:discord:left' as const;
      const { personId } = await say('My sister Ida has a limp', { audience });
      const order = { orderId: randomUUID(), personId };
      const undoUntil = new Date(Date.now() + 60_000).toISOString();
      await memory.messenger.ask(memoryContract.forget, { ...order, what: { kind: 'all' }, undoUntil });
      await memory.messenger.ask(memoryContract.forgetPlace, { audience });
      await memory.messenger.ask(memoryContract.undoForget, order);
      expect(await rowsOf(personId)).toEqual([]);
    });

    it('keeps nothing that comes late of a place which is gone', async () => {
      const audience = 'channel:discord:gone' as const;
      const turn = memory.turn('My sister Ida has a limp', { audience });
      const other = memory.turn('I bake bread', { personId: turn.personId });
      const { personId } = turn;
      // Nothing is kept of it yet: its episode waits for an embedding.
      const said = [{ personId, messageIds: [`${turn.turnId}-0`] }];
      await memory.messenger.ask(memoryContract.forgetPlace, { audience, said });
      await remember(turn);
      await remember(other);
      expect((await rowsOf(personId)).map(({ text }) => text)).toEqual(['I bake bread']);
      const note = { label: 'human' as const, by: 'companion' as const, sources: [`${turn.turnId}-0`] };
      const edit = { kind: 'append' as const, text: 'Ida walks badly.' };
      const where = { personId, companionId: 'wren', audience: 'direct' as const };
      await expect(
        memory.messenger.ask(memoryContract.editCore, { ...where, ...note, edit }),
      ).rejects.toThrow('forgotten meanwhile');
    });

    it('takes out of core memory what was written for it', async () => {
      const { personId, turnId } = await say(['My knee hurts', 'I bake bread']);
      const where = { personId, companionId: 'wren', audience: 'direct' };
      const append = (text: string, sources: string[], key?: string) =>
        memory.messenger.ask(memoryContract.editCore, {
          ...where,
          label: 'human',
          by: 'companion',
          sources,
          key,
          edit: { kind: 'append', text },
        });
      // A tool's call that comes again, as after a crash, adds nothing.
      const key = randomUUID();
      await append('Ann has a bad knee.', [`${turnId}-0`], key);
      await append('Ann has a bad knee.', [`${turnId}-0`], key);
      await append('Ann bakes.', [`${turnId}-1`]);
      await forget({ personId, what: { kind: 'ids', ids: await find(personId, 'knee') } });
      expect(await memory.messenger.ask(memoryContract.core, where)).toMatchObject({
        blocks: [{ text: 'Ann bakes.' }],
      });
    });

    it('takes what was noted of a message whose turn is under way, and refuses what is noted later', async () => {
      const personId = randomUUID();
      const where = { personId, companionId: 'wren', audience: 'direct' };
      const append = (text: string, sources: string[]) =>
        memory.messenger.ask(memoryContract.editCore, {
          ...where,
          label: 'human',
          by: 'companion',
          sources,
          edit: { kind: 'append', text },
        });
      await append('Ann has a bad knee.', ['under-way']);
      await append('Ann bakes.', ['before']);
      const what = { kind: 'period' as const, from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z' };
      await forget({ personId, what, unread: ['under-way'] });
      expect(await memory.messenger.ask(memoryContract.core, where)).toMatchObject({
        blocks: [{ text: 'Ann bakes.' }],
      });
      await expect(append('Her knee hurts.', ['under-way'])).rejects.toThrow('forgotten meanwhile');
    });

    it('finds nothing to forget for words that are about nothing', async () => {
      const { personId } = await say(['My knee hurts', 'I bake bread', 'We moved to Paris']);
      expect(await find(personId, 'xyzzy plugh')).toEqual([]);
      expect(await find(personId, 'what was that about?')).toEqual([]);
    });

    it('takes more at once than a statement has parameters, and what they ended holds again', async () => {
      const turn = await memory.sayOn('2026-01-05', 'I live in Berlin');
      const { personId } = turn;
      await extract(personId);
      await memory.sayOn('2026-03-01', 'I moved to Tokyo!', { personId });
      await extract(personId);
      // Prisma names the rows in two lists, and Postgres takes 32,767 parameters.
      await memory.stores.query(
        `INSERT INTO memories (id, person_id, companion_id, kind, text, content_hash, audience, writer, importance,
           said_at, sources)
         SELECT gen_random_uuid(), $1, 'wren', 'episode', 'Line ' || n, n, 'direct', 'person', 1, '2026-05-01',
           ARRAY['m-' || n] FROM generate_series(1, 17000) AS n`,
        [personId],
      );
      const what = { kind: 'period' as const, from: '2026-02-01T00:00:00Z', to: '2026-06-01T00:00:00Z' };
      expect(await forget({ personId, what })).toMatchObject({ rows: 17_002 });
      const left = await rowsOf(personId);
      // Both are of one time.
      expect(left.map(({ text }) => text).toSorted()).toEqual([
        'Ann lives in Berlin (since 5 January 2026)',
        'I live in Berlin',
      ]);
    });

    it('goes by what a search finds', async () => {
      const { personId } = await say(['My knee hurts', 'I bake bread']);
      const what = { kind: 'ids' as const, ids: await find(personId, 'knee') };
      expect(await forget({ personId, what })).toMatchObject({ rows: 1, points: 1 });
      expect((await rowsOf(personId)).map(({ text }) => text)).toEqual(['I bake bread']);
    });
  });

  if (memory.kind === 'qdrant') {
    describe('without Qdrant', () => {
      it('forgets the rows at once and the points when it is back', async () => {
        const turn = await say('I like fish');
        memory.qdrant!.down = true;
        const what = { kind: 'sources' as const, sources: [`${turn.turnId}-0`] };
        const asked = memory.messenger.ask(memoryContract.forget, {
          orderId: randomUUID(),
          personId: turn.personId,
          what,
        });
        expect(await asked).toMatchObject({ rows: 1, points: 0 });
        expect(await rowsOf(turn.personId)).toEqual([]);
        memory.qdrant!.down = false;
        expect(
          await memory.messenger.ask(memoryContract.forget, {
            orderId: randomUUID(),
            personId: turn.personId,
            what,
          }),
        ).toMatchObject({ rows: 0, points: 1 });
        expect(await pointsOf(turn.personId)).toBe(0);
      });
    });
  }
});
