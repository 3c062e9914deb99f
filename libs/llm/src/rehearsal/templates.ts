/*
 * Templates of the rehearsal. `{text}`, `{speaker}`, `{when}`, `{mood}` and `{reason}` are filled in. Every list is picked from
 * by a hash of the prompt, so the same prompt gets the same words.
 */

/** Citations of each sort of note, where the person themself told it and where another did. */
export const CITATIONS = {
  line: { own: 'you told me{when}: “{text}”', other: '{speaker} said{when}: “{text}”' },
  talk: { own: 'you said earlier: “{text}”', other: '{speaker} said earlier: “{text}”' },
  fact: { own: 'I remember this about you: {text}', other: 'I remember this: {text}' },
  lore: { own: 'I have this written down: “{text}”', other: 'I have this written down: “{text}”' },
} as const;

/** Before the line that decides a question for yes or no. */
export const VERDICTS = { yes: 'Yes, going by this:', no: 'No, going by this:' } as const;

/** Before each further line of a reply. */
export const FURTHER = 'And';

/** Before a line that a statement calls up. */
export const REMINDED = 'That reminds me.';

/** Something was asked, and nothing that is kept says it, nor will. */
export const KNOWS_NOTHING_IN_PRIVATE = [
  "I don't know. It isn't among what I remember, and I'd rather say so than make it up.",
  "I don't know: I've looked, and have nothing kept about that.",
] as const;

/** Something was asked, and nothing that is kept says it. */
export const KNOWS_NOTHING = [
  "I don't know that: nothing I've kept says so. Tell me, and I'll remember it.",
  ...KNOWS_NOTHING_IN_PRIVATE,
] as const;

/** Something was asked of the companion that no note tells. */
export const OF_ITSELF = [
  "I don't know what to say to that: as a rehearsal I only have what you told me.",
  "I don't know. Without a language model I can tell you what I remember, and little else.",
] as const;

export const GREETING = [
  "Hello! It's good to have you here. What's on your mind?",
  'Hi there. How has your day been so far?',
  'Hey, good to see you. What have you been up to?',
  "Hello, you. I'm all ears.",
] as const;

/** To a word that says nothing by itself, such as `ok`. */
export const NODS = [
  "I'm listening.",
  'Go on, if you like.',
  'All right. What else is on your mind?',
] as const;

/** Asked how it is, by mood: `{mood}` is the mood's own word. */
export const HOW_I_AM = [
  "I'd call it {mood}, as far as a rehearsal has moods. And you?",
  'Let me look: {mood}. How are you?',
  'My mood reads {mood} right now. How is yours?',
] as const;

const WRITE_FIRST_AGAIN =
  '`/companion settings outreach: on` (in the console the page “Writing first”, in a terminal `kith outreach --on`)';

/** Asked not to write first. */
export const SILENT = [
  `All right: I won't write to you first any more, and what I had in mind to write is dropped, reminders too. ${WRITE_FIRST_AGAIN} turns it on again.`,
  `Understood. From now on I only answer, and no reminder comes any more. Should you want it back: ${WRITE_FIRST_AGAIN}.`,
] as const;

/** Something was said right after that, which may take it back. */
export const STILL_SILENT = [
  `You asked me not to write first. Unless you have used ${WRITE_FIRST_AGAIN} since, that holds: words in a chat don't undo it.`,
] as const;

/** Asked to forget something, or to keep nothing of it. */
export const FORGETS_BY_COMMAND = [
  'Being told so in a chat, I forget nothing: `/memories forget` does, and `/companion erase-me` erases all there is of you. With `/memories private on: True` I keep nothing of what you say from then on.',
] as const;

/** Asked in private talk to come back to something. */
export const KEEPS_NOTHING = [
  "I can't come back to that: you talk in private, so I keep nothing of it.",
  'Not while you talk in private: nothing of it is kept, so I would not think of it.',
] as const;

/** Asked to come back to something. */
export const COMES_BACK = [
  "All right. I'll come back to it then, if you let me write first.",
  "I'll think of it when the time comes, and write if I may write first.",
] as const;

export const THANKS = [
  "You're welcome. It was a pleasure.",
  'Any time.',
  "Gladly. I'm happy it helped.",
] as const;

export const GOODBYE = [
  'Take care. It was nice talking with you.',
  'Goodbye, and have a good one.',
  'Sleep well, or whatever comes next for you. Until then!',
] as const;

export const HONEST = [
  "I'm an AI, and right now only the rehearsal of one: an offline stand-in that writes from templates, so that everything around it can be tried. No language model is connected yet.",
  "Honestly: there is no language model behind me at the moment. I'm the rehearsal, an offline stand-in made of templates. The memory and the mood around me are real, though.",
  "I'm the rehearsal: an AI stand-in that works offline, from templates. Once a model key is set, a real model speaks here instead.",
] as const;

/** To what is told in private talk, of which nothing is kept. Good news and bad get the same words: it can't tell them apart. */
export const SHARED_IN_PRIVATE = [
  'I hear you. How do you feel about it?',
  "I'm listening. Tell me more, if you like.",
] as const;

/** Something was told. */
export const SHARED = [
  "Thank you for telling me. I'll keep that in mind.",
  "I'll remember that. Do you want to tell me more about it?",
  ...SHARED_IN_PRIVATE,
] as const;

export const OUTREACH = [
  'Hi! I wanted to come back to this: “{reason}”. How is it going? No hurry to answer.',
  'Hello, I kept this in mind for you: “{reason}”. I hope it goes well. Write whenever you like.',
  "Hey, I've been keeping this for today: “{reason}”. How are things with it? Only if you feel like telling.",
] as const;

/** Said first, by mood, to good news and bad; the empty ones keep it from being a habit. */
export const OPENERS: Readonly<Record<'bright' | 'calm' | 'soft' | 'low' | 'cool', readonly string[]>> = {
  bright: ['Oh!', '', 'Ah!', ''],
  calm: ['Mm.', '', 'Ah.', ''],
  soft: ['Aw.', '', 'Oh.', ''],
  low: ['Hm.', '', 'Mm.', ''],
  cool: ['Right.', '', 'Well.', ''],
};
