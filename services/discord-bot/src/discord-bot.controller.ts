import { discordContract, gatewayContract } from '@kith/contracts';
import { PersonRows } from '@kith/database';
import { handleContract } from '@kith/service-host';
import { DiscordConnection } from './connection/discord-connection.js';
import { Typing } from './delivery/typing.js';
import { LiveReplies } from './delivery/live-replies.js';
import { Deletions } from './delivery/deletions.js';
import { Delivery } from './delivery/delivery.js';
import { KeyNotices } from './delivery/key-notices.js';

export const DiscordBotController = handleContract(
  discordContract,
  { turnEnded: gatewayContract.turnEnded },
  {
    connection: DiscordConnection,
    delivery: Delivery,
    deletions: Deletions,
    keyNotices: KeyNotices,
    typing: Typing,
    live: LiveReplies,
    people: PersonRows,
  },
  ({ connection, delivery, deletions, keyNotices, typing, live, people }) => ({
    deliver: ({ outboxId }) => delivery.deliver(outboxId),
    deleteMessage: (message) => deletions.tryAgain(message),
    tellOfKey: ({ keyId }) => keyNotices.tell(keyId),
    status: () => connection.status(),
    erase: async ({ personId, preview }) => {
      if (!preview) {
        await live.takeBackFrom(personId);
        await people.erase(personId);
      }
      return { holdings: await people.count(personId) };
    },
    turnEnded: async (turn) => {
      typing.turnEnded(turn);
      const isReplied = turn.outcome === 'answered' || turn.outcome === 'apologised';
      if (turn.door === 'discord' && !isReplied) await live.takeBack(turn.turnId);
    },
  }),
);
