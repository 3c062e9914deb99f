import type { OutreachOutlook, WaitReason } from '@kith/contracts';
import type { OutreachDecision } from './decide-outreach.js';

const WORDS: Readonly<Record<Exclude<WaitReason, 'nothing due' | 'unreachable'>, string>> = {
  'not opted in': 'It does not write first until you allow it.',
  minor: 'It does not write first to minors.',
  rest: 'The operator asked it to leave you in peace for a while.',
  nowhere: 'What it has in mind was told elsewhere than where it may write to you.',
  unanswered: 'Its last messages were left without an answer, so it waits until you speak.',
  'one is under way': 'A message is on its way.',
  'daily cap': 'It has written as often today as you allow.',
  'weekly cap': 'It has written as often this week as you allow.',
  attention: 'It wrote of its own accord not long ago, and leaves you some peace.',
  'quiet hours': 'It has something to say, and waits for the end of your quiet hours.',
  'in conversation': 'It has something to say, and waits because you were just talking.',
};

/**
 * Describes, in words for the person, when it may write next and why not now; `nowhere` says why there is no place to
 * write to.
 */
export function outlookOf(decision: OutreachDecision, nowhere: string | null): OutreachOutlook {
  if (decision.kind === 'reach-out') {
    return { waitsFor: null, until: null, words: 'It has something to say, and may write any minute.' };
  }
  const { why, until } = decision;
  return { waitsFor: why, until: until?.toISOString() ?? null, words: wordsFor(why, until, nowhere) };
}

function wordsFor(why: WaitReason, until: Date | null, nowhere: string | null): string {
  switch (why) {
    case 'nothing due':
      return until === null
        ? 'It has nothing in mind to write about.'
        : 'It has something in mind, for which it is too early.';
    case 'unreachable':
      return `It cannot reach you (${nowhere ?? 'unknown'}), so it waits until you speak or allow another place.`;
    default:
      return WORDS[why];
  }
}
