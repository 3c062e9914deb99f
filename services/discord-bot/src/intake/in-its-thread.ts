import { AppError, reasonOf } from '@kith/contracts';
import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import type { ReceivedMessage } from '../events/read-message.js';
import { codeOf } from '../rest/code-of.js';
import type { DiscordApi } from '../rest/discord-api.js';

/** Codes of Discord's for a place that it does not show the bot. */
const HIDDEN: ReadonlySet<unknown> = new Set([
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.UnknownChannel,
]);

/**
 * Adds the channel of its thread to a message of a place that the session did not announce, such as one that is replayed:
 * rules for the channel hold there. In a place that Discord does not show, nothing can be answered.
 * @throws AppError `unavailable` while Discord does not tell
 */
export async function inItsThread(
  request: ReceivedMessage,
  api: Pick<DiscordApi, 'threadOf'>,
): Promise<ReceivedMessage> {
  const { place, within } = request;
  try {
    const threadOf = await api.threadOf(place.externalId);
    return threadOf === null || !within ? request : { ...request, within: { ...within, threadOf } };
  } catch (error) {
    if (HIDDEN.has(codeOf(error))) return { ...request, answerable: 'not' };
    throw new AppError(
      'unavailable',
      `Discord does not tell where a message was written: ${reasonOf(error)}`,
    );
  }
}
