import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { defineRequest, type RequestOutput } from './define.js';
import { CompanionId, Uuid } from '../values/words.js';

const LoreKey = z.string().trim().min(1).max(100);

/** Piece of a companion's world, told when one of its keys comes up. */
export const LoreInput = z
  .strictObject({
    /** One line; an entry takes the place of its companion's entry of the same name. */
    name: z
      .string()
      .trim()
      .min(1)
      .max(120)
      .regex(/^[^\n]+$/, 'one line'),
    /** Words or phrases that call it up, in any case. */
    keys: z.array(LoreKey).max(50).default([]),
    /** Further keys: where there are any, one of them has to come up as well. */
    secondaryKeys: z.array(LoreKey).max(50).default([]),
    /** Text for the prompt; `{{char}}` and `{{user}}` stand for the two names, and other macros of cards are expanded. */
    content: z.string().trim().min(1).max(4_000),
    /** In every prompt, keys or not. */
    constant: z.boolean().default(false),
    caseSensitive: z.boolean().default(false),
    /** Its keys are whole words; otherwise they are found within words as well. */
    wholeWords: z.boolean().default(true),
    /** Percent of the turns that call it up in which it is told. */
    probability: z.number().int().min(0).max(100).default(100),
    /** Also called up by what other entries say. */
    recursive: z.boolean().default(false),
    /** Rank when the budget is short: higher stays, and of one rank what is later in the order of insertion. */
    priority: z.number().int().min(-1_000_000).max(1_000_000).default(100),
    /** Place among those that are told: lower first. */
    insertionOrder: z.number().int().min(-1_000_000).max(1_000_000).default(100),
    enabled: z.boolean().default(true),
  })
  .refine(({ keys, constant }) => constant || keys.length > 0, {
    path: ['keys'],
    message: 'give at least one key, or make it constant',
  });
export type LoreInput = z.infer<typeof LoreInput>;

export const LoreEntry = z.object({ id: Uuid, ...LoreInput.shape, updatedAt: IsoTime });
export type LoreEntry = z.infer<typeof LoreEntry>;

/** An entry that is told, and why. */
export const LoreHit = z.object({
  id: Uuid,
  name: z.string(),
  content: z.string(),
  /** The key that came up; null for a constant one. */
  key: z.string().nullable(),
});
export type LoreHit = z.infer<typeof LoreHit>;

/** Entries that a talk calls up. */
export const LoreMatch = z.object({
  hits: z.array(LoreHit),
  /** Entries that are called up as well, and that the budget has no room for. */
  left: z.array(LoreHit.omit({ content: true })).default([]),
});

export const LoreImport = z.object({
  added: z.number().int(),
  /** Entries that took the place of their namesakes. */
  replaced: z.number().int(),
  /** Entries that were not taken, and why. */
  left: z.array(z.object({ name: z.string(), why: z.string() })),
});
export type LoreImport = z.infer<typeof LoreImport>;

/** Entries that a companion may have. */
export const MAX_LORE = 2_000;

/** Texts of the talk, and the budget of lore for them. */
export const LoreTexts = z.object({
  texts: z.array(z.string().max(16_000)).max(64),
  maxTokens: z.number().int().min(0).max(16_000).default(600),
  /** Id of the turn, which decides the draw by probability. Without one, every entry with a chance is taken. */
  drawnBy: z.string().optional(),
});
export type LoreTexts = z.output<typeof LoreTexts>;

export const loreContract = {
  /** Lists every entry of a companion, in the order that prompts have them in. */
  lore: defineRequest('memory.lore', {
    request: z.object({ companionId: CompanionId }),
    response: z.object({ entries: z.array(LoreEntry) }),
  }),
  /** Keeps an entry, new or in the place of its namesake. `invalid_request` past `MAX_LORE`. */
  putLore: defineRequest('memory.put-lore', {
    request: z.object({ companionId: CompanionId, entry: LoreInput }),
    response: LoreEntry,
  }),
  /** Keeps a lorebook: ours, a Tavern card's `character_book`, or SillyTavern's world info. */
  importLore: defineRequest('memory.import-lore', {
    request: z.object({
      companionId: CompanionId,
      book: z.unknown(),
      /** Ids of entries that it replaces. */
      instead: z.array(Uuid).max(MAX_LORE).default([]),
    }),
    response: LoreImport,
    timeoutMs: 15_000,
  }),
  /** `not_found` for what this companion does not have. */
  removeLore: defineRequest('memory.remove-lore', {
    request: z.object({ companionId: CompanionId, id: Uuid }),
    response: z.object({ removed: z.string() }),
  }),
  /** Reads the lore that these texts call up, as a prompt tells it. */
  matchLore: defineRequest('memory.match-lore', {
    request: LoreTexts.extend({ companionId: CompanionId }),
    response: LoreMatch,
    timeoutMs: 2_000,
  }),
};

export type LoreRequest<Name extends keyof typeof loreContract> = RequestOutput<(typeof loreContract)[Name]>;
