/** The six services, in the order they are shown, with the variable and default of each one's port. */
export const SERVICES = [
  { name: 'gateway', portVariable: 'GATEWAY_PORT', port: 3000 },
  { name: 'embedding', portVariable: 'EMBEDDING_PORT', port: 3001 },
  { name: 'personality', portVariable: 'PERSONALITY_PORT', port: 3002 },
  { name: 'memory', portVariable: 'MEMORY_PORT', port: 3003 },
  { name: 'proactive-scheduler', portVariable: 'SCHEDULER_PORT', port: 3004 },
  { name: 'discord-bot', portVariable: 'DISCORD_BOT_PORT', port: 3005 },
] as const;

/** Placement of services: a process each, over Redis; or all in one, where they call each other. */
export const PLACEMENTS = ['apart', 'together'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/**
 * A placement by its name.
 * @throws Error of one line that begins with `what`, the setting or option it was given in
 */
export function placementOf(name: string, what: string): Placement {
  const placement = PLACEMENTS.find((known) => known === name);
  if (!placement) throw new Error(`${what} is one of: ${PLACEMENTS.join(', ')}`);
  return placement;
}

export type ServiceName = (typeof SERVICES)[number]['name'];
