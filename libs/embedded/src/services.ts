/** The six processes, in the order they are shown, with the variable and default of each one's port. */
export const SERVICES = [
  { name: 'gateway', portVariable: 'GATEWAY_PORT', port: 3000 },
  { name: 'embedding', portVariable: 'EMBEDDING_PORT', port: 3001 },
  { name: 'personality', portVariable: 'PERSONALITY_PORT', port: 3002 },
  { name: 'memory', portVariable: 'MEMORY_PORT', port: 3003 },
  { name: 'proactive-scheduler', portVariable: 'SCHEDULER_PORT', port: 3004 },
  { name: 'discord-bot', portVariable: 'DISCORD_BOT_PORT', port: 3005 },
] as const;

export type ServiceName = (typeof SERVICES)[number]['name'];
