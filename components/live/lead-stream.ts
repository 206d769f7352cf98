import { followStream, refusedAmong } from './follow-stream'
import { tell, wants, whenTold } from './tabs'

const LOCK = 'engine-live'
const MAX_WAIT_MS = 30_000

/** Where the last stream is, whichever tab holds it. */
let place: { entities: readonly string[]; cursor?: string } = { entities: [] }
/** Of the request to be the tab that holds the stream, and of holding it. */
let leading: AbortController | null = null
let leads = false
let stream: { entities: readonly string[]; isOpen: boolean; stop: AbortController } | null = null

export const isLeading = (): boolean => leads

whenTold((message) => {
  if (message.type === 'open')
    place = message.isResumed
      ? { ...place, entities: message.entities }
      : { entities: message.entities }
  if (message.type === 'event') place = { ...place, cursor: message.cursor }
})

/** Becomes the tab that holds the stream once no other one does, or is it no longer. */
export function askToLead(wanted: boolean): void {
  if (!wanted) stopLeading()
  if (!wanted || leading) return
  leading = new AbortController()
  const { signal } = leading
  const lead = () => holdLead(signal)
  // Without TLS there are no locks: then each tab holds a stream of its own.
  if (!navigator.locks) void lead()
  else navigator.locks.request(LOCK, { signal }, lead).catch(() => {})
}

async function holdLead(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  leads = true
  wants.clear()
  tell({ type: 'ask' })
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

function stopLeading(): void {
  leading?.abort()
  leading = null
  leads = false
  stream?.stop.abort()
  stream = null
}

/** Holds a stream of what all tabs show. `isNew`: some of it was not shown before, so its former changes mean nothing. */
export function streamFor(isNew: boolean): void {
  const entities = [...new Set([...wants.values()].flat())].sort()
  const isSame = stream !== null && String(stream.entities) === String(entities)
  if (isSame) {
    if (stream?.isOpen) tell({ type: 'open', entities, isResumed: true })
    return
  }
  const wasFollowed = entities.every((entity) => place.entities.includes(entity))
  const since = wasFollowed && (stream !== null || !isNew) ? place.cursor : undefined
  stream?.stop.abort()
  stream = null
  if (entities.length > 0) void hold(entities, since)
}

async function hold(entities: readonly string[], from: string | undefined): Promise<void> {
  const stop = new AbortController()
  const own = { entities, isOpen: false, stop }
  const { signal } = stop
  stream = own
  let since = from
  for (let failures = 0; !signal.aborted; failures++) {
    const outcome = await followStream({
      ...{ entities, since, signal },
      onOpen: () => {
        own.isOpen = true
        failures = 0
        tell({ type: 'open', entities: [...entities], isResumed: since !== undefined })
      },
      onEvent: (cursor, change) => {
        since = cursor
        if (!signal.aborted) tell({ type: 'event', cursor, change })
      },
    })
    own.isOpen = false
    if (signal.aborted) return
    if (outcome === 'refused') {
      const refused = await refusedAmong(entities, signal).catch(() => [])
      if (signal.aborted) return
      if (refused.length > 0) return tell({ type: 'refused', entities: refused })
    }
    if (outcome === 'expired') since = undefined
    await pause(failures, signal)
  }
}

/** Longer after each failure, and not the same for all browsers; at once when the connection is back. */
function pause(failures: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(MAX_WAIT_MS, 500 * 2 ** failures) * (0.5 + Math.random() / 2)
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      window.removeEventListener('online', done)
      resolve()
    }
    const timer = navigator.onLine ? setTimeout(done, ms) : undefined
    window.addEventListener('online', done)
    signal.addEventListener('abort', done, { once: true })
  })
}
