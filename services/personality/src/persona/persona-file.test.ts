import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readPersona } from './persona-file.js';

const shipped = readFileSync(new URL('../../companions/mira.json', import.meta.url), 'utf8');

const changed = (change: (persona: Record<string, unknown>) => void): string => {
  const persona = JSON.parse(shipped) as Record<string, unknown>;
  change(persona);
  return JSON.stringify(persona);
};

const problemsOf = (text: string): string[] => {
  const reading = readPersona('someone.json', text);
  return reading.ok ? [] : reading.problems;
};

describe('reading a persona file', () => {
  it('accepts the one that is shipped', () => {
    const reading = readPersona('mira.json', shipped);
    expect(reading).toMatchObject({ ok: true, persona: { id: 'mira', name: 'Mira' } });
  });

  it('names the file when it is not JSON', () => {
    expect(problemsOf('{ "id": ')).toEqual([expect.stringMatching(/^someone\.json: not JSON: /)]);
  });

  it('names file and field of each thing that is wrong, all at once', () => {
    const problems = problemsOf(
      changed((persona) => {
        persona['name'] = '';
        persona['traits'] = { ...(persona['traits'] as object), openness: 1.4 };
        persona['moodHalfLifeHours'] = 1;
      }),
    );
    expect(problems).toEqual([
      expect.stringMatching(/^someone\.json: name: /),
      expect.stringMatching(/^someone\.json: traits\.openness: /),
      expect.stringMatching(/^someone\.json: moodHalfLifeHours: /),
    ]);
  });

  it('refuses a field it does not know, so that a typo is seen', () => {
    expect(problemsOf(changed((persona) => void (persona['tagLine'] = 'x')))).toEqual([
      expect.stringContaining('tagLine'),
    ]);
  });

  it('refuses an exchange that the companion does not answer', () => {
    const monologue = changed((persona) => {
      persona['exampleDialogue'] = [[1, 2].map(() => ({ who: 'person', text: 'hello?' }))];
    });
    expect(problemsOf(monologue)).toEqual([expect.stringContaining('exampleDialogue.0: an exchange begins')]);
  });
});
