import { SERVICES, type ServiceName } from './services.js';

export type Ports = { postgres: number; redis: number } & Record<ServiceName, number>;

/** The last that 16 bits can name. */
const HIGHEST_PORT = 65_535;
const PLACES: readonly { name: keyof Ports; portVariable: string; port: number }[] = [
  { name: 'postgres', portVariable: 'KITH_POSTGRES_PORT', port: 5439 },
  { name: 'redis', portVariable: 'KITH_REDIS_PORT', port: 6389 },
  ...SERVICES,
];

/**
 * Reads the address of each part of the suite from its settings.
 * @throws Error that names every setting that is no port, or the port of another part
 */
export function readPorts(settings: Readonly<Record<string, string>>): Ports {
  const problems: string[] = [];
  const taken = new Map<number, string>();
  const ports = PLACES.map(({ name, portVariable, port: fallback }) => {
    const given = settings[portVariable];
    const port = given ? Number(given) : fallback;
    const other = taken.get(port);
    if (!Number.isInteger(port) || port < 1 || port > HIGHEST_PORT)
      problems.push(`${portVariable} is a port from 1 to ${HIGHEST_PORT}, not "${given}"`);
    else if (other !== undefined) problems.push(`${portVariable} is ${port}, which ${other} is as well`);
    taken.set(port, portVariable);
    return [name, port] as const;
  });
  if (problems.length > 0) throw new Error(`${problems.join('; ')}: mend it in .env`);
  return Object.fromEntries(ports) as Ports;
}
