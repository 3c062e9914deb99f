import { describe, expect, it } from '@jest/globals';
import { readByRules } from './read-by-rules.js';

function read(text: string, before?: string): Record<string, string | null> {
  return Object.fromEntries(readByRules({ text, before }).map(({ attribute, value }) => [attribute, value]));
}

describe('facts by rules, in other languages', () => {
  it.each([
    ['Ich heiße Anna und wohne in Graz.', { name: 'Anna', home: 'Graz' }],
    ['Wir sind letzte Woche nach Bad Ischl gezogen!', { home: 'Bad Ischl' }],
    ['Ich bin Krankenpflegerin.', { job: 'Krankenpflegerin' }],
    ['hey, wohn seit zwei wochen in Jena', { home: 'Jena' }],
    ['mittlerweile leb ich in Jena', { home: 'Jena' }],
    ['ich wohn ja schon in Jena', { home: 'Jena' }],
    ['ich lebe aktuell in Jena', { home: 'Jena' }],
    ['arbeite seit juni als bäckerin im dorf', { job: 'bäckerin' }],
    ['wir haben nen kater, der heißt Moritz', { 'pet:cat': 'Moritz' }],
    ['ich hab ne katze, die Lotte heißt', { 'pet:cat': 'Lotte' }],
    ['bin glücklich verheiratet', { relationship: 'married' }],
    ['oliven mag ich nicht mehr', { 'likes:oliven': 'dislikes' }],
    ['me acabo de mudar a Lugo y estoy cansada', { home: 'Lugo' }],
    ['acabei de me mudar pra Belém', { home: 'Belém' }],
    ['je viens d’emménager à Nancy avec ma copine', { home: 'Nancy' }],
    ['na, bin leider gegen laktose allergisch', { 'allergy:laktose': 'allergic' }],
    ['ich hab am 9. juni geburtstag', { birthday: '9 june' }],
    ['ich mag nur keine oliven', { 'likes:oliven': 'dislikes' }],
    ['me gusta mucho el mar la verdad', { 'likes:mar': 'likes' }],
    ['gosto muito de praia, né', { 'likes:praia': 'likes' }],
    ['chuis étudiant en biologie et je bosse le soir', { studies: 'biologie' }],
    ['jhabite à Metz et je suis fatigué', { home: 'Metz' }],
    ['mon anniversaire c’est le 9 juin', { birthday: '9 june' }],
    ['je suis étudiant en deuxième année', {}],
    ['Meine Frau heißt Lena, unser Sohn ist vier.', { partner: 'Lena' }],
    ['Mein Hund heißt Rex.', { 'pet:dog': 'Rex' }],
    ['Ich mag Oliven gar nicht.', { 'likes:oliven': 'dislikes' }],
    ['Mein Geburtstag ist am 3. Mai.', { birthday: '3 may' }],
    ['Ich bin 34 Jahre alt und allergisch', { age: '34' }],
    ['Ich bin allergisch gegen Nüsse', { 'allergy:nüsse': 'allergic' }],
    ['Me llamo Ana y vivo en Buenos Aires', { name: 'Ana', home: 'Buenos Aires' }],
    ['Mi perro se llama Toby', { 'pet:dog': 'Toby' }],
    ['Trabajo como enfermera en un hospital', { job: 'enfermera' }],
    ['No me gusta el café', { 'likes:café': 'dislikes' }],
    ['Mi marido se llama Pedro', { partner: 'Pedro' }],
    ['Mi cumpleaños es el 3 de mayo', { birthday: '3 may' }],
    ['J’habite à Lyon et je suis infirmière', { home: 'Lyon', job: 'infirmière' }],
    ['Je m’appelle Zoé', { name: 'Zoé' }],
    ['Mon chat s’appelle Minou', { 'pet:cat': 'Minou' }],
    ['Je n’aime pas les épinards', { 'likes:épinards': 'dislikes' }],
    ['Mon anniversaire est le 3 mai', { birthday: '3 may' }],
    ['Eu moro em Lisboa com a minha irmã', { home: 'Lisboa' }],
    ['Meu cachorro se chama Thor', { 'pet:dog': 'Thor' }],
    ['Trabalho na Google', { employer: 'Google' }],
    ['Ich bin aus Graz', { origin: 'Graz' }],
    ['Sou vegetariana', { diet: 'vegetarian' }],
    ['Não gosto de azeitonas', { 'likes:azeitonas': 'dislikes' }],
    ['Meu aniversário é no dia 3 de maio', { birthday: '3 may' }],
    ['No vivo en Madrid, vivo en Sevilla', { home: 'Sevilla' }],
    ['No, vivo en Madrid', { home: 'Madrid' }],
    ['No, mi perro se llama Max', { 'pet:dog': 'Max' }],
    ['Believe it or not, my dog is called Rex', { 'pet:dog': 'Rex' }],
    ['Ich bin nicht vegan, nur vegetarisch', {}],
    ['Du hast gesagt, ich wohne in Rom, aber das stimmt nicht', {}],
    ['Meine Schwester sagt, ich wohne in Rom', {}],
    ['Ich habe gesagt, ich wohne in Rom', { home: 'Rom' }],
    ['Meine Ärztin sagt, ich bin allergisch gegen Nüsse', { 'allergy:nüsse': 'allergic' }],
    ['Mein Hautarzt sagt, ich bin allergisch gegen Nüsse', { 'allergy:nüsse': 'allergic' }],
    ['Meine Hausärztin hat gesagt, ich bin allergisch gegen Nüsse', { 'allergy:nüsse': 'allergic' }],
    ['Mein Hund heißt Rex und meine Frau sagt, ich verwöhne ihn', { 'pet:dog': 'Rex' }],
    ['Meine Mutter hat gesagt, mein Geburtstag ist am 3. Mai', { birthday: '3 may' }],
    ['Mi dermatólogo dice que soy alérgica a las nueces', { 'allergy:nueces': 'allergic' }],
    ['Mi madre dice que mi cumpleaños es el 3 de mayo', { birthday: '3 may' }],
    ['Mon dermatologue dit que je suis végane', { diet: 'vegan' }],
    ['Ma mère dit que mon anniversaire est le 3 mai', { birthday: '3 may' }],
    ['Minha dermatologista diz que eu sou vegana', { diet: 'vegan' }],
    ['Minha mãe diz que o meu aniversário é 3 de maio', { birthday: '3 may' }],
    ['Dijiste que vivo en Roma, pero no es verdad', {}],
    ['Mi hermana dice que vivo en Roma', {}],
    ['Ya te dije que vivo en Roma', { home: 'Roma' }],
    ['Tu as dit que j’habite à Rome, mais c’est faux', {}],
    ['Tout le monde pense que je suis végane', {}],
    ['J’ai dit que j’habite à Rome', { home: 'Rome' }],
    ['Você disse que eu moro em Roma, mas não é verdade', {}],
    ['Minha irmã diz que eu moro em Roma', {}],
    ['Eu já disse que moro em Roma', { home: 'Roma' }],
    ['Soy vegetariana, no soy vegana', { diet: 'vegetarian' }],
    ['I am not vegan', {}],
    ['Je ne suis plus végane', { diet: 'eats meat' }],
    ['J’aime plus que tout le chocolat', { 'likes:le chocolat': 'likes' }],
    ['Ich mag nicht nur Kaffee, sondern auch Tee', {}],
    ['No me gusta mucho el café', { 'likes:café': 'dislikes' }],
    ['A mí tampoco me gusta el café', { 'likes:café': 'dislikes' }],
    ['Nunca me gusta el café', { 'likes:café': 'dislikes' }],
    ['Me gusta más el café que el té', { 'prefers:café or té': 'the café over the té' }],
    ['No soy vegetariana', { diet: 'eats meat' }],
    ['Ya no soy alérgica a las nueces', { 'allergy:nueces': null }],
    ['Não gosto muito de café', { 'likes:café': 'dislikes' }],
    ['Não gosto tanto de café', { 'likes:café': 'dislikes' }],
    ['Não sou mais vegetariana', { diet: 'eats meat' }],
    ['J’aime plus le café', { 'likes:le café': 'dislikes' }],
    ['J’aime vraiment pas le café', { 'likes:le café': 'dislikes' }],
    ['J’adore pas le café', { 'likes:le café': 'dislikes' }],
    ['Je n’aime pas trop le café', { 'likes:le café': 'dislikes' }],
    ['J’aime plus le café que le thé', { 'prefers:le café or le thé': 'le café over le thé' }],
    ['J’aime bien l’été', { 'likes:summer': 'likes' }],
    ['Ich mag gar keine Oliven', { 'likes:oliven': 'dislikes' }],
  ])('reads what is said outright: %s', (line, facts) => {
    expect(read(line)).toMatchObject(facts);
  });

  it.each([
    'Wenn ich in Wien wohne, brauche ich ein Rad.',
    'Ich würde gerne in Wien wohnen.',
    'wenn ich reich bin und wohne in Wien, feiern wir',
    'hab dich lieb',
    'meine schwester hat ne katze, die heißt Lotte',
    'ma cousine affirme que j’habite à Nancy',
    'minha prima jura que eu moro em Belém',
    'mi primo asegura que vivo en Lugo',
    'ich mag eigentlich alles außer oliven',
    'heiße Schokolade ist toll',
    'seit mai wohnt sie in Jena',
    'chuis pas étudiant en droit',
    'Wohnst du in Wien?',
    'Meine Schwester wohnt in Wien.',
    '„Ich wohne in Wien“, sagte sie.',
    'Meine Mutter hat gesagt, ich wohne in Rom',
    'Mein Chef sagt, ich bin allergisch gegen Nüsse',
    'Mi madre dice que vivo en Roma',
    'Ma mère dit que j’habite à Rome',
    'Minha mãe diz que eu moro em Roma',
    'Ojalá viviera en Madrid.',
    'Mi hermana vive en Madrid.',
    '¿Vives en Madrid?',
    'Je voudrais habiter à Lyon.',
    'Ma sœur habite à Lyon.',
    'Minha irmã mora em Lisboa.',
    'Talvez eu moro em Lisboa um dia',
    'I no longer work in Berlin',
    'No vivo en Madrid',
    'Yo no vivo en Madrid',
    'Tampoco vivo en Madrid',
    'Nunca vivo en Madrid',
    'No trabajo en Google',
    'No me llamo Ana',
    'Mi perro no ha muerto',
    'Eu não moro em Lisboa',
    'Não trabalho na Google',
    'Meu cachorro não morreu',
    'J’ai pas déménagé à Lyon',
    'J’ai pas perdu mon travail',
    'Je ne déteste pas le café',
    'Ich bin nicht nach Graz gezogen',
    'Mein Hund ist nicht gestorben',
    'Mein Hund ist fast gestorben',
    'Ich mag weder Tee noch Kaffee',
    'Ich mag niemanden',
    'Ich liebe keinen Jazz',
    'Ich hasse Jazz nicht',
    'Ich bin allergisch gegen nichts',
    'No me gustan ni el té ni el café',
    'Je n’aime rien',
    'Nem moro em Lisboa',
    'Mein Mann ist Arzt',
    'Meine Frau ist Spanierin',
    'Estoy en Madrid de vacaciones',
    'Je suis à Paris pour le week-end',
    'Ich bin von Tom enttäuscht',
    'Trabajo en Madrid',
    'Trabalho em Lisboa',
    'J’aime ça',
    'Ich mag es nicht',
    'Ich mag nicht, wenn es regnet',
    'Me gusta eso',
  ])('reads nothing from what is of others, wished, denied or asked: %s', (line) => {
    expect(read(line)).toEqual({});
  });

  it.each([
    ['Ya no vivo en Madrid.', 'home', 'Madrid'],
    ['Não moro mais em Lisboa', 'home', 'Lisboa'],
    ['J’habite plus à Lyon', 'home', 'Lyon'],
    ['Ich wohne nicht mehr in Graz', 'home', 'Graz'],
    ['ich lebe seit zwei jahren nicht mehr in Graz', 'home', 'Graz'],
    ['hab bei Siemens gekündigt', 'employer', 'Siemens'],
    ['pedi demissão da Vale', 'employer', 'Vale'],
    ['I don’t live in Berlin anymore', 'home', 'Berlin'],
    ['Ya no trabajo en Google', 'employer', 'Google'],
    ['I no longer work for Google', 'employer', 'Google'],
    ['Ich esse kein Fleisch mehr', 'diet', 'eats meat'],
    ['Yo no como carne', 'diet', 'eats meat'],
    ['Je ne mange plus de viande', 'diet', 'eats meat'],
    ['Eu não como carne', 'diet', 'eats meat'],
  ])('ends what is no longer so: %s', (line, attribute, was) => {
    expect(readByRules({ text: line })).toEqual([{ attribute, value: null, was, isSure: true }]);
  });

  it('reads a short answer in the language of its question', () => {
    expect(read('Ja!', 'Magst du Jazz?')).toEqual({ 'likes:jazz': 'likes' });
  });
});

