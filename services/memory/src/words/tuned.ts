/**
 * Numbers of recall in one place, so that `npm run bench:memory -- FILE… --ablate` can measure what each is worth. Each
 * helps on both halves of LoCoMo (two people) and of BEAM (a person with an assistant); see docs/benchmarks.md.
 */
export const TUNED = {
  /**
   * Weights in a line of the terms of the first, second, … line before it, and after it. Those before count more, as
   * questions come before their answers. All together are worth 10 points of hit@10 in LoCoMo, and little where lines are
   * long (see `lentTerms`). Where vectors know the meaning, the likeness of these lines counts by the same weights.
   */
  before: [0.5, 0.3, 0.2, 0.1],
  after: [0.2, 0.12, 0.08, 0.05],
  /** BM25: how fast further repetitions of a term stop counting. Memories are a line or two: less than the usual 1.2. */
  k1: 0.6,
  /**
   * Terms up to which a line lends them in full. The longer it is, the less each counts elsewhere: what is said beside a
   * long line is mostly about something else. Without it nDCG@10 falls by 4 among messages to an assistant.
   */
  lentTerms: 12,
  /** BM25: how much a long text's terms are discounted. LoCoMo would have .1, long messages .4. */
  b: 0.3,
  /**
   * Share of the length of its message's other pieces that counts as a piece's own, so that a long message has no better
   * chances than a short one. Worth 7 points of hit@10 where an assistant's answers are remembered, too.
   */
  messageShare: 0.5,
  /**
   * Weight of likeness where that of the words is 1: of our own vectors, and of an encoder's. For an encoder any from .5
   * to .8 does as well (Universal Sentence Encoder lite, LoCoMo).
   */
  denseWeight: { lexical: 0.4, semantic: 0.6 },
  /** Share of the statement in a question's vector (`as-statement.ts`), where vectors know the meaning: half a point of hit@10. */
  statementShare: 0.35,
  /**
   * Least cosine of a line that has none of the question's words, nor stands beside one that has. In LoCoMo 5 such lines
   * that answer (116) have a median of .15, others (250,000) of .11; a tenth of either lies above .27. In a
   * space of meaning it is the mean of all lines.
   */
  denseFloor: { lexical: 0.3, semantic: 0 },
  /** More for a line of the one who is asked about. Without it hit@5 falls by 3 to 6, nDCG@10 by 4. */
  speakerFit: 0.8,
  /**
   * Less for a line by the share of it that asks, where the question is about somebody else: what people ask tells little
   * of them. Worth .5 points of nDCG@10 in LoCoMo; where people ask about themselves (BEAM) it would cost 3.
   */
  askFit: -0.3,
  /**
   * More for what the one who is asked about answered to somebody's question, by the share of the asked words in that
   * question: "Biscuit!" after "What did you call the dog?" With 1.5 nDCG@10 of LoCoMo falls by a point; BEAM asks of
   * nobody by name. Vectors that know the meaning show some of this already.
   */
  answerFit: { lexical: 1, semantic: 0.5 },
  /** More for a line about its own speaker where somebody asks about themselves: "what did I say about my garden?" */
  selfFit: 1,
  /** More for a line that states a preference, where advice is asked for. */
  preferenceFit: 0.6,
  /** More for a line that says how somebody wants to be answered: it applies to questions with other words, too. */
  ruleFit: 0.5,
  /** Less for what no longer holds; where it is shown, so is its time. Not tuned: LoCoMo has no facts. */
  pastFit: -0.5,
  /**
   * More for what was said, or held, in the time that is asked about, by whether that is a few days ("on 3 June"), a month
   * or longer. One question in eight of LoCoMo names a time; without this nDCG@10 falls by 1.5.
   */
  timeFit: { days: 1, month: 1, longer: 0.5 },
  /** Least share of the best score that such a line has, without a word of the question in it. */
  timeFloor: { days: 0.35, month: 0.25, longer: 0.15 },
  /** More for a line that tells a number where one was asked. Worth half a point of nDCG@10 in BEAM. */
  numberFit: 0.5,
  /** More for a line that tells a time where one was asked. */
  whenFit: 0.15,
  /**
   * Weight of relevance (1) against novelty (0) in MMR (Carbonell, Goldstein 1998). The usual .5 to .7 costs points; at
   * .85 a near copy falls by some ten places, a related memory by few.
   */
  mmrLambda: 0.85,
};
