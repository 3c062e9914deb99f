import {
  firstOf,
  MAX_PICTURE_BYTES,
  MAX_PICTURES,
  noteOfSent,
  type SentKind,
  SentPicture,
} from '@kith/contracts';
import { MessageFlags, type APIMessage } from 'discord-api-types/v10';

type Carrier = Partial<
  Pick<APIMessage, 'attachments' | 'sticker_items' | 'poll' | 'flags' | 'message_snapshots'>
>;

/** Most notes of one message, which may carry ten attachments, three stickers and a poll. The rest is only counted. */
const MAX_NOTES = 6;

/**
 * Describes what a message carries beside words, and what it forwards, as notes for the companion.
 * @param clean turns markup into readable text
 */
export function describeSent(message: Carrier, clean: (text: string) => string): string[] {
  const {
    attachments = [],
    sticker_items: stickers = [],
    poll,
    flags = 0,
    message_snapshots: forwarded = [],
  } = message;
  const isVoice = (flags & MessageFlags.IsVoiceMessage) !== 0;
  const notes = [
    ...attachments.map(({ content_type: type, filename, duration_secs: seconds }) =>
      isVoice
        ? noteOfSent('a voice message', seconds === undefined ? '' : `${Math.round(seconds)} seconds`)
        : noteOfSent(kindOf(type), filename),
    ),
    ...stickers.map(({ name }) => noteOfSent('a sticker', name)),
    ...(poll ? [noteOfSent('a poll', pollInWords(poll))] : []),
    ...forwarded.flatMap(({ message: { content, ...carried } }) => [
      noteOfSent('a forwarded message', clean(content)),
      ...describeSent(carried, clean),
    ]),
  ];
  const left = notes.length - MAX_NOTES;
  return left > 0 ? [...notes.slice(0, MAX_NOTES), `[and ${left} more]`] : notes;
}

/** Kinds of pictures that models take. */
const SEEN = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif']);

/**
 * Lists the pictures of a message that can be looked at, forwarded ones too: the first ones, with the addresses Discord
 * keeps them at.
 */
export function picturesIn({ attachments = [], message_snapshots: forwarded = [] }: Carrier): SentPicture[] {
  const all = [...attachments, ...forwarded.flatMap(({ message }) => message.attachments)];
  const seen = all.filter(
    ({ content_type: type = '', size }) => SEEN.has(firstOf(type.split(';', 1))) && size <= MAX_PICTURE_BYTES,
  );
  return seen.flatMap(({ url }) => SentPicture.safeParse({ url }).data ?? []).slice(0, MAX_PICTURES);
}

function kindOf(contentType: string | undefined): SentKind {
  if (contentType?.startsWith('image/')) return 'a picture';
  if (contentType?.startsWith('video/')) return 'a video';
  return contentType?.startsWith('audio/') ? 'a sound' : 'a file';
}

function pollInWords({ question, answers }: NonNullable<APIMessage['poll']>): string {
  const choices = answers.map(({ poll_media: { text } }) => text ?? '').filter(Boolean);
  return [question.text ?? '', choices.join(', ')].filter(Boolean).join(' ');
}
