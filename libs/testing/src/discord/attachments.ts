import { asJson, badForm, refusal, textOf, type RestAnswer, type UploadedFile } from './answers.js';
import type { DiscordWorld, Json } from './discord-world.js';

const MAX_ATTACHMENTS = 10;
const MAX_DESCRIPTION = 1_024;
/** Limits of a message in an ordinary server. */
export const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;

/**
 * The attachments a message has after a request: those of its list that are files of this request, or that the
 * message had before. Without a list, all of both. What is listed and is neither is refused, as is what is too
 * much or too long.
 */
export function attachmentsAfter(
  world: DiscordWorld,
  listed: unknown,
  files: readonly UploadedFile[],
  before: readonly Json[],
): Json[] | RestAnswer {
  const list = Array.isArray(listed)
    ? listed.map(asJson)
    : [...before, ...files.map(({ number }): Json => ({ id: number }))];
  if (list.length > MAX_ATTACHMENTS)
    return badForm('attachments', 'BASE_TYPE_MAX_LENGTH', `Must be ${MAX_ATTACHMENTS} or fewer in length.`);
  if (list.some(({ description }) => textOf(description).length > MAX_DESCRIPTION))
    return badForm('attachments', 'BASE_TYPE_MAX_LENGTH', `Must be ${MAX_DESCRIPTION} or fewer in length.`);
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > MAX_UPLOAD_BYTES)
    return refusal(413, 40005, 'Request entity too large');
  const kept: Json[] = [];
  for (const entry of list) {
    const file = files.find(({ number }) => number === String(entry['id']));
    const known = before.find(({ id }) => id === entry['id']);
    if (!file && !known) return refusal(400, 50146, 'Uploaded file not found');
    kept.push(file ? attachment(world, file, entry) : { ...known });
  }
  return kept;
}

function attachment(world: DiscordWorld, { filename, contentType, bytes }: UploadedFile, entry: Json): Json {
  const id = world.snowflake();
  // Discord keeps letters, digits, and a few signs of a name.
  const name = textOf(entry['filename'] ?? filename).replaceAll(/[^\w.-]/g, '_');
  const url = `https://cdn.discordapp.com/ephemeral-attachments/${world.applicationId}/${id}/${name}`;
  world.files.set(id, bytes);
  return {
    id,
    filename: name,
    size: bytes.length,
    url,
    proxy_url: url,
    content_type: contentType,
    ...(entry['description'] === undefined ? {} : { description: entry['description'] }),
    ...(contentType === 'image/png' ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : {}),
  };
}
