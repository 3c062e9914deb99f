import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  CompanionId,
  IsoTime,
  personalityContract,
  type CompanionList,
  type CompanionView,
  type MoodResponse,
} from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { z } from 'zod';
import type { Caller } from '../people/api-keys.js';
import { Needs, TheCaller } from './api-key.guard.js';
import { CompanionDirectory } from './companion-directory.js';
import { Parse } from './parse-input.js';

const Period = z.strictObject({ from: IsoTime.optional(), to: IsoTime.optional() });

@Controller('v1/companions')
export class CompanionsController {
  constructor(
    private readonly messenger: Messenger,
    private readonly companions: CompanionDirectory,
  ) {}

  @Get()
  @Needs('any-key')
  async onList(): Promise<z.output<typeof CompanionList>> {
    return { companions: await this.companions.list(), defaultCompanion: this.companions.defaultCompanion };
  }

  @Get(':id')
  @Needs('any-key')
  onCompanion(@Param('id', new Parse(CompanionId, 'id')) companionId: string): Promise<CompanionView> {
    return this.messenger.ask(personalityContract.companion, { companionId });
  }

  @Get(':id/mood')
  @Needs('any-key')
  async onMood(
    @TheCaller() caller: Caller,
    @Param('id', new Parse(CompanionId, 'id')) companionId: string,
    @Query(new Parse(Period)) period: z.output<typeof Period>,
  ): Promise<z.output<typeof MoodResponse>> {
    const mood = await this.messenger.ask(personalityContract.mood, {
      companionId,
      personId: caller.personId,
      now: new Date().toISOString(),
      ...period,
    });
    return { companionId, ...mood };
  }
}
