import type { discordContract, ResponseOutput } from '@kith/contracts';

/** State of the connection to Discord, with the reason when it is down. */
export type ConnectionStatus = ResponseOutput<typeof discordContract.status>;
