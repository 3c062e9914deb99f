import { analyseIn } from '../words/analyse-text.js';

/** Words that come up in everything and name nothing, by language. What is a stop word anyway is left out. */
const WORDS: Readonly<Record<string, string>> = {
  en: `thing time today tomorrow yesterday day week month year morning evening night good great nice bad new old big small
    long short happy sad tired feel felt feeling think thought know knew want need like love hate hope wish get got go come
    back make made take took give gave see saw look say said tell told ask talk work start starting started stop try tried
    trying help let keep find found put use way lot bit kind sort last next first second final yes yeah ok hey hi hello thanks really just still even also
    much many now then here there again always never sometimes often maybe probably actually pretty quite sure people person
    man woman guy friend one two three hour minute end part place home life`,
  de: `heute morgen morgens gestern tage woche wochen wochenende monat jahr abend nacht mittag uhr zeit stunde minute mal
    gut gute guten gutes besser schlecht schön toll super nett neu neue neuen alt groß klein lang kurz müde traurig froh
    glücklich gehen gehe geht ging gegangen kommen komme kommt kam machen mache macht gemacht tun sagen sagt gesagt sehen
    sehe gesehen denken denke dachte gedacht glauben glaube wissen weiß wusste wollen will wollte möchte brauchen brauche
    mögen mag lieben liebe hoffen hoffe finden finde fand gefunden nehmen geben gibt gab bleiben arbeiten arbeite arbeit
    helfen anfangen angefangen immer nie oft manchmal vielleicht schon einfach eigentlich wirklich genau ganz viel viele
    etwas bisschen ding dinge sache sachen leute mensch mann frau freund freundin eins zwei drei erste ersten letzte letzten
    nächste nächsten ende teil ort haus leben danke hallo bitte okay gerade wieder`,
  es: `hoy mañana ayer día días semana mes año tarde noche hora minuto tiempo vez veces bien buen bueno buena mejor mal malo
    gran grande pequeño nuevo nueva viejo largo corto feliz triste cansado cansada ir voy va vamos fue fui venir hacer hago
    hace hizo hecho decir digo dijo dicho ver veo visto pensar pienso creer creo saber querer quiero necesito gustar gusta
    encanta esperar espero encontrar dar tomar dejar quedar trabajar trabajo empezar ayudar siempre nunca quizás quizá casi
    todavía ahora luego después entonces aquí cosa cosas gente persona hombre mujer amigo amiga uno dos tres primero último
    próximo fin parte lugar casa vida gracias hola claro vale seguro realmente mucho poco`,
  fr: `aujourd hui demain hier jour jours journée semaine mois année soir matin nuit heure minute temps fois bien bon bonne
    mieux mal mauvais grand petit nouveau nouvelle vieux long contente triste fatigué fatiguée aller vais va
    venir viens faire fais fait dire dis dit voir vois vu penser pense croire crois savoir sais vouloir veux voudrais besoin
    aimer aime adore espère trouver trouve prendre pris donner mettre rester travailler travaille travail commencer aider
    toujours jamais souvent parfois encore déjà maintenant puis ensuite alors vraiment beaucoup peu chose choses gens
    personne homme femme deux trois dernier prochain fin lieu maison vie merci salut bonjour oui`,
  pt: `hoje amanhã ontem dia dias semana mês ano tarde noite manhã hora minuto tempo vez vezes bem bom boa melhor mal mau ruim
    grande pequeno novo nova velho longo curto feliz triste cansado cansada ir vou vai vamos foi vir fazer faço faz fez feito
    dizer digo disse ver vejo visto pensar penso achar acho saber sei querer quero preciso gostar gosto adoro espero
    encontrar dar tomar deixar ficar trabalhar trabalho começar ajudar sempre nunca talvez quase ainda agora depois então
    aqui coisa coisas gente pessoa homem mulher amigo amiga dois três primeiro último próximo fim parte lugar casa vida
    obrigado obrigada olá claro certo realmente muito pouco`,
};

/** Their terms, made when first needed: a service that never consolidates makes none. */
let known: ReadonlySet<string> | undefined;

/** Tells whether a term is one that comes up in everything and names nothing, in any of these languages. */
export function isLight(term: string): boolean {
  known ??= new Set(Object.entries(WORDS).flatMap(([language, words]) => termsOf(words, language)));
  return known.has(term);
}

/** Lists terms of words in their language, and as read in English where a line does not show its language. */
function termsOf(words: string, language: string): string[] {
  return words.split(/\s+/u).flatMap((word) => [...analyseIn(word, language), ...analyseIn(word)]);
}
