import { Controller } from '@nestjs/common';
import { loreContract, type RequestOutput } from '@kith/contracts';
import { Answers } from '@kith/messaging';
import { LoreKeeper } from './lore-keeper.js';

type Asked<Name extends keyof typeof loreContract> = RequestOutput<(typeof loreContract)[Name]>;

@Controller()
export class LoreController {
  constructor(private readonly lore: LoreKeeper) {}

  @Answers(loreContract.list)
  async onList(request: Asked<'list'>) {
    return { entries: await this.lore.list(request) };
  }

  @Answers(loreContract.put)
  onPut(request: Asked<'put'>) {
    return this.lore.put(request);
  }

  @Answers(loreContract.import)
  onImport(request: Asked<'import'>) {
    return this.lore.import(request);
  }

  @Answers(loreContract.remove)
  onRemove(request: Asked<'remove'>) {
    return this.lore.remove(request);
  }

  @Answers(loreContract.match)
  onMatch(request: Asked<'match'>) {
    return this.lore.match(request);
  }
}
