import { describe, expect, it } from '@jest/globals';
import { readCharacter } from '../read-character.js';

describe('a character of ElizaOS', () => {
  it.each(['{{agentName}}', '{{agent}}', 'Eliza'])('speaks as %s in its examples', (name) => {
    const talk = [
      { name: '{{name1}}', content: { text: 'Who are you?' } },
      { name, content: { text: 'I am {{agentName}}.' } },
    ];
    const character = { name: 'Eliza', bio: 'Keeps letters.', messageExamples: [talk] };
    const { persona } = readCharacter(Buffer.from(JSON.stringify(character)));
    expect(persona.exampleDialogue).toEqual([
      [
        { who: 'person', text: 'Who are you?' },
        { who: 'companion', text: 'I am Eliza.' },
      ],
    ]);
  });
});
