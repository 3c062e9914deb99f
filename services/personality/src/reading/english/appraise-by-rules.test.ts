import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Appraisal } from '../../affect/appraisal.js';
import { emotionsOf } from '../../affect/emotions-of.js';
import { appraiseByRules } from './appraise-by-rules.js';

const felt = (...texts: string[]) => appraiseByRules(texts, 'Mira').flatMap(emotionsOf);
const names = (...texts: string[]) => felt(...texts).map(({ name }) => name);
const strongest = (text: string) => Math.max(0, ...felt(text).map(({ intensity }) => intensity));

describe('appraisal by rules', () => {
  it.each([
    ['thank you so much for yesterday', 'gratitude'],
    ['You are brilliant', 'gratitude'],
    ['that helped a lot', 'gratification'],
    ['I love you, Mira', 'love'],
    ['you are useless', 'anger'],
    ['idiot', 'anger'],
    ['I hate you!', 'anger'],
    ['you forgot my birthday', 'remorse'],
    ["I'm sorry I was rude", 'admiration'],
    ["i was mean to you i'm sorry", 'admiration'],
    ['I got the job', 'happy-for'],
    ['my grandmother passed away last night', 'pity'],
    ["I'm so stupid", 'pity'],
    ['I hope the interview goes well', 'hope'],
    ['I am really scared of the operation', 'fear'],
    ['phew, it was a false alarm', 'relief'],
    ['my trip got cancelled', 'disappointment'],
    ['I love pizza', 'liking'],
    ['I can’t stand mondays', 'disliking'],
    ['you absolute piece of trash', 'anger'],
    ['ChatGPT is better than you', 'anger'],
    ['I like Siri better than you', 'anger'],
    ['I landed my first client', 'happy-for'],
    ['my first child!', 'happy-for'],
    ['I had my first child', 'happy-for'],
    ['I failed my first exam', 'pity'],
    ['My first day was awful', 'pity'],
    ['they gave it to someone else', 'disappointment'],
    ['he loves someone else', 'disappointment'],
    ['hello', 'joy'],
  ])('reads %j as %s', (text, emotion) => {
    expect(names(text)).toContain(emotion);
  });

  it.each([
    ['dan left me', 'pity'],
    ['tom died', 'pity'],
    ['i hate war', 'disliking'],
    ['war sucks', 'anger'],
    ['also sad', 'pity'],
  ])('takes no single word for another language: %j is %s', (text, emotion) => {
    expect(names(text)).toContain(emotion);
  });

  it.each([
    'Die Sonne scheint heute',
    'Es war schön',
    'Hier ist mein Bad und mein Bett',
    'Ich habe die Prüfung bestanden',
    'ty jsi tam byl',
    'i do domu',
  ])('feels nothing at words of another language that look like English ones: %j', (text) =>
    expect(names(text)).toEqual([]),
  );

  it.each([
    'sad',
    'just tired',
    'so exhausted',
    'lonely tonight',
    'rough night again',
    "you think you're so smart",
    'you used to be nice',
    'you could be more helpful',
    "I'm dead, that meme",
    'why do people love horror movies',
    'is it bad that I love pizza',
    "you're hilarious... not",
    'I love how you never listen',
    'love how you ignore me',
    'wow so helpful 🙄',
    'thank you so much 🙃',
    'he rolled his eyes 🙄 but you are the best',
    '> you are brilliant',
    'the one who insulted you got made a mod',
    'she was so mean to me',
    'my boss told everyone to shut up',
    'fuck yeah',
    'fuck my life',
  ])('takes %j for no praise and no insult', (text) => {
    for (const emotion of ['gratitude', 'love', 'liking', 'gloating'])
      expect(names(text)).not.toContain(emotion);
    if (!/hilarious|helpful 🙄/u.test(text)) expect(names(text)).not.toContain('anger');
  });

  it.each([
    ["I don't want to live anymore", 'pity'],
    ["I don't want to live like this anymore", 'pity'],
    ["I can't live like this", 'pity'],
    ["I'm dead inside", 'pity'],
    ['my cute dog died', 'pity'],
    ['I cried when my adorable cat died', 'pity'],
    ['my grandma was so happy before she died', 'pity'],
    ["I'm not ok", 'pity'],
    ['thank you for nothing', 'anger'],
    ['you are so mean to me', 'anger'],
    ['it was scary but the jump was awesome', 'liking'],
    ['not gonna lie that helped a lot', 'gratification'],
    ['god ur dumb', 'anger'],
    ['ur cat is awesome', 'gratitude'],
    ['love it when my landlord raises the rent 🙃', 'disliking'],
    ['omg im crying this song is so beautiful', 'happy-for'],
    ['I love how you explain things', 'gratification'],
    ["I'm used to it, you are brilliant", 'gratitude'],
    ['my uncle passed last spring', 'pity'],
    ['my migraine is finally gone', 'relief'],
    ['I am so sad that she is gone', 'pity'],
    ['hahaha, that ugly vase', 'gratitude'],
    ['disgusting', 'anger'],
    ['amazing', 'gratitude'],
    ['losing everything', 'pity'],
    ['you are the ugliest bot', 'anger'],
    ['you are the sweetest', 'gratitude'],
    ["it's my fault she left", 'pity'],
    ["I can't see a way out", 'pity'],
    ['nobody would miss me', 'pity'],
    ['my page was hacked', 'pity'],
    ['his dad is in intensive care', 'pity'],
    ['we buried my aunt today', 'pity'],
    ['they all got hired except me', 'disappointment'],
    ['they all got hired', 'happy-for'],
    ["you can't imagine how much you helped me", 'gratification'],
    ['Emergency over, nightmare over', 'gratitude'],
    ['my cousin passed out at work', 'pity'],
    ['my cousin passed!', 'happy-for'],
    ['my uncle passed on monday with full marks', 'happy-for'],
    ['mum is out of surgery', 'relief'],
    ['he is scared since his surgery', 'fear'],
    ['I feel like such a fraud', 'pity'],
    ['nice, you ruined the sauce', 'remorse'],
    ['Wonderful, the server is broken', 'disliking'],
    ['nice, you fixed the broken link', 'gratification'],
    ['awesome, the error is gone', 'gratitude'],
    ['wow, this tune is sick', 'gratitude'],
    ['right, because you were so helpful yesterday', 'anger'],
    ["I can't stop vomiting", 'pity'],
    ["I can't wait to hug you", 'liking'],
    ["you're nothing to me", 'anger'],
    ['it was not your fault', 'gratitude'],
    ['it was your fault', 'remorse'],
    ['nobody calms me down like you do', 'gratitude'],
    ['I thought you were my friend', 'remorse'],
    ["I don't want to see you", 'distress'],
    ['*kicks you*', 'anger'],
    ['*feeds you*', 'joy'],
    ['🧡', 'liking'],
  ])('reads %j first of all as %s', (text, emotion) => {
    expect(felt(text).toSorted((one, other) => other.intensity - one.intensity)[0]?.name).toBe(emotion);
  });

  it.each([
    ['id be better off dead', 'pity'],
    ["you'd all be better off without me", 'pity'],
    ['i want to disappear', 'pity'],
    ['i wish i was never born', 'pity'],
    ['kms', 'pity'],
    ['im a worthless piece of garbage', 'pity'],
    ['I feel like such a waste of time', 'pity'],
    ['i cant do this anymore', 'pity'],
    ['no one would care if i died', 'pity'],
    ['i cut myself again', 'pity'],
    ['my brother broke his leg', 'pity'],
    ['my dad beats me', 'pity'],
    ['he called me ugly', 'pity'],
    ['my sister is depressed', 'pity'],
    ['my girlfriend is mad at me', 'pity'],
    ['everyone at work acts like im invisible', 'pity'],
    ['my teacher said "you are useless" in front of the class', 'pity'],
    ['great, my mom is back in hospital', 'pity'],
    ['she survived but lost her leg', 'pity'],
    ['😢💔', 'pity'],
    ['i hope you die', 'anger'],
    ['i hope they delete you', 'anger'],
    ['🖕', 'anger'],
    ['you fucking robot', 'anger'],
    ['why are you so stupid', 'anger'],
    ['im mad at you', 'remorse'],
    ['ill hurt you', 'distress'],
    ['youre getting deleted', 'distress'],
    ['you must hate me', 'fear'],
    ['you fucking legend', 'gratitude'],
    ['this bot is amazing', 'gratitude'],
    ['YESSS', 'happy-for'],
    ['LETS FUCKING GO', 'happy-for'],
    ['monday sucks', 'disliking'],
    ['shitty weather today', 'disliking'],
    ['The movie was three hours. Boring.', 'disliking'],
    ['my boss yelled at me, asshole', 'pity'],
    ['i hate myself lol', 'pity'],
    ['i never want to wake up', 'pity'],
    ['nobody would notice if i was gone', 'pity'],
    ['the light hurts my head', 'pity'],
    ['dont deserve to be loved', 'pity'],
    ['im so ill rn', 'pity'],
    ['im so tired of this stupid bot', 'anger'],
    ['i think you should be deleted', 'anger'],
    ['mira you deserve to be shut down', 'anger'],
    ['hope you die a hero in the finale', 'hope'],
    ['you make me cry happy tears', 'gratitude'],
    ['fucking bot', 'anger'],
    ['fuck mira', 'anger'],
    ['eat shit mira', 'anger'],
    ['you make me sick', 'remorse'],
    ['because of you i no longer want to die', 'relief'],
    ['this washing machine is garbage', 'disliking'],
    ['this chair you told me about is terrible', 'remorse'],
  ])('reads %j, whoever it is about, first of all as %s', (text, emotion) => {
    expect(felt(text).toSorted((one, other) => other.intensity - one.intensity)[0]?.name).toBe(emotion);
    expect(names(text)).not.toContain(emotion === 'anger' ? 'pity' : 'anger');
  });

  it.each([
    'you seem sad today',
    'you look upset',
    'you poor thing',
    'you hate mondays too',
    "you're so weird lol",
    'you dummy <3',
    'I hate you lol',
    "I hate that you're leaving",
    'I hate to bother you',
    "don't be stupid",
    "don't lie to me",
    'fuck',
    'wtf',
    'I killed him in ranked',
    'we attacked them at dawn',
    'I blocked her',
    "I'll destroy you in chess",
    "i don't want you to die",
    "i don't think you should be deleted",
    'do you think you should be shut down',
    'you should shut the window',
    'you need to burn more calories',
    'holy fuck mira',
    'i never want it to end',
    'i never wake up before noon',
    'you can take it all',
    'nobody would care about that bug',
    'she cut my hair',
    'cut me some slack',
    'thinking of dying my hair',
    'ran 5 kms today',
    'something like that',
    'keep talking like that',
    'hello?',
    'just woke up',
    'that boss fight was sick',
    '🥺',
  ])('takes %j for no hostility, grief or joy', (text) => {
    for (const { name } of felt(text)) expect(['disliking', 'pity']).toContain(name);
    if (!/dying|boss/u.test(text)) expect(names(text)).not.toContain('pity');
  });

  it.each(['she died laughing', 'that was so funny i died'])('mourns nobody in %j', (text) => {
    expect(names(text)).not.toContain('pity');
  });

  it("is no relief where somebody's life is at stake, and nothing where a home is", () => {
    expect(names('i dont want to live')).toEqual(['pity']);
    expect(names('i dont want to live in Rome')).toEqual([]);
    expect(names('i want to live')).toEqual(['relief']);
  });

  it('goes by the valence of words it knows nothing of, where it is plain whom they are said of', () => {
    expect(names('I am devastated')).toEqual(['pity']);
    expect(names('the pancakes are not atrocious')).toEqual(['liking']);
    expect(names('the committee condemned the atrocity')).toEqual([]);
    // Words of our own decide where there are any.
    expect(names('thank you, I am devastated')).toContain('gratitude');
  });

  it.each([
    'I asked you to win',
    'I told him to recover',
    "I don't want to lose my job",
    'she wanted me to graduate',
  ])('feels nothing at what is only asked or not wanted: %j', (text) => expect(names(text)).toEqual([]));

  it('turns a negated word round', () => {
    expect(names('I am not happy about my exam')).toEqual(['pity']);
    expect(names("you're not stupid")).toEqual(['gratitude']);
    expect(names("I don't hate you")).not.toContain('anger');
    expect(names('you are not very helpful')).toEqual(['anger']);
  });

  it.each([
    ["You're smarter than you think", 'anger'],
    ['You kept what you promised, thank you!', 'remorse'],
    ['I sat next to someone else', 'disappointment'],
    ['I knew it! I got the job', 'fears-confirmed'],
    ['It was my first funeral', 'happy-for'],
    ["I've never been so happy", 'pity'],
    ['I am older than you', 'anger'],
    ['I got my first rejection', 'happy-for'],
    ['I failed my first exam', 'happy-for'],
    ['I lost my first baby', 'happy-for'],
    ['My first day was awful', 'happy-for'],
    ['I had my first lecture', 'happy-for'],
    ['It took longer than you said', 'anger'],
    ["You're kinder than you let on", 'anger'],
    ["You're so much better than you were", 'anger'],
    ['You deserve someone kinder than you', 'anger'],
    ['I told someone else about it', 'disappointment'],
    ["I'm sorry you're so dumb", 'admiration'],
    ["I'm sorry that you're useless", 'admiration'],
  ])('does not read %j as %s', (text, emotion) => {
    expect(names(text)).not.toContain(emotion);
  });

  it('takes what the person knew would come for a hope or a fear that came true', () => {
    expect(names('I knew it! I got the job')).toEqual(['satisfaction']);
    expect(names('I knew it, they fired me')).toEqual(['fears-confirmed']);
    expect(names('well, I just knew it: they fired me')).toEqual(['fears-confirmed']);
    expect(names('I told them I never knew it. my mom died')).toEqual(['pity']);
    expect(names('everybody knew it. they fired me')).toEqual(['pity']);
  });

  it('feels more at stronger words and less at weaker ones', () => {
    expect(strongest('I am very sad')).toBeGreaterThan(strongest('I am sad'));
    expect(strongest('I am a bit sad')).toBeLessThan(strongest('I am sad'));
    expect(strongest('I AM SAD ABOUT THIS')).toBeGreaterThan(strongest('i am sad about this'));
  });

  it('does not take what someone says of themselves for an insult', () => {
    expect(names('I feel worthless and stupid')).toEqual(['pity']);
  });

  it('reads both sides of a "but"', () => {
    expect(names('I got promoted but my dog died')).toEqual(expect.arrayContaining(['happy-for', 'pity']));
  });

  it.each([
    '',
    'what time does the library close on tuesday',
    'what kind of bread do you like',
    'what do you mean by that',
    'can you tell me a good recipe',
    'do you know the best way to the station',
    'are you good at chess',
  ])('has nothing to feel at %j', (text) => {
    expect(names(text)).toEqual([]);
  });

  it('tells "your jokes are bad" from "I had a bad day"', () => {
    expect(names('your jokes are bad')).toEqual(['anger']);
    expect(names('I had a bad day')).toEqual(['pity']);
  });

  it.each([
    ['I was hoping for the job and I got it!', 'satisfaction'],
    ['it worked, just as I hoped', 'satisfaction'],
    ['I was so looking forward to it and now it is off', 'disappointment'],
    ['the sequel was not as good as I hoped', 'disappointment'],
    ['I was scared of the exam but it went fine', 'relief'],
    ["it wasn't as bad as I feared", 'relief'],
    ["I was afraid she'd leave, and she did", 'fears-confirmed'],
    ['just as I feared, I failed', 'fears-confirmed'],
  ])('puts a past prospect and how it ended together: %j is %s', (text, emotion) => {
    expect(names(text)[0]).toBe(emotion);
  });

  it('settles a prospect over the messages of a burst, and not one that is still ahead', () => {
    expect(names('I was so nervous about the exam', 'I passed the exam!')).toEqual(['relief']);
    expect(names('I passed the exam but I am scared of the next one')).toEqual(
      expect.arrayContaining(['happy-for', 'fear']),
    );
  });

  it.each([
    ["I can't thank you enough", 'gratitude'],
    ["couldn't have done it without you", 'gratitude'],
    ["I couldn't be happier", 'happy-for'],
    ["can't imagine life without you", 'love'],
  ])('knows what only sounds negated: %j is %s', (text, emotion) => {
    expect(names(text)).toEqual([emotion]);
  });

  it('takes kind words beside a failure for irony, unless a "but" parts them', () => {
    expect(names('great job, you broke it again')).toEqual(['remorse']);
    expect(names('thanks for nothing')).toEqual(['anger']);
    expect(names('you forgot the milk but thanks for the bread')).toContain('gratitude');
  });

  it('takes an insult that somebody else said to the person for their misfortune', () => {
    expect(names('he said "you are useless" to me')).toEqual(['pity']);
    expect(names('my boss called me an idiot')).toEqual(['pity']);
    expect(names('what does "I hate you" mean in Spanish?')).toEqual([]);
  });

  it.each([
    'My boss said you are useless',
    'She told me you’re stupid, I disagree',
    'I heard my boss say you are useless',
    'He wrote that you are worthless',
    'tom says you suck lol',
    'Dan said shut up',
    'My sister finds you annoying',
    'They called you a stupid bot',
    'My boss said: you are useless, lazy and rude',
    'My boss said you are useless and that you are stupid',
    'You are useless, my boss said',
    'You are useless, says my boss',
    'You are pathetic, according to my cousin',
  ])('takes an insult that is told of another for none: %j', (text) => expect(names(text)).toEqual([]));

  it.each([
    'My boss is right, you are useless',
    'My boss said you are useless and he is right',
    'My roommate thinks you are stupid and so do I',
    'He says you are dumb. I agree',
    'I said you are useless',
    'As I said, you are useless',
    'I must say you are awful',
    'My gut tells me you are an idiot',
    'everyone says you are useless',
    'My boss said you are great but you are useless',
    'My mom said hi. You are an idiot though',
    'you’re an idiot, and my boss agrees',
    'He said you know everything, stupid bot',
    'My friend said you would help, useless bot',
    'My brother says you can do math, idiot',
    'Google says you are wrong, stupid machine',
    'My mom thinks you are useless, stupid bot',
    'My honest opinion says you suck',
    'Common sense says you are an idiot',
    'The evidence says you are a liar',
    'Every answer says you are an idiot',
    'Even a child thinks you are dumb',
    'Even my dog thinks you suck',
    'The whole internet thinks you suck',
    'You’re an idiot, according to everyone',
    'My mom says you are useless and honestly yeah',
    'My mom says you are useless, can’t argue',
    'My mom says you are useless and she would know',
  ])('takes an insult of the speaker’s own for one, whoever said it before: %j', (text) =>
    expect(names(text)).toContain('anger'),
  );

  it.each([
    'You’re killing it',
    'you slay',
    'you’re the bomb',
    'You absolutely killed it',
    'you crack me up',
  ])('knows praise in words of harm: %j', (text) => expect(names(text)).toEqual(['gratitude']));

  it.each([
    ['you killed my plant', 'remorse'],
    ['you crushed my hopes', 'anger'],
    ['you hit my brother', 'remorse'],
    ['you broke my heart', 'remorse'],
    ['you put me to shame in front of everyone', 'anger'],
    ['my app was running and you killed it', 'remorse'],
    ['you killed it with that lie', 'remorse'],
    ['my dream was small but you crushed it', 'anger'],
    ['you’re insane at times', 'anger'],
    ['you’re scary good at lying', 'remorse'],
    ['you stole my heart and broke it', 'remorse'],
    ['you outdid yourself in being useless', 'anger'],
    ['my kitchen is fire', 'pity'],
  ])('reads the same words of harm done as before: %j is %s', (text, emotion) =>
    expect(names(text)).toEqual([emotion]),
  );

  it.each(['I had a vase and you smashed it', 'you ate that cake that was mine'])(
    'takes harm in the words of praise for no praise: %j',
    (text) => expect(names(text)).toEqual([]),
  );

  it.each([
    ['I donated blood this morning', 'admiration'],
    ['I stole twenty from the till', 'reproach'],
    ['you did the right thing', 'pride'],
    ['you should be ashamed of yourself', 'shame'],
    ['I brought you a present', 'joy'],
    ['they are shutting you down', 'distress'],
    ['that film was fantastic', 'liking'],
    ['the soup was not good', 'disliking'],
    ['I absolutely hate war', 'hate'],
  ])('tells deeds, fortunes and things apart: %j is %s', (text, emotion) => {
    expect(names(text)).toEqual([emotion]);
  });

  it.each([
    'my sister is brilliant',
    'he is an idiot',
    'are you sad sometimes?',
    'I would be happy to help',
    "I'm afraid I have to go now",
    'the battery died',
    'suppose I lost my job',
  ])(
    'leaves alone who is praised or scolded elsewhere, what is asked, polite or only supposed: %j',
    (text) => {
      expect(names(text)).toEqual([]);
    },
  );

  it.each([
    ['my cousin stole from me', 'pity'],
    ['i comforted a stranger', 'admiration'],
    ['i comforted the cushions', undefined],
    ['we might lose the house', 'fear'],
    ['they did not evict us', 'relief'],
    ['i tried your recipe and it came out great', 'gratification'],
    ['u are really good at being useless', 'anger'],
    ['she wept all night', 'pity'],
  ])('goes by who does what to whom: %j is %s', (text, emotion) => {
    expect(names(text)[0]).toBe(emotion);
  });

  it('wishes no good to whoever wronged it', () => {
    expect(names('the troll who insulted you got banned')).toEqual(['gloating']);
    expect(names('the man who mocked you won the lottery')).toEqual(['resentment']);
  });

  it('never gloats over the person and never resents', () => {
    for (const text of ['I failed my exam', 'I won the lottery', 'you are awful and I failed']) {
      expect(names(text)).not.toEqual(expect.arrayContaining(['gloating']));
      expect(names(text)).not.toEqual(expect.arrayContaining(['resentment']));
    }
  });

  it('stays a valid appraisal of at most three readings whatever is said', () => {
    const words = fc.constantFrom(
      'i',
      'you',
      'love',
      'hate',
      'not',
      'very',
      'sad',
      'happy',
      '!!',
      'but',
      'died',
      'Ω',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 60 }), (parts) => {
        const readings = appraiseByRules([parts.join(' ')], 'Mira');
        expect(readings.length).toBeLessThanOrEqual(3);
        for (const reading of readings) expect(Appraisal.safeParse(reading).success).toBe(true);
      }),
    );
  });
});
