import { Controller } from '@nestjs/common';
import {
  embeddingContract,
  encodeVector,
  type EmbeddingSpace,
  type RequestOutput,
  type ResponseInput,
} from '@kith/contracts';
import { Answers } from '@kith/messaging';
import { Embedder } from './embed/embedder.js';

@Controller()
export class EmbeddingController {
  constructor(private readonly embedder: Embedder) {}

  @Answers(embeddingContract.embed)
  async onEmbed({
    texts,
    purpose,
  }: RequestOutput<typeof embeddingContract.embed>): Promise<ResponseInput<typeof embeddingContract.embed>> {
    const vectors = await this.embedder.embed(texts, purpose);
    return { space: this.embedder.space, vectors: vectors.map(encodeVector) };
  }

  @Answers(embeddingContract.space)
  onSpace(): EmbeddingSpace {
    return this.embedder.space;
  }
}
