import { z } from 'zod';
import { IsoTime, PastTime } from '../time/iso-time.js';
import { Audience, CompanionId, MemoryId } from '../values/words.js';

/** A memory, as its owner, an export and the other services see it. */

export const MemoryKind = z.enum(['episode', 'fact', 'reflection', 'lore', 'knowledge', 'description']);
export type MemoryKind = z.infer<typeof MemoryKind>;

/** Speaker of the words: what the companion said is never evidence about the person. */
export const MemoryWriter = z.enum(['person', 'companion', 'model', 'operator', 'import']);
export type MemoryWriter = z.infer<typeof MemoryWriter>;

/** Characters of a memory in its owner's words: a long paragraph, as much as Discord's forms take. */
const MAX_OWN_WORDS = 2_000;

/** Characters of an attribute: two parts of at most 120, some of whose letters are two in lower case. */
const MAX_ATTRIBUTE = 300;

/** Statement about a person that holds from one time to another. */
export const FactView = z.strictObject({
  /** Attribute, such as `home` or `likes:sushi`: it has one value at a time. */
  attribute: z.string().min(1).max(MAX_ATTRIBUTE),
  value: z.string().min(1).max(500),
  validFrom: IsoTime,
  validTo: IsoTime.nullable().describe('null while it holds'),
  isSure: z.boolean().describe('false: it follows from what was said, and may be wrong'),
  /** The sentence it was noted in by a model, or corrected to by its owner; null where a rule noted it. */
  wording: z.string().max(MAX_OWN_WORDS).nullable().default(null),
  /** When it stops holding by itself, as plans and moods do. */
  holdsUntil: IsoTime.nullable().default(null),
});

/** Attributes of which a second value is no change: one of the two was wrong. */
export const UNCHANGING_ATTRIBUTES: ReadonlySet<string> = new Set(['birthday', 'origin']);

/**
 * Statement of a fact in an imported line, with times that fit together. For a fact that can't change, earlier versions
 * could set an end before its beginning: their exports have such an end, which is accepted.
 */
const BroughtFact = FactView.extend({ validFrom: PastTime })
  .refine(
    ({ attribute, validFrom, validTo }) =>
      UNCHANGING_ATTRIBUTES.has(attribute) || !isBefore(validTo, validFrom),
    { path: ['validTo'], error: 'a time no earlier than validFrom' },
  )
  .refine(({ validFrom, holdsUntil }) => !isBefore(holdsUntil, validFrom), {
    path: ['holdsUntil'],
    error: 'a time no earlier than validFrom',
  });

/** Tells whether a time, where there is one, lies before another. */
function isBefore(end: string | null, start: string): boolean {
  return end !== null && Date.parse(end) < Date.parse(start);
}

/**
 * Shelf of a memory. Text like an order to the companion, or a claim of rights, is in `quarantine`: its owner
 * sees it and may release it. What has been of no use for long is in the `archive`, where a search can still look. What
 * its owner had the companion correct or take back is `withdrawn`.
 */
export const MemoryShelf = z.enum(['open', 'quarantine', 'archive', 'withdrawn']);
export type MemoryShelf = z.infer<typeof MemoryShelf>;

/** Corrections of a fact by which an older export is recognised, the latest: a fact is put right once or twice. */
export const MAX_FORMER_HASHES = 50;
/** SHA-256 in hexadecimal digits. */
const ContentHash = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');
/** Hashes of what a fact said before its owner put it right. */
const FormerHashes = z.array(ContentHash).max(MAX_FORMER_HASHES);

/** Sentences of a summary, each with the messages it is of. */
export const CitedSentences = z.array(z.object({ text: z.string(), sources: z.array(z.string()) }));

