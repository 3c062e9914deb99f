/** A statement of a person about themself that holds until it changes. */
export interface Statement {
  /** Subject of it: `home`, `diet`, `likes:sushi`. One attribute has one value at a time. */
  attribute: string;
  /** Null: it holds no longer, and nothing is said of what holds instead. */
  value: string | null;
  /** False: it follows from what was said, and may be wrong. */
  isSure: boolean;
  /** Sentence that tells it, where we have no words for the attribute. */
  wording?: string | undefined;
  /** Time at which it will hold no longer, as far as that is known: the end of a plan's day. */
  until?: Date | undefined;
  /** 1 to 10, where that is known. */
  importance?: number | undefined;
  /** Value that ends. Where another one holds, nothing ends. */
  was?: string | undefined;
  /** True where it answers the question before the line: the same words may answer another one next time. */
  isAnswer?: boolean | undefined;
}
