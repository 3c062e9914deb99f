import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import {
  DocumentRequest,
  memoryContract,
  type DocumentList,
  type DocumentRemoved,
  type DocumentView,
} from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { z } from 'zod';
import type { Caller } from '../people/api-keys.js';
import { Needs, TheCaller } from './api-key.guard.js';
import { CompanionDirectory } from './companion-directory.js';
import { Parse } from './parse-input.js';

/** Texts a person gives a companion to know; heard where they are alone with it. */
@Controller('v1/documents')
export class DocumentsController {
  constructor(
    private readonly messenger: Messenger,
    private readonly companions: CompanionDirectory,
  ) {}

  @Get()
  @Needs('memories')
  onList(@TheCaller() { personId }: Caller): Promise<z.output<typeof DocumentList>> {
    return this.messenger.ask(memoryContract.documents, { personId });
  }

  @Post()
  @Needs('import')
  async onAdd(
    @TheCaller() { personId }: Caller,
    @Body(new Parse(DocumentRequest)) { companion, ...document }: z.output<typeof DocumentRequest>,
  ): Promise<DocumentView> {
    const companionId = await this.companions.require(companion);
    return this.messenger.ask(memoryContract.addDocument, {
      ...{ personId, companionId, audience: 'direct' },
      ...document,
    });
  }

  @Delete(':id')
  @Needs('memories')
  onRemove(
    @TheCaller() { personId }: Caller,
    @Param('id', new Parse(z.uuid(), 'id')) documentId: string,
  ): Promise<z.output<typeof DocumentRemoved>> {
    return this.messenger.ask(memoryContract.removeDocument, { personId, documentId });
  }
}
