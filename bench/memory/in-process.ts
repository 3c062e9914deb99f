import { present, firstOf, lastOf } from '@kith/contracts';
import { dotProduct } from '../../services/memory/dist/index/dot-product.js';
import { PersonVectors } from '../../services/memory/dist/index/exact/person-vectors.js';
import { chooseWishes, type WishRow } from '../../services/memory/dist/facts/choose-wishes.js';
import { PREFERENCE } from '../../services/memory/dist/facts/fact-value.js';
import { planFacts } from '../../services/memory/dist/facts/plan-facts.js';
import { readByRules } from '../../services/memory/dist/facts/read-by-rules.js';
import { WISH } from '../../services/memory/dist/facts/read-wishes.js';
import { buildPassages } from '../../services/memory/dist/recall/build-passages.js';
import { chooseOccurrences, OCCURRENCES } from '../../services/memory/dist/recall/choose-occurrences.js';
import { excerpt } from '../../services/memory/dist/recall/excerpt.js';
import { findContradictions } from '../../services/memory/dist/recall/find-contradictions.js';
import { candidatesFor, rankFound } from '../../services/memory/dist/recall/rank-found.js';
import { chooseMemories, isOfTime } from '../../services/memory/dist/recall/memory-ranking.js';
import { readQuestion } from '../../services/memory/dist/recall/read-question.js';
import { analyseText } from '../../services/memory/dist/words/analyse-text.js';
import { countTerms } from '../../services/memory/dist/words/bm25.js';
import { PAUSE_MS } from '../../services/memory/dist/words/neighbours.js';
import { scoreImportance } from '../../services/memory/dist/words/score-importance.js';
import { splitText } from '../../services/memory/dist/words/split-text.js';
import type { Conversation } from '../locomo.ts';
import { OFFLINE, type Embedder } from './encoder/embedders.ts';

const SCOPE = { companionId: 'mira', audience: 'direct' } as const;
const NO_USE = { lastRecalledAt: null, validFrom: null, validTo: null, pinned: false, timesUsed: 0 };
/** Memories that a turn recalls. */
const SHOWN = 16;
const NO_FACT = { attribute: null, value: null };
/** Role whose lines hold no wish of anybody's. */
const ASSISTANT = 'assistant';
/** The token budget of the prompt's block. */
export const BLOCK_TOKENS = 1_000;
/** Most rows that the service lets a time alone bring in. */
const MAX_OF_TIME = 60;

type Row = ConversationRecall['rows'][number];

/** A piece of what was said. */
export interface Line {
  id: string;
  text: string;
  importance: number;
  saidAt: Date;
  sources: string[];
}

export interface Recalled {
  /** Turns that each result comes from, the best first. */
  ranked: string[][];
  /** The score of the best; 0 where nothing was found. */
  score: number;
  /** Turns of each contradiction that the prompt tells. */
  contradictions: string[][];
  /** The turns inside the prompt's block. */
  block: string[];
  /** The turns of the wishes and preferences that the prompt tells beside it. */
  wishes: string[];
}

/**
 * Recall of one conversation without its service and stores: the service's own analysis, index and ranking, over rows
 * as an import makes them.
 */
export class ConversationRecall {
  readonly rows;
  private readonly byId;
  private readonly embedder: Embedder;
  private readonly speakers: { name: string; isOwn: boolean }[];
  private readonly now: Date;
  private index!: PersonVectors;
  private readonly name: string;
  private readonly wishes: readonly WishRow[];

  constructor(
    conversation: Conversation,
    {
      importanceOf = scoreImportance,
      keep = () => true,
      embedder = OFFLINE,
    }: { importanceOf?: (text: string) => number; keep?: (line: Line) => boolean; embedder?: Embedder } = {},
  ) {
    this.embedder = embedder;
    this.name = conversation.id;
    const pieces = piecesOf(conversation);
    const rows = pieces.map(({ id, speaker, text, at }, place) => ({
      ...NO_USE,
      audience: SCOPE.audience,
      feltPleasure: null,
      id: String(place).padStart(6, '0'),
      text,
      speaker,
      sources: [id],
      kind: 'episode',
      writer: 'import',
      importance: importanceOf(text),
      saidAt: new Date(at),
      conversation: this.name,
    }));
    this.rows = rows.filter(keep);
    this.byId = new Map(this.rows.map((row) => [row.id, row]));
    const speakers = new Set(pieces.map(({ speaker }) => speaker));
    this.speakers = Array.from(speakers, (name) => ({ name, isOwn: false }));
    this.now = new Date(Date.parse(lastOf(conversation.turns).at) + 86_400_000);
    this.wishes = wishesOf(conversation);
    this.fill();
  }

  /** Everything that was said, piece by piece, as far as it was kept. */
  get lines(): readonly Line[] {
    return this.rows;
  }

