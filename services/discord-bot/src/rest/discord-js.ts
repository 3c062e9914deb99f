import { lazy } from '@kith/contracts';

type Library = typeof import('discord.js') & typeof import('./leave-resumable.js');

/** The library takes some 40 MB and a third of a second: a bot without a token goes without. */
export const discordJs = lazy<Library>('discord.js', async () => ({
  ...(await import('discord.js')),
  ...(await import('./leave-resumable.js')),
}));
