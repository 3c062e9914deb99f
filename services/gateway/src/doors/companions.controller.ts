import { Controller, Get, Header, Param, Query, StreamableFile } from '@nestjs/common';
import {
  CompanionId,
  IsoTime,
  personalityContract,
  type CompanionList,
  type CompanionView,
  type MoodResponse,
} from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { drawMoodCard } from '@kith/mood-card';
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
    return { companionId, ...(await this.mood(caller, companionId, period)) };
  }

  @Get(':id/mood.png')
  @Needs('any-key')
  // It is what lies between the caller and the companion, and another one the next minute.
  @Header('cache-control', 'private, no-store')
  async onMoodCard(
    @TheCaller() caller: Caller,
    @Param('id', new Parse(CompanionId, 'id')) companionId: string,
    @Query(new Parse(Period)) period: z.output<typeof Period>,
  ): Promise<StreamableFile> {
    const [companion, mood] = await Promise.all([
      this.messenger.ask(personalityContract.companion, { companionId }),
      this.mood(caller, companionId, period),
    ]);
    const { png } = await drawMoodCard({ companion, mood });
    return new StreamableFile(png, { type: 'image/png', length: png.length, disposition: 'inline' });
  }

  private mood({ personId }: Caller, companionId: string, period: z.output<typeof Period>) {
    const now = new Date().toISOString();
    return this.messenger.ask(personalityContract.mood, { companionId, personId, now, ...period });
  }
}
