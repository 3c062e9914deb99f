import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createModelRoles, estimateTokens } from '@kith/llm';
import { ScriptedModel } from '@kith/testing';
import pino from 'pino';
import { TalkReader } from '../conversations/talk-reader.js';
import { withTalk } from '../e2e/talk.js';
import { probesByModel } from './ask-probes.js';
import { EpochKeeper } from './epoch-keeper.js';
import { snapshotBlock } from './snapshot-block.js';

const talk = withTalk();
/** Bears no mark that a rule knows, and less that tells than what is said around it. */
const QUIET = 'the shed is marmalade palace to us';
const LIMIT = 1_500;
let model: ScriptedModel;
let keeper: EpochKeeper;

beforeAll(async () => {
  model = await ScriptedModel.start();
  const { fast } = createModelRoles({ ...model.settings(20_000), fastModels: 'compatible:scripted' });
  const askProbes = probesByModel(fast!, pino({ level: 'silent' }));
  keeper = new EpochKeeper(talk.database, new TalkReader(), askProbes);
});
beforeEach(() => model.reset());
afterAll(() => model.stop());

/** Ends the epoch of a talk in which the quiet line follows a private one. */
async function endEpoch() {
  const place = await talk.place();
  const { conversationId, personId } = place;
  const texts = Array.from({ length: 150 }, (_, n) => {
    if (n === 0) return 'My boat Zephyrine lies at pier 14, and I will sell it in May.';
    if (n === 79) return 'my secret is cinnabar';
    return n === 80
      ? QUIET
      : `Well, that is how the harbour festival went this time, more or less, number ${n} of it.`;
  });
  const lines = texts.map((text, n) => ({
    turn_id: randomUUID(),
    text,
    withheld: n === 79 ? 'private' : null,
  }));
  await talk.stores.query(
    `WITH line AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS line (turn_id uuid, text text, withheld text)),
     turn AS (INSERT INTO turns (turn_id, conversation_id, person_id, companion_id, door, audience, origin, outcome,
        degraded, trace, started_at, ended_at)
       SELECT turn_id, $2, $3, 'mira', 'discord', 'direct', 'message', 'answered', '{}', '{}', now(), now() FROM line)
     INSERT INTO transcript (conversation_id, turn_id, person_id, role, name, external_id, text, at, withheld)
       SELECT $2, turn_id, $3, 'person', 'Ann', gen_random_uuid()::text, text, now(), withheld FROM line`,
    [JSON.stringify(lines), conversationId, personId],
  );
  const ended = await keeper.reset({ ...place, companionId: 'mira', epoch: null }, LIMIT, estimateTokens);
  return { findings: ended!.findings, snapshot: snapshotBlock(ended!.talk.kept, 'Mira', null) };
}

describe('questions by the fast model', () => {
  it('are put to the snapshot, and bring in what it could not answer; what is private is not shown', async () => {
    model.replyWith(({ messages }) => {
      const material = messages.at(-1)!.text;
      const line = Number(/^(\d+)\. Ann: the shed/m.exec(material)?.[1] ?? 0);
      const questions = [
        { line, answer: 'Marmalade Palace' },
        { line, answer: 'words that nobody said' },
        { line: 900, answer: 'Ann' },
      ];
      return material.includes('cinnabar') ? 'it was shown a secret' : JSON.stringify({ questions });
    });
    const { findings, snapshot } = await endEpoch();
    expect(findings).toMatchObject({ byModel: 1, missed: 0 });
    expect(snapshot).toContain('marmalade palace');
  });

  it('are left out where the model does not answer, or answers anything else', async () => {
    for (const behaviour of [{ kind: 'status', status: 500 }, null] as const) {
      model.reset();
      model.replyWith(() => 'I would rather talk about the weather.');
      model.always(behaviour);
      const { findings, snapshot } = await endEpoch();
      expect(findings.byModel).toBe(0);
      expect(findings.probes).toBeGreaterThan(0);
      expect(snapshot).not.toContain('marmalade');
    }
  });
});
