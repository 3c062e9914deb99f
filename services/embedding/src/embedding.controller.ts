import { Controller } from '@nestjs/common';
import { embeddingContract, encodeVector, type RequestOutput, type ResponseInput } from '@kith/contracts';
import { Answers } from '@kith/messaging';
import { Embedders } from './embed/embedders.js';

@Controller()
export class EmbeddingController {
  constructor(private readonly embedders: Embedders) {}

  @Answers(embeddingContract.embed)
  async onEmbed({
    texts,
    purpose,
    space,
  }: RequestOutput<typeof embeddingContract.embed>): Promise<ResponseInput<typeof embeddingContract.embed>> {
    const embedder = this.embedders.of(space);
    const vectors = await embedder.embed(texts, purpose);
    return { space: embedder.space, vectors: vectors.map(encodeVector) };
  }

  @Answers(embeddingContract.spaces)
  onSpaces(): ResponseInput<typeof embeddingContract.spaces> {
    return { current: this.embedders.current.space, next: this.embedders.next?.space ?? null };
  }
}
