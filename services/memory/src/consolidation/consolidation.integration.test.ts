import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { importRecordOf, jobsContract, memoryContract, present } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { onEachIndex } from '../e2e/on-each-index.js';
import { Consolidator } from './consolidator.js';
import { updateTopics } from './update-topics.js';

onEachIndex('consolidation', (memory) => {
  const { say, rowsOf, pointsOf } = memory;

  describe('consolidating', () => {
    const dayOf = (at: Date) => {
      const day = at.toISOString().slice(0, 10);
      const from = `${day}T00:00:00.000Z`;
      const to = new Date(Date.parse(from) + 24 * 3_600_000).toISOString();
      return { companionId: 'wren', day, from, to };
    };
    /** The day on which `say` says. */
    const wrensDay = dayOf(new Date('2026-05-01'));
    /** The day on which all of these lines are stored. */
    const today = dayOf(new Date());
    const consolidate = async (personId: string, which = wrensDay): Promise<void> => {
      await memory.messenger.enqueue(memoryContract.consolidate, { personId, ...which });
      await eventually('the job to be done', async () => {
        const { waiting, active, delayed } = await memory.messenger.jobs.counts(memoryContract.consolidate);
        return waiting === 0 && active === 0 && delayed === 0;
      });
    };

    /** Months of one topic. Returns the first turn of it. */
    const tellOfGreenhouse = async () => {
      const first = await memory.sayOn('2026-01-05', 'I bought wood for the greenhouse.');
      const { personId } = first;
      for (const [on, text] of [
        ['2026-02-05', 'The greenhouse has a floor now.'],
        ['2026-03-05', 'Rain came into the greenhouse last night.'],
        ['2026-04-05', 'I sealed the roof of the greenhouse with tape.'],
        ['2026-05-01', 'First tomatoes from the greenhouse!'],
      ] as const)
        await memory.sayOn(on, text, { personId });
      return first;
    };

    it('merges repetitions, writes the day’s reflection, and changes nothing the second time', async () => {
      const turn = await say([
        'I will start my new job at the bakery',
        'I will start my new job at the bakery!!!',
        'My dog Rex ran away on Friday',
        'We had noodles for dinner',
      ]);
      await consolidate(turn.personId);
      const rows = await rowsOf(turn.personId);
      expect(rows.map(({ kind: rowKind }) => rowKind).sort()).toEqual([
        'episode',
        'episode',
        'episode',
        'reflection',
      ]);
      const reflection = rows.find((row) => row['kind'] === 'reflection');
      expect(reflection).toMatchObject({ writer: 'model', audience: 'direct', indexed_in: 'test-1' });
      expect(reflection?.['sources']).toHaveLength(4);
      expect(await pointsOf(turn.personId)).toBe(4);
      await consolidate(turn.personId);
      expect(await rowsOf(turn.personId)).toEqual(rows);
      const records = 'SELECT removed, sources FROM forget_records WHERE person_id = $1';
      expect(await memory.stores.query(records, [turn.personId])).toEqual([]);
    });

    it('merges more repetitions than anybody may recall at once', async () => {
      const { personId } = await say(
        Array.from({ length: 101 }, (_, n) => `Rex and I are at it again${'!'.repeat(n)}`),
      );
      await consolidate(personId);
      const said = (await rowsOf(personId)).filter(({ kind }) => kind === 'episode');
      expect(said.length).toBe(1);
    });

    it('reflects on what was said on a day, not on what an import brought then', async () => {
      const { personId } = await say(['My dog Rex ran away', 'I found him at the lake', 'We ate noodles']);
      const records = [
        'The frost took the roses of my mother',
        'The frost took the roses of my mother!!!',
        'I painted the shed',
        'The ferry was late',
      ].map((text) => ({ text, saidAt: '2023-03-05T10:00:00.000Z' }));
      await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
      const kinds = async () => (await rowsOf(personId)).map(({ kind }) => kind).sort();
      await consolidate(personId, today);
      expect(await kinds()).toEqual(Array.from({ length: 6 }, () => 'episode'));
      await consolidate(personId);
      const reflections = (await rowsOf(personId)).filter(({ kind }) => kind === 'reflection');
      expect(reflections).toMatchObject([{ text: expect.stringMatching(/^On 1 May 2026 .*noodles/) }]);
      expect(reflections[0]?.['text']).not.toMatch(/roses|shed|ferry/);
    });

    it('keeps pinned what repeats a pinned memory', async () => {
      const said = 'I will start my new job at the bakery';
      const { personId } = await say([said, `${said}!!!`]);
      const shorter = (await rowsOf(personId)).find(({ text }) => text === said);
      await memory.messenger.ask(memoryContract.change, {
        personId,
        id: shorter?.['id'] as string,
        change: { pinned: true },
      });
      await consolidate(personId);
      expect(await rowsOf(personId)).toMatchObject([{ text: `${said}!!!`, pinned: true }]);
    });

    it('takes no words of others for theirs, and leaves these as they are', async () => {
      const personId = randomUUID();
      const lines = [
        ['Bo', 'I will start my new job at the bakery'],
        ['Bo', 'I will start my new job at the bakery!!!'],
        ['Bo', 'My dog Rex ran away on Friday'],
        [undefined, 'We had noodles for dinner'],
        [undefined, 'I sold my old bicycle today'],
        [undefined, 'I will start my new job at the bakery!'],
      ] as const;
      const records = lines.map(([speaker, text], n) => ({
        text,
        speaker,
        conversation: 'kitchen',
        sources: [`line-${n}`],
        saidAt: new Date(Date.parse('2026-05-01T10:00:00Z') + n * 60_000).toISOString(),
      }));
      await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
      await consolidate(personId);
      const rows = await rowsOf(personId);
      expect(rows.filter(({ kind }) => kind === 'episode')).toHaveLength(6);
      const [reflection] = rows.filter(({ kind }) => kind === 'reflection');
      expect([...(reflection?.['sources'] as string[])].sort()).toEqual(['line-3', 'line-4', 'line-5']);
      expect(reflection?.['text']).not.toContain('Rex');
    });

    it('keeps apart what only looks the same: a question for one must not lose its answer', async () => {
      const said = 'On Friday I will take the slow train down to the sea with my old friend ';
      const turn = await say([`${said}Ida`, `${said}Eva`, `${said}Ida!`]);
      await consolidate(turn.personId);
      const rows = (await rowsOf(turn.personId)).filter((row) => row['kind'] === 'episode');
      expect(rows.map(({ text }) => text).sort()).toEqual([`${said}Eva`, `${said}Ida!`].sort());
      expect(rows.map(({ sources }) => (sources as string[]).length).sort()).toEqual([1, 2]);
    });

    it('goes on behind what it asked about last, where a day has more repetitions than one run may', async () => {
      const said = 'On Friday I will take the slow train down to the sea with my old friend ';
      const bakery = 'I will start my new job at the bakery';
      const { personId } = await say([`${said}Ida`, `${said}Eva`, bakery, `${bakery}!!!`]);
      const which = { personId, ...wrensDay };
      const textsNow = async () =>
        (await rowsOf(personId)).flatMap(({ kind, text }) => (kind === 'episode' ? [text] : []));
      const consolidation = memory.parts.consolidation;
      const after = await consolidation.consolidate(which, 1);
      expect(await textsNow()).toHaveLength(4);
      expect(await consolidation.consolidate({ ...which, after: present(after) }, 1)).toBeNull();
      expect(await textsNow()).toEqual([`${said}Ida`, `${said}Eva`, `${bakery}!!!`]);
    });

    it('is ordered again by the job itself until nothing is left of the day', async () => {
      const said = 'On Friday I will take the slow train down to the sea with my old friend ';
      const bakery = 'I will start my new job at the bakery';
      const { personId } = await say([`${said}Ida`, `${said}Eva`, bakery, `${bakery}!!!`]);
      const consolidation = memory.parts.consolidation;
      const run = consolidation.consolidate.bind(consolidation);
      const runs = jest.spyOn(consolidation, 'consolidate').mockImplementation((which) => run(which, 1));
      await consolidate(personId);
      expect(runs.mock.calls.map(([{ after }]) => after)).toEqual([undefined, expect.any(String)]);
      runs.mockRestore();
      const kept = (await rowsOf(personId)).filter(({ kind }) => kind === 'episode');
      expect(kept.map(({ text }) => text)).toEqual([`${said}Ida`, `${said}Eva`, `${bakery}!!!`]);
    });

    it('is asked for whoever said something in that time', async () => {
      const turn = await say('I like fish');
      const { from, to } = today;
      const active = async (companionId: string, until: string) =>
        (await memory.messenger.ask(memoryContract.active, { companionId, from, to: until })).personIds;
      expect(await active('wren', to)).toContain(turn.personId);
      expect(await active('mira', to)).not.toContain(turn.personId);
      expect(await active('wren', from)).toEqual([]);
    });

    describe('of what is stored late', () => {
      const ago = (ms: number) => new Date(Date.now() - ms);
      const tell = async (at: Date) => {
        const turn = memory.turn('I like fish');
        for (const message of turn.messages) message.at = at.toISOString();
        await memory.remember(turn);
        return turn;
      };
      it('is asked for on the day it was said', async () => {
        const said = ago(36 * 3_600_000);
        const { personId } = await tell(said);
        const { companionId, from, to } = dayOf(said);
        const { personIds } = await memory.messenger.ask(memoryContract.active, { companionId, from, to });
        expect(personIds).toContain(personId);
      });

      it('is ordered again for that day, which may have had its night', async () => {
        const ordered = async () => {
          const { waiting = 0, delayed = 0 } = await memory.messenger.jobs.counts(
            jobsContract.consolidateAgain,
          );
          return waiting + delayed;
        };
        const before = await ordered();
        await tell(new Date());
        // Read anew long after: its day was summed up with it.
        await tell(ago(30 * 24 * 3_600_000));
        expect(await ordered()).toBe(before);
        await tell(ago(36 * 3_600_000));
        expect(await ordered()).toBe(before + 1);
      });
    });

    it('sums up what they come back to over months, each sentence cited, until a message of it is forgotten', async () => {
      const first = await tellOfGreenhouse();
      const { personId } = first;
      await consolidate(personId);
      const summaryOf = async () => (await rowsOf(personId)).find((row) => row['sentences'] !== null);
      const summary = await summaryOf();
      expect(summary).toMatchObject({ kind: 'reflection', audience: 'direct', indexed_in: 'test-1' });
      expect(summary?.['text']).toMatch(
        /^About greenhouse \(5 January 2026 to 1 May 2026, 5 times\): 5 January 2026: “I/,
      );
      expect((summary?.['sentences'] as object[])[0]).toMatchObject({ sources: [`${first.turnId}-0`] });
      const what = { kind: 'sources' as const, sources: [`${first.turnId}-0`] };
      await memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), personId, what });
      expect(await summaryOf()).toBeUndefined();
    });

    describe('a summary that its owner knows', () => {
      const told = async () => {
        const { personId } = await tellOfGreenhouse();
        // What is in every other line is no topic.
        const others = Array.from({ length: 20 }, (_, n) => `I read page ${n} of the novel`);
        await say(others, { personId });
        const whose = { personId, companionId: 'wren' };
        const summarise = () => updateTopics(memory.parts.database, null, whose);
        await summarise();
        const summaries = async () => (await rowsOf(personId)).filter(({ sentences }) => sentences !== null);
        /** Changes what the summary is made of. */
        const goOn = async () => {
          await memory.sayOn('2026-05-02', 'I sold the greenhouse to my neighbour, who has two already.', {
            personId,
          });
          await summarise();
        };
        const [summary] = await summaries();
        const id = summary?.['id'] as string;
        const change = (what: { text?: string; pinned?: boolean }) =>
          memory.messenger.ask(memoryContract.change, { personId, id, change: what });
        return { personId, id, summaries, summarise, goOn, change };
      };

      it('stays as they put it right, whatever is said of it later', async () => {
        const { change, goOn, summaries } = await told();
        const text = 'They build a glasshouse, and no greenhouse.';
        await change({ text });
        await goOn();
        expect(await summaries()).toMatchObject([{ text, sentences: [{ text }] }]);
      });

      it('counts lines that came since, and has its sentences where they are of none of these', async () => {
        const { personId, id, goOn, summaries, summarise } = await told();
        await goOn();
        const [before] = await summaries();
        expect(before).toMatchObject({ text: expect.stringContaining('to 2 May 2026, 6 times): ') });
        expect(before!['id']).not.toBe(id);
        await memory.sayOn('2026-05-03', 'The greenhouse?', { personId });
        await summarise();
        const text = String(before!['text']).replace('2 May 2026, 6 times', '3 May 2026, 7 times');
        const { sentences } = before!;
        expect(await summaries()).toMatchObject([{ id: before!['id'], text, sentences, indexed_in: null }]);
        const [{ said_at }] = (await summaries()) as [Record<string, unknown>];
        expect(new Date(String(said_at)).toISOString()).toMatch(/^2026-05-03/);
      });

      it('stays pinned when it is written anew', async () => {
        const { id, change, goOn, summaries } = await told();
        await change({ pinned: true });
        await goOn();
        expect(await summaries()).toMatchObject([
          { pinned: true, text: expect.stringContaining('sold the greenhouse') },
        ]);
        expect((await summaries())[0]!['id']).not.toBe(id);
      });

      it('is not written again once they forgot it, and has its lines, unless they take that back', async () => {
        const { personId, id, goOn, summaries, summarise } = await told();
        const orderId = randomUUID();
        await memory.messenger.ask(memoryContract.forget, {
          orderId,
          personId,
          what: { kind: 'ids', ids: [id] },
          undoUntil: new Date(Date.now() + 60_000).toISOString(),
        });
        await goOn();
        expect(await summaries()).toEqual([]);
        expect(await rowsOf(personId)).toHaveLength(26);
        await memory.messenger.ask(memoryContract.undoForget, { orderId, personId, turnIds: [] });
        await summarise();
        expect(await summaries()).toMatchObject([{ text: expect.stringContaining('sold the greenhouse') }]);
      });

      describe('in an export', () => {
        const exported = async () => {
          const known = await told();
          const { personId } = known;
          const records = async () => {
            const { memories } = await memory.messenger.ask(memoryContract.list, {
              personId,
              asKept: true,
              limit: 100,
            });
            return memories.map(importRecordOf);
          };
          const bring = (lines: Awaited<ReturnType<typeof records>>, to = personId) =>
            memory.messenger.ask(memoryContract.import, {
              personId: to,
              companionId: 'wren',
              records: lines,
            });
          return { ...known, records, bring };
        };

        it('is known again, also by an export that does not tell its subject, and is as long as it was', async () => {
          const { records, bring, summaries } = await exported();
          const lines = await records();
          const before = await summaries();
          const older = lines.map((line) => ({ ...line, subjectHash: undefined, sentences: undefined }));
          for (const all of [lines, older]) {
            expect(await bring(all)).toEqual({ kept: 0, known: 26, left: 0 });
            expect(await summaries()).toEqual(before);
          }
        });

        it('does not come back once it was forgotten by itself', async () => {
          const { personId, id, records, bring, summaries } = await exported();
          const lines = await records();
          await memory.messenger.ask(memoryContract.forget, {
            orderId: randomUUID(),
            personId,
            what: { kind: 'ids', ids: [id] },
            undoUntil: new Date(Date.now() + 60_000).toISOString(),
          });
          expect(await bring(lines)).toEqual({ kept: 0, known: 25, left: 1 });
          expect(await summaries()).toEqual([]);
        });

        it('is one of its topic in a new store, and in its owner’s words where they put it right', async () => {
          const { change, records, bring } = await exported();
          const text = 'They build a glasshouse, and no greenhouse.';
          await change({ text });
          const personId = randomUUID();
          await bring(await records(), personId);
          await updateTopics(memory.parts.database, null, { personId, companionId: 'wren' });
          const brought = (await rowsOf(personId)).filter(({ sentences }) => sentences !== null);
          expect(brought).toMatchObject([{ text, writer: 'person', kind: 'reflection' }]);
        });
      });

      it('takes no line with it that has the name of its topic for its words', async () => {
        const { personId, goOn, summaries } = await told();
        // By the stem of its word, as topics are told apart.
        await say('topic greenhous', { personId });
        await goOn();
        expect(await summaries()).toMatchObject([{ text: expect.stringContaining('sold the greenhouse') }]);
        expect(await rowsOf(personId)).toContainEqual(expect.objectContaining({ text: 'topic greenhous' }));
      });

      it.each([
        ['was past its retention', [] as string[], null],
        ['went with lines beside it', ['I read page 3 of the novel'], 60_000],
      ])('is written again once it %s', async (_, beside, undoMs) => {
        const { personId, id, goOn, summaries } = await told();
        const lines = (await rowsOf(personId)).filter(({ text }) => beside.includes(text as string));
        const ids = [id, ...lines.map((line) => line['id'] as string)];
        await memory.messenger.ask(memoryContract.forget, {
          orderId: randomUUID(),
          personId,
          what: { kind: 'ids', ids },
          undoUntil: undoMs === null ? null : new Date(Date.now() + undoMs).toISOString(),
        });
        expect(await summaries()).toEqual([]);
        await goOn();
        expect(await summaries()).toMatchObject([{ text: expect.stringContaining('sold the greenhouse') }]);
      });
    });

    it('writes no reflection of words that were put right or taken back while a model wrote it', async () => {
      const lines = ['My dog Rex ran away', 'I found him at the lake', 'We ate noodles'];
      /** Consolidates while a line is changed. Returns the statements of each writing, and what is kept. */
      const reflectDuring = async (change: (personId: string, idOf: (said: string) => string) => unknown) => {
        const { personId } = await say(lines);
        const rows = await rowsOf(personId);
        const idOf = (said: string) => rows.find(({ text }) => text === said)?.['id'] as string;
        const written: string[][] = [];
        await new Consolidator({
          database: memory.parts.database,
          writer: memory.parts.writer,
          forgetting: memory.parts.forgetting,
          recall: memory.parts.recall,
          summarise: async (statements) => {
            written.push(statements);
            if (written.length === 1) await change(personId, idOf);
            return statements.join(' ');
          },
          summariseTopic: null,
        }).consolidate({ personId, ...wrensDay });
        const kept = (await rowsOf(personId)).filter((row) => row['kind'] === 'reflection');
        return { written, kept: kept.map(({ text }) => text) };
      };
      const putRight = await reflectDuring((personId, idOf) =>
        memory.messenger.ask(memoryContract.change, {
          personId,
          id: idOf('I found him at the lake'),
          change: { text: 'I found him at the pond' },
        }),
      );
      expect(putRight.written).toHaveLength(2);
      expect(putRight.kept).toEqual([expect.stringMatching(/Rex ran away I found him at the pond We ate/)]);
      const takenBack = await reflectDuring((personId) =>
        memory.messenger.ask(memoryContract.amend, {
          personId,
          companionId: 'wren',
          audience: 'direct',
          companionName: 'Wren',
          sources: ['m-now'],
          key: randomUUID(),
          old: 'We ate noodles',
          text: null,
          said: ['The noodles are wrong.'],
        }),
      );
      // Two lines are too few.
      expect(takenBack).toEqual({ written: [lines], kept: [] });
    });

    it('sums up no topic in words that were put right while a model wrote it', async () => {
      const { personId } = await tellOfGreenhouse();
      const [row] = await rowsOf(personId);
      const summarise = async () => {
        const change = { text: 'I bought glass for the greenhouse.' };
        await memory.messenger.ask(memoryContract.change, { personId, id: row?.['id'] as string, change });
        return [];
      };
      await updateTopics(memory.parts.database, summarise, { personId, companionId: 'wren' });
      expect((await rowsOf(personId)).filter(({ sentences }) => sentences !== null)).toEqual([]);
    });

    it('forgets a reflection with any of the messages it is made of', async () => {
      const turn = await say(['My dog Rex ran away', 'I found him at the lake', 'We ate noodles']);
      await consolidate(turn.personId);
      const sources = [`${turn.turnId}-1`];
      const what = { kind: 'sources' as const, sources };
      expect(
        await memory.messenger.ask(memoryContract.forget, {
          orderId: randomUUID(),
          personId: turn.personId,
          what,
        }),
      ).toMatchObject({ rows: 2, points: 2 });
      expect(await rowsOf(turn.personId)).toHaveLength(2);
    });
  });
});
