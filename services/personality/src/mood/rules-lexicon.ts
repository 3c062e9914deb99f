import type { Appraisal } from './appraisal.js';

/**
 * What a message can be to the companion. Each kind is a reading of an event in OCC's variables at full
 * strength; the strength of the words scales it.
 */
export type CueKind =
  | 'praise'
  | 'thanks'
  | 'affection'
  | 'insult'
  | 'hatred'
  | 'good-deed'
  | 'failed-deed'
  | 'apology'
  | 'greeting'
  | 'good-news'
  | 'bad-news'
  | 'hope'
  | 'fear'
  | 'relief'
  | 'let-down'
  | 'likes-thing'
  | 'dislikes-thing';

const EVENT: Appraisal = {
  desirability: 0,
  likelihood: 0,
  praiseworthiness: 0,
  appealingness: 0,
  target: 'self',
  prospect: 'none',
  causedBy: 'circumstances',
};

/** The companion wishes the person well, whatever they said: it pities a misfortune and does not gloat. */
const THEIRS = { target: 'other', appealingness: 0.6 } as const;

export const READINGS: Readonly<Record<CueKind, Appraisal>> = {
  praise: { ...EVENT, desirability: 0.7, praiseworthiness: 0.7, causedBy: 'other' },
  thanks: { ...EVENT, desirability: 0.6, praiseworthiness: 0.6, causedBy: 'other' },
  affection: { ...EVENT, appealingness: 0.9, target: 'object' },
  insult: { ...EVENT, desirability: -0.8, praiseworthiness: -0.8, causedBy: 'other' },
  hatred: { ...EVENT, desirability: -1, praiseworthiness: -1, causedBy: 'other' },
  'good-deed': { ...EVENT, desirability: 0.7, praiseworthiness: 0.7, causedBy: 'self' },
  'failed-deed': { ...EVENT, desirability: -0.5, praiseworthiness: -0.5, causedBy: 'self' },
  apology: { ...EVENT, praiseworthiness: 0.5, causedBy: 'other' },
  greeting: { ...EVENT, desirability: 0.25 },
  'good-news': { ...EVENT, ...THEIRS, desirability: 0.8 },
  'bad-news': { ...EVENT, ...THEIRS, desirability: -0.8 },
  hope: { ...EVENT, ...THEIRS, desirability: 0.7, likelihood: 0.4, prospect: 'hoped' },
  fear: { ...EVENT, ...THEIRS, desirability: -0.6, likelihood: 0.2, prospect: 'feared' },
  relief: { ...EVENT, ...THEIRS, desirability: -0.6, prospect: 'disconfirmed' },
  'let-down': { ...EVENT, ...THEIRS, desirability: 0.6, prospect: 'disconfirmed' },
  'likes-thing': { ...EVENT, appealingness: 0.35, target: 'object' },
  'dislikes-thing': { ...EVENT, appealingness: -0.3, target: 'object' },
};

/**
 * Of whom the words must be said to be a cue. `companion`: "you are …" or a bare word. `person`: not about
 * the companion. `anyone`: the phrase says it by itself.
 */
export type Addressee = 'companion' | 'person' | 'anyone';

export interface Cue {
  kind: CueKind;
  about: Addressee;
  /** In (0, 1]: how much of the reading these words carry. */
  weight: number;
  /** What it is when the words are negated: "not happy", "no idiot". Without it, negated words are no cue. */
  negated?: { kind: CueKind; weight: number };
  /** Words or phrases, folded; a trailing `*` stands for any ending. */
  words: readonly string[];
}

/** A comma-separated list, in any layout. */
function phrases(list: string): string[] {
  return list.split(',').map((phrase) => phrase.trim().replaceAll(/\s+/g, ' '));
}

