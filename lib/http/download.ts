import { messageOf } from '@/lib/errors'
import type { Log } from '@/lib/log'

export type Download = {
  fileName: string
  mediaType: string
  chunks: AsyncIterable<Uint8Array>
}

type Making = {
  /** Aborted when the client leaves. */
  stop: AbortController
  log: Log
  requestId: string
}

/** A client that reads nothing for this long is disconnected. */
const STALL_MS = 60_000

/**
 * Streams a file while it is generated. Waits for its first bytes, so that a failure before them is
 * an ordinary error response; a later failure breaks the connection, so that no client takes a part
 * for the whole. Generation stops when the client leaves.
 */
export async function download(
  { fileName, mediaType, chunks }: Download,
  { stop, log, requestId }: Making,
): Promise<Response> {
  const source = chunks[Symbol.asyncIterator]()
  let next: IteratorResult<Uint8Array> | null = await source.next()
  let stalled: NodeJS.Timeout | undefined
  const end = async () => {
    clearTimeout(stalled)
    stop.abort()
    await source.return?.()
  }
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        clearTimeout(stalled)
        try {
          const { done, value } = next ?? (await source.next())
          next = null
          if (done) return controller.close()
          controller.enqueue(value)
          stalled = setTimeout(() => {
            controller.error(new Error('The client stopped reading'))
            void end()
          }, STALL_MS).unref()
        } catch (error) {
          if (!stop.signal.aborted)
            log.error({ requestId, error: messageOf(error).slice(0, 300) }, 'download broke off')
          controller.error(error)
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: {
      'Content-Type': mediaType,
      'Content-Disposition': disposition(fileName),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Accel-Buffering': 'no',
    },
  })
}

/** RFC 6266: a plain name for all clients, and the exact one for those that support it. */
function disposition(fileName: string): string {
  const plain = fileName.replace(/[^A-Za-z0-9._-]/g, '_')
  const exact = encodeURIComponent(fileName).replace(/['()*]/g, encodeOctet)
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

const encodeOctet = (text: string) => `%${text.charCodeAt(0).toString(16).toUpperCase()}`
