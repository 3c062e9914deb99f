import { z } from 'zod';
import { IsoTime } from './bounded-time.js';
import { Audience, CompanionId, MemoryId } from './words.js';

/** A memory, as its owner, an export and the other services see it. */

export const MemoryKind = z.enum(['episode', 'fact', 'reflection', 'lore', 'knowledge', 'description']);
export type MemoryKind = z.infer<typeof MemoryKind>;

/** Speaker of the words: what the companion said is never evidence about the person. */
export const MemoryWriter = z.enum(['person', 'companion', 'model', 'operator', 'import']);
export type MemoryWriter = z.infer<typeof MemoryWriter>;

/** Something that holds of a person from one time to another. */
export const FactView = z.strictObject({
  /** Attribute, such as `home` or `likes:sushi`: it has one value at a time. */
  attribute: z.string().min(1).max(200),
  value: z.string().min(1).max(500),
  validFrom: IsoTime,
  /** Null while it holds. */
  validTo: IsoTime.nullable(),
  /** False: it follows from what was said, and may be wrong. */
  isSure: z.boolean(),
  /** The sentence it was noted in by a model; null where a rule noted it. */
  wording: z.string().max(300).nullable().default(null),
  /** When it is over by itself, as plans and moods are. */
  holdsUntil: IsoTime.nullable().default(null),
});

/**
 * Shelf of a memory. Text like an order to the companion, or a claim of rights, is in `quarantine`: its owner
 * sees it and may release it. What was never of use for long is in the `archive`, where a search can still look. What its
 * owner told the companion to put right or to take back is `withdrawn`.
 */
export const MemoryShelf = z.enum(['open', 'quarantine', 'archive', 'withdrawn']);
export type MemoryShelf = z.infer<typeof MemoryShelf>;

/** Sentences of a summary, each with the messages it is of. */
export const CitedSentences = z.array(z.object({ text: z.string(), sources: z.array(z.string()) }));

/** One memory, as its owner may see it. */
export const MemoryView = z.object({
  id: MemoryId,
  kind: MemoryKind,
  text: z.string(),
  audience: Audience,
  writer: MemoryWriter,
  /** 1 (small talk) to 10 (life-changing). */
  importance: z.number(),
  /** When it was said, which may lie long before it was stored. */
  saidAt: IsoTime,
  createdAt: IsoTime,
  lastRecalledAt: IsoTime.nullable(),
  timesRecalled: z.number().int(),
  /** The door's own message ids it comes from. */
  sources: z.array(z.string()),
  /** The name of who said it, where that is known. */
  speaker: z.string().nullable().default(null),
  /** Place it was said in, where that is known. */
  conversation: z.string().nullable().default(null),
  /** Of a summary of a topic: its sentences. */
  sentences: CitedSentences.optional(),
  /** Statement of a memory of the kind `fact`; null for the others. */
  fact: FactView.nullable().default(null),
  shelf: MemoryShelf.default('open'),
  /** Reason it is not open to recall; null where it is. */
  shelfReason: z.string().nullable().default(null),
  /** Its owner wants it kept in mind. */
  pinned: z.boolean().default(false),
});
export type MemoryView = z.infer<typeof MemoryView>;

/** Order about how to answer somebody, or a preference of theirs: a fact that applies to more than what has its words. */
export const Wish = z.object({
  id: MemoryId,
  kind: z.enum(['wish', 'preference']),
  text: z.string(),
  /** The door's own message ids it comes from. */
  sources: z.array(z.string()),
});
export type Wish = z.infer<typeof Wish>;

/** Two memories that do not go together, the older first: told with their dates, and not settled. */
export const Contradiction = z.object({
  sides: z
    .array(z.object({ id: MemoryId, text: z.string(), saidAt: IsoTime, sources: z.array(z.string()) }))
    .length(2),
});
export type Contradiction = z.infer<typeof Contradiction>;

