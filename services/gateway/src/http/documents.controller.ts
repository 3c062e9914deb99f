import { randomUUID } from 'node:crypto';
import { AppError, DOCUMENT_SOURCE, documentRoutes, memoryContract } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { Controller } from '@nestjs/common';
import { ForgetOrders } from '../forgetting/forget-orders.js';
import { CompanionDirectory } from '../intake/companion-directory.js';
import { Serves, type RouteCall } from './serves.js';

/** Texts a person gives a companion to know; heard where they are alone with it. */
@Controller()
export class DocumentsController {
  constructor(
    private readonly messenger: Messenger,
    private readonly companions: CompanionDirectory,
    private readonly forgetting: ForgetOrders,
  ) {}

  @Serves(documentRoutes.list)
  onList({ caller: { personId } }: RouteCall<typeof documentRoutes.list>) {
    return this.messenger.ask(memoryContract.documents, { personId });
  }

  @Serves(documentRoutes.add)
  async onAdd({ caller: { personId }, body }: RouteCall<typeof documentRoutes.add>) {
    const { companion, ...document } = body;
    const companionId = await this.companions.require(companion);
    return this.messenger.ask(memoryContract.addDocument, {
      ...{ requestId: randomUUID(), personId, companionId, audience: 'direct' },
      ...document,
    });
  }

  @Serves(documentRoutes.remove)
  async onRemove({ caller: { personId }, params }: RouteCall<typeof documentRoutes.remove>) {
    const { documents } = await this.messenger.ask(memoryContract.documents, { personId });
    const document = documents.find(({ documentId }) => documentId === params.id);
    if (!document) throw new AppError('not_found', 'there is no such document of yours');
    await this.forgetting.forgetSource(personId, `${DOCUMENT_SOURCE}${params.id}`);
    return { chunks: document.chunks };
  }
}
