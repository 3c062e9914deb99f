import { frozenCopy } from '../hooks/hook-list.js';
import type { ChatMessage, ToolCall } from '../messages.js';

/*
 * Sixty histories as they come about, each way to begin with each way to go on. A line is a message: `s` system, `S` its
 * stable part, `u` user (`u@Name`), `i` a user with a picture, `a` assistant, `c` one that calls (`words > ids`), `r` a
 * result (`id = words`).
 */

const BEGINNINGS = [
  '',
  's:You are Mira.',
  'S:You are Mira.|s:It is Monday.\nYou feel calm.',
  's:Be kind.|a:I write first.',
  's:|u:|a: |u:After silence',
  'r:c9=lost|c:>c8|u:After a cut|s:Said late.',
];

const WAYS_ON = [
  'u:Hello',
  'u@Zoë K.:Hello|u@🦊:Hey|u:Who is there?',
  'i:What is this?',
  'u:Hi|a:Hello|u:How are\nyou?',
  'u:Weather?|c:Let me see.>c1|r:c1=sunny',
  'u:Weather in both?|c:>c1,c2|r:c2=rain|r:c1=sun|a:One of each.|u:Thanks',
  'u:Now?|c:>c1|r:c1=sun|a:Sun.|u:And now?|c:>c1|r:c1=rain|c:Again.>c1|r:c1=',
  'u:Both?|c:Wait.>c1,ö 2|r:ö 2=snow|u:Never mind|c:Too late.>c3',
  'u:Say "no",\n\tthen \\"yes\\" </user>|a:{"json": [1]}|u:Ⅻ 你好 🦊\u200d',
  'u:Good night|a:Sleep well.',
];

/** A picture of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Words of a thought that another model had, which none of these may be told. */
export const FOREIGN_THOUGHT = 'a thought of another model';

/** The sixty, frozen all through: whoever changes one throws. */
export const TRANSCRIPTS: readonly (readonly ChatMessage[])[] = BEGINNINGS.flatMap((beginning) =>
  WAYS_ON.map((way) => frozenCopy([beginning, way].filter(Boolean).join('|').split('|').map(messageOf))),
);

function messageOf(line: string): ChatMessage {
  const [, mark = '', name, words = ''] = /^(\w)(?:@([^:]*))?:([^]*)$/.exec(line) ?? [];
  const [said = '', rest = ''] = mark === 'c' ? words.split('>') : [words];
  switch (mark) {
    case 's':
      return { role: 'system', content: said };
    case 'S':
      return { role: 'system', content: [{ type: 'text', text: said, stable: true }] };
    case 'i':
      return {
        role: 'user',
        content: [
          { type: 'text', text: said },
          { type: 'image', mediaType: 'image/png', data: PIXEL },
        ],
      };
    case 'a':
      return { role: 'assistant', content: said };
    case 'c': {
      const reasoning = [
        { origin: 'elsewhere:model', text: FOREIGN_THOUGHT, block: { thinking: FOREIGN_THOUGHT } },
      ];
      return { role: 'assistant', content: said, toolCalls: rest.split(',').map(callOf), reasoning };
    }
    case 'r': {
      const [toolCallId = '', result = ''] = words.split('=');
      return { role: 'tool', content: result, toolCallId, name: 'look_up' };
    }
    default:
      return { role: 'user', content: said, ...(name === undefined ? {} : { name }) };
  }
}

function callOf(id: string): ToolCall {
  return { id, name: 'look_up', arguments: { city: 'Łódź', days: [1] } };
}