/** One line of an import or an export, which has no vectors: it outlives a change of model. */
export const ImportRecord = z.strictObject({
  text: z.string().trim().min(1).max(8_000),
  saidAt: IsoTime,
  /** Whoever said it; the person, when it is absent. */
  speaker: z.string().trim().min(1).max(100).optional(),
  /** Lines of one conversation are found by what was said around them. */
  conversation: z.string().min(1).max(200).optional(),
  /** Ids of what it comes from, by which it can be forgotten. */
  sources: z.array(z.string().min(1).max(200)).max(200).default([]),
  kind: MemoryKind.default('episode'),
  audience: Audience.default('direct'),
  /** 1 to 10; guessed when it is absent. */
  importance: z.number().min(1).max(10).optional(),
  /** Its owner wants it kept in mind. */
  pinned: z.boolean().default(false),
  /** It was put right or taken back: it is kept on its shelf. */
  withdrawn: z.boolean().optional(),
  /** Of a fact that was exported: what it says. Without it a line is read for facts only if the person said it. */
  fact: FactView.optional(),
});
export type ImportRecord = z.infer<typeof ImportRecord>;

/** Records of one request. */
export const MAX_IMPORT = 500;

export const ImportResult = z.object({
  /** Memories that are new. */
  kept: z.number().int(),
  /** Lines that were there already; their sources were added. */
  known: z.number().int(),
  /** Lines that the person had forgotten, or that hold no letter or digit. */
  left: z.number().int(),
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
  updatedBy: z.enum(['person', 'companion', 'operator']),
  updatedAt: IsoTime,
});
export type CoreBlock = z.infer<typeof CoreBlock>;

/** `replace` wants the old text exactly once in the block. */
export const CoreEdit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('set'), text: z.string().max(4_000) }),
  z.object({ kind: z.literal('append'), text: z.string().trim().min(1).max(4_000) }),
  z.object({ kind: z.literal('replace'), old: z.string().min(1).max(4_000), new: z.string().max(4_000) }),
]);
export type CoreEdit = z.infer<typeof CoreEdit>;

/** A block of core memory, as a line of an export. */
export const CoreRecord = z.strictObject({
  core: CoreLabel,
  companion: CompanionId,
  text: z.string().trim().min(1).max(4_000),
});
export type CoreRecord = z.infer<typeof CoreRecord>;

/** Outcome for a memory that a person wants put right or taken back; all but the first three change nothing. */
export const AmendOutcome = z.enum([
  ...(['corrected', 'withdrawn', 'done-before', 'not-found', 'ambiguous', 'not-asked-for'] as const),
  ...(['not-kept', 'private'] as const),
]);
export type AmendOutcome = z.infer<typeof AmendOutcome>;

/** Parts of a memory that its owner may change. */
export const MemoryChange = z
  .strictObject({
    text: z.string().trim().min(1).max(2_000).optional(),
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
  /** True: nothing that is said is remembered. */
  private: z.boolean(),
  since: IsoTime.nullable(),
});
export type Privacy = z.infer<typeof Privacy>;

/** Knowledge of a person, as a page to read. */
export const PersonDescription = z.object({
  /** Null where nobody told it. */
  name: z.string().nullable(),
  /** Those that have a line. */
  sections: z.array(
    z.object({
      title: z.string(),
      lines: z.array(z.object({ text: z.string(), memoryIds: z.array(MemoryId) })),
    }),
  ),
  /** The same as Markdown. */
  page: z.string(),
});
export type PersonDescription = z.infer<typeof PersonDescription>;

/** A PDF comes as base64, the others as they are. */
export const DocumentFormat = z.enum(['markdown', 'text', 'html', 'pdf']);
export type DocumentFormat = z.infer<typeof DocumentFormat>;

/** A text that a person gave their companion to know. */
export const DocumentView = z.object({
  documentId: z.uuid(),
  companion: CompanionId,
  title: z.string(),
  chunks: z.number().int(),
  /** Parts that read like orders, which are not recalled. */
  quarantined: z.number().int(),
  addedAt: IsoTime,
});
export type DocumentView = z.infer<typeof DocumentView>;

