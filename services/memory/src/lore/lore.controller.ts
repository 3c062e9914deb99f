import { Controller } from '@nestjs/common';
import { loreContract, type RequestOutput } from '@kith/contracts';
import { Answers } from '@kith/messaging';
import { LoreKeeper } from './lore-keeper.js';

type LoreRequest<Name extends keyof typeof loreContract> = RequestOutput<(typeof loreContract)[Name]>;

@Controller()
export class LoreController {
  constructor(private readonly lore: LoreKeeper) {}

  @Answers(loreContract.list)
  async onList(request: LoreRequest<'list'>) {
    return { entries: await this.lore.list(request) };
  }

  @Answers(loreContract.put)
  onPut(request: LoreRequest<'put'>) {
    return this.lore.put(request);
  }

  @Answers(loreContract.import)
  onImport(request: LoreRequest<'import'>) {
    return this.lore.import(request);
  }

  @Answers(loreContract.remove)
  onRemove(request: LoreRequest<'remove'>) {
    return this.lore.remove(request);
  }

  @Answers(loreContract.match)
  onMatch(request: LoreRequest<'match'>) {
    return this.lore.match(request);
  }
}
