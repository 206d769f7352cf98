import { withOwnBudget } from '@/lib/db/budget'
import { stopping } from '@/lib/stopping'
import { JsonText } from './envelope'

/** `data` is written as JSON, unless it is the text of some. */
export type StreamEvent = { id?: string; event: string; data: unknown }

const HEARTBEAT_MS = 15_000

/**
 * Server-sent events (HTML Living Standard §9.2) from `events`. Ends when they end, the client
 * leaves or the server stops. Comments keep proxies from closing a quiet stream.
 */
export function eventStream(
  request: Request,
  events: (signal: AbortSignal) => AsyncIterable<StreamEvent>,
): Response {
  const removed = new AbortController()
  request.signal.addEventListener('abort', () => removed.abort(), { once: true })
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const send = (text: string) => {
        if (!removed.signal.aborted) controller.enqueue(encoder.encode(text))
      }
      const heartbeat = setInterval(() => send(': still here\n\n'), HEARTBEAT_MS)
      const end = () => {
        clearInterval(heartbeat)
        if (!removed.signal.aborted) controller.close()
      }
      send('retry: 2000\n\n')
      // It lasts longer than the time limit of a request.
      withOwnBudget({ signal: removed.signal }, () =>
        forward(events(AbortSignal.any([removed.signal, stopping()])), send),
      ).then(end, end)
    },
    cancel: () => removed.abort(),
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  })
}

async function forward(
  events: AsyncIterable<StreamEvent>,
  send: (text: string) => void,
): Promise<void> {
  for await (const { id, event, data } of events) {
    send(
      `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data instanceof JsonText ? data.text : JSON.stringify(data)}\n\n`,
    )
  }
}
