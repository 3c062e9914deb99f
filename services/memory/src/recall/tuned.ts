/**
 * The numbers of recall, in one place, so that `npm run tune:recall -- FILE` can say what each is worth. Tuned on
 * three LoCoMo conversations and looked at on two others, with the embedder as shipped. None stands on a peak: half
 * or twice of it moves hit@5 and hit@10 by two points at most, and mostly by less than one.
 */
export const TUNED = {
  /**
   * What a term of the line so many places before counts, and of the line so many places behind. Without those before
   * hit@5 falls by 10, as questions come before their answers; those behind are worth one to two.
   */
  before: [0.5, 0.3, 0.2, 0.1],
  after: [0.2, 0.12, 0.08, 0.05],
  /** BM25: how fast further repetitions of a term stop counting. Memories are a line or two: less than the usual 1.2. */
  k1: 0.6,
  /** BM25: how much a long text's terms are discounted. Nothing hangs on it below .2; at the usual .75 nDCG@10 falls by 2. */
  b: 0.1,
  /**
   * How much the dense arm counts beside the words. The offline embedder sees spelling alone, so that it only helps
   * out with typing errors; what a model sees is worth as much as words are (not tuned: there is none here).
   */
  denseWeight: { lexical: 0.1, semantic: 1 },
  /**
   * Least cosine of a line that has none of the question's words, nor stands beside one that has. In LoCoMo 5 such lines
   * are as alike to a question that they answer (130; median .011, 95 % below .08) as to any other (13,657; median .009,
   * 99 % below .15): the spelling of whole lines says nothing there. A word that is written wrong lies above (.2 to .5).
   * For a model's space there is no data, so there is no floor.
   */
  denseFloor: { lexical: 0.15, semantic: -1 },
  /** More for what was said by the one who is asked about. Without it hit@5 falls by 3 to 6, nDCG@10 by 4. */
  speakerFit: 0.8,
  /** Less for a question, which seldom answers one. */
  questionFit: -0.2,
  /** Less for what held once and holds no longer; it is dated where it is shown. Not tuned: LoCoMo has no facts. */
  pastFit: -0.5,
  /** More for what was said, or held, in the time that is asked about. Not tuned: LoCoMo asks few such questions. */
  timeFit: 0.5,
  /** The share of the best that such a line has at least, without a word of the question in it. Not tuned either. */
  timeFloor: 0.15,
  /** More for a line that tells a time where one was asked. */
  whenFit: 0.15,
  /**
   * MMR (Carbonell, Goldstein 1998) between relevance (1) and novelty (0). Higher than the usual .5 to .7, which costs
   * points: at .85 a near copy falls by some ten places, a related memory by few.
   */
  mmrLambda: 0.85,
};
