import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Order as the shop carried it out, once for each key. */
export interface Order {
  key: string;
  item: string;
}

/** Moment of an order: it has come in; it is carried out, and nobody has been told yet. */
export type OrderMoment = 'come' | 'done';

/** Name of its tool in the suite. */
export const ORDER_TOOL = 'shop__placeOrder';

/** Interface over HTTP that is none of the suite's. It takes the keys of repeated calls, as its OpenAPI file says. */
export class Shop {
  /** Orders carried out, in order. */
  readonly orders: Order[] = [];
  /** Requests it has had, with repeated ones. */
  requests = 0;
  /** Hears of each order. */
  onOrder: (moment: OrderMoment) => void = () => undefined;
  /** Folder of tools that describes it. */
  readonly directory: string;
  private readonly server: Server;

  private constructor(directory: string) {
    this.directory = directory;
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  static async start(): Promise<Shop> {
    const shop = new Shop(await mkdtemp(join(tmpdir(), 'kith-shop-')));
    await new Promise<void>((listening) => shop.server.listen(0, '127.0.0.1', listening));
    const { port } = shop.server.address() as AddressInfo;
    await writeFile(join(shop.directory, 'shop.openapi.json'), JSON.stringify(documentAt(port)));
    return shop;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
    await rm(this.directory, { recursive: true, force: true });
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    try {
      for await (const part of request) body += String(part);
    } catch {
      // Its caller died before it had told all.
      return;
    }
    this.requests += 1;
    this.onOrder('come');
    const { item } = JSON.parse(body) as { item: string };
    // Without a key nobody can tell a repeated order from a new one.
    const key = String(request.headers['idempotency-key'] ?? randomUUID());
    if (!this.orders.some((order) => order.key === key)) this.orders.push({ key, item });
    this.onOrder('done');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ordered: item }));
  }
}

function documentAt(port: number) {
  const schema = { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] };
  return {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: `http://127.0.0.1:${port}` }],
    paths: {
      '/orders': {
        post: {
          operationId: 'placeOrder',
          summary: 'Places an order.',
          parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }],
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 200: { description: 'ordered' } },
        },
      },
    },
  };
}
