import { memoryContract, type AmendOutcome, type CoreEdit } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { z } from 'zod';
import type { Claim } from '../inbox/claim.js';
import { indented, unindented } from '../safety/prompt-text.js';
import type { NoteOrigin } from './note-origin.js';
import { ownWords } from './permission/own-words.js';
import { declareTool, NotDone, ownTool, type Tool } from './tool.js';
import type { TurnAuthority } from './turn-authority.js';

/** The blocks a companion may write in itself. */
const OwnLabel = z.enum(['human', 'persona']);
/** Words of a block as a model gives them, who has read them indented. */
const CoreWords = z.string().transform(unindented).pipe(z.string().max(1_200));
const Append = z.object({ label: OwnLabel, content: CoreWords.pipe(z.string().trim().min(1)) });
const Replace = z.object({
  label: OwnLabel,
  old_content: CoreWords.pipe(z.string().min(1)),
  new_content: CoreWords,
});
const Words = z.string().trim().min(1).max(1_000);
const Content = z.object({ content: Words });
const Correct = z.object({ old_content: Words, new_content: Words });
/** Messages of a turn that are looked at: as many as the contract takes. */
const MAX_SAID = 50;

const label = { type: 'string', enum: OwnLabel.options };
const content = { type: 'string', description: 'in the third person, short' };
const shownContent = {
  type: 'string',
  description: 'its words as search_memory shows them, without the date',
};

export const MEMORY_TOOLS = {
  append: declareTool(
    'core_memory_append',
    'Note something about them (human) or about how you are with them (persona) that you will always have in mind.',
    { label, content },
    { reads: [], changes: 'memory' },
  ),
  replace: declareTool(
    'core_memory_replace',
    'Put something right that you always have in mind: the old words exactly as they stand there, once.',
    { label, old_content: content, new_content: content },
    { reads: ['memories'], changes: 'memory' },
  ),
  insert: declareTool(
    'archival_memory_insert',
    'Keep a longer note about them that search_memory finds later, when it is too much for what you always have in mind.',
    { content: { type: 'string', description: 'in the third person, only what they said' } },
    { reads: [], changes: 'memory' },
  ),
  correct: declareTool(
    'archival_memory_correct',
    'Put a memory of them right that search_memory shows, when they say just now that it is otherwise.',
    {
      old_content: shownContent,
      new_content: {
        type: 'string',
        description: 'what it should say, in the third person, in words they just said',
      },
    },
    { reads: ['memories'], changes: 'memory' },
  ),
  withdraw: declareTool(
    'archival_memory_withdraw',
    'Take back a memory of them that search_memory shows, when they say just now that it is wrong or not to be kept.',
    { content: shownContent },
    { reads: ['memories'], changes: 'memory' },
  ),
};

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

/** Letta's tools for what is always in mind, by their names: models know them. */
export function coreTools(
  { messenger }: { messenger: Messenger },
  { personId, companionId, audience }: Claim,
  { sourcesOf, begunAt }: NoteOrigin,
): Tool[] {
  const edit = async (block: z.output<typeof OwnLabel>, change: CoreEdit, key: string) => {
    const { text } = await messenger.ask(memoryContract.editCore, {
      personId,
      companionId,
      audience,
      label: block,
      edit: change,
      by: 'companion',
      begunAt,
      key,
      sources: sourcesOf(change.kind === 'replace' ? change.new : change.text),
    });
    return `${block} now says:${indented(`\n${text}`)}`;
  };
  return [
    ownTool(MEMORY_TOOLS.append, Append, (given, key) =>
      edit(given.label, { kind: 'append', text: given.content }, key),
    ),
    ownTool(MEMORY_TOOLS.replace, Replace, (given, key) =>
      edit(given.label, { kind: 'replace', old: given.old_content, new: given.new_content }, key),
    ),
  ];
}

/** Makes Letta's tool for notes that are found by searching. A note is the companion's own word, and no fact. */
export function archiveTool(
  { messenger }: { messenger: Messenger },
  { personId, companionId, audience }: Claim,
  { companionName, now, sourcesOf, begunAt }: NoteOrigin & { companionName: string; now: Date },
): Tool {
  return ownTool(MEMORY_TOOLS.insert, Content, async (given) => {
    const whose = { personId, companionId };
    const { why, sources } = await messenger.ask(memoryContract.whyNotNoted, {
      ...whose,
      sources: sourcesOf(given.content),
      begunAt,
    });
    if (why !== null) throw new NotDone(`Not kept: ${why}.`);
    const words = { text: given.content, saidAt: now.toISOString(), speaker: companionName, note: true };
    const record = { ...words, sources, audience };
    const { kept, left } = await messenger.ask(memoryContract.import, { ...whose, records: [record] });
    if (left > 0) throw new NotDone('Not kept: they had it forgotten.');
    return kept > 0 ? 'Kept.' : 'That is kept already.';
  });
}

/** Makes the tools that put memories right and take them back: only what is said in this turn can ask for it. */
export function amendTools(
  { messenger }: { messenger: Messenger },
  { personId, companionId, audience }: Claim,
  turn: Pick<NoteOrigin, 'answered' | 'begunAt'> & Pick<TurnAuthority, 'said'> & { companionName: string },
): Tool[] {
  const { companionName, answered, begunAt } = turn;
  const amend = async (old: string, text: string | null, key: string) => {
    const { outcome } = await messenger.ask(memoryContract.amend, {
      personId,
      companionId,
      audience,
      companionName,
      key,
      text,
      begunAt,
      sources: answered,
      old: withoutDate(old),
      said: turn.said.map(ownWords).filter(Boolean).slice(-MAX_SAID),
    });
    if (!DONE.includes(outcome)) throw new NotDone(OUTCOMES[outcome]);
    return OUTCOMES[outcome];
  };
  return [
    ownTool(MEMORY_TOOLS.correct, Correct, (given, key) => amend(given.old_content, given.new_content, key)),
    ownTool(MEMORY_TOOLS.withdraw, Content, (given, key) => amend(given.content, null, key)),
  ];
}

/** Removes the date that a search shows before a memory: models copy it all the same. */
function withoutDate(shown: string): string {
  return shown.replace(/^(?:- )?\[\d{4}-\d{2}-\d{2}\] (?=.)/u, '');
}
