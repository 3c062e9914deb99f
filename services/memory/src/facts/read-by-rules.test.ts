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
    'Wohnst du in Wien?',
    'Meine Schwester wohnt in Wien.',
    '„Ich wohne in Wien“, sagte sie.',
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
