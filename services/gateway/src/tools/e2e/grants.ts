import { describe, expect, it } from '@jest/globals';
import { ToolGrants } from '../permission/tool-grants.js';
import type { ToolTraits } from '../permission/tool-traits.js';
import { effectTool } from '../testing-tools.js';
import { talk, everywhere, place, tool, effects, speaker, open, turn, call } from './open-tools.js';

/** Tests what a person allowed for good, and which form of a tool it holds for. */
export function grants(): void {
  describe('a tool that changes something', () => {
    it('is used without a question once it was allowed for good, with their own words, and once a turn', async () => {
      const { permitted, rules } = open();
      await rules.set({ tool, ...everywhere }, true);
      const { asked } = await call(permitted, turn('Send a note to Bob'));
      await permitted.answer(speaker.personId, asked[0]!.id, 'always');
      const authority = turn('Send a note to Bob');
      expect(await call(permitted, authority)).toMatchObject({ ok: true, asked: [] });
      // The turn is taken again, after a crash.
      expect((await call(permitted, authority)).content).toContain(`did ${tool}`);
      // Another companion was not allowed anything.
      const ofAnother = { ...turn('Send a note to Bob'), place: { ...place, companionId: 'wren' } };
      expect((await call(permitted, ofAnother)).asked).toHaveLength(1);
      expect(effects).toHaveLength(2);
      expect((await call(permitted, turn('Send a note to Bob'), 'Eve')).asked).toHaveLength(1);
      await permitted.takeBack(speaker.personId, 'mira', tool);
      expect((await call(permitted, turn('Send a note to Bob'))).asked).toHaveLength(1);
      expect(effects).toHaveLength(2);
    });

    it('that nobody has is not asked about again: its name is wrong, and the one that was meant goes on', async () => {
      const { permitted } = open();
      const grants = new ToolGrants(talk.database);
      const takeBack = (name: string) => permitted.takeBack(speaker.personId, 'mira', name);
      await expect(takeBack(`${tool}x`)).rejects.toThrow(`there is no tool ${tool}x`);
      // Twice, and of a tool that is away.
      await takeBack(tool);
      await grants.give(speaker.personId, 'mira', { name: `${tool}y`, pin: 'p' } as ToolTraits);
      await takeBack(`${tool}y`);
      expect(await grants.of(speaker.personId, 'mira')).toEqual([]);
    });

    it('has to be allowed anew in another form, by operator and person', async () => {
      const { permitted, rules } = open();
      await rules.set({ tool, ...everywhere }, true);
      const { asked } = await call(permitted, turn('Send a note to Bob'));
      const changed = effectTool(tool, effects, ['send a note']);
      const { permitted: later } = open([{ ...changed, traits: { ...changed.traits, pin: 'other' } }]);
      expect((await later.list({ ...speaker, place })).find(({ name }) => name === tool)!.permission).toBe(
        'changed',
      );
      expect(await call(later, turn('Send a note to Bob'))).toMatchObject({ asked: [], offered: [] });
      // Its server is away: the question waits on.
      const away = open([]).permitted.answer(speaker.personId, asked[0]!.id, 'yes');
      await expect(away).rejects.toMatchObject({ code: 'unavailable' });
      expect(await later.answer(speaker.personId, asked[0]!.id, 'yes')).toMatchObject({ status: 'failed' });
      expect(effects).toEqual([]);
    });

    it('that the operator allowed in another form needs a new yes, whatever its person said before', async () => {
      const { permitted, rules } = open();
      await rules.set({ tool, ...everywhere }, true);
      const ask = async (of: typeof permitted) => (await call(of, turn('Send a note to Bob'))).asked;
      const [first, second] = [await ask(permitted), await ask(permitted)];
      await permitted.answer(speaker.personId, first[0]!.id, 'always');
      const changed = effectTool(tool, effects, ['send a note']);
      const later = open([{ ...changed, traits: { ...changed.traits, pin: 'other' } }]);
      await later.rules.set({ tool, ...everywhere }, true);
      const late = await later.permitted.answer(speaker.personId, second[0]!.id, 'yes');
      expect(late).toMatchObject({ status: 'failed' });
      const listed = await later.permitted.list({ ...speaker, place });
      expect(listed.find(({ name }) => name === tool)).toMatchObject({
        permission: 'allowed',
        isGranted: false,
      });
      expect(await ask(later.permitted)).toHaveLength(1);
      expect(effects).toHaveLength(1);
    });

    it('used by a person themselves needs their yes and the operator’s', async () => {
      const { permitted, rules } = open();
      const asker = { personId: speaker.personId, place };
      const given = { arguments: { to: 'Bob' }, confirm: true };
      await expect(permitted.run(asker, tool, given)).rejects.toThrow(/not allowed here/);
      await rules.set({ tool, ...everywhere }, true);
      for (const wrong of [{}, { too: 'Bob' }, { to: 'Bob', nonsense: 1 }])
        await expect(permitted.run(asker, tool, { arguments: wrong, confirm: true })).rejects.toMatchObject({
          code: 'invalid_request',
        });
      expect((await permitted.list(asker)).find(({ name }) => name === tool)).toMatchObject({
        parameters: [
          { name: 'to', form: 'string', isRequired: true },
          { name: 'text', form: 'string', isRequired: false },
        ],
      });
      await expect(permitted.run(asker, tool, { ...given, confirm: false })).rejects.toThrow(/confirm/);
      expect(await permitted.run(asker, tool, given)).toEqual({ status: 'done', result: `did ${tool}` });
      expect(effects).toHaveLength(1);
    });
  });
}
