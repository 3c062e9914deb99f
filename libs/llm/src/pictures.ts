import type { ModelRequest } from './provider.js';

/** Tells whether a request shows pictures: what its host counts is then not of its words alone. */
export function hasPictures({ messages }: Pick<ModelRequest, 'messages'>): boolean {
  return messages.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'),
  );
}

/** Takes pictures out of a request, for a model that sees none. The text beside them tells that they were sent. */
export function withoutPictures<Request extends Pick<ModelRequest, 'messages'>>(request: Request): Request {
  if (!hasPictures(request)) return request;
  const messages = request.messages.map((message) =>
    message.role === 'user' && typeof message.content !== 'string'
      ? { ...message, content: message.content.filter(({ type }) => type === 'text') }
      : message,
  );
  return { ...request, messages };
}
