import { describe, expect, it, jest } from '@jest/globals';
import { AppError, HOUR_MS, memoryContract } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { eventually } from '@kith/testing';
import { pino } from 'pino';
import { onEachIndex } from '../e2e/on-each-index.js';
import { forGood } from '../forget/forget-request.js';
import { Forgetter } from '../forget/forgetter.js';
import { ReindexMonitor } from '../index/reindex-monitor.js';
import { Archiver } from './archiver.js';
import { removeExpired, type RetentionDays } from './remove-expired.js';
import type { UpkeepParts } from './upkeep-parts.js';
import type { VectorIndex } from '../index/vector-index.js';
import { Upkeep } from './upkeep.js';

const silent = pino({ level: 'silent' });

onEachIndex('what has had its time', (memory) => {
  const { say, recall, textsOf, rowsOf, pointsOf, extract } = memory;

  describe('keeping', () => {
    const aYearLater = new Date('2027-05-03T00:00:00Z');
    const parts = () => [memory.parts.database, memory.parts.index, memory.parts.forgetting] as const;
    const archive = () => {
      const [database, index] = parts();
      return new Archiver({ database, index, logger: silent }, 365).archive(aYearLater);
    };
    const retain = (days: RetentionDays) => {
      const [database, , forgetting] = parts();
      return removeExpired({ database, forgetting, logger: silent }, days, aYearLater);
    };

    const upkeepOn = (fault: Error, over: Partial<UpkeepParts>, retentionDays: RetentionDays) => {
      const [database, , forgetting] = parts();
      const gauges = memory.parts.gauges;
      const ensureSpace = () => Promise.reject(fault);
      return new Upkeep(
        {
          database,
          forgetting,
          ledger: memory.parts.ledger,
          messenger: memory.parts.messenger,
          embeddings: memory.parts.embeddings,
          gauges,
          logger: silent,
          monitor: new ReindexMonitor(memory.parts.broadcasts, gauges),
          index: { ensureSpace } as Partial<VectorIndex> as VectorIndex,
          ...over,
        },
        { archiveAfterDays: 365, retentionDays },
      );
    };

    it('archives small talk that was never of use, where a search can still look', async () => {
      const turn = await say(['It rains on the roof', 'My sister Ida got married to a pilot']);
      await archive();
      const shelves = (await rowsOf(turn.personId)).map(({ text, shelf }) => [text, shelf]);
      expect(shelves.sort()).toEqual([
        ['It rains on the roof', 'archive'],
        ['My sister Ida got married to a pilot', 'open'],
      ]);
      expect(await pointsOf(turn.personId)).toBe(1);
      expect(textsOf(await recall(turn, 'rain on the roof'))).not.toContain('It rains on the roof');
      expect(textsOf(await recall(turn, 'rain on the roof', { fromArchive: true }))).toContain(
        'It rains on the roof',
      );
    });

    it('opens what is said again', async () => {
      const turn = await say('It rains on the roof');
      await archive();
      await say('It rains on the roof', { personId: turn.personId });
      expect((await rowsOf(turn.personId)).map(({ shelf }) => shelf)).toEqual(['open']);
      expect(await pointsOf(turn.personId)).toBe(1);
    });

    it('removes what the operator does not want kept for longer, unless its owner pinned it', async () => {
      // No facts: a line that is pinned is read for them at once, and they stay.
      const turn = await say(['The kettle sings', 'It rains on the roof']);
      const [rain] = (await rowsOf(turn.personId)).filter(({ text }) => text === 'It rains on the roof');
      const pin = { personId: turn.personId, id: rain!['id'] as string, change: { pinned: true } };
      await memory.messenger.ask(memoryContract.change, pin);
      await retain({ episode: 300 });
      expect((await rowsOf(turn.personId)).map(({ text }) => text)).toEqual(['It rains on the roof']);
      expect(await pointsOf(turn.personId)).toBe(1);
    });

    it('leaves what is pinned while it is about to be removed', async () => {
      const { personId } = await say(['The kettle sings', 'It rains on the roof']);
      const rows = await rowsOf(personId);
      const rain = rows.find(({ text }) => text === 'It rains on the roof');
      const pin = { personId, id: String(rain?.['id']), change: { pinned: true } };
      await memory.messenger.ask(memoryContract.change, pin);
      const what = { kind: 'ids' as const, ids: rows.map(({ id }) => String(id)) };
      await memory.parts.forgetting.forget({ ...forGood(personId, what), isRetention: true });
      expect((await rowsOf(personId)).map(({ text }) => text)).toEqual(['It rains on the roof']);
      expect(await pointsOf(personId)).toBe(1);
    });

    it('removes what was derived from it, too, unless its owner pinned that', async () => {
      const { personId } = await say('The kettle sings');
      const fact = (text: string) => ({
        text,
        kind: 'fact' as const,
        saidAt: '2026-05-01T10:00:00.000Z',
        sources: (told[0]?.['sources'] ?? []) as string[],
      });
      const told = await rowsOf(personId);
      const records = [fact('They own a kettle'), fact('They like tea')];
      await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
      const tea = (await rowsOf(personId)).find(({ text }) => text === 'They like tea');
      const pin = { personId, id: tea!['id'] as string, change: { pinned: true } };
      await memory.messenger.ask(memoryContract.change, pin);
      await retain({ episode: 300 });
      expect((await rowsOf(personId)).map(({ text }) => text)).toEqual(['They like tea']);
    });

    it('leaves what was over as it is, and withdrawn what its owner had put right', async () => {
      const pinned = ['I live in Berlin', 'My cat is called Tom'];
      const { personId } = await say(pinned);
      await memory.sayOn('2026-06-01', 'I moved to Tokyo!', { personId });
      for (const row of await rowsOf(personId)) {
        const pin = { personId, id: String(row['id']), change: { pinned: true } };
        if (pinned.includes(String(row['text']))) await memory.messenger.ask(memoryContract.change, pin);
      }
      await memory.messenger.ask(memoryContract.amend, {
        personId,
        companionId: 'wren',
        audience: 'direct',
        companionName: 'Wren',
        sources: ['m-now'],
        key: personId,
        said: ['No, my cat is called Mia.'],
        old: 'My cat is called Tom',
        text: 'Their cat is called Mia',
      });
      await extract(personId);
      await memory.stores.query(`UPDATE memories SET said_at = '2026-06-02' WHERE writer = 'companion'`);
      expect(await rowsOf(personId)).toHaveLength(6);
      await retain({ episode: 300 });
      const kept = await rowsOf(personId);
      expect(kept.map(({ text, shelf, superseded_by }) => [text, shelf, superseded_by])).toEqual([
        ['I live in Berlin', 'open', null],
        ['My cat is called Tom', 'withdrawn', null],
        ['Ann lives in Berlin (from 1 May 2026 until 1 June 2026, no longer)', 'open', null],
      ]);
    });

    it('leaves a fact to a line that stays and tells it, too, and reads no line again', async () => {
      const { personId } = await memory.sayOn('2026-01-05', 'I live in Berlin');
      const [kept] = await rowsOf(personId);
      const pin = { personId, id: String(kept?.['id']), change: { pinned: true } };
      await memory.messenger.ask(memoryContract.change, pin);
      await memory.sayOn('2026-02-05', 'I still live in Berlin', { personId });
      await memory.sayOn('2026-02-06', 'I work as a nurse', { personId });
      await memory.sayOn('2026-06-01', "I don't live in Berlin any more", { personId });
      await extract(personId);
      const factsOf = async () => {
        const facts = (await rowsOf(personId)).filter(({ kind }) => kind === 'fact');
        return facts.map(({ text, sources, indexed_in }) => [text, sources, indexed_in !== null]);
      };
      const berlin = 'Ann lives in Berlin (from 5 January 2026 until 1 June 2026, no longer)';
      const before = await factsOf();
      expect(before).toHaveLength(2);
      expect(before).toContainEqual([berlin, [kept?.['sources'], expect.anything()].flat(), true]);
      await retain({ episode: 400 });
      await extract(personId);
      expect(await factsOf()).toEqual([[berlin, kept?.['sources'], true]]);
    });

    it('leaves no fact of a channel to the line elsewhere that ended it', async () => {
      const { personId } = await memory.sayOn('2026-01-05', 'I live in Berlin', {
        audience: 'channel:discord:1',
      });
      await extract(personId);
      await memory.sayOn('2026-06-01', "I don't live in Berlin any more", { personId });
      await extract(personId);
      const end = (await rowsOf(personId)).find(({ text }) => text === "I don't live in Berlin any more");
      const pin = { personId, id: String(end?.['id']), change: { pinned: true } };
      await memory.messenger.ask(memoryContract.change, pin);
      expect(await rowsOf(personId)).toHaveLength(4);
      await retain({ episode: 300 });
      expect(await rowsOf(personId)).toMatchObject([{ id: end?.['id'] }]);
    });

    it('leaves the end of a channel’s fact to a line of the channel that stays', async () => {
      const { personId } = await memory.sayOn('2026-01-05', 'I live in Berlin', {
        audience: 'channel:discord:1',
      });
      await extract(personId);
      await memory.sayOn('2026-06-01', "I don't live in Berlin any more", { personId });
      await extract(personId);
      const line = (await rowsOf(personId)).find(({ text }) => text === 'I live in Berlin');
      const pin = { personId, id: String(line?.['id']), change: { pinned: true } };
      await memory.messenger.ask(memoryContract.change, pin);
      await retain({ episode: 300 });
      expect((await rowsOf(personId)).map(({ text }) => text)).toContain(
        'Ann lives in Berlin (from 5 January 2026 until 1 June 2026, no longer)',
      );
    });

    it('removes a fact past its time, and nothing else of the line that told it', async () => {
      const { personId, turnId } = await memory.sayOn(
        '2026-01-05',
        'I live in Berlin, and I work as a nurse',
      );
      await extract(personId);
      const where = { personId, companionId: 'wren', audience: 'direct' as const, by: 'companion' as const };
      const noted = { sources: [`${turnId}-0`], task: { text: 'Look for a flat' } };
      await memory.messenger.ask(memoryContract.addTask, { ...where, ...noted });
      const [fact] = (await rowsOf(personId)).filter(({ kind }) => kind === 'fact');
      const pin = { personId, id: String(fact?.['id']), change: { pinned: true } };
      await memory.messenger.ask(memoryContract.change, pin);
      await retain({ fact: 300 });
      expect((await rowsOf(personId)).map(({ kind }) => kind).toSorted()).toEqual(['episode', 'fact']);
      expect((await memory.messenger.ask(memoryContract.tasks, { personId })).tasks).toHaveLength(1);
    });

    it('leaves no sentence of a model’s, which may hold what only the removed line told', async () => {
      const { personId } = await memory.sayOn('2026-01-05', 'I live in Berlin');
      const [kept] = await rowsOf(personId);
      const pin = { personId, id: String(kept?.['id']), change: { pinned: true } };
      await memory.messenger.ask(memoryContract.change, pin);
      await memory.sayOn('2026-02-05', 'I still live in Berlin', { personId });
      await extract(personId);
      await memory.stores.query(
        `UPDATE memories SET wording = $2, text = $2, writer = 'model' WHERE person_id = $1 AND kind = 'fact'`,
        [personId, 'Ann lives in Berlin with Ida'],
      );
      await retain({ episode: 400 });
      expect((await rowsOf(personId)).find(({ kind }) => kind === 'fact')).toMatchObject({
        text: 'Ann lives in Berlin (since 5 January 2026)',
        wording: null,
        writer: 'person',
        attribute: 'home',
        value: 'Berlin',
        sources: kept?.['sources'],
        indexed_in: null,
      });
    });

    it('removes it also while the index is away', async () => {
      const { personId } = await say('The kettle sings');
      const logged: string[] = [];
      const logger = pino({ level: 'debug' }, { write: (line) => logged.push(line) });
      const away = new AppError('unavailable', 'the index is away');
      const upkeep = upkeepOn(away, { logger }, { episode: 30 });
      await expect(upkeep.compare(new Date())).rejects.toThrow('the index is away');
      upkeep.start();
      // It goes through everybody's, and would delete points of the next test.
      await eventually('its round is over', async () => logged.some((line) => line.includes('not compare')));
      expect(await rowsOf(personId)).toEqual([]);
      await upkeep.stop();
    });

    it('removes it, and compares the index, also while the queue is away and a summary is to be ordered', async () => {
      const { personId } = await say('The kettle sings');
      await memory.stores.query(
        `INSERT INTO forget_records (id, person_id, companion_id, everything, at, lost_summaries)
        VALUES (gen_random_uuid(), $1, 'wren', false, now() - interval '1 hour', ARRAY[now()])`,
        [personId],
      );
      const enqueue = jest.fn(() => Promise.reject(new AppError('unavailable', 'the queue is away')));
      const messenger = { enqueue } as Partial<Messenger> as Messenger;
      const logged: string[] = [];
      const logger = pino({ level: 'debug' }, { write: (line) => logged.push(line) });
      const compared = new Error('the index was compared');
      const upkeep = upkeepOn(compared, { messenger, logger }, { episode: 30 });
      upkeep.start();
      await eventually('its round is over', async () =>
        logged.some((line) => line.includes(compared.message)),
      );
      await upkeep.stop();
      expect(enqueue).toHaveBeenCalled();
      expect(await rowsOf(personId)).toEqual([]);
    });

    it('tells once of a fault that lasts, and lets one person’s keep no other’s points', async () => {
      const [database, index] = parts();
      const forgetterOn = (remove: VectorIndex['delete']) =>
        new Forgetter(database, { delete: remove } as VectorIndex, memory.parts.sealed);
      const away = forgetterOn(() => Promise.reject(new AppError('unavailable', 'the index is away')));
      const people: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        const { personId } = await say('The kettle sings');
        await away.forget(forGood(personId, { kind: 'all' }));
        people.push(personId);
      }
      const forgetting = forgetterOn(async (personId, which) => {
        if (personId === people[1]) throw new Error('this point is broken');
        return index.delete(personId, which);
      });
      const logged: string[] = [];
      const logger = pino({ level: 'error' }, { write: (line) => logged.push(line) });
      const upkeep = upkeepOn(new Error('the index is broken'), { forgetting, logger }, {});
      for (let times = 0; times < 2; times += 1)
        await expect(upkeep.compare(new Date())).rejects.toThrow('the index is broken');
      expect(await Promise.all(people.map((personId) => pointsOf(personId)))).toEqual([0, 1, 0]);
      expect(logged).toEqual([expect.stringContaining('this point is broken')]);
      upkeep.start();
      await eventually('the other fault is told', async () => logged.length > 1);
      expect(logged).toEqual([logged[0], expect.stringContaining('the index is broken')]);
      await upkeep.stop();
    });

    it('deletes the others’ points without a row beside those that can’t be, and orders that thrice, then once an hour', async () => {
      const [, index] = parts();
      await memory.parts.reindexer.reindex();
      const people: string[] = [];
      for (let n = 0; n < 3; n += 1) {
        const { personId } = await say('The kettle sings');
        await memory.stores.query(
          `UPDATE memories SET shelf = 'archive', indexed_in = NULL WHERE person_id = $1`,
          [personId],
        );
        people.push(personId);
      }
      const remove = index.delete.bind(index);
      const broken = jest.spyOn(index, 'delete').mockImplementation(async (personId, which) => {
        if (personId === people[1]) throw new Error('this point is broken');
        return remove(personId, which);
      });
      await memory.parts.reindexer.reindex();
      expect(await Promise.all(people.map((personId) => pointsOf(personId)))).toEqual([0, 1, 0]);
      const ordered: unknown[] = [];
      const enqueue = async (contract: unknown) => void ordered.push(contract);
      const messenger = { enqueue } as Partial<Messenger> as Messenger;
      const upkeep = upkeepOn(new Error('not asked'), { index, messenger }, {});
      const now = new Date();
      for (let times = 0; times < 6; times += 1) await upkeep.compare(now);
      expect(ordered).toEqual(Array.from({ length: 3 }, () => memoryContract.reindex));
      await upkeep.compare(new Date(now.getTime() + HOUR_MS));
      expect(ordered).toHaveLength(4);
      broken.mockRestore();
    });
  });
});