/** Boosts stay small, so that relevance decides and freshness settles what is close. */
export const MAX_RECALL_BOOST = 0.1;
/** A mood colours what comes to mind (Bower 1981); a third of what is fresh counts, or sad talk would call up sad talk only. */
export const MAX_MOOD_BOOST = 0.03;
/** Share of use: what was of use before will likely be again; half of what is fresh counts, or the same few would always come first. */
export const MAX_PROOF_BOOST = 0.05;

/**
 * Parts of a recalled memory's score.
 * `score` = `fused` × (1 + `fit`) × (1 + `recency` + `importance` + `mood` + `proof`).
 */
export const ScoreParts = z.object({
  /** Rank in the dense arm, from 1; null when that arm did not find it. */
  denseRank: z.number().int().nullable(),
  /** Cosine with the query; null when the dense arm did not find it. */
  similarity: z.number().nullable(),
  lexicalRank: z.number().int().nullable(),
  /** Both arms' scores, each as a share of its best, weighted: 1 for the best in both. */
  fused: z.number(),
  /** Fit as an answer: who was asked about said it, a time was asked and it tells one, advice and it states a wish. */
  fit: z.number().default(0),
  /** Boost for having been said, or recalled, lately: 0 to `MAX_RECALL_BOOST`. */
  recency: z.number(),
  /** Boost for importance: 0 to `MAX_RECALL_BOOST`. */
  importance: z.number(),
  /** Boost for having been felt as the mood is in which it is asked: 0 to `MAX_MOOD_BOOST`. */
  mood: z.number().default(0),
  /** Boost for having been of use in replies: 0 to `MAX_PROOF_BOOST`. */
  proof: z.number().default(0),
  /** Probability that anything recalled answers: the same for all that one question finds. */
  certainty: z.number().default(1),
  score: z.number(),
});
export type ScoreParts = z.infer<typeof ScoreParts>;

export const RecalledMemory = MemoryView.extend({ why: ScoreParts });
export type RecalledMemory = z.infer<typeof RecalledMemory>;

/** Lines said on one occasion, as a prompt shows them. */
export const Passage = z.object({
  /** Of its first line. */
  saidAt: IsoTime,
  lines: z.array(
    z.object({
      id: MemoryId,
      speaker: z.string().nullable(),
      text: z.string(),
      sources: z.array(z.string()),
      /** False: it stands beside one that was found. */
      isFound: z.boolean(),
    }),
  ),
});
export type Passage = z.infer<typeof Passage>;

/** Arms of recall that were out of reach; empty when all is well. */
export const Degraded = z.array(z.enum(['dense', 'lexical']));

/** Progress of a run of reindex. */
export const ReindexProgress = z.object({
  /** Memories written, of those that were not in the index. */
  done: z.number().int(),
  total: z.number().int(),
  perSecond: z.number(),
  /** True: another space is filled, while recall has all it needs in the one in use. */
  isBeside: z.boolean().default(false),
});
export type ReindexProgress = z.infer<typeof ReindexProgress>;

/** The vector index against the rows in Postgres, which are the truth. */
export const IndexState = z.object({
  index: z.enum(['qdrant', 'exact']),
  /** The space in use; `unknown` while embedding is out of reach. */
  space: z.string(),
  memories: z.number().int(),
  /** Memories that were written to the index. */
  indexed: z.number().int(),
  /** Content of the index; null while it is out of reach. */
  points: z.number().int().nullable(),
  /** The space that is filled beside it, to take its place once it holds as much; null when there is none. */
  next: z.object({ space: z.string(), points: z.number().int() }).nullable().default(null),
  /** A reindex is ordered or under way. */
  running: z.boolean(),
  progress: ReindexProgress.nullable(),
});
export type IndexState = z.infer<typeof IndexState>;
