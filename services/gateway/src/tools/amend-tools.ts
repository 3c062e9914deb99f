import { memoryContract, type AmendOutcome } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { z } from 'zod';
import type { Claim } from '../inbox/claim.js';
import type { NoteOrigin } from './note-origin.js';
import { ownWords } from './permission/own-words.js';
import { declareTool, NotDone, type Tool } from './tool.js';
import type { TurnAuthority } from './turn-authority.js';

const Words = z.string().trim().min(1).max(1_000);
const Correct = z.object({ old_content: Words, new_content: Words });
const Withdraw = z.object({ content: Words });
/** Messages of a turn that are looked at: as many as the contract takes. */
const MAX_SAID = 50;

/** Outcomes after which its memory is as was asked for. */
const DONE: readonly AmendOutcome[] = ['corrected', 'withdrawn', 'done-before'];

/** Words by which a model learns what became of it. */
const OUTCOMES: Readonly<Record<AmendOutcome, string>> = {
  corrected: 'Put right. The old words are kept aside, and not told any more.',
  withdrawn: 'Taken back: it is not told any more. They can have it back in the list of their memories.',
  'done-before': 'That is done already.',
  'not-found': 'Nothing that they told you here says that. Use the words as search_memory shows them.',
  ambiguous: 'Several memories say that: use all the words of one.',
  'not-asked-for':
    'Not done: they did not say so in their own words just now, naming what it is about. Use only words of theirs.',
  'not-kept': 'Not done: what it should say is not kept, or says the same.',
  private: 'Not done: they talk in private.',
};

export const ARCHIVAL_MEMORY_CORRECT = declareTool(
  'archival_memory_correct',
  'Put a memory of them right that search_memory shows, when they say just now that it is otherwise.',
  {
    old_content: { type: 'string', description: 'its words as search_memory shows them, without the date' },
    new_content: {
      type: 'string',
      description: 'what it should say, in the third person, in words they just said',
    },
  },
  { reads: ['memories'], changes: 'memory' },
);
export const ARCHIVAL_MEMORY_WITHDRAW = declareTool(
  'archival_memory_withdraw',
  'Take back a memory of them that search_memory shows, when they say just now that it is wrong or not to be kept.',
  { content: { type: 'string', description: 'its words as search_memory shows them, without the date' } },
  { reads: ['memories'], changes: 'memory' },
);

/** Makes the tools that put memories right and take them back: only what is said in this turn can ask for it. */
export function amendTools(
  { messenger }: { messenger: Messenger },
  { personId, companionId, audience }: Claim,
  {
    companionName,
    answered,
    begunAt,
    said,
  }: { companionName: string } & Pick<NoteOrigin, 'answered' | 'begunAt'> & Pick<TurnAuthority, 'said'>,
): Tool[] {
  const amend = async (old: string, text: string | null, key: string) => {
    const { outcome } = await messenger.ask(memoryContract.amend, {
      ...{ personId, companionId, audience, companionName, key, text },
      ...{ sources: answered, begunAt },
      old: withoutDate(old),
      said: said.map(ownWords).filter(Boolean).slice(-MAX_SAID),
    });
    if (!DONE.includes(outcome)) throw new NotDone(OUTCOMES[outcome]);
    return OUTCOMES[outcome];
  };
  return [
    {
      ...ARCHIVAL_MEMORY_CORRECT,
      call: async (given, { key }) => {
        const { old_content, new_content } = Correct.parse(given);
        return amend(old_content, new_content, key);
      },
    },
    {
      ...ARCHIVAL_MEMORY_WITHDRAW,
      call: async (given, { key }) => amend(Withdraw.parse(given).content, null, key),
    },
  ];
}

/** Removes the date that a search shows before a memory: models copy it all the same. */
function withoutDate(shown: string): string {
  return shown.replace(/^(?:- )?\[\d{4}-\d{2}-\d{2}\] (?=.)/u, '');
}