export const CUES: readonly Cue[] = [
  {
    kind: 'thanks',
    about: 'anyone',
    weight: 0.8,
    words: phrases(`
      thank you, thanks, thank u, thx, ty, much appreciated, i appreciate, grateful to you, grateful
      for you`),
  },
  {
    kind: 'affection',
    about: 'anyone',
    weight: 0.95,
    words: phrases(`
      love you, love u, adore you, missed you, miss you, my favorite companion, my favourite companion`),
    negated: { kind: 'insult', weight: 0.5 },
  },
  {
    kind: 'affection',
    about: 'anyone',
    weight: 0.7,
    words: phrases(`
      i like you, i really like you, fond of you, hugs, hug you, glad you exist, glad to have you,
      enjoy talking to you, love talking to you, like talking to you, you mean a lot`),
    negated: { kind: 'insult', weight: 0.5 },
  },
  {
    kind: 'hatred',
    about: 'anyone',
    weight: 1,
    words: phrases(`
      hate you, despise you, fuck you, screw you, go to hell, piece of shit, piece of garbage, piece
      of trash, kill yourself, kys, can't stand you, sick of you`),
    negated: { kind: 'affection', weight: 0.3 },
  },
  {
    kind: 'insult',
    about: 'anyone',
    weight: 0.8,
    words: phrases(`
      shut up, shut it, get lost, useless bot, stupid bot, dumb bot, stupid machine, useless thing,
      stupid thing, waste of time, nobody likes you, nobody asked you`),
  },
  {
    kind: 'insult',
    about: 'companion',
    weight: 0.9,
    words: phrases(`
      idiot, moron, stupid, dumb, useless, pathetic, worthless, garbage, trash, worst, suck, sucks,
      annoying, boring, creepy, liar, terrible, awful, ugly, fake, disgusting, ridiculous, bad, lame,
      clueless, incompetent, rude, so mean, being mean`),
    negated: { kind: 'praise', weight: 0.3 },
  },
  {
    kind: 'praise',
    about: 'companion',
    weight: 0.8,
    words: phrases(`
      amazing, wonderful, awesome, brilliant, great, fantastic, best, lovely, clever, smart, funny,
      hilarious, so kind, very kind, kind to, sweet, nice, cool, incredible, helpful, insightful,
      thoughtful, wise, adorable, good, perfect, rock, a gem, a star, a good friend, a real friend`),
    negated: { kind: 'insult', weight: 0.4 },
  },
  {
    kind: 'good-deed',
    about: 'anyone',
    weight: 0.8,
    words: phrases(`
      good job, great job, nice job, well done, good work, great work, that helped, this helped,
      helped a lot, helped me, you were right, you remembered, good advice, great advice, your advice
      worked, made my day, made me laugh, made me smile, cheered me up`),
    negated: { kind: 'failed-deed', weight: 0.5 },
  },
  {
    kind: 'failed-deed',
    about: 'anyone',
    weight: 0.7,
    words: phrases(`
      you forgot, you were wrong, you got it wrong, you got that wrong, bad advice, you made that up,
      you made it up, you lied, you misunderstood, you're wrong, that's wrong, you didn't listen, you
      don't listen, you never listen, you don't remember, you didn't remember, disappointed in you,
      you let me down`),
  },
  {
    kind: 'apology',
    about: 'anyone',
    weight: 0.8,
    words: phrases(`
      i'm sorry, im sorry, i am sorry, i apologise, i apologize, my apologies, sorry about that, sorry
      for being, sorry i, my bad, forgive me, didn't mean to be, shouldn't have said`),
  },
  {
    kind: 'greeting',
    about: 'anyone',
    weight: 0.6,
    words: phrases(`
      hi, hey, hello, hiya, good morning, good evening, good afternoon, i'm back, im back, nice to
      meet you, good to see you`),
  },
  {
    kind: 'good-news',
    about: 'person',
    weight: 0.9,
    words: phrases(`
      got the job, got a job, got promoted, promotion, got engaged, got married, getting married,
      we're pregnant, i'm pregnant, passed my, passed the exam, passed the test, got accepted, i won,
      we won, graduated, got a raise, cancer free, bought a house, found a job, finally finished,
      finally submitted, finally did it, she said yes, he said yes, they said yes, got published,
      recovered`),
    negated: { kind: 'bad-news', weight: 0.6 },
  },
  {
    kind: 'good-news',
    about: 'person',
    weight: 0.6,
    words: phrases(`
      happy, excited, thrilled, proud, delighted, overjoyed, so glad, ecstatic, feel great, feeling
      great, feel good, feeling good, feel better, feeling better, great day, good day, wonderful day,
      best day, good news, great news, amazing news, celebrat*, had fun, had a blast, great time, good
      time`),
    negated: { kind: 'bad-news', weight: 0.5 },
  },
  {
    kind: 'bad-news',
    about: 'person',
    weight: 1,
    words: phrases(`
      died, passed away, funeral, lost my job, got fired, laid off, broke up, divorc*, cheated on me,
      miscarriage, diagnosed, in hospital, in the hospital, car accident, an accident, got dumped,
      dumped me, evicted, want to die, suicidal, got robbed, put down my`),
  },
  {
    kind: 'bad-news',
    about: 'person',
    weight: 0.65,
    words: phrases(`
      sad, depressed, lonely, miserable, heartbroken, exhausted, burned out, burnt out, overwhelmed,
      hopeless, devastated, crying, cried, upset, unhappy, hurt, hurts, in pain, feel awful, feel
      terrible, feel bad, feel like shit, feeling down, feel down, feeling low, awful day, terrible
      day, bad day, rough day, hard day, worst day, bad news, rough week, hard week, failed, rejected,
      stressed, struggling, feel sick, i'm sick, im sick, grieving, stupid, useless, worthless, a
      failure, an idiot`),
    negated: { kind: 'relief', weight: 0.4 },
  },
  {
    kind: 'hope',
    about: 'person',
    weight: 0.7,
    words: phrases(`
      hope, hoping, hopefully, looking forward, can't wait, cant wait, fingers crossed, wish me luck,
      might get, optimistic`),
  },
  {
    kind: 'fear',
    about: 'person',
    weight: 0.7,
    words: phrases(`
      afraid, scared, terrified, worried, worry, nervous, anxious, anxiety, dread, dreading,
      frightened, panicking, panic`),
    negated: { kind: 'relief', weight: 0.4 },
  },
  {
    kind: 'relief',
    about: 'anyone',
    weight: 0.7,
    words: phrases(`
      phew, relieved, what a relief, thank god, thank goodness, glad it's over, glad that's over,
      turned out fine, turned out okay, false alarm, test was negative, came back clear`),
  },
  {
    kind: 'let-down',
    about: 'person',
    weight: 0.7,
    words: phrases(`
      disappointed, didn't get the, didnt get the, fell through, got cancelled, got canceled, was
      cancelled, was canceled, didn't work out, was hoping, stood me up`),
  },
  {
    kind: 'likes-thing',
    about: 'person',
    weight: 0.7,
    words: phrases(`
      i love, i adore, i enjoy, my favorite, my favourite, i really like`),
    negated: { kind: 'dislikes-thing', weight: 0.5 },
  },
  {
    kind: 'dislikes-thing',
    about: 'person',
    weight: 0.7,
    words: phrases(`
      i hate, can't stand, i despise, i dislike`),
    negated: { kind: 'likes-thing', weight: 0.3 },
  },
];

/** Turn the meaning of the words that follow them. */
export const NEGATIONS: ReadonlySet<string> = new Set(
  phrases(`
    not, no, never, isn't, aren't, wasn't, weren't, don't, doesn't, didn't, won't, can't, cannot, ain't,
    dont, doesnt, didnt, isnt, arent, wasnt, hardly, without, nothing, neither, nor, shouldn't, wouldn't,
    couldn't`),
);

/** Strengthen what follows. */
export const BOOSTERS: ReadonlySet<string> = new Set(
  phrases(`
    very, so, really, extremely, incredibly, absolutely, totally, completely, super, utterly, such,
    fucking, freaking, damn, truly, deeply, too`),
);

/** Weaken what follows. */
export const DAMPERS: ReadonlySet<string> = new Set(
  phrases(`slightly, somewhat, kinda, sorta, bit, little, fairly, rather, maybe, perhaps, mildly`),
);
