import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { AppError, MAX_IMPORT, memoryContract, type RequestInput } from '@kith/contracts';
import { withCorrelationId } from '@kith/messaging';
import { eventually, pdfSaying } from '@kith/testing';
import { onEachIndex } from '../e2e/on-each-index.js';

onEachIndex('documents', (memory) => {
  const { recall, textsOf, rowsOf, pointsOf } = memory;

  describe('documents', () => {
    const add = (
      personId: string,
      content: string,
      format: 'markdown' | 'html' | 'text' | 'pdf' = 'markdown',
      requestId = randomUUID() as string,
    ) =>
      memory.messenger.ask(memoryContract.addDocument, {
        requestId,
        personId,
        companionId: 'wren',
        audience: 'direct',
        title: 'House book',
        content,
        format,
      });

    /** Removes a document as the gateway does. */
    const removeOf = (personId: string, documentId: string) => {
      const what = { kind: 'sources' as const, sources: [`document:${documentId}`] };
      return memory.messenger.ask(memoryContract.forget, { orderId: randomUUID(), personId, what });
    };

    it('are kept in parts that say where they stand, found, listed and removed', async () => {
      const personId = randomUUID();
      const added = await add(
        personId,
        '# Heating\n\nThe boiler wants 1.5 bar.\n\n# Roof\n\nThe tiles are red.',
      );
      expect(added).toMatchObject({ title: 'House book', chunks: 2, quarantined: 0, companion: 'wren' });
      const found = await recall({ personId }, 'how much bar does the boiler want?', { passageTokens: 200 });
      expect(found.memories[0]).toMatchObject({
        text: '[House book › Heating] The boiler wants 1.5 bar.',
        kind: 'knowledge',
        writer: 'import',
      });
      const { documents } = await memory.messenger.ask(memoryContract.documents, { personId });
      expect(documents).toEqual([added]);
      const { documentId } = added;
      expect(await removeOf(randomUUID(), documentId)).toMatchObject({ rows: 0 });
      expect(await removeOf(personId, documentId)).toMatchObject({ rows: 2 });
      expect(await rowsOf(personId)).toEqual([]);
      expect(await pointsOf(personId)).toBe(0);
    });

    it('say where they stand, however long their headings are', async () => {
      const personId = randomUUID();
      const headings = ['#', '##', '###', '####'].map((sign) => `${sign} ${'heading '.repeat(15)}\n\n`);
      await add(personId, `${headings.join('')}${'The tiles are red. '.repeat(100)}`);
      const texts = (await rowsOf(personId)).map(({ text }) => String(text));
      expect(texts.filter((text) => !text.startsWith('[House book › heading'))).toEqual([]);
    });

    it('keep a title where their owner puts a part in other words', async () => {
      const personId = randomUUID();
      await add(personId, '# Heating\n\nThe boiler wants 1.5 bar.\n\n# Roof\n\nThe tiles are red.');
      const titles = async () => {
        const { documents } = await memory.messenger.ask(memoryContract.documents, { personId });
        return documents.map(({ title }) => title);
      };
      for (const [n, title] of ['House book', 'A boiler of 2 bar'].entries()) {
        const { id } = (await rowsOf(personId)).find(({ text }) => String(text).startsWith('['))!;
        const change = { text: n === 0 ? 'A boiler of 2 bar' : 'Tiles that are red' };
        await memory.messenger.ask(memoryContract.change, { personId, id: String(id), change });
        expect(await titles()).toEqual([title]);
      }
    });

    it('leave to a newer version the parts that it shares with the one that is removed', async () => {
      const personId = randomUUID();
      const heating = '# Heating\n\nThe boiler wants 1.5 bar.';
      const old = await add(personId, `${heating}\n\n# Roof\n\nThe tiles are red.`);
      const changed = `${heating}\n\n# Roof\n\nThe tiles are green.`;
      const { documentId } = await add(personId, changed);
      await expect(add(personId, changed)).rejects.toThrow('known already');
      const documents = async () =>
        (await memory.messenger.ask(memoryContract.documents, { personId })).documents;
      expect((await documents()).map(({ chunks }) => chunks)).toEqual([2, 2]);
      expect(await removeOf(personId, old.documentId)).toMatchObject({ rows: 1 });
      expect(await documents()).toMatchObject([{ documentId, chunks: 2 }]);
      const found = textsOf(await recall({ personId }, 'boiler bar, red or green tiles'));
      expect(found.toSorted()).toEqual([
        '[House book › Heating] The boiler wants 1.5 bar.',
        '[House book › Roof] The tiles are green.',
      ]);
      const rows = await rowsOf(personId);
      expect(new Set(rows.map(({ conversation }) => conversation))).toEqual(
        new Set([`document:${documentId}`]),
      );
      expect(rows.flatMap(({ sources }) => sources as string[]).join()).not.toContain(old.documentId);
      expect(await pointsOf(personId)).toBe(2);
      await removeOf(personId, documentId);
      expect(await rowsOf(personId)).toEqual([]);
    });

    it('take the notes with them that a companion made of them, whatever else these answered', async () => {
      const personId = randomUUID();
      const { documentId } = await add(personId, 'The harbour master is Zora Quill.');
      const sources = [`document:${documentId}`, `document:${documentId}#1`, 'question'];
      const whose = { saidAt: new Date().toISOString(), speaker: 'Wren', note: true };
      const records = [
        { ...whose, text: 'Zora Quill is the harbour master.', sources },
        { ...whose, text: 'They like boats.', sources: ['question'] },
      ];
      await memory.messenger.ask(memoryContract.import, { personId, companionId: 'wren', records });
      expect(await removeOf(personId, documentId)).toMatchObject({ rows: 2 });
      expect((await rowsOf(personId)).map(({ text }) => text)).toEqual(['They like boats.']);
      expect(await pointsOf(personId)).toBe(1);
    });

    it('come as HTML and as PDF, too, and say what is wrong with them', async () => {
      const personId = randomUUID();
      const html = await add(
        personId,
        '<h1>Pool</h1><script>x()</script><p>Clean it on <b>Mondays</b>.</p>',
        'html',
      );
      expect(html.chunks).toBe(1);
      expect(textsOf({ memories: (await recall({ personId }, 'pool')).memories })).toEqual([
        '[House book › Pool] Clean it on **Mondays**.',
      ]);
      const pdf = await add(personId, pdfSaying('The spare key is under the fern').toString('base64'), 'pdf');
      expect(pdf.chunks).toBe(1);
      const key = await recall({ personId }, 'where is the spare key?');
      expect(key.memories[0]!.text).toBe('[House book › Page 1] The spare key is under the fern');
      await expect(add(personId, 'bm9uc2Vuc2U=', 'pdf')).rejects.toThrow('not a readable PDF');
      await expect(add(personId, ' \n ', 'text')).rejects.toThrow('no text in it');
    });

    /** Text of more parts than one request to import takes. */
    const manyParts = (name: string) =>
      Array.from({ length: MAX_IMPORT + 1 }, (_, n) => `# ${n}\n\n${name} ${n} is full.\n\n`).join('');

    it('are kept whole or not at all, also where Postgres goes away midway', async () => {
      const personId = randomUUID();
      await memory.stores.query(`
        CREATE FUNCTION go_away() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          RAISE 'terminating connection' USING ERRCODE = 'admin_shutdown';
        END $$;
        CREATE TRIGGER go_away BEFORE INSERT ON memories
          FOR EACH ROW WHEN (NEW.text LIKE '%Cellar ${MAX_IMPORT} is full.') EXECUTE FUNCTION go_away()`);
      // Nothing can be taken back either.
      const forgetting = jest
        .spyOn(memory.parts.forgetting, 'forget')
        .mockRejectedValue(new AppError('unavailable', 'Postgres went away'));
      await expect(add(personId, manyParts('Cellar'))).rejects.toMatchObject({ code: expect.any(String) });
      forgetting.mockRestore();
      await memory.stores.query('DROP TRIGGER go_away ON memories; DROP FUNCTION go_away');
      expect(await rowsOf(personId)).toEqual([]);
      expect(await add(personId, manyParts('Cellar'))).toMatchObject({ chunks: MAX_IMPORT + 1 });
    });

    it('are answered for where they are stored and only the answer of Postgres was lost', async () => {
      const personId = randomUUID();
      const imports = memory.parts.imports;
      const store = imports.import.bind(imports);
      const lost = new AppError('unavailable', 'Postgres went away');
      const storing = jest.spyOn(imports, 'import').mockImplementationOnce(async (...given) => {
        await store(...given);
        const reading = jest.spyOn(memory.parts.database, 'read').mockRejectedValue(lost);
        // Postgres is back soon after.
        setTimeout(() => reading.mockRestore(), 700);
        throw lost;
      });
      expect(await add(personId, 'The tiles are red.')).toMatchObject({ chunks: 1 });
      storing.mockRejectedValueOnce(lost);
      await expect(add(personId, 'The tiles are blue.')).rejects.toThrow(lost.message);
      storing.mockRestore();
      expect(await rowsOf(personId)).toHaveLength(1);
    });

    it('are made whole where a request is taken over from a version that died after some of their parts', async () => {
      const personId = randomUUID();
      const requestId = randomUUID();
      const imports = memory.parts.imports;
      const store = imports.import.bind(imports);
      const died = new Error('the process ended');
      const storing = jest.spyOn(imports, 'import').mockImplementationOnce(async ({ records, ...whose }) => {
        await store({ ...whose, records: records.slice(0, MAX_IMPORT) });
        throw died;
      });
      const addOnce = () => add(personId, manyParts('Attic'), 'markdown', requestId);
      await expect(addOnce()).rejects.toMatchObject({ code: expect.any(String) });
      storing.mockRestore();
      expect(await addOnce()).toMatchObject({ chunks: MAX_IMPORT + 1 });
      expect(await rowsOf(personId)).toHaveLength(MAX_IMPORT + 1);
    });

    it('are the same one where a request is taken over from a process that died or hangs midway', async () => {
      const personId = randomUUID();
      const requestId = randomUUID();
      const addOnce = () => add(personId, manyParts('Shelf'), 'markdown', requestId);
      const imports = memory.parts.imports;
      let die: (error: Error) => void = () => undefined;
      const died = new Promise<never>((_, reject) => (die = reject));
      const storing = jest.spyOn(imports, 'import').mockImplementationOnce(() => died);
      const first = addOnce();
      await eventually('the first to begin', async () => storing.mock.calls.length === 1);
      expect(await rowsOf(personId)).toEqual([]);
      const added = await addOnce();
      expect(added).toMatchObject({ chunks: MAX_IMPORT + 1 });
      // It was all stored, and the answer was not.
      expect(await addOnce()).toEqual(added);
      const { documents } = await memory.messenger.ask(memoryContract.documents, { personId });
      expect(documents).toEqual([added]);
      storing.mockRestore();
      // It goes on long after, when the other has answered.
      die(new Error('the connection was idle for too long'));
      expect(await first).toEqual(added);
      expect((await memory.messenger.ask(memoryContract.documents, { personId })).documents).toEqual([added]);
    });

    it('are added again once they are removed, also by a caller who names each call the same', async () => {
      const personId = randomUUID();
      const addAgain = () => withCorrelationId(personId, () => add(personId, 'The tiles are red.'));
      const { documentId } = await addAgain();
      await expect(addAgain()).rejects.toThrow('known already');
      await removeOf(personId, documentId);
      expect(await addAgain()).toMatchObject({ chunks: 1 });
    });

    it('are not kept where the person forgets that time while they are read', async () => {
      const now = Date.now();
      const around = (fromMs: number, toMs: number) => ({
        kind: 'period' as const,
        from: new Date(now + fromMs).toISOString(),
        to: new Date(now + toMs).toISOString(),
      });
      /** Adds one, and has the person forget something while it is read. */
      const addWhile = async (
        what: RequestInput<typeof memoryContract.forget>['what'],
        companionId?: string,
      ) => {
        const personId = randomUUID();
        const reader = memory.parts.reader;
        const read = reader.read.bind(reader);
        reader.read = async (...parts) => {
          Reflect.deleteProperty(reader, 'read');
          const chunks = await read(...parts);
          const order = { orderId: randomUUID(), personId, what, ...(companionId && { companionId }) };
          await memory.messenger.ask(memoryContract.forget, order);
          return chunks;
        };
        const added = await add(personId, 'The tiles are red.').catch((error: unknown) => error);
        return { added, rows: await rowsOf(personId), again: () => add(personId, 'The tiles are red.') };
      };
      for (const what of [{ kind: 'all' as const }, around(-60_000, 60_000)]) {
        const { added, rows, again } = await addWhile(what);
        expect(added).toMatchObject({
          code: 'conflict',
          message: expect.stringContaining('forgotten while'),
        });
        expect(rows).toEqual([]);
        expect(await again()).toMatchObject({ chunks: 1 });
      }
      expect((await addWhile(around(-120_000, -60_000))).added).toMatchObject({ chunks: 1 });
      expect((await addWhile({ kind: 'all' }, 'mira')).added).toMatchObject({ chunks: 1 });
    });
  });
});
