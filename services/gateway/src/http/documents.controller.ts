import { randomUUID } from 'node:crypto';
import { AppError, DOCUMENT_SOURCE, documentRoutes, memoryContract } from '@kith/contracts';
import { serveRoutes } from './serve-routes.js';

/** Texts a person gives a companion to know; heard where they are alone with it. */
export const DocumentsController = serveRoutes(documentRoutes, ({ messenger, companions, forgetting }) => ({
  list: ({ caller: { personId } }) => messenger.ask(memoryContract.documents, { personId }),
  add: async ({ caller: { personId }, body: { companion, ...document } }) => {
    const companionId = await companions.require(companion);
    return messenger.ask(memoryContract.addDocument, {
      requestId: randomUUID(),
      personId,
      companionId,
      audience: 'direct',
      ...document,
    });
  },
  remove: async ({ caller: { personId }, params }) => {
    const { documents } = await messenger.ask(memoryContract.documents, { personId });
    const document = documents.find(({ documentId }) => documentId === params.id);
    if (!document) throw new AppError('not_found', 'there is no such document of yours');
    await forgetting.forgetSource(personId, `${DOCUMENT_SOURCE}${params.id}`);
    return { chunks: document.chunks };
  },
}));
