/** Things that a person sends beside words, as notes name them. */
export const SENT_KINDS = [
  'a picture',
  'a video',
  'a voice message',
  'a sound',
  'a file',
  'a sticker',
  'a poll',
  'a forwarded message',
  'a forum post',
] as const;

export type SentKind = (typeof SENT_KINDS)[number];
