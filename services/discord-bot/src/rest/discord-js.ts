import { lazy } from '@kith/contracts';

type Library = typeof import('discord.js') & typeof import('./leave-resumable.js');

/** Loads discord.js when it is needed: it takes some 40 MB and a third of a second, which a bot without a token saves. */
export const discordJs = lazy<Library>('discord.js', async () => ({
  ...(await import('discord.js')),
  ...(await import('./leave-resumable.js')),
}));
