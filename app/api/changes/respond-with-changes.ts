import { identify } from '@/lib/auth/load-actor'
import { type Actor, requireRight } from '@/lib/auth/rights'
import { withOwnBudget } from '@/lib/db/budget'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { ChangesQuery } from '@/lib/events/contract'
import { type Changes, RECHECK_MS, readChanges, watchChanges } from '@/lib/events/follow-changes'
import { JsonText, type Reply } from '@/lib/http/envelope'
import { eventStream, type StreamEvent } from '@/lib/http/event-stream'
import { stopping } from '@/lib/stopping'
import { type JsonObject, stringifyExactly } from '@/lib/values/json'

/** The changes of records of these entities as a list, or as a stream of server-sent events where the request accepts one. */
export async function respondWithChanges(
  deps: Deps,
  request: Request,
  query: ChangesQuery & { entityNames: readonly string[] },
): Promise<Reply | Response> {
  const following = { ...query, caller: readerOf(await identify(request, deps), query.entityNames) }
  if (request.headers.get('accept')?.includes('text/event-stream')) {
    const since = request.headers.get('last-event-id') || query.since
    // A refusal has a status, which a stream that has started can't give. Nor is there a change between the status and the place.
    const first = await readChanges(
      deps,
      { ...following, since, limit: 1, wait: 0 },
      request.signal,
    )
    const from = since || first.cursor
    return eventStream(request, (signal) =>
      events(watchChanges(deps, { ...following, since: from }, signal), {
        begin: since ? null : from,
        check: following.caller,
      }),
    )
  }
  const { signal } = request
  const waiting = query.wait > 0 ? AbortSignal.any([signal, stopping()]) : signal
  const read = () => readChanges(deps, following, waiting)
  const { changes, cursor, more } = await (query.wait > 0
    ? withOwnBudget({ signal }, read)
    : read())
  return { data: new JsonText(stringifyExactly(changes)), meta: { cursor, more } }
}

/** Who asks, with the rights of the moment: a feed lasts longer than those of its request. Throws as `authorise` does. */
const readerOf =
  (identified: () => Promise<Actor | null>, entityNames: readonly string[]) =>
  async (): Promise<Actor> => {
    const actor = await identified()
    if (!actor) throw new AppError('unauthenticated', 'The session has ended; sign in again')
    for (const entity of entityNames) requireRight(actor, { entity, action: 'read' })
    return actor
  }

type Stream = {
  /** The place to say first. */
  begin: string | null
  /** Throws once the stream has to end. */
  check: () => Promise<unknown>
}

/** Each change as an event of its own; where there is none, the place from which the stream follows. */
async function* events(
  parts: AsyncIterable<Changes>,
  { begin, check }: Stream,
): AsyncGenerator<StreamEvent> {
  if (begin !== null) yield placeEvent(begin)
  for await (const { changes, cursor } of parts) {
    if (changes.length === 0) yield placeEvent(cursor)
    let checkedAt = performance.now()
    for (const change of changes) {
      // A client may take its time for what was read before.
      if (performance.now() - checkedAt >= RECHECK_MS) {
        await check()
        checkedAt = performance.now()
      }
      yield changeEvent(change)
    }
  }
}

const placeEvent = (cursor: string): StreamEvent => ({
  ...{ id: cursor, event: 'cursor', data: { cursor } },
})

const changeEvent = (change: JsonObject): StreamEvent => ({
  id: String(change.cursor),
  event: 'change',
  data: new JsonText(stringifyExactly(change)),
})