/** One memory, as its owner may see it. */
export const MemoryView = z.object({
  id: MemoryId,
  kind: MemoryKind,
  text: z.string(),
  audience: Audience,
  writer: MemoryWriter,
  importance: z.number().describe('1 (small talk) to 10 (life-changing)'),
  saidAt: IsoTime.describe('when it was said, which may lie long before it was stored'),
  createdAt: IsoTime,
  lastRecalledAt: IsoTime.nullable(),
  timesRecalled: z.number().int(),
  /** The door's own message ids it comes from; parts of documents and imported lines have sources of their own. */
  sources: z.array(z.string()),
  speaker: z.string().nullable().default(null).describe('the name of who said it, where that is known'),
  conversation: z.string().nullable().default(null).describe('place it was said in, where that is known'),
  /** Sentences of a topic's summary. */
  sentences: CitedSentences.optional(),
  /** Statement of a memory of the kind `fact`; null for the others. */
  fact: FactView.nullable().default(null),
  formerHashes: FormerHashes.optional().describe('for an export, of a fact that was put right'),
  /** For an export, of a reflection: the hash of the day or the topic that it is of. */
  subjectHash: ContentHash.optional(),
  shelf: MemoryShelf.default('open'),
  /** Reason it is not open to recall; null where it is. */
  shelfReason: z.string().nullable().default(null),
  pinned: z.boolean().default(false).describe('its owner wants it kept in mind'),
});
export type MemoryView = z.infer<typeof MemoryView>;
/**
 * Memory in a list, which may be of all companions. Until the version after this one its companion may be absent: a memory
 * service that is replaced last leaves it out.
 */
export const ListedMemory = MemoryView.extend({ companionId: CompanionId.optional() });
export type ListedMemory = z.infer<typeof ListedMemory>;
export const MemoryList = z.object({
  memories: z.array(ListedMemory),
  nextCursor: z.string().nullable(),
  total: z.number().int(),
});

/** Order about how to answer somebody, or a preference of theirs: a fact that applies beyond talk that has its words. */
export const Wish = z.object({
  id: MemoryId,
  kind: z.enum(['wish', 'preference']),
  text: z.string(),
  /** The door's own message ids it comes from. */
  sources: z.array(z.string()),
});
export type Wish = z.infer<typeof Wish>;

/** Two memories that contradict each other, the older first. Both are told with their dates; neither is chosen. */
export const Contradiction = z.object({
  sides: z
    .array(z.object({ id: MemoryId, text: z.string(), saidAt: IsoTime, sources: z.array(z.string()) }))
    .length(2),
});
export type Contradiction = z.infer<typeof Contradiction>;

/**
 * Sources of a line that is taken: far above what any memory has, so that each export comes back whole. A fact keeps all
 * that tell it and a summary all that it was written of, over years, since each is forgotten with any of them. With ids
 * as ours they fill a request.
 */
const MAX_SOURCES = 20_000;

/** Sentences of a summary that is taken: a night writes six at most. */
const MAX_SENTENCES = 50;

/** One line of an import or an export, which has no vectors: it outlives a change of model. */
export const ImportRecord = z.strictObject({
  text: z.string().trim().min(1).max(8_000),
  saidAt: PastTime,
  /** Whoever said it; the person, when it is absent. */
  speaker: z.string().trim().min(1).max(100).optional(),
  /** Lines of one conversation are found by what was said around them. */
  conversation: z.string().min(1).max(200).optional(),
  /** Ids of what it comes from, by which it can be forgotten. A line without any is given one. */
  sources: z.array(z.string().min(1).max(200)).max(MAX_SOURCES).default([]),
  kind: MemoryKind.default('episode'),
  audience: Audience.default('direct'),
  importance: z.number().min(1).max(10).optional().describe('1 to 10; guessed when it is absent'),
  pinned: z.boolean().default(false).describe('its owner wants it kept in mind'),
  /** A companion's own note, which may repeat any of its sources: it goes with each of them. */
  note: z.boolean().optional(),
  /** True for a fact or a summary in its owner's words, which is not made of its messages again. */
  corrected: z.boolean().optional(),
  /** True for one that was put right or taken back, which is kept on its shelf. */
  withdrawn: z.boolean().optional(),
  /** Statement of a fact that was exported. Without it a line is read for facts only if the person said it. */
  fact: BroughtFact.optional(),
  /** An export that is older than the correction of this fact brings back nothing that it said before. */
  formerHashes: FormerHashes.optional(),
  /** Hash of the day or the topic of a reflection that was exported: each has one reflection. */
  subjectHash: ContentHash.optional(),
  /** Sentences of a topic's summary that was exported. */
  sentences: CitedSentences.max(MAX_SENTENCES).optional(),
});
export type ImportRecord = z.infer<typeof ImportRecord>;

