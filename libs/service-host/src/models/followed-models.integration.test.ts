import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, it } from '@jest/globals';
import { gatewayContract, MODELS_CHANNEL, type ModelChoice } from '@kith/contracts';
import { Broadcasts, Messenger, StreamsServer } from '@kith/messaging';
import { FollowedModels } from './followed-models.js';
import { freePort } from '../testing-port.js';
import { startRedis } from '../testing-redis.js';

const closing: (() => unknown)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

const choice = (model: string): ModelChoice => ({ host: 'here', role: 'fast', model });

it('learns the choices, and each new one, where Redis comes long after it', async () => {
  const port = await freePort();
  const say = () => undefined;
  const logger = { debug: say, info: say, warn: say, error: say };
  const options = { redisUrl: `redis://127.0.0.1:${port}`, logger, service: 'memory' };
  const [messenger, broadcasts] = [new Messenger(options), new Broadcasts(options)];
  const known: string[] = [];
  const followed = new FollowedModels((choices) => known.push(...choices.map(({ model }) => model)));
  followed.start(messenger, broadcasts);
  await sleep(5_500); // The first question has had no answer.
  closing.push(await startRedis(port));
  const gateway = new StreamsServer({ ...options, group: 'gateway' });
  const answer = () => Promise.resolve({ choices: [choice('first')], chat: [] });
  gateway.addHandler(gatewayContract.models.pattern, answer, false);
  gateway.listen(() => undefined);
  closing.push(
    () => gateway.close(),
    () => messenger.close(),
    () => broadcasts.close(),
    () => followed.stop(),
  );
  while (!known.includes('first')) await sleep(50);
  while (!known.includes('second')) {
    await broadcasts.publish(MODELS_CHANNEL, [choice('second')]);
    await sleep(50);
  }
});
