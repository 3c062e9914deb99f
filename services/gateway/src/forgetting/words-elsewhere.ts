/** Line, by whose talk it is of and where it was said. */
interface Place {
  personId: string;
  conversationId: string;
}

/** Marks a word that was said in several conversations. */
const SEVERAL = Symbol('several');

/** Words of lines, with the conversations in which a person's talk held them. */
export class WordsElsewhere {
  private readonly places = new Map<string, Map<string, string | typeof SEVERAL>>();

  note({ personId, conversationId }: Place, words: Iterable<string>): void {
    const own = this.places.get(personId) ?? new Map<string, string | typeof SEVERAL>();
    this.places.set(personId, own);
    for (const word of words) {
      const known = own.get(word) ?? conversationId;
      own.set(word, known === conversationId ? known : SEVERAL);
    }
  }

  /** Tells whether a word was noted of this person's talk in another conversation. */
  has(word: string, { personId, conversationId }: Place): boolean {
    const place = this.places.get(personId)?.get(word);
    return place !== undefined && place !== conversationId;
  }
}
