import { withOwnBudget } from '@/lib/db/budget'
import { stopping } from '@/lib/stopping'
import { JsonText } from './envelope'

/** `data` is written as JSON, unless it is the text of some. */
export type StreamEvent = { id?: string; event: string; data: unknown }

const HEARTBEAT_MS = 25_000
/** Between two looks at whose turn it is. */
const BEAT_TICK_MS = 500

/**
 * Server-sent events (HTML Living Standard §9.2) from `events`, each taken once the client has read those before it. Ends when
 * they end, the client leaves or the server stops. Comments keep proxies from closing a quiet stream; a client that reads nothing gets
 * none, so that the server finds its connection stalled.
 */
export function eventStream(
  request: Request,
  events: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
): Response {
  const removed = new AbortController()
  request.signal.addEventListener('abort', () => removed.abort(), { once: true })
  const { signal } = removed
  const source = events(AbortSignal.any([signal, stopping()]))[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  let endHeartbeat = () => {}
  const end = () => {
    endHeartbeat()
    void Promise.resolve(source.return?.()).catch(() => {})
  }
  signal.addEventListener('abort', end, { once: true })
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const send = (text: string) => controller.enqueue(encoder.encode(text))
    send('retry: 2000\n\n')
    endHeartbeat = beat(() => {
      if (controller.desiredSize === 0) send(': still here\n\n')
    })
  }
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    // It lasts longer than the time limit of a request.
    const next = await withOwnBudget({ signal }, () => source.next()).catch(() => null)
    if (signal.aborted) return
    if (next && !next.done) return controller.enqueue(encoder.encode(textOf(next.value)))
    end()
    controller.close()
  }
  const cancel = () => removed.abort()
  return new Response(new ReadableStream({ start, pull, cancel }, { highWaterMark: 0 }), {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  })
}

/** What is called every `HEARTBEAT_MS`, by the time of the next call: one timer for all, as thousands would keep a processor busy. */
const beats = new Map<() => void, number>()
let timer: NodeJS.Timeout | undefined

/** Returns how to end it. */
function beat(call: () => void): () => void {
  beats.set(call, performance.now() + HEARTBEAT_MS)
  timer ??= setInterval(callAll, BEAT_TICK_MS)
  return () => {
    beats.delete(call)
    if (beats.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function callAll(): void {
  const now = performance.now()
  for (const [call, due] of beats) {
    if (due > now) continue
    beats.set(call, now + HEARTBEAT_MS)
    call()
  }
}

const textOf = ({ id, event, data }: StreamEvent): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data instanceof JsonText ? data.text : JSON.stringify(data)}\n\n`
