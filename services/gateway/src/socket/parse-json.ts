import { AppError, ChatRequest, findExcess } from '@kith/contracts';

const WithMessageId = ChatRequest.pick({ messageId: true }).strip();

/** @throws AppError `invalid_request` for what is no JSON, or more than a frame may hold */
export function parseJson(bytes: Buffer): unknown {
  const excess = findExcess(bytes);
  if (excess !== null) throw new AppError('invalid_request', `the frame ${excess}`);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new AppError('invalid_request', 'a frame must be a JSON object', undefined, { cause });
  }
}

/** Id that a frame gives its message: the refusal names it, also where other fields of the frame are wrong. */
export function messageIdOf(frame: unknown): string | undefined {
  return WithMessageId.safeParse(frame).data?.messageId;
}
