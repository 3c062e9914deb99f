import { createContext, useContext } from 'react';

/** Hands the number of recoveries to whatever reads from the suite. */
export const Recoveries = createContext(0);

/** Number of times that the suite came back: in an effect's dependencies, what it reads is read again then. */
export function useRecoveries(): number {
  return useContext(Recoveries);
}
