import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ModelTestRequest, type ModelsView, type ModelTestView } from '@kith/contracts';
import type { z } from 'zod';
import { ModelDesk } from '../models/model-desk.js';
import { Needs } from './api-key.guard.js';
import { Parse } from './parse-input.js';

/** Which models there are, which are asked, and whether they do what is needed. */
@Controller('v1/models')
export class ModelsController {
  constructor(private readonly models: ModelDesk) {}

  @Get()
  @Needs('admin')
  onList(): Promise<ModelsView> {
    return this.models.view();
  }

  @Post('test')
  @HttpCode(200)
  @Needs('admin')
  onTest(
    @Body(new Parse(ModelTestRequest)) { role, model }: z.output<typeof ModelTestRequest>,
  ): Promise<ModelTestView> {
    return this.models.test(role, model);
  }
}
