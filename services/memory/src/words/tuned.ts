/**
 * The numbers of recall, in one place, so that `npm run bench:memory -- FILE… --ablate` can say what each is worth.
 * Each holds on both halves of LoCoMo (two people) and of BEAM (a person with an assistant); see docs/benchmarks.md.
 */
export const TUNED = {
  /**
   * Weight of a term of the line so many places before, and of the line so many places behind: questions come before
   * their answers. In LoCoMo all of them are worth 10 points of hit@10; where lines are long little, but see `lentTerms`.
   * Where vectors know the meaning, a neighbour's likeness counts by the same weight.
   */
  before: [0.5, 0.3, 0.2, 0.1],
  after: [0.2, 0.12, 0.08, 0.05],
  /** BM25: how fast further repetitions of a term stop counting. Memories are a line or two: less than the usual 1.2. */
  k1: 0.6,
  /**
   * A line lends in full up to so many terms, and of a longer one each term by so much less: what is said beside it is
   * then mostly about something else. Without it nDCG@10 falls by 4 among a person's messages to an assistant.
   */
  lentTerms: 12,
  /** BM25: how much a long text's terms are discounted. LoCoMo would have .1, long messages .4. */
  b: 0.3,
  /**
   * Share of its message's other pieces that counts as a piece's own length, so that a long message has no more chances
   * than a short one. Worth 7 points of hit@10 where an assistant's answers are among what was said.
   */
  messageShare: 0.5,
  /**
   * Weight of the dense arm beside the words: of the house's own vectors, and of an encoder's. Between .5 and .8 an encoder
   * is worth as much (Universal Sentence Encoder lite, LoCoMo).
   */
  denseWeight: { lexical: 0.4, semantic: 0.6 },
  /** Share of a question's vector that is of its words as a statement, where vectors know the meaning: half a point of hit@10. */
  statementShare: 0.35,
  /**
   * Least cosine of a line that has none of the question's words, nor stands beside one that has. In LoCoMo 5 such lines
   * that answer (116) have a median of .15, others (250,000) of .11; a tenth of either lies above .27. In a
   * space of meaning it is the mean of all lines.
   */
  denseFloor: { lexical: 0.3, semantic: 0 },
  /** More for what was said by the one who is asked about. Without it hit@5 falls by 3 to 6, nDCG@10 by 4. */
  speakerFit: 0.8,
  /**
   * Less for a line that asks, where somebody is asked about: what they ask tells little of them. By its share of the
   * line. Worth .5 points of nDCG@10 in LoCoMo; where people ask about themselves (BEAM) it would cost 3.
   */
  askFit: -0.3,
  /**
   * More for what the one who is asked about said in answer to another's question, by the share of the asked words in that
   * question: "Biscuit!" after "What did you call the dog?" With 1.5 nDCG@10
   * of LoCoMo falls by a point; BEAM asks of nobody by name. Vectors that know the meaning tell some of it already.
   */
  answerFit: { lexical: 1, semantic: 0.5 },
  /** More for a line about its own speaker where somebody asks about themselves: "what did I say about my garden?" */
  selfFit: 1,
  /** More for a line that states a preference, where advice is asked for. */
  preferenceFit: 0.6,
  /** More for a line that says how one wants to be answered: it applies to more than what has its words. */
  ruleFit: 0.5,
  /** Less for what held once and holds no longer; it is dated where it is shown. Not tuned: LoCoMo has no facts. */
  pastFit: -0.5,
  /**
   * More for what was said, or held, in the time that is asked about: of few days ("on 3 June"), of a month, or longer. One
   * question in eight of LoCoMo names a time. Without it nDCG@10 of LoCoMo falls by 1.5.
   */
  timeFit: { days: 1, month: 1, longer: 0.5 },
  /** The share of the best that such a line has at least, without a word of the question in it. */
  timeFloor: { days: 0.35, month: 0.25, longer: 0.15 },
  /** More for a line that tells a number where one was asked. Worth half a point of nDCG@10 in BEAM. */
  numberFit: 0.5,
  /** More for a line that tells a time where one was asked. */
  whenFit: 0.15,
  /**
   * MMR (Carbonell, Goldstein 1998) between relevance (1) and novelty (0). Higher than the usual .5 to .7, which costs
   * points: at .85 a near copy falls by some ten places, a related memory by few.
   */
  mmrLambda: 0.85,
};
