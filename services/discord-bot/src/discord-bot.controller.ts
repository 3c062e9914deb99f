import { discordContract, gatewayContract } from '@kith/contracts';
import { handleContract } from '@kith/service-host';
import { PARTS } from './parts.js';

export const DiscordBotController = handleContract(
  discordContract,
  { turnEnded: gatewayContract.turnEnded },
  PARTS,
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
