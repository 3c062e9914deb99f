/**
 * The meaning of a verb or noun for those beside it. `gain`, `loss`: of its subject. `virtue`, `vice`: right or wrong of
 * its subject. `favour`, `harm`: the same, done to somebody. `removal`: of the companion, where that is its object.
 * `calling-off`: of something to come. `fondness`, `aversion`, `loathing`: a feeling of its subject for its object.
 * `fortune`, `misfortune`: things that one gets.
 */
export type WordClass = keyof typeof VERBS | keyof typeof NOUNS;

/** Each verb once; irregular ones with their past and participle. */
const VERBS = {
  gain: `win/won, pass, graduate, succeed, recover, heal, ace, nail, finish, achieve, accomplish, manage, qualify, triumph,
    improve, survive, celebrate, marry, reunite, conquer, thrive, master, complete, inherit, smash it, beat/beat/beaten,
    level up, get in/got, get through/got, get into/got, come through/came, work out, pay off, turn out well, make it/made,
    get better/got, give birth/gave, walk again, sell/sold, publish, pull off, pull through, get over/got, bounce back,
    get back together/got, make up with/made, come first/came, come home/came, move in together, settle in,
    make progress/made, tie the knot, learn to, earn, get engaged/got, get married/got, sleep well/slept`,
  loss: `lose/lost, fail, flunk, die, suffer, struggle, collapse, faint, drown, grieve, mourn, sob, weep/wept, vomit, starve,
    divorce, relapse, injure, sprain, fracture, wreck, smash, shatter, crack, crash, oversleep/overslept, cry, spill, ache,
    break down/broke, break up/broke, split up/split, fall apart/fell, throw up/threw, burst into tears, give up/gave,
    mess up, screw up, blow it/blew, botch, fall off/fell, fall ill/fell, get sick/got, get ill/got, get hurt/got,
    get stuck/got, get lost/got, burn out, burn down, bury, bleed/bled, choke, drop out, pass away, pass out, run away/ran, run out of/ran,
    go bankrupt/went, miss the, miss my, come down with/came, flood, fall over/fell, fall down/fell, fall out/fell`,
  virtue: `donate, volunteer, apologize, own up, confess, forgive/forgave/forgiven, rescue, adopt, admit, come clean/came,
    tell the truth/told, foster, make amends/made`,
  favour: `help, save, support, comfort, protect, defend, share, teach/taught, encourage, invite, praise, compliment, hug,
    visit, care for, look after, listen, understand/understood, remember, lend/lent, give/gave/given, fix, repair, explain,
    remind, believe in, thank, cheer, calm, inspire, motivate, treat, surprise, reward, promote, accept, hire, pick,
    choose/chose/chosen, select, nominate, approve, welcome, stand up for/stood, feed/fed, offer, congratulate, solve,
    get right/got, console, cure, bring/brought, carry, mentor, tutor, check on, check in, drive home/drove,
    stay with, sit with/sat, bake, cook, wait for`,
  vice: `lie, cheat, steal/stole/stolen, betray, bully, scam, vandalize, shoplift, ghost, spread a rumour, sabotage, plagiarize,
    make fun of/made, get away with/got, gossip, snoop, spy on`,
  harm: `hurt/hurt, hit/hit, cut/cut, hack, demote, stab, kick, punch, slap, slam, rob, mug, mock, tease, insult, humiliate, threaten, abandon, dump,
    ditch, ignore, blame, fire, sack, lay off/laid, evict, reject, trick, deceive, abuse, assault, rape, molest, grope, attack, stalk, harass,
    yell, shout, scream, laugh at, exclude, ruin, destroy, mislead/misled, forget/forgot/forgotten, confuse, disappoint,
    misunderstand/misunderstood, neglect, offend, annoy, interrupt, judge, dismiss, gaslight/gaslit, snap at, poison, trip,
    shove, push, kick out, throw out/threw/thrown, mix up, let down/let, stand up/stood, turn down, expel, suspend, ban,
    arrest, kill, screw over, break into/broke/broken, trash, troll, make up/made, get wrong/got, break/broke/broken,
    report, diagnose, hospitalize, key, prank, wake/woke, scold, swear at/swore, hang up on/hung, bite/bit/bitten,
    scare, upset/upset, spit/spat, block, unfriend, leave out/left`,
  removal: `delete, uninstall, remove, erase, replace, shut down/shut, switch off, turn off, get rid of/got, leave/left,
    abandon, wipe, quit/quit, deactivate, unplug, ditch, close down`,
  fondness: `love, adore, enjoy, prefer, like, dig, cherish, treasure`,
  aversion: `hate, dislike`,
  loathing: `loathe, detest, abhor, despise`,
  'calling-off': `cancel, postpone, call off, rain off, rain out, fall through/fell/fallen`,
};

