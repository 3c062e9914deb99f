import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { personaSchema, readPersona } from '@kith/characters';

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

describe('the published schema', () => {
  it('is the one that files are read by: node tools/persona-schema.mjs writes it', () => {
    const published = readFileSync(new URL('../../persona.schema.json', import.meta.url), 'utf8');
    expect(JSON.parse(published)).toEqual(personaSchema());
  });
});

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

  it('names the need, the number and the quirk that are wrong', () => {
    const wrong = changed((persona) => {
      persona['needs'] = { novelty: { perDay: 99 }, sleep: {} };
      persona['quirks'] = { seeds: [{ kind: 'interest', text: 'http://x', strength: 2 }] };
    });
    expect(problemsOf(wrong).map((problem) => problem.split(': ')[1])).toEqual(
      expect.arrayContaining(['needs.novelty.perDay', 'quirks.seeds.0.text', 'quirks.seeds.0.strength']),
    );
    expect(problemsOf(wrong).some((problem) => problem.includes('needs'))).toBe(true);
  });

  it('refuses an exchange that the companion does not answer', () => {
    const monologue = changed((persona) => {
      persona['exampleDialogue'] = [[1, 2].map(() => ({ who: 'person', text: 'hello?' }))];
    });
    expect(problemsOf(monologue)).toEqual([expect.stringContaining('exampleDialogue.0: an exchange begins')]);
  });
});
