/*
 * What the rehearsal says. `{memory}`, `{when}`, `{said}` and `{reason}` are filled in. Every list is picked from
 * by a hash of the prompt, so the same prompt gets the same words.
 */

export const RECALL = [
  'You told me{when}: “{memory}”',
  'I remember you saying{when}: “{memory}”',
  'Yes, I kept that. Your words{when} were: “{memory}”',
  'I do remember. You said{when}: “{memory}”',
] as const;

export const AFTER_RECALL = [
  'How is that these days?',
  'Has anything changed since?',
  'Is that still how it is?',
  "I'm glad I kept it.",
  'Tell me how it went on.',
] as const;

/** Something was asked for by memory, and none shares a word with it. */
export const NOTHING_FITS = [
  "I looked, and I have nothing kept about that yet. Tell me, and I'll remember it.",
  "That isn't among what I remember, and I'd rather say so than make it up. Will you tell me?",
  "I can't find it in what you've told me so far. What should I know?",
] as const;

export const GREETING = [
  "Hello! It's good to have you here. What's on your mind?",
  'Hi there. How has your day been so far?',
  'Hey, good to see you. What have you been up to?',
  "Hello, you. I'm all ears.",
] as const;

/** Asked how it is, by mood: `{mood}` is the mood's own word. */
export const HOW_I_AM = [
  "I'd call it {mood}, as far as a rehearsal has moods. And you?",
  '{mood}, the mood beside me says. How are you?',
  'My mood reads {mood} right now. How is yours?',
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

export const QUESTION = [
  "That's a good question. I'm only rehearsing here, so I can't work it out properly, but I'd like to hear what you think.",
  "I can't answer that well offline. What's your own hunch?",
  "Hm, as a stand-in I'd only be guessing. What made you wonder about it?",
] as const;

export const SHARED = [
  "Thank you for telling me: “{said}”. I'll keep that in mind.",
  "“{said}”: noted, and I'll remember it. What's the story behind it?",
  'I hear you: “{said}”. How do you feel about it?',
  "“{said}” — I'm glad you mention it. Tell me more, if you like.",
] as const;

export const OUTREACH = [
  'Hi! I wanted to come back to this: “{reason}”. How is it going? No hurry to answer.',
  'Hello, I kept this in mind for you: “{reason}”. I hope it goes well. Write whenever you like.',
  "Hey, I've been keeping this for today: “{reason}”. How are things with it? Only if you feel like telling.",
] as const;

/** Said first, by mood; the empty ones keep it from being a habit. */
export const OPENERS: Readonly<Record<'bright' | 'calm' | 'soft' | 'low' | 'cool', readonly string[]>> = {
  bright: ['Oh, nice!', 'Ha, lovely.', '', 'Oh!'],
  calm: ['Mm.', '', 'Ah.', ''],
  soft: ['Aw.', '', 'Oh, you.', ''],
  low: ['Hm.', '', 'Oh.', ''],
  cool: ['Right.', '', 'Well.', ''],
};