/** Records of one request. */
export const MAX_IMPORT = 500;

export const ImportResult = z.object({
  kept: z.number().int().describe('memories that are new'),
  known: z.number().int().describe('lines that were there already; their sources were added'),
  left: z.number().int().describe('lines that the person had forgotten, or that hold no letter or digit'),
});
export type ImportResult = z.infer<typeof ImportResult>;

/** `human`: who the person is; `persona`: how the companion is with them; `operator`: the operator's own word. */
export const CoreLabel = z.enum(['human', 'persona', 'operator']);
export type CoreLabel = z.infer<typeof CoreLabel>;

/** Characters that fit each block: they are in every prompt. */
export const CORE_LIMITS: Readonly<Record<CoreLabel, number>> = { human: 1_200, persona: 600, operator: 600 };

export const CoreBlock = z.object({
  label: CoreLabel,
  text: z.string(),
  /** Place where it was noted. Only prompts of that place carry it. */
  audience: Audience.default('direct'),
  updatedBy: z.enum(['person', 'companion', 'operator']),
  updatedAt: IsoTime,
});
export type CoreBlock = z.infer<typeof CoreBlock>;

/** Block of core memory as a prompt carries it, with its passages and the messages they were written for. */
export const PromptCore = CoreBlock.extend({
  origins: z.array(z.object({ text: z.string(), sources: z.array(z.string()) })).default([]),
});
export type PromptCore = z.infer<typeof PromptCore>;

/** `replace` wants the old text exactly once in the block; `set` wants the block to say `basedOn`, if that is given. */
export const CoreEdit = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('set'),
    text: z.string().max(4_000),
    basedOn: z.string().max(4_000).optional(),
  }),
  z.object({ kind: z.literal('append'), text: z.string().trim().min(1).max(4_000) }),
  z.object({ kind: z.literal('replace'), old: z.string().min(1).max(4_000), new: z.string().max(4_000) }),
]);
export type CoreEdit = z.infer<typeof CoreEdit>;

/** A block of core memory, as a line of an export. */
export const CoreRecord = z.strictObject({
  core: CoreLabel,
  companion: CompanionId,
  text: z.string().trim().min(1).max(4_000),
  /** Absent for a block of direct talk, so that earlier versions take its line. */
  audience: Audience.optional(),
});
export type CoreRecord = z.infer<typeof CoreRecord>;

/** Outcome for a memory that a person wants corrected or taken back; all but the first three change nothing. */
export const AmendOutcome = z.enum([
  'corrected',
  'withdrawn',
  'done-before',
  'not-found',
  'ambiguous',
  'not-asked-for',
  'not-kept',
  'private',
]);
export type AmendOutcome = z.infer<typeof AmendOutcome>;

/** Parts of a memory that its owner may change. */
export const MemoryChange = z
  .strictObject({
    text: z.string().trim().min(1).max(MAX_OWN_WORDS).optional(),
    pinned: z.boolean().optional(),
    /** Out of quarantine, back from the archive, or no longer withdrawn. */
    shelf: z.literal('open').optional(),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    'give text, pinned or shelf',
  );
export type MemoryChange = z.infer<typeof MemoryChange>;

export const Privacy = z.object({
  private: z.boolean().describe('true: nothing that is said is remembered'),
  since: IsoTime.nullable(),
});
export type Privacy = z.infer<typeof Privacy>;

/** Knowledge of a person, as a page to read. */
export const PersonDescription = z.object({
  name: z.string().nullable().describe('null where it is not known'),
  /** Sections that have a line. */
  sections: z.array(
    z.object({
      title: z.string(),
      lines: z.array(z.object({ text: z.string(), memoryIds: z.array(MemoryId) })),
    }),
  ),
  page: z.string().describe('the sections as Markdown'),
});
export type PersonDescription = z.infer<typeof PersonDescription>;
