import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { answered, withTalk } from '../e2e/talk.js';
import { outdateLine } from '../redaction/empty-lines.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { Outbox } from './outbox.js';

const talk = withTalk();

it('a reply during which somebody else’s message was edited arrives, though no prompt tells it', async () => {
  const where = await talk.place();
  await talk.accept(where, randomUUID());
  const claim = await talk.claim(where);
  await talk.database.asSystem((tx) => outdateLine(tx, where));
  const turn = answered();
  await commitTurn(talk.database, claim, turn, false);
  const lines = await talk.stores.query(
    `SELECT withheld FROM transcript WHERE turn_id = $1 AND role = 'companion'`,
    [turn.turnId],
  );
  expect(lines).toEqual([{ withheld: 'forgotten' }]);
  const [row] = await talk.stores.query<{ id: string; text: string }>(
    'SELECT id, text FROM outbox WHERE turn_id = $1',
    [turn.turnId],
  );
  const claimed = await new Outbox(talk.database, undefined as never).claim(row!.id, new Date());
  expect(claimed).toMatchObject({ kind: 'claimed', text: row!.text });
});
