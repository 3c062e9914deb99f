/** Line of the conversation so far. */
export interface EarlierMessage {
  id: bigint;
  role: 'person' | 'companion';
  name: string;
  text: string;
  at: Date;
  turnId: string;
  /** Person who said it, or to whom the companion said it. */
  personId: string;
  /** The door's own id; null for what the companion said. */
  externalId: string | null;
}

/** Line that a snapshot tells. */
export interface KeptLine extends EarlierMessage {
  /** True if it is told by its facts alone, not by its sentences that say most. */
  asFact: boolean;
}

/** The newest epoch of a conversation. */
export interface CurrentEpoch {
  id: string;
  number: number;
  tailFrom: bigint;
}

/** Talk of a conversation, as a prompt may tell it to one person. */
export interface Talk {
  /** Null before the first snapshot. */
  epoch: CurrentEpoch | null;
  /** Lines that the epoch's snapshot tells, oldest first. */
  kept: KeptLine[];
  /** Lines since, oldest first. */
  earlier: EarlierMessage[];
}

/** Talk as its speaker's turn reads it. */
export interface SpeakersTalk extends Talk {
  /** Tools have asked this person something in this conversation. */
  wasAsked: boolean;
}
