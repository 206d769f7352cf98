import { currentActor } from '@/lib/auth/load-actor'
import { type Actor, requireRight } from '@/lib/auth/rights'
import { withOwnBudget } from '@/lib/db/budget'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import type { ChangesQuery } from '@/lib/events/contract'
import { type Changes, readChanges, watchChanges } from '@/lib/events/follow-changes'
import { JsonText, type Reply } from '@/lib/http/envelope'
import { eventStream, type StreamEvent } from '@/lib/http/event-stream'
import { type Json, stringifyExactly } from '@/lib/values/json'

/** The changes of records of these entities as a list, or as a stream of server-sent events where the request accepts one. */
export async function respondWithChanges(
  deps: Deps,
  request: Request,
  query: ChangesQuery & { entityNames: readonly string[] },
): Promise<Reply | Response> {
  const following = { ...query, caller: () => readerNow(deps, request, query.entityNames) }
  if (request.headers.get('accept')?.includes('text/event-stream')) {
    const since = request.headers.get('last-event-id') || query.since
    const from = since ? { ...following, since } : following
    // A refusal has a status, which a stream that has begun can't give.
    await readChanges(deps, { ...from, limit: 1, wait: 0 }, request.signal)
    return eventStream(request, (signal) => events(watchChanges(deps, from, signal)))
  }
  const { signal } = request
  const read = () => readChanges(deps, following, signal)
  const { changes, cursor, more } = await (query.wait > 0
    ? withOwnBudget({ signal }, read)
    : read())
  return { data: new JsonText(stringifyExactly(changes)), meta: { cursor, more } }
}

/** Who asks, with the rights of this moment: a feed lasts longer than those of its request. Throws as `authorise` does. */
async function readerNow(
  deps: Deps,
  request: Request,
  entityNames: readonly string[],
): Promise<Actor> {
  const actor = await currentActor(request, deps)
  if (!actor) throw new AppError('unauthenticated', 'The session has ended; sign in again')
  for (const entity of entityNames) requireRight(actor, { entity, action: 'read' })
  return actor
}

/** Each change as an event of its own; where there is none yet, the place from which the stream follows. */
async function* events(parts: AsyncIterable<Changes>): AsyncGenerator<StreamEvent> {
  for await (const { changes, cursor } of parts) {
    if (changes.length === 0) yield { id: cursor, event: 'cursor', data: { cursor } }
    for (const change of changes)
      yield {
        id: String(change.cursor),
        event: 'change',
        data: new JsonText(stringifyExactly(change as Json)),
      }
  }
}
