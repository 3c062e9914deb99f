import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import {
  loreContract,
  LoreImportRequest,
  LoreInput,
  LoreMatchRequest,
  type LoreEntry,
  type LoreImport,
  type LoreList,
  type LoreMatch,
  type LoreRemoved,
} from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { z } from 'zod';
import { Needs } from './api-key.guard.js';
import { CompanionDirectory } from './companion-directory.js';
import { Parse, PATH_COMPANION } from './parse-input.js';

/** What a companion knows of its world: the operator's to write, and to see whole. */
@Controller('v1/companions/:id/lore')
export class LoreController {
  constructor(
    private readonly messenger: Messenger,
    private readonly companions: CompanionDirectory,
  ) {}

  @Get()
  @Needs('admin')
  async onList(@Param('id', PATH_COMPANION) id: string): Promise<z.output<typeof LoreList>> {
    return this.messenger.ask(loreContract.list, { companionId: await this.companions.require(id) });
  }

  @Put()
  @Needs('admin')
  async onPut(
    @Param('id', PATH_COMPANION) id: string,
    @Body(new Parse(LoreInput)) entry: LoreInput,
  ): Promise<LoreEntry> {
    return this.messenger.ask(loreContract.put, { companionId: await this.companions.require(id), entry });
  }

  @Post('import')
  @HttpCode(200)
  @Needs('admin')
  async onImport(
    @Param('id', PATH_COMPANION) id: string,
    @Body(new Parse(LoreImportRequest)) { book }: z.output<typeof LoreImportRequest>,
  ): Promise<LoreImport> {
    return this.messenger.ask(loreContract.import, { companionId: await this.companions.require(id), book });
  }

  /** What a text would call up: for whoever writes lore. */
  @Post('match')
  @HttpCode(200)
  @Needs('admin')
  async onMatch(
    @Param('id', PATH_COMPANION) id: string,
    @Body(new Parse(LoreMatchRequest)) { text }: z.output<typeof LoreMatchRequest>,
  ): Promise<z.output<typeof LoreMatch>> {
    const companionId = await this.companions.require(id);
    return this.messenger.ask(loreContract.match, { companionId, texts: [text] });
  }

  @Delete(':entry')
  @Needs('admin')
  async onRemove(
    @Param('id', PATH_COMPANION) id: string,
    @Param('entry', new Parse(z.uuid(), 'entry')) entry: string,
  ): Promise<z.output<typeof LoreRemoved>> {
    const companionId = await this.companions.require(id);
    return this.messenger.ask(loreContract.remove, { companionId, id: entry });
  }
}
