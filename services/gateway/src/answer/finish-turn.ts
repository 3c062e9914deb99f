import { type EpochFindings, lastOf, type ToolQuestion } from '@kith/contracts';
import type { HookRefusal } from '@kith/llm';
import type { Claim } from '../inbox/claim.js';
import type { FoundQuote } from '../inbox/read-quoted.js';
import type { ShownMemory } from '../steps/step-words.js';
import { repeatedIn, type MemoryPiece } from '../tools/memory-parts.js';
import { isNearlyOver, talkTokens, type Prompt } from './assemble-prompt.js';
import type { TurnContext } from './compose-context.js';
import type { FinishedTurn } from './finished-turn.js';
import type { PromptBudget } from './prompt-budget.js';
import { claimDetails, outcomeOf, refusedBy } from './turn-outcome.js';
import type { OutreachDraft } from './write-outreach.js';

/** All that a turn's model is asked with. */
export interface TurnInputs {
  claim: Claim;
  turnId: string;
  personName: string;
  startedAt: Date;
  context: TurnContext;
  prompt: Prompt;
  /** Findings of the epoch's end; null where the epoch goes on. */
  findings: EpochFindings | null;
  budget: Pick<PromptBudget, 'limit' | 'count'>;
  quoted: readonly FoundQuote[];
  /** Number of pictures in the prompt. */
  pictures: number;
  /** Core memory, wishes and tasks, which are in every prompt. */
  inEveryPrompt: readonly MemoryPiece[];
  composeMs: number;
}

/** Answer of the model, as hooks have read it. */
export interface ModelAnswer extends OutreachDraft {
  /** Text of the answer once hooks have read it; null where there is none. */
  text: string | null;
  /** Hook that refused the text. */
  refusal: HookRefusal | null;
  questions: ToolQuestion[];
  /** Memories beside the recalled ones that the prompt or tools showed. */
  shown: readonly ShownMemory[];
}

/** Makes the account of a turn that a model was asked for: its outcome and its trace. Pure. */
export function finishTurn(inputs: TurnInputs, answer: ModelAnswer, endedAt: Date): FinishedTurn {
  const { claim, turnId, personName, startedAt, context, prompt, findings, budget, quoted, pictures } =
    inputs;
  const { thought, silence, text, refusal, questions, shown } = answer;
  const { origin } = lastOf(claim.burst);
  const ended = outcomeOf(withQuestions(text, questions), thought, origin);
  const grown = prompt.tokens.said + budget.count(text ?? '');
  const elsewhere = quoted.flatMap(({ keys }) => keys);
  const endsEpoch = findings === null && isNearlyOver(prompt, grown, budget.limit);
  return {
    turnId,
    personName,
    startedAt,
    ...(refusal ? refusedBy(refusal, origin, thought.effects) : ended),
    ...(silence !== null && { outcome: 'silent', reason: silence, reply: null }),
    isUnheard: false,
    companionName: context.companion.name,
    model: thought.model,
    rehearsal: thought.model === 'rehearsal',
    degraded: thought.text === null && silence === null ? [...context.degraded, 'model'] : context.degraded,
    questions,
    effects: thought.effects,
    lastStep: thought.last,
    recalled: context.recalled,
    mood: context.mood,
    ...(prompt.from !== null && { toldFrom: prompt.from }),
    ...(endsEpoch && { nextTalkTokens: talkTokens(prompt.room, budget.limit) }),
    noticed: { fullness: prompt.fullness, unsettled: context.contradictions.length },
    details: {
      ...claimDetails(claim),
      gate: 'proceed',
      ...(pictures > 0 && { pictures }),
      promptTokens: prompt.tokens,
      promptLimit: budget.limit,
      view: {
        epoch: context.epoch?.id ?? null,
        from: prompt.from === null ? null : String(prompt.from),
        quoted: quoted.flatMap(({ lineIds }) => lineIds.map(String)),
        ...(elsewhere.length > 0 && { quotedElsewhere: elsewhere }),
      },
      compaction: findings,
      tries: thought.tries,
      tools: thought.tools,
      ...(thought.bound && { bound: thought.bound }),
      // Name a core, wish or task entry only if the reply repeats it, because forgetting searches these names.
      alsoShown: [...shown, ...repeatedIn(ended.reply ?? '', inputs.inEveryPrompt).map(asShown)],
      timings: { composeMs: inputs.composeMs, firstTokenMs: thought.firstTokenMs },
    },
    endedAt,
  };
}

/** Names a piece of a prompt by its ids alone. */
export function asShown({ id, sources }: MemoryPiece): ShownMemory {
  return { id, sources };
}

/** Puts the questions below the reply, in our own words: no model words what somebody consents to. */
function withQuestions(text: string | null, questions: readonly ToolQuestion[]): string | null {
  return text === null ? null : [text, ...questions.map((question) => question.text)].join('\n\n');
}
