import { isObject, listOf, objectOf, textOf, textsOf, type Json } from '../json-values.js';
import { draftCharacter } from '../draft-character.js';
import { byText, constantLore, reportFields, type FormatFamily } from './format.js';
import type { DraftLine } from '../dialogue-text.js';

/** Fields of a 1.x character, which refuses all others. */
const FIELDS = new Set([
  'id',
  'name',
  'username',
  'system',
  'templates',
  'bio',
  'messageExamples',
  'postExamples',
  'topics',
  'adjectives',
  'knowledge',
  'plugins',
  'settings',
  'secrets',
  'style',
]);

const TEXTS = { name: 'its name', system: 'who it is' };
const UNDERSTOOD = {
  bio: 'who it is, and what people read of it',
  lore: 'lore that is always told, as far as there is room',
  messageExamples: 'example dialogue',
  topics: 'interests that it begins with',
  adjectives: 'its tone',
  style: 'its tone: `all` and `chat`',
};
const KEPT = {
  plugins: 'code of other programs: never run',
  knowledge: 'give the texts with kith documents add',
};

/** Below what a book's entries usually have: a sentence of backstory makes room for what was called up. */
const LORE_PRIORITY = 50;

/** Characters of ElizaOS, 0.x to 2.x; kept and written as 1.x. */
export const eliza: FormatFamily = {
  key: 'eliza',

  recognise(document) {
    if (textOf(document['name']).trim() === '') return null;
    // A name and a bio are all that 1.x asks for; earlier characters may have no bio.
    const isNamed = ['messageExamples', 'adjectives', 'topics', 'plugins', 'system', 'postExamples'];
    const hasBio = textsOf(document['bio']).length > 0;
    if (!hasBio && isNamed.filter((name) => name in document).length < 2) return null;
    if ('lore' in document || 'clients' in document || 'modelProvider' in document) return 'eliza-0';
    const isGrouped = listOf(document['messageExamples']).some((talk) => isObject(talk));
    return isGrouped ? 'eliza-2' : 'eliza-1';
  },

  normalise(document) {
    // What 1.x has no field for was set aside at an export.
    const settings = objectOf(document['settings']);
    const { elsewhere, ...own } = objectOf(settings['kith']);
    const whole: Json = isObject(elsewhere)
      ? { ...document, ...elsewhere, settings: { ...settings, kith: own } }
      : document;
    const examples = whole['messageExamples'];
    return Array.isArray(examples) ? { ...whole, messageExamples: examples.map(talkOf) } : whole;
  },

  read(kept, report) {
    const { texts, others } = byText(kept, TEXTS);
    reportFields(kept, '', { ...UNDERSTOOD, ...texts }, report, { ...KEPT, ...others });
    const name = textOf(kept['name']);
    const bio = textsOf(kept['bio']);
    const style = objectOf(kept['style']);
    const adjectives = textsOf(kept['adjectives']).join(', ');
    const names = [name, textOf(kept['username']), '{{agent}}', '{{agentName}}'];
    const companion = new Set(names.map((one) => one.trim().toLowerCase()));
    return draftCharacter(
      {
        name,
        description: [textOf(kept['system']), bio.join(' ')],
        tagline: bio,
        about: bio.join(' '),
        tone: [adjectives && `In a word: ${adjectives}.`, ...textsOf(style['all']), ...textsOf(style['chat'])]
          .filter(Boolean)
          .join(' '),
        greeting: '',
        dialogues: listOf(kept['messageExamples']).map((talk) => linesOf(talk, companion)),
        interests: textsOf(kept['topics']),
        lore: textsOf(kept['lore']).flatMap((text, n) => constantLore(`Lore ${n + 1}`, text, LORE_PRIORITY)),
      },
      report,
    );
  },

  blank: () => ({
    name: '',
    bio: [],
    messageExamples: [],
    topics: [],
    style: { all: [], chat: [], post: [] },
  }),

  change(kept, { persona }, changed) {
    return {
      ...kept,
      ...(changed.has('name') && { name: persona.name }),
      ...(changed.has('description') && { system: persona.description }),
      ...((changed.has('about') || changed.has('tagline')) && { bio: [persona.about ?? persona.tagline] }),
      ...(changed.has('style') && {
        adjectives: [],
        style: { ...objectOf(kept['style']), all: [persona.style.tone], chat: [] },
      }),
      ...(changed.has('quirks') && { topics: topicsOf(persona.quirks?.seeds ?? []) }),
      ...(changed.has('exampleDialogue') && {
        messageExamples: persona.exampleDialogue.map((lines) =>
          lines.map(({ who, text }) => ({
            name: who === 'person' ? '{{name1}}' : persona.name,
            content: { text },
          })),
        ),
      }),
    };
  },

  holderOf: (kept) => objectOf(kept['settings']),

  withHolder(kept, settings) {
    const { settings: _, ...others } = kept;
    return Object.keys(settings).length > 0 ? { ...kept, settings } : others;
  },
};

/** A character as ElizaOS 1.x reads it: fields of other generations are under `settings.kith`. */
export function asElizaOne(kept: Json): Json {
  const others = Object.entries(kept).filter(([name]) => !FIELDS.has(name));
  if (others.length === 0) return kept;
  const settings = objectOf(kept['settings']);
  const own = { ...objectOf(settings['kith']), elsewhere: Object.fromEntries(others) };
  return {
    ...Object.fromEntries(Object.entries(kept).filter(([name]) => FIELDS.has(name))),
    settings: { ...settings, kith: own },
  };
}

/** A talk in the form of 1.x: 2.x wraps it, 0.x calls a speaker `user`. What holds more than that stays as it is. */
function talkOf(talk: unknown): unknown {
  const isWrapped = isObject(talk) && Array.isArray(talk['examples']) && Object.keys(talk).length === 1;
  const messages = isWrapped ? talk['examples'] : talk;
  if (!Array.isArray(messages)) return talk;
  return messages.map((message: unknown) => {
    if (!isObject(message) || 'name' in message || !('user' in message)) return message;
    const { user: name, ...rest } = message;
    return { name, ...rest };
  });
}

function linesOf(talk: unknown, companion: ReadonlySet<string>): DraftLine[] {
  return (Array.isArray(talk) ? talk : listOf(objectOf(talk)['examples'])).map(objectOf).map((message) => {
    const speaker = textOf(message['name'] ?? message['user'])
      .trim()
      .toLowerCase();
    return {
      who: companion.has(speaker) ? 'companion' : 'person',
      text: textOf(objectOf(message['content'])['text']),
    };
  });
}

function topicsOf(seeds: readonly { kind: string; text: string }[]): string[] {
  return seeds.filter(({ kind }) => kind === 'interest').map(({ text }) => text);
}