/** Each noun once. Fortune has to be got to be any. */
const NOUNS = {
  fortune: `job, offer, visa, promotion, raise, bonus, scholarship, grant, award, prize, medal, trophy, house, puppy,
    kitten, ticket, place, licence, license, degree, diploma, contract, deal, refund, keys, apartment, flat, internship,
    role, part, lead, grade, gig, gold, holiday, vacation, day off, present, gift, permit, citizenship, green light, green card,
    discount, upgrade, interview, date, funding, compliment`,
  misfortune: `cancer, tumour, tumor, flu, fever, infection, funeral, surgery, operation, accident, migraine, eviction,
    divorce, breakup, layoff, hospital, debt, injury, concussion, stroke, depression, panic attack, heart attack, burglary,
    miscarriage, covid, pneumonia, chemo, grief, redundancy, insomnia, ambulance, wheelchair, crutches, burnout, bankruptcy,
    lawsuit, theft, intensive care, hospice, life support, argument, leak, ulcer, seizure, pain, heartbreak, nightmare, trauma, hangover, overdose, dementia, coma, icu,
    leukemia, leukaemia, lymphoma, alzheimer's, sepsis`,
};

const VERB_ENTRIES = entriesOf(VERBS, (verb) => {
  const [lemma = '', ...past] = verb.split('/');
  const [base = '', ...rest] = lemma.split(/\s+/u);
  return { forms: verbForms(base, past), rest };
});

const NOUN_ENTRIES = entriesOf(NOUNS, (noun) => {
  const [first = '', ...rest] = noun.split(/\s+/u);
  return { forms: rest.length === 0 ? [first, `${first}s`] : [first], rest };
});

const ENTRIES = Map.groupBy([...VERB_ENTRIES, ...NOUN_ENTRIES], ({ first }) => first);

const VERB_FORMS = new Set(VERB_ENTRIES.map(({ first }) => first));

/** Finds the classes of what stands at a place, by its longest entry, each with the number of words that it takes. */
export function classesAt(words: readonly string[], at: number) {
  const found = (ENTRIES.get(words[at] ?? '') ?? []).filter(({ rest }) =>
    rest.every((word, n) => words[at + 1 + n] === word),
  );
  const longest = Math.max(0, ...found.map(({ rest }) => rest.length));
  return found
    .filter(({ rest }) => rest.length === longest)
    .map(({ wordClass, rest }) => ({ wordClass, length: 1 + rest.length }));
}

/** Tells whether a word is a form of a verb that has a class. */
export function isKnownVerb(word: string): boolean {
  return VERB_FORMS.has(word);
}

/** Makes entries of comma-separated lists, one for each form of the first word, with the words that follow it. */
function entriesOf(
  lists: Partial<Record<WordClass, string>>,
  read: (listed: string) => { forms: Iterable<string>; rest: string[] },
) {
  return (Object.entries(lists) as [WordClass, string][]).flatMap(([wordClass, list]) =>
    list.split(',').flatMap((listed) => {
      const { forms, rest } = read(listed.trim());
      return Array.from(forms, (first) => ({ wordClass, first, rest }));
    }),
  );
}

/** Builds a verb's forms; the past is regular unless given. A last letter that may be doubled is listed both ways. */
function verbForms(base: string, past: readonly string[]): Set<string> {
  const doubled = /[^aeiou][aeiou][bdgklmnprt]$/u.test(base) ? [base + base.slice(-1)] : [];
  const withI = /[^aeiou]y$/u.test(base) ? `${base.slice(0, -1)}i` : null;
  const third = withI ? `${withI}es` : /(?:s|sh|ch|x|z)$/u.test(base) ? `${base}es` : `${base}s`;
  const short = base.endsWith('ie') ? `${base.slice(0, -2)}y` : base.replace(/(?<!e)e$/u, '');
  const progressive = [short, ...doubled].map((stem) => `${stem}ing`);
  const regular = [withI ?? base.replace(/e$/u, ''), ...doubled].map((stem) => `${stem}ed`);
  return new Set([base, third, ...progressive, ...(past.length > 0 ? past : regular)]);
}
