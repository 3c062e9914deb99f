import { z } from 'zod';

/** Pictures of one message that a model is shown; further ones are only named in its text. */
export const MAX_PICTURES = 4;
/** Bytes of the largest picture that a model is shown: every host of models that see takes as many. */
export const MAX_PICTURE_BYTES = 4_000_000;
/** Bytes of all pictures of one request, which are in memory while it is read. */
export const MAX_SENT_PICTURE_BYTES = 6_000_000;

/** Kinds of pictures that models take. */
const DATA_URL = /^data:image\/(?:png|jpeg|webp|gif);base64,/;
/** Characters of the longest of them: base64 takes four for three bytes. */
const MAX_DATA_URL = Math.ceil(MAX_PICTURE_BYTES / 3) * 4 + 40;

/** Picture of a message, at the address that its door keeps it at, or whole as a `data:` URL. */
export const SentPicture = z.object({
  url: z.union([z.url({ protocol: /^https?$/ }).max(2_000), z.string().max(MAX_DATA_URL).regex(DATA_URL)]),
});
export type SentPicture = z.infer<typeof SentPicture>;

/** Picture within a request. */
export const PictureData = z.strictObject({
  url: z
    .string()
    .max(MAX_DATA_URL, `at most ${MAX_PICTURE_BYTES / 1_000_000} MB`)
    .regex(DATA_URL, 'a data: URL in base64 of image/png, image/jpeg, image/webp or image/gif')
    .describe('the picture itself: `data:image/png;base64,…`'),
  name: z.string().max(100).optional(),
});

/** Pictures of a request, together no more than one may have. */
export const PicturesData = z
  .array(PictureData)
  .max(MAX_PICTURES)
  .refine(
    (pictures) => pictures.reduce((sum, { url }) => sum + url.length, 0) <= (MAX_SENT_PICTURE_BYTES / 3) * 4,
    { message: `at most ${MAX_SENT_PICTURE_BYTES / 1_000_000} MB together` },
  );
