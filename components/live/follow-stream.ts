import { withQuery } from '@/lib/http/client'

type Following = {
  entities: readonly string[]
  /** The cursor after which to go on; none: from now. */
  since: string | undefined
  signal: AbortSignal
  onOpen: () => void
  /** `change`: as JSON; null where only the place is new. */
  onEvent: (cursor: string, change: string | null) => void
}

/** `ended`: try again; `expired`: its changes are no longer kept; `refused`: no more of it. */
export type Outcome = 'ended' | 'expired' | 'refused'

/** The server says something every 25 seconds. */
const SILENT_MS = 40_000

/** Follows the changes of entities as server-sent events until the stream ends, is silent for long, or `signal` aborts. */
export async function followStream({ signal, ...following }: Following): Promise<Outcome> {
  const stop = new AbortController()
  const abort = () => stop.abort()
  signal.addEventListener('abort', abort, { once: true })
  window.addEventListener('offline', abort, { once: true })
  try {
    return await read(following, stop)
  } catch {
    return 'ended'
  } finally {
    signal.removeEventListener('abort', abort)
    window.removeEventListener('offline', abort)
    abort()
  }
}

async function read(
  { entities, since, onOpen, onEvent }: Omit<Following, 'signal'>,
  stop: AbortController,
): Promise<Outcome> {
  const address = withQuery('/api/changes', { entities: entities.join(','), since })
  const headers = { Accept: 'text/event-stream' }
  const response = await fetch(address, { headers, cache: 'no-store', signal: stop.signal })
  const { status, body } = response
  if (status === 410) return 'expired'
  if (REFUSALS.includes(status)) return 'refused'
  if (!response.ok || !body) return 'ended'
  onOpen()
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let text = ''; ; ) {
    const silence = setTimeout(() => stop.abort(), SILENT_MS)
    const { value, done } = await reader.read().finally(() => clearTimeout(silence))
    if (done) return 'ended'
    const events = (text + value).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const { id, event: name, data } = partsOf(event)
      if (id && data) onEvent(id, name === 'change' ? data : null)
    }
  }
}

/** Those of several entities that can't be followed, each by itself. */
export async function refusedAmong(
  entities: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  if (entities.length === 1) return [...entities]
  const isRefused = async (entity: string) => {
    const address = withQuery('/api/changes', { entities: entity, limit: 1 })
    const { status } = await fetch(address, { cache: 'no-store', signal })
    return REFUSALS.includes(status)
  }
  const answers = await Promise.all(
    entities.map(async (entity) => ({ entity, isRefused: await isRefused(entity) })),
  )
  return answers.filter((answer) => answer.isRefused).map(({ entity }) => entity)
}

const REFUSALS = [400, 401, 403, 404, 409]

const partsOf = (event: string): Record<string, string | undefined> =>
  Object.fromEntries(event.split('\n').map((line) => line.split(/: (.*)/s)))