describe('facts by rules, as they are written in chat', () => {
  it.each([
    ['im living in leeds rn', { home: 'Leeds' }],
    ['i live in new york with my sister', { home: 'New York' }],
    ['im from spain, wbu', { origin: 'Spain' }],
    ['we moved to york', { home: 'York' }],
    ['i live in rio de janeiro now', { home: 'Rio de Janeiro' }],
    ['i live in the uk', { home: 'UK' }],
    ['im from the philippines', { origin: 'Philippines' }],
    ['i live in uk', { home: 'UK' }],
    ['vivo en españa', { home: 'España' }],
    ['My girlfriend Lauren, who is 38, met me in Rome', { partner: 'Lauren' }],
    ['im allergic to nuts tbh', { 'allergy:nuts': 'allergic' }],
    ['i hate jazz lol', { 'likes:jazz': 'dislikes' }],
    ['dont call me Ty', { name: null }],
    ['my name is priya', { name: 'Priya' }],
    ['i have a cat named pixel', { 'pet:cat': 'Pixel' }],
    ['my gf is called anna', { partner: 'Anna' }],
    ['ugh, got laid off today', { job: null, employer: null }],
    ['Just moved to Oslo!', { home: 'Oslo' }],
    ['got a dog named rex', { 'pet:dog': 'Rex' }],
    ['broke up with my bf', { relationship: 'single', partner: null }],
  ])('reads %s', (line, facts) => {
    expect(read(line)).toEqual(facts);
  });

  it.each([
    'i live in fear',
    'i live in a small flat',
    'im living in student housing',
    'im from the future',
    'my name is irrelevant',
    'my name is not important',
    'my dog is called a lot of things',
    'u said i live in rome',
    'idk why ppl think i love horror',
    'is it possible im allergic to gluten',
    'lost my phone',
    'moved on from him',
    'my dog not died',
    'i live in dread',
    'i live in two worlds',
    'i live in sweats',
    'i live in minecraft',
    'i live in retail',
    'im from money',
    'i come from farmers',
    'i was born in march',
    'i was born in captivity',
    'i grew up in foster care',
    'my name is german',
    'my name is everywhere',
    'my name is biblical',
    'my cat is called whatever',
    'my husband is called away',
    'my husband is called out',
    'My wife HATES mornings',
    'My girlfriend LOL',
    'My wife English teacher',
    'My wife Is sick',
    'My wife, Thanks!',
    'my wife just died inside',
    'my wife died her hair',
    'my wife died in the game',
    'my dog died a little',
    'I lost my dog tags',
    'i gave away my fish tank',
    'kim and i split up in the mall',
    'coffee and i broke up',
    'we got back together for a reunion tour',
    'we’re going out',
    'we’re going out now, be back at 8',
    'we’re married to the idea',
    'I’m 12 and 0 this season',
    'I’m 15 and counting',
  ])('reads nothing from %s', (line) => {
    expect(read(line)).toEqual({});
  });

  it.each(['python', 'oat milk', 'second shift', 'nights', 'tears'])(
    'takes no move to %s for one of home',
    (thing) => {
      expect(read(`i moved to ${thing}`)).toEqual({});
    },
  );

  it('ends what is told of a pet or a partner by the name of who died', () => {
    const told = (text: string) => readByRules({ text }).map(({ attribute, was }) => [attribute, was]);
    expect(told('Biscuit died last night')).toEqual(
      expect.arrayContaining([
        ['pet:dog', 'Biscuit'],
        ['pet:cat', 'Biscuit'],
        ['partner', 'Biscuit'],
      ]),
    );
    expect(told('had to put luna down')).toContainEqual(['pet:cat', 'luna']);
    expect(told('the engine died')).toEqual([]);
    expect(told('we put luna down for a nap')).toEqual([]);
    expect(told('we put luna down')).not.toContainEqual(['partner', 'luna']);
    expect(told('Biscuit died in the movie')).toEqual([]);
    expect(told('Biscuit died at that')).toEqual([]);
    // Of no other name than that.
    expect(told('my dog walker died')).toContainEqual(['pet:dog', 'walker']);
  });

  it('takes what a person puts right for a name that is known', () => {
    const said = readByRules({ text: 'sorry, i meant Bruges, not Ghent' });
    expect(said).toContainEqual({
      attribute: 'home',
      value: 'Bruges',
      was: 'Ghent',
      isChange: true,
      isSure: true,
    });
    expect(said.every(({ isChange }) => isChange)).toBe(true);
  });

  it.each([
    ['Where do you live?', 'berlin', { home: 'Berlin' }],
    ['Nice! And where are you from?', 'from Spain', { origin: 'Spain' }],
    ['What should I call you?', 'Sam', { name: 'Sam' }],
    ['How old are you?', '24', { age: '24' }],
    ['What do you do for a living?', 'a vet', { job: 'vet' }],
    ['What do you do for work?', 'an event planner', { job: 'event planner' }],
    ['What is your dog called?', 'Rex', { 'pet:dog': 'Rex' }],
    ['Where do you live?', 'guess', {}],
    ['Where do you live?', 'with my parents', {}],
    ['Where do you live?', 'graz', { home: 'Graz' }],
    ['Where do you live?', 'still in new york', { home: 'New York' }],
    ['Where do you live?', 'Rather not say', {}],
    ['Where do you live?', 'nice try', {}],
    ['Where do you live?', 'Idk', {}],
    ['Where are you from?', 'A small town', {}],
    ['Where are you from?', 'Hell', {}],
    ['What’s your name?', 'Told you already', {}],
    ['What’s your name?', 'Stop', {}],
    ['What should I call you?', 'Whatever you like', {}],
    ['How old are you?', 'single', {}],
    ['What do you do for work?', 'a joke', {}],
    ['What is your dog called?', 'He died', {}],
    ['What is your wife’s name?', 'Divorced', {}],
    ['What’s your name?', 'why', {}],
    ['What do you do for work?', 'nothing much', {}],
    ['What do you do for work?', 'a bit of everything', {}],
    ['How old are you?', 'old enough', {}],
    ['Where does your brother live now?', 'moved to Oslo', {}],
    ['Where does your brother live?', 'Oslo', {}],
  ])('reads the answer to "%s": %s', (question, answer, facts) => {
    expect(read(answer, question)).toEqual(facts);
  });
});
