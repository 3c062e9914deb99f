import { AppError, type CoreBlock, type memoryContract, type RequestOutput } from '@kith/contracts';
import type { Database } from '@kith/database';
import { readPrivateTimes } from '../keeping/privacy.service.js';
import { lockPerson, readCore } from '../storage/memory-records.js';
import { editBlock } from './edit-block.js';

/** Core memory: a few short blocks that every prompt carries. */
export class CoreService {
  constructor(private readonly database: Database) {}

  /** The blocks there are for this audience. */
  read(where: RequestOutput<typeof memoryContract.core>): Promise<CoreBlock[]> {
    return this.database.readAsPerson(where.personId, (reader) => readCore(reader, where));
  }

  /** Changes one block. @throws AppError `invalid_request`, see `editBlock` */
  edit(request: RequestOutput<typeof memoryContract.editCore>): Promise<CoreBlock> {
    const { personId, companionId, audience, label, by } = request;
    return this.database.asPerson(personId, async (tx) => {
      await lockPerson(tx, personId);
      if (by === 'companion' && (await readPrivateTimes(tx, personId))(new Date())) {
        throw new AppError('conflict', 'they talk in private: nothing is noted now');
      }
      const key = { personId, companionId, audience, label };
      const held = await tx.coreBlock.findUnique({ where: { personId_companionId_audience_label: key } });
      const text = editBlock(held?.text ?? '', request);
      const data = { text, updatedBy: by, updatedAt: new Date() };
      if (held) await tx.coreBlock.update({ where: { personId_companionId_audience_label: key }, data });
      else await tx.coreBlock.create({ data: { ...key, ...data } });
      return { label, text, updatedBy: by, updatedAt: data.updatedAt.toISOString() };
    });
  }
}
