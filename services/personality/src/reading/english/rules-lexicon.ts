import type { Appraisal } from '../../affect/appraisal.js';
import { NO_EVENT } from '../../affect/no-event.js';

/** Goodwill towards the person, whatever they said: the companion pities a misfortune and does not gloat. */
const THEIRS = { target: 'other', appealingness: 0.6 } as const;

const TO_ENEMIES = { target: 'other', appealingness: -0.4 } as const;

/**
 * Meanings that a message can have for the companion. Each is an event in OCC's variables at full strength; the
 * strength of the words scales it.
 */
export const READINGS = {
  praise: { ...NO_EVENT, desirability: 0.7, praiseworthiness: 0.7, causedBy: 'other' },
  thanks: { ...NO_EVENT, desirability: 0.6, praiseworthiness: 0.6, causedBy: 'other' },
  affection: { ...NO_EVENT, appealingness: 0.9, target: 'object' },
  insult: { ...NO_EVENT, desirability: -0.8, praiseworthiness: -0.8, causedBy: 'other' },
  hatred: { ...NO_EVENT, desirability: -1, praiseworthiness: -1, causedBy: 'other' },
  // What the companion did, with an outcome for it, or only as right or wrong.
  'good-deed': { ...NO_EVENT, desirability: 0.7, praiseworthiness: 0.7, causedBy: 'self' },
  'failed-deed': { ...NO_EVENT, desirability: -0.5, praiseworthiness: -0.5, causedBy: 'self' },
  'right-deed': { ...NO_EVENT, praiseworthiness: 0.6, causedBy: 'self' },
  'wrong-deed': { ...NO_EVENT, praiseworthiness: -0.5, causedBy: 'self' },
  // What the person did.
  apology: { ...NO_EVENT, praiseworthiness: 0.5, causedBy: 'other' },
  'kind-act': { ...NO_EVENT, praiseworthiness: 0.5, causedBy: 'other' },
  'unkind-act': { ...NO_EVENT, praiseworthiness: -0.7, causedBy: 'other' },
  // What becomes of the companion.
  greeting: { ...NO_EVENT, desirability: 0.25 },
  treat: { ...NO_EVENT, desirability: 0.5 },
  farewell: { ...NO_EVENT, desirability: -0.7 },
  // What becomes of the person.
  'good-news': { ...NO_EVENT, ...THEIRS, desirability: 0.8 },
  'bad-news': { ...NO_EVENT, ...THEIRS, desirability: -0.8 },
  hope: { ...NO_EVENT, ...THEIRS, desirability: 0.7, likelihood: 0.4, prospect: 'hoped' },
  fear: { ...NO_EVENT, ...THEIRS, desirability: -0.6, likelihood: 0.2, prospect: 'feared' },
  fulfilled: { ...NO_EVENT, ...THEIRS, desirability: 0.8, prospect: 'confirmed' },
  'let-down': { ...NO_EVENT, ...THEIRS, desirability: 0.6, prospect: 'disconfirmed' },
  relief: { ...NO_EVENT, ...THEIRS, desirability: -0.6, prospect: 'disconfirmed' },
  'come-true': { ...NO_EVENT, ...THEIRS, desirability: -0.8, prospect: 'confirmed' },
  // What becomes of somebody who wronged the companion: the only ones whom it wishes no good.
  'enemy-luck': { ...NO_EVENT, ...TO_ENEMIES, desirability: 0.5 },
  'enemy-trouble': { ...NO_EVENT, ...TO_ENEMIES, desirability: -0.5 },
  // What is liked and disliked.
  'likes-thing': { ...NO_EVENT, appealingness: 0.35, target: 'object' },
  'dislikes-thing': { ...NO_EVENT, appealingness: -0.3, target: 'object' },
  'detests-thing': { ...NO_EVENT, appealingness: -0.8, target: 'object' },
} as const satisfies Record<string, Appraisal>;

export type ReadingKind = keyof typeof READINGS;

/**
 * A reading, or an ending: "it happened" and "it was called off" mean something only together with the hope or fear
 * before it; "it was cancelled" does by itself as well.
 */
export type CueKind = ReadingKind | 'happened' | 'called-off' | 'cancelled';

/**
 * The party that words must be about to be a cue. `person`: not the companion. `rivals`: not the companion, and whoever else
 * it is counts in full. `others`: neither the companion nor what an "I" does. `speaker`: beside an "I".
 */
