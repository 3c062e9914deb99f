/** Words of apologies in the languages that people are read in, as they are typed. */
const APOLOGIES = [
  `sorry, apologise, apologize, apologies, apology, forgive me, my fault, my bad, my mistake`,
  `entschuldige, entschuldigung, entschuldigen, verzeih, verzeihung, tut mir leid, tut mir so leid, mein fehler, meine schuld`,
  `perdón, perdon, perdona, disculpa, disculpe, disculpas, lo siento, culpa mía, mi culpa, mi error`,
  `pardon, désolé, désolée, desole, excuse-moi, excusez-moi, ma faute, mon erreur`,
  `desculpa, desculpe, desculpas, perdão, sinto muito, minha culpa, culpa minha, erro meu`,
].flatMap((list) => list.split(',').map((words) => ` ${words.trim()} `));

/** Tells whether a clause is an apology: it comes from a mistake, and shows neither a subject nor a way of speaking. */
export function isApology(clause: string): boolean {
  const words = ` ${(clause.toLowerCase().match(/[\p{L}'’-]+/gu) ?? []).join(' ')} `;
  return APOLOGIES.some((apology) => words.includes(apology));
}
