import { describe, expect, it } from '@jest/globals';
import type { RecalledMemory, TaskView, PromptCore, Wish } from '@kith/contracts';
import { piecesBesideRecalled, repeatedIn } from './memory-parts.js';

const told = {
  recalled: [{ id: 'found' }] as unknown as RecalledMemory[],
  passages: [
    {
      saidAt: '2027-03-01T08:00:00.000Z',
      lines: ['found', 'listed'].map((id) => ({
        id,
        speaker: null,
        text: `Of ${id}.`,
        sources: [`from ${id}`],
        isFound: true,
      })),
    },
  ],
  contradictions: [],
  wishes: [{ id: 'wish', text: 'Never mention Carla.', sources: ['wished'] }] as unknown as Wish[],
  tasks: [{ id: 'task', text: 'Book the dentist.', sources: ['planned'] }] as TaskView[],
  core: [{ label: 'human', origins: [{ text: 'Has a glasshouse.', sources: ['cored'] }] }] as PromptCore[],
};

describe('what memory told a prompt beside what was recalled', () => {
  it('is each other line that was found or stood beside it', () => {
    expect(piecesBesideRecalled(told).inPassages.map(({ sources }) => sources)).toEqual([['from listed']]);
  });

  it('is what stands in every prompt, as far as a reply has a word of it', () => {
    const { inEveryPrompt } = piecesBesideRecalled(told);
    expect(inEveryPrompt.map(({ id }) => id)).toEqual(['wish', 'task', 'core:human']);
    expect(repeatedIn('Everyone but Carla!', inEveryPrompt)).toMatchObject([{ sources: ['wished'] }]);
    expect(repeatedIn('Your glasshouse, and the dentist.', inEveryPrompt)).toHaveLength(2);
    expect(repeatedIn('', inEveryPrompt)).toEqual([]);
  });
});
