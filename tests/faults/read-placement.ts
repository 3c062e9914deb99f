import { placementOf, type Placement } from '@kith/embedded';

/** The placement that was asked for; ends the process with one line when there is none of that name. */
export function readPlacement(command: string, name: string): Placement {
  try {
    return placementOf(name, `${command}: --placement`);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}
