import { describe, expect, it } from '@jest/globals';
import { talk, say, outcomes } from './open-turn-taker.js';

/** Tests that long talk is told in short between its turns. */
export function growingTalk(): void {
  describe('talk that grows', () => {
    it('has its epoch ended between two turns, before a reply would wait for it', async () => {
      const place = await talk.place();
      const epochs = () => talk.rowsOf('epochs', '1', place);
      let turns = 0;
      for (; turns < 40 && (await epochs()).length === 0; turns += 1) {
        await say(
          place,
          `In room ${turns} ${'a kettle of Anna’s sings about the sea, '.repeat(12)}and it is blue.`,
        );
        await outcomes(place, turns + 1);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const traces = await talk.rowsOf<{ details: { compaction: unknown } }>(
        'turns',
        'trace AS details',
        place,
      );
      expect(traces).toHaveLength(turns);
      expect(turns).toBeGreaterThan(5);
      expect(traces.map(({ details }) => details.compaction)).toEqual(traces.map(() => null));
      expect(await epochs()).toHaveLength(1);
    });
  });
}
