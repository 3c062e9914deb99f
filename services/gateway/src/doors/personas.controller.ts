import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import {
  PersonaJson,
  PersonaVersionNumber,
  personalityContract,
  ReplayRequest,
  RollbackRequest,
  type CompanionView,
  type PersonaHistory,
  type PersonaVersion,
  type Replay,
} from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { z } from 'zod';
import { Needs } from './api-key.guard.js';
import { Parse, PATH_COMPANION } from './parse-input.js';

const Version = z.strictObject({ version: z.coerce.number().pipe(PersonaVersionNumber).optional() });

/** What makes a companion who it is, for operators: its persona, the versions there were, and past days felt again. */
@Controller('v1/companions')
export class PersonasController {
  constructor(private readonly messenger: Messenger) {}

  @Get(':id/persona')
  @Needs('admin')
  onPersona(
    @Param('id', PATH_COMPANION) companionId: string,
    @Query(new Parse(Version)) { version }: z.output<typeof Version>,
  ): Promise<z.output<typeof PersonaVersion>> {
    return this.messenger.ask(personalityContract.persona, { companionId, ...(version ? { version } : {}) });
  }

  @Put(':id/persona')
  @Needs('admin')
  onEdit(
    @Param('id', PATH_COMPANION) companionId: string,
    @Body(new Parse(PersonaJson)) persona: z.output<typeof PersonaJson>,
  ): Promise<CompanionView> {
    return this.messenger.ask(personalityContract.editPersona, { companionId, persona });
  }

  @Get(':id/persona/versions')
  @Needs('admin')
  async onVersions(
    @Param('id', PATH_COMPANION) companionId: string,
  ): Promise<z.output<typeof PersonaHistory>> {
    return {
      companionId,
      ...(await this.messenger.ask(personalityContract.personaVersions, { companionId })),
    };
  }

  @Post(':id/persona/rollback')
  @HttpCode(200)
  @Needs('admin')
  onRollback(
    @Param('id', PATH_COMPANION) companionId: string,
    @Body(new Parse(RollbackRequest)) { version }: z.output<typeof RollbackRequest>,
  ): Promise<CompanionView> {
    return this.messenger.ask(personalityContract.rollBackPersona, { companionId, version });
  }

  @Post(':id/replay')
  @HttpCode(200)
  @Needs('admin')
  onReplay(
    @Param('id', PATH_COMPANION) companionId: string,
    @Body(new Parse(ReplayRequest)) request: z.output<typeof ReplayRequest>,
  ): Promise<Replay> {
    return this.messenger.ask(personalityContract.replay, { companionId, ...request });
  }
}