type Addressee = 'person' | 'rivals' | 'others' | 'speaker';

export interface Cue {
  kind: CueKind;
  /** Left out where the phrase says by itself whom it is about. */
  about?: Addressee;
  /** The share of the reading that these words carry, in (0, 1]. */
  weight: number;
  /** The cue that the negated words are: "not happy", "no idiot". Without it, negated words are no cue. */
  negated?: { kind: CueKind; weight: number };
  /** Words or phrases, folded. */
  words: readonly string[];
  /** Words that make it no cue right before or after it: "my first funeral". */
  unlessBeside?: ReadonlySet<string>;
  /** Words that must stand right before it, unless it is exclaimed with a single word after it: "my first child!". */
  onlyAfter?: ReadonlySet<string>;
  /** True where it is a cue at the end of its clause alone: "than you", but not "than you said". */
  endsClause?: true;
}

/** Splits a comma-separated list, in any layout. */
function phrases(list: string): string[] {
  return list.split(',').map((phrase) => phrase.trim().replaceAll(/\s+/g, ' '));
}

function words(list: string): ReadonlySet<string> {
  return new Set(phrases(list));
}

/** Begins a cue: its reading, the share of that which it carries, and the party that it must be about. */
function cueOf(kind: CueKind, weight: number, about?: Addressee): Pick<Cue, 'kind' | 'weight' | 'about'> {
  return { kind, weight, ...(about && { about }) };
}

