import { assemblePrompt, type PromptInput } from '../services/gateway/dist/answer/assemble-prompt.js';
import { plainBudget } from '../services/gateway/dist/answer/testing-budget.js';

/** Assembles a prompt as the gateway does, for one line of a direct talk. What is not told is empty. */
export function plainPrompt(
  told: Partial<PromptInput['context']>,
  { said, now, limit }: { said: string; now: Date; limit: number },
) {
  return assemblePrompt({
    context: {
      companion: { id: 'mira', name: 'Mira' },
      personaBlock: '',
      moodBlock: '',
      mood: null,
      recalled: [],
      passages: [],
      core: [],
      tasks: [],
      wishes: [],
      contradictions: [],
      jokes: [],
      lore: [],
      epoch: null,
      kept: [],
      earlier: [],
      timeZone: null,
      degraded: [],
      ...told,
    },
    personName: 'Kim',
    kind: 'direct',
    said: [said],
    origin: 'message',
    now,
    budget: plainBudget(limit),
  });
}
