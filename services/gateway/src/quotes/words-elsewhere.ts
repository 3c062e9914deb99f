/** Person whose talk a line belongs to, and where it was said. */
interface LinePlace {
  personId: string;
  conversationId: string;
}

/** Marks a word that was said in several conversations. */
const SEVERAL = Symbol('several');

/** Words by person, each with the conversation in which that person's talk held it. */
export class WordsElsewhere {
  private readonly places = new Map<string, Map<string, string | typeof SEVERAL>>();

  note({ personId, conversationId }: LinePlace, words: Iterable<string>): void {
    const own = this.places.get(personId) ?? new Map<string, string | typeof SEVERAL>();
    this.places.set(personId, own);
    for (const word of words) {
      const known = own.get(word) ?? conversationId;
      own.set(word, known === conversationId ? known : SEVERAL);
    }
  }

  /** Tells whether a word was noted for this person in another conversation. */
  has(word: string, { personId, conversationId }: LinePlace): boolean {
    const place = this.places.get(personId)?.get(word);
    return place !== undefined && place !== conversationId;
  }
}