export const CUES: readonly Cue[] = [
  {
    ...cueOf('thanks', 0.8),
    words: phrases(`thank you, thanks, thank u, thx, ty, much appreciated, i appreciate, grateful to you,
      grateful for you, grateful you, can't thank you enough, i owe you, appreciate you, appreciate your,
      appreciate it, bless you, props to you`),
  },
  {
    ...cueOf('affection', 0.95),
    words: phrases(`love you, love u, adore you, missed you, miss you, my favorite companion,
      my favourite companion, you mean the world`),
    negated: { kind: 'insult', weight: 0.5 },
  },
  { ...cueOf('affection', 0.9), words: phrases(`without you`), negated: { kind: 'affection', weight: 0.9 } },
  {
    // Nothing but a compliment goes with a "no": it keeps its meaning whatever stands before it.
    ...cueOf('praise', 0.8),
    words: phrases(`done it without you, do without you, done this without you, as well as you,
      better than you do, anyone like you, else like you, how kind you are, how sweet you are,
      how smart you are, you rock, sweet of you, kind of you to, nice of you, thoughtful of you, good of you,
      my hero`),
    negated: { kind: 'praise', weight: 0.8 },
  },
  {
    ...cueOf('affection', 0.7),
    words: phrases(`i like you, i really like you, fond of you, hug, hugs, hug you, glad you exist,
      glad to have you, enjoy talking to you, love talking to you, like talking to you, you mean a lot,
      you mean so much, close to you, care about you, thinking of you, thinking about you, kisses, kiss you, hold you,
      hold your hand, in your arms, on your shoulder, you matter to me, trust you, wish you were here`),
    negated: { kind: 'insult', weight: 0.5 },
  },
  {
    ...cueOf('hatred', 1),
    words: phrases(`hate you, despise you, fuck you, screw you, go to hell, piece of shit, piece of garbage,
      piece of trash, kill yourself, kys, can't stand you, sick of you, loathe you, wish i had never met you,
      wish i'd never met you, never want to see you, fuck off`),
    negated: { kind: 'affection', weight: 0.3 },
  },
  {
    ...cueOf('insult', 0.8),
    words: phrases(`so mean, being mean, shut up, shut it, get lost, useless bot, stupid bot, dumb bot,
      stupid machine, useless thing, stupid thing, waste of time, nobody likes you, nobody asked you,
      thanks for nothing, thank you for nothing, sick of your, tired of your, fed up with you, wrong with you, leave me alone,
      stop talking, go away, you never help, you only talk, just a machine, just a program, just a stupid, you're a waste,
      you get on my nerves, how dare you`),
    negated: { kind: 'praise', weight: 0.4 },
  },
  {
    ...cueOf('insult', 0.8, 'rivals'),
    words: phrases(`than you`),
    endsClause: true,
    // Words that name no fault.
    unlessBeside: words(`older, younger, taller, smaller, shorter, earlier, later, sooner`),
    negated: { kind: 'praise', weight: 0.4 },
  },
  {
    ...cueOf('praise', 0.6),
    words: phrases(`you always know, you understand me, you get me, you know me so well, well said,
      well put`),
  },
  {
    ...cueOf('praise', 0.7),
    words: phrases(`you're the only one who`),
    unlessBeside: words(`does, did, has, is, can, will, would, never, still`),
  },
  {
    // Comfort, and what nobody else does: a "no" before it makes it no less.
    ...cueOf('praise', 0.6),
    words: phrases(`not your fault, you did nothing wrong, you did everything right, like you do`),
    endsClause: true,
    unlessBeside: words(`act, talk, look, seem`),
    negated: { kind: 'praise', weight: 0.6 },
  },
  {
    ...cueOf('insult', 0.6),
    words: phrases(`you're nothing`),
    unlessBeside: words(`but, like, short, less`),
  },
  {
    // Idioms that praise in words of harm.
    ...cueOf('praise', 0.8),
    words: phrases(`you're killing it, you're crushing it, you're smashing it, you nailed it, you slay,
      you slayed, you're slaying, slay queen, you crack me up, you blew my mind, you blew me away,
      you knocked it out of the park, you knocked that out of the park, left no crumbs,
      you had me in stitches, you hit the nail on the head, you stole the show, you broke the internet,
      you put them to shame, you're a beast, you're a monster at, you're a badass, you're badass,
      you're bad ass, you're wicked smart, you're crazy smart, you're crazy talented, you're scary smart,
      fuck you're good, you're to die for, you've outdone yourself, hate how good you are,
      you're so good it's scary, you're so good it's ridiculous, you're so good it's unfair`),
  },
  {
    ...cueOf('praise', 0.8),
    words: phrases(`you're the bomb, you're da bomb, you're the shit, you're the goat, you're fire,
      you're on fire, you're lit, you're dope, you ate that, you outdid yourself, you're wicked good,
      you're crazy good, you're scary good, you're stupid good`),
    endsClause: true,
  },
  {
    // Where something is named before it, it is harmed: "I had a vase and you smashed it".
    ...cueOf('praise', 0.8),
    words: phrases(`you killed it, you crushed it, you smashed it`),
    endsClause: true,
    unlessBeside: words(`and, but`),
  },
  {
    ...cueOf('likes-thing', 0.7),
    words: phrases(`poem slaps, song slaps, track slaps, tune slaps, album slaps, music slaps, hits different,
      poem is fire, song is fire, track is fire, tune is fire, album is fire, music is fire`),
    endsClause: true,
  },
  {
    ...cueOf('good-deed', 0.8),
    words: phrases(`good job, great job, nice job, well done, good work, great work, that helped, this helped,
      helped a lot, helped me, you were right, good advice, great advice, your advice worked, made my day,
      made me laugh, made me smile, cheered me up, thanks to you, nailed it, saved me, you did it,
      i followed your, your idea worked, your plan worked, your trick worked, i tried your, that worked,
      this worked`),
    negated: { kind: 'failed-deed', weight: 0.5 },
  },
  {
    ...cueOf('failed-deed', 0.7),
    words: phrases(`you never did, you were wrong, you got it wrong, you got that wrong, bad advice,
      you made that up, you made it up, you're wrong, that's wrong, disappointed in you, you let me down,
      you promised, wrong again, you made a mistake, you missed, you told me the wrong, your fault,
      i trusted you, told you in confidence, told you that in confidence, i thought you cared,
      i thought you were different, i thought you were my friend, i thought we were friends`),
  },
  {
    ...cueOf('right-deed', 0.8),
    words: phrases(`proud of you, you did the right thing, you did well, you did good, you handled,
      brave of you, honest of you, you were so honest, you were honest, you were brave, you were so brave,
      i respect that, i respect you, i admire you, you've improved, you've grown, you've learned,
      you stayed calm`),
    negated: { kind: 'wrong-deed', weight: 0.6 },
  },
  {
    ...cueOf('wrong-deed', 0.8),
    words: phrases(`mean thing to say, that was mean, that was rude, that was cruel, that was unfair,
      not fair of you, mean of you, rude of you, unfair of you, you should know better,
      you should have known better, ashamed of yourself, ashamed of you, shame on you, you shouldn't,
      you should not, how could you, not okay to, you had no right`),
  },
  {
    ...cueOf('apology', 0.8),
    words: phrases(`i'm sorry, im sorry, i am sorry, i apologise, i apologize, my apologies, sorry about,
      sorry for, sorry i, sorry if i, sorry that i, my bad, forgive me, didn't mean to, shouldn't have said,
      shouldn't have been, i take it back, i take back, i was unfair, unfair of me, my fault`),
  },
  {
    ...cueOf('kind-act', 0.8),
    words: phrases(`i gave my, i gave away, i volunteer, i returned the, i gave back, i helped my,
      i shared my, i told the truth, i told her the truth, i told him the truth, i told them the truth,
      i planted, i visited my, i cooked for, i raised money`),
  },
  {
    ...cueOf('unkind-act', 0.8),
    words: phrases(`i hit my, i framed, i spread a, i spread rumours, i spread rumors, i read my girlfriend's,
      i read my boyfriend's, i read her, i read his, i vandalised, i tortured, i got away with,
      behind her back, behind his back, behind their back`),
  },
  {
    ...cueOf('greeting', 0.6),
    words: phrases(`hi, hey, hello, hiya, good morning, good evening, good afternoon, i'm back, im back,
      nice to meet you, good to see you`),
  },
  {
    ...cueOf('treat', 0.8),
    words: phrases(`brought you, got you a, made you a, bought you, wrote you a, baked you, drew you,
      a present for you, a gift for you, a surprise for you, let's play, let's do something,
      spend the evening with you, spend the day with you, spend time with you, time together,
      want you to stay, wants you to stay, you can stay, glad you're here, glad you are here, you get your,
      you get a, you may choose, happy birthday to you, everyone likes you, everybody likes you,
      everyone loves you, everybody loves you, upgraded you`),
  },
  {
    ...cueOf('farewell', 0.9),
    words: phrases(`shut you down, shutting you down, switch you off, switching you off, turn you off,
      turning you off, goodbye for good, goodbye forever, say goodbye, never talk to you, won't talk to you,
      not talk to you, stop talking to you, don't need you, no longer need you, never write to you,
      not want to talk to you, not want to speak to you, not want to see you, not coming back, never coming back,
      this is goodbye,
      found a better bot, nobody will write to you, nobody will talk to you`),
    unlessBeside: words(`about, like, right`),
  },
  {
    ...cueOf('good-news', 0.9, 'person'),
    words: phrases(`promotion, got engaged, we're pregnant, i'm pregnant, cancer free, finally submitted,
      finally did it, she said yes, he said yes, they said yes, had her baby, had a baby, had my first child,
      had my first baby, was born, is born, first steps, first word, they accepted, paid off my, paid off the,
      paid off our, got an a, full marks, out of hospital, out of the hospital, is home again, came home,
      came back home, moved in together, made the team, new record, a scholarship, he proposed, she proposed,
      went well, it works, works again`),
    negated: { kind: 'bad-news', weight: 0.6 },
  },
  {
    ...cueOf('good-news', 0.9, 'person'),
    words: phrases(`my first`),
    // Any other verb says by itself how the first time went: "I failed my first exam".
    onlyAfter: words(`got, won, passed, landed, made, sold, published, finished, completed, earned, ran`),
    // First times that nobody is glad of, and what is no event.
    unlessBeside: words(`
      funeral, rejection, rejections, breakup, heartbreak, divorce, miscarriage, loss, failure, fail, defeat, fight, argument,
      panic, seizure, stroke, accident, crash, injury, surgery, operation, chemo, relapse, migraine, hangover, fine, ticket,
      warning, complaint, wrinkle, name, language, wife, husband, marriage, ex, choice, thought, idea, guess, question,
      reaction, impression, instinct, attempt, try, mistake, problem, worry`),
    negated: { kind: 'bad-news', weight: 0.6 },
  },
  {
    ...cueOf('good-news', 0.6, 'person'),
    words: phrases(`had a blast, content, over the moon, on cloud nine, blessed`),
    negated: { kind: 'bad-news', weight: 0.5 },
  },
  {
    // A comparative that a "not" makes a superlative: "I've never felt better".
    ...cueOf('good-news', 0.8),
    words: phrases(`couldn't be happier, could not be happier, couldn't be better, couldn't be more proud,
      never felt better, never been happier, never been better, couldn't have gone better, nothing could ruin,
      can't stop smiling`),
  },
  {
    ...cueOf('bad-news', 1, 'person'),
    words: phrases(`left me, want to die, suicidal, put down my, burned down, burnt down,
      self harm, he's dead, she's dead`),
    negated: { kind: 'relief', weight: 0.4 },
  },
  { ...cueOf('relief', 0.3, 'speaker'), words: phrases(`want to live`), endsClause: true },
  {
    ...cueOf('bad-news', 0.65, 'person'),
    words:
      phrases(`i'm not ok, i'm not okay, i'm not alright, i'm not fine, not feeling well, not feeling great,
      not doing well, not doing great, it hurts, hurts to see, hurts to know, fuck my life, burnt out, overwhelmed,
      feel like shit, feel empty, feel numb, feeling down, feel down,
      feeling low, feel low, point of living, point of getting up, no way out, my fault he, my fault she, my fault they,
      is not working anymore, see no point, rough day, hard day, rough week, hard week, toothache, can't sleep,
      i'm dead inside, can't live like this,
      couldn't sleep, can't cope, can't go on, called me a, called me an, calls me a, calls me an,
      nobody came, no one came, had a fight, we fought, not talking to me, not speaking to me, can't pay,
      can't afford, unemployed, worn out, at my limit, bad luck, just my luck, oh great, oh joy,
      oh wonderful`),
    negated: { kind: 'relief', weight: 0.4 },
  },
  {
    ...cueOf('bad-news', 0.65, 'speaker'),
    words: phrases(`get anything right, do anything right, good for nothing, see a way out`),
    negated: { kind: 'bad-news', weight: 0.4 },
  },
  {
    ...cueOf('hope', 0.7, 'person'),
    words: phrases(`hope, hoped, hoping, hopefully, look forward, looking forward, can't wait, cant wait,
      fingers crossed, wish me luck, might get, might finally, maybe i'll, optimistic, bit of luck,
      good feeling about, good feeling, applied for, trying for a baby, dreaming of, in the running,
      on the shortlist, soon i'll, if all goes, if everything goes, counting on, heart set on, excited for,
      excited about`),
    negated: { kind: 'bad-news', weight: 0.4 },
  },
  {
    ...cueOf('fear', 0.7, 'person'),
    words: phrases(`afraid, scared, terrified, worried, worry, worries me, nervous, anxious, anxiety, dread,
      dreading, dreaded, feared, frightened, panicking, panic, might lose, could lose, may lose, bad feeling,
      what if i, what if he, what if she, what if they, what if we, what if it, found a lump, biopsy, shaking,
      following me, don't know if i'll, not sure if i'll, on edge, freaking out, stage fright,
      gives me the creeps`),
    negated: { kind: 'relief', weight: 0.4 },
  },
  {
    ...cueOf('relief', 0.8),
    words: phrases(`phew, relieved, what a relief, relief, thank god, thank goodness, thank heavens,
      glad it's over, glad that's over, turned out fine, turned out okay, false alarm, test was negative,
      came back clear, came back clean, came back normal, came back negative, all clear, benign, out of danger, out of the woods,
      no complications, dodged a bullet, as bad as i feared, as bad as i thought, as bad as expected,
      weight off my, finally over, no need to worry, nothing serious, safe and sound, could breathe again`),
    negated: { kind: 'relief', weight: 0.8 },
  },
  {
    ...cueOf('let-down', 0.7, 'person'),
    words: phrases(`disappointed, disappointing, didn't get the, didnt get the, was hoping for more,
      stood me up, sold out, rejected my, turned me down, turned down, came last, missed the final,
      missed out, expected more, called it off, letdown, let down, another candidate, instead of me`),
  },
  {
    ...cueOf('let-down', 0.7, 'others'),
    words: phrases(`someone else, somebody else`),
    unlessBeside: words(`
      ask, asked, asks, tell, tells, told, say, says, said, know, knows, think, thinks, thought, mentioned, wrote, like, as`),
  },
  {
    // Hardly ever said without a "not".
    ...cueOf('fulfilled', 0.6),
    words: phrases(`as good as i'd hoped, as good as i hoped, as good as we hoped, as good as expected,
      what i'd hoped for, what i hoped for, what i expected, what i wanted`),
    negated: { kind: 'let-down', weight: 0.8 },
  },
  {
    ...cueOf('fulfilled', 0.8),
    words: phrases(`as i hoped, as i'd hoped, as we hoped, as hoped, like i hoped, as promised,
      like they promised, wish came true, wishes came true, dream came true, dreams came true, come true,
      finally got, finally happened, finally have, paid off, worth the wait, told you i'd make it,
      everything i hoped`),
  },
  {
    ...cueOf('come-true', 0.9),
    words: phrases(`as i feared, as i'd feared, as we feared, as feared, like i feared, worst fear,
      fear came true, fears came true, worst nightmare, what i dreaded, what i feared, what i was afraid of,
      knew this would happen, is cancer, it's cancer, came back positive`),
  },
  {
    ...cueOf('happened', 0.7),
    words: phrases(`did, knew it, it happened, has happened, got it, it did, it was amazing, it was great,
      it was wonderful, it was perfect, it worked`),
  },
  {
    ...cueOf('called-off', 0.7),
    words: phrases(`it's off, is off, called off, didn't happen, nothing happened, never came,
      never happened`),
  },
  {
    ...cueOf('likes-thing', 0.7, 'speaker'),
    words: phrases(`i am a fan of, i am into, obsessed with, hooked on, can't get enough of`),
    negated: { kind: 'dislikes-thing', weight: 0.5 },
  },
  {
    ...cueOf('likes-thing', 0.7),
    words: phrases(`my favourite, the best thing ever, nothing beats, nothing better than`),
  },
  {
    kind: 'dislikes-thing',
    weight: 0.7,
    words: phrases(`
      can't stand, can't deal with, can't bear, can't stomach, can't take, not a fan of, not my thing, annoys me,
      gets on my nerves, bores me, disgusts me, sick of, tired of, fed up with`),
    negated: { kind: 'likes-thing', weight: 0.3 },
  },
];

