import { memoryRoutes, type RouteClient } from '@kith/contracts';
import { useCallback } from 'react';
import { useView } from '../api/use-view.js';

/**
 * Reads whether the person talks in private.
 * @param talkChanges number of times that it may have been switched elsewhere
 */
export function usePrivacy(api: RouteClient, talkChanges: number) {
  const read = useCallback(() => api.call(memoryRoutes.privacy), [api]);
  return useView(read, talkChanges, 0);
}