  /** Fills the index anew, as what it weighs by may have changed. */
  fill(): void {
    this.index = new PersonVectors(this.vectorOf(firstOf(this.rows)).length);
    this.index.add(
      this.rows.map(({ id, text, saidAt }) => ({
        id,
        ...SCOPE,
        vector: this.vectorOf({ id }),
        conversation: this.name,
        terms: Object.fromEntries(countTerms(analyseText(text))),
        saidAt: saidAt.getTime(),
      })),
    );
  }

  ask(asked: string, limit: number): Recalled {
    const question = readQuestion(asked, this.speakers, this.now);
    const pool = this.pool(asked, limit);
    const chosen = chooseMemories(pool, { limit, maxTokens: 100_000 }, this.alike);
    return {
      ranked: chosen.map(({ candidate }) => candidate.sources),
      score: Math.max(0, ...chosen.map(({ why }) => why.score)),
      contradictions: findContradictions(
        chosen.slice(0, SHOWN).map(({ candidate }) => ({ ...candidate, ...NO_FACT })),
        question.terms,
      ).map(({ sides }) => sides.flatMap(({ sources }) => sources)),
      block: this.blockFor(
        asked,
        chosen.map(({ candidate }) => candidate),
      ),
      wishes: chooseWishes(this.wishes, question).flatMap(({ sources }) => sources),
    };
  }

  /** Makes the prompt's block as the service does; gives the turns in it. */
  private blockFor(asked: string, found: readonly Row[]): string[] {
    const { asksAll, terms } = readQuestion(asked, this.speakers, this.now);
    const passages = asksAll
      ? buildPassages(
          chooseOccurrences(this.pool(asked, OCCURRENCES), asksAll, BLOCK_TOKENS, ({ text }) =>
            excerpt(text, terms),
          ).map(({ candidate, text }) => ({ ...candidate, text })),
          new Map(),
          BLOCK_TOKENS,
          1,
        )
      : buildPassages(found, new Map(found.map((row) => [row.id, this.besideOf(row)])), BLOCK_TOKENS);
    return passages.flatMap(({ lines }) => lines.flatMap(({ sources }) => sources));
  }

  private besideOf({ id, saidAt }: Row): Row[] {
    const at = Number(id);
    return [this.rows[at - 1], this.rows[at + 1]].flatMap((row) =>
      row && Math.abs(row.saidAt.getTime() - saidAt.getTime()) < PAUSE_MS ? [row] : [],
    );
  }

  /** Ranks what is found for a question, the best first. */
  pool(asked: string, limit: number) {
    const question = readQuestion(asked, this.speakers, this.now);
    const { terms, time } = question;
    const query = {
      vector: this.embedder.questionVector(asked),
      terms,
      limit: candidatesFor(limit),
      kind: this.embedder.kind,
    };
    const found = this.index.search(SCOPE, query);
    const ids = new Set([...found.dense, ...found.lexical].map(({ id }) => id));
    const ofTime = time === null ? [] : this.rows.filter((row) => isOfTime(row, time));
    ofTime.sort((a, b) => b.importance - a.importance || b.saidAt.getTime() - a.saidAt.getTime());
    for (const { id } of ofTime.slice(0, MAX_OF_TIME)) ids.add(id);
    return rankFound(
      {
        question,
        kind: this.embedder.kind,
        found,
        byText: new Set(),
        rows: [...ids].map((id) => present(this.byId.get(id))),
      },
      { audience: SCOPE.audience, excludeSources: [], limit, now: this.now },
    ).pool;
  }

  readonly alike = (a: { id: string }, b: { id: string }): number =>
    Math.max(0, dotProduct(this.vectorOf(a), 0, this.vectorOf(b)));

  private vectorOf({ id }: { id: string }): Float32Array {
    return this.embedder.vectorOf(present(this.byId.get(id)).text);
  }
}

/** Cuts what was said as an import does. */
function piecesOf({ turns }: Conversation) {
  return turns.flatMap(({ id, speaker, said, at }) =>
    splitText(said).map((text) => ({ id, speaker, text, at })),
  );
}

/** Makes the vectors of a conversation's lines and questions ready. */
export async function prepareVectors(embedder: Embedder, conversation: Conversation): Promise<void> {
  const lines = piecesOf(conversation).map(({ text }) => text);
  await embedder.prepare({ lines, questions: conversation.questions.map(({ question }) => question) });
}

/** Reads the wishes and preferences that hold in a conversation's end. */
function wishesOf({ turns }: Conversation): WishRow[] {
  const told = turns.filter(({ speaker }) => speaker !== ASSISTANT);
  const lines = told.flatMap(({ id, speaker, said, at }) =>
    splitText(said).map((text) => ({
      id,
      text,
      speaker,
      saidAt: new Date(at),
      sources: [id],
      turnId: null,
      audience: SCOPE.audience,
    })),
  );
  return planFacts(SCOPE.audience, [], lines, ({ text }) => readByRules({ text })).facts.flatMap(
    ({ fact: { id, attribute, value, saidAt, sources, validTo }, text }) =>
      validTo === null && (attribute.startsWith(WISH) || attribute.startsWith(PREFERENCE))
        ? [{ id, text, attribute, value, saidAt, sources }]
        : [],
  );
}