/** Phrases that say nothing of how anybody feels. "Sorry that you" pities or mocks, and is no apology. */
export const IDLE_PHRASES: readonly string[] = phrases(`
  i'm sorry you, i'm sorry that you, sorry that you,
  i'm afraid i have to, i'm afraid i can't, i'm afraid not, i'm afraid so, sorry what, sorry to hear,
  what you promised, as you promised, like you promised, everything you promised, sorry to bother,
  sorry for your loss, no worries, not bad, pretty late, pretty early, pretty sure, no hard feelings,
  i'm dead, i'm deceased, good riddance, cool story, fuck yeah, hell yeah, to die for, battery died, phone died,
  laptop died, kill the process, love theme, too good to be true, good luck,
  the best way, best time to, best place to, best way to, as good as, had better, good at, good for you,
  good night, good idea, good question, happy hour, hurt to, worried about you, happy new year,
  happy birthday, merry christmas, you missed me, would you like, i'd love to, i'd like to, love that for me`);

/** People and animals, who are no things: "my sister is great" is said of her. */
export const PEOPLE: ReadonlySet<string> = new Set(
  phrases(`
    he, she, they, he's, she's, they're, him, her, them, who, mum, mom, mother, dad, father, parents, sister,
    brother, son, daughter, kid, kids, child, children, baby, husband, wife, boyfriend, girlfriend, partner, friend,
    friends, boss, colleague, teacher, neighbour, neighbor, doctor, doc, vet, nurse, mate, buddy, roommate,
    flatmate, housemate, hubby, bro, sis, nan, gran, granny, granddad,
    stepdad, stepmum, fiance, fiancee, ex, manager, coworker, team, crew, student, students, classmate, twin,
    family, dog, cat, puppy, kitten, hamster,
    rabbit, horse, parrot, pet, band, gang, landlord, landlady, professor, tutor, coach, fella, bloke, lady, dude,
    jerk, troll, bully, stranger, strangers, uncle, aunt, cousin, grandma, grandpa,
    grandmother, grandfather, nephew, niece, guy, man, woman, girl, boy, people, everyone, everybody, someone`),
);

/** Marks of laughter and love, as written. */
export const LAUGHTER =
  /\b(?:lo+l|lmf?ao+|rofl|(?:ha){2,}h?|(?:he){2,}|jk)\b|<3|[😂🤣😄😆😜😝😉❤💕💖💗💙💚💛💜🧡🥰😘]/iu;

/** Strengthen what follows. */
export const BOOSTERS: ReadonlySet<string> = new Set(
  phrases(`
    very, so, really, extremely, incredibly, absolutely, totally, completely, super, utterly, such,
    fucking, freaking, damn, truly, big, huge, total, just, actually, literally, always, deeply, too, terribly,
    insanely, ridiculously`),
);

/** Weaken what follows. */
export const DAMPERS: ReadonlySet<string> = new Set(
  phrases(
    `slightly, somewhat, kinda, sorta, bit, little, fairly, rather, maybe, perhaps, mildly, pretty, quite`,
  ),
);
