import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { NodeRequest } from 'srvx/node'

/** A received request as handlers take it. Reads its body no faster than the handler does. */
export class ApiRequest extends NodeRequest {
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | undefined

  constructor(
    private readonly incoming: IncomingMessage,
    response: ServerResponse,
  ) {
    super({ req: incoming, res: response })
  }

  /** The whole body where it has arrived, as short ones have with their headers; null otherwise, and when it is being read. */
  async received(): Promise<Uint8Array | null> {
    // What came with the headers is handed over after them, in the same turn of the event loop.
    if (!this.incoming.complete) await nextTurn()
    if (this.#stream || !this.incoming.complete || this.incoming.readableDidRead) return null
    return this.incoming.read() ?? new Uint8Array()
  }

  override get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (BODILESS.has(this.method)) return null
    this.#stream ??= streamOf(this.incoming)
    return this.#stream
  }
}

const BODILESS = new Set(['GET', 'HEAD'])

/** Node's `Readable.toWeb` counts chunks where it means bytes, and so reads far ahead. */
function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = incoming[Symbol.asyncIterator]()
  const source: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    // Closes the connection, since the next request can't be found without reading the rest.
    cancel: async () => void (await chunks.return?.()),
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}
