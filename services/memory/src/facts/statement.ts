/** A statement of a person about themself that holds until it changes. */
export interface Statement {
  /** Subject of it: `home`, `diet`, `likes:sushi`. One attribute has one value at a time. */
  attribute: string;
  /** Null where the former value ends and no new one is said. */
  value: string | null;
  /** False for a value that is inferred and may be wrong. */
  isSure: boolean;
  /** Sentence for an attribute that `describeFact` has no words for. */
  wording?: string | undefined;
  /** Time at which it ends by itself, where known: the end of a plan's day. */
  until?: Date | undefined;
  /** 1 to 10, where that is known. */
  importance?: number | undefined;
  /** Value that ends. A fact with another value stays. */
  was?: string | undefined;
  /** True where `was` is allowed again: wishes that forbid it end, and those for another way of the same. */
  isAllowed?: boolean | undefined;
  /** True for a value that only replaces: it is kept where `was`, or any value without one, held until then. */
  isChange?: boolean | undefined;
  /** True where it answers the question before the line: the same words may answer another one next time. */
  isAnswer?: boolean | undefined;
}
