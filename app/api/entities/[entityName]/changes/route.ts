import { currentActor } from '@/lib/auth/load-actor'
import { type Actor, requireRight } from '@/lib/auth/rights'
import { withOwnBudget } from '@/lib/db/budget'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { changesMeta, changesQuery, recordChange } from '@/lib/events/contract'
import { type Changes, readChanges, watchChanges } from '@/lib/events/follow-changes'
import { JsonText } from '@/lib/http/envelope'
import { eventStream, type StreamEvent } from '@/lib/http/event-stream'
import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { entityParams } from '@/lib/search/contract'
import { type Json, stringifyExactly } from '@/lib/values/json'

/** What happens to the records of an entity, as a list or as a stream. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: {
      id: 'followRecordChanges',
      summary: 'Follow the changes of the records of an entity',
      description:
        'In the order of their transactions, as the caller may see them now; each at least once, none of what was rolled back. Without `since` it returns a cursor of this moment: get one, read or export the records, then follow from it. With `Accept: text/event-stream` a stream of server-sent events `change`; `Last-Event-ID` goes on after one. A cursor whose changes are no longer kept is 410.',
      responses: { 200: listOf(recordChange, { meta: changesMeta }) },
      fails: ['conflict', 'expired'],
      headers: ['Last-Event-ID'],
    },
    access: ({ entityName }) => ({ entity: entityName, action: 'read' }),
    params: entityParams,
    query: changesQuery,
    load: 'light',
    handle: async ({ deps, params, query, request }) => {
      const caller = () => readerNow(deps, request, params.entityName)
      const following = { ...params, ...query, caller }
      if (request.headers.get('accept')?.includes('text/event-stream')) {
        const since = request.headers.get('last-event-id') || query.since
        return eventStream(request, (signal) =>
          events(watchChanges(deps, { ...following, ...(since ? { since } : {}) }, signal)),
        )
      }
      const { signal } = request
      const read = () => readChanges(deps, following, signal)
      const { changes, cursor, more } = await (query.wait > 0
        ? withOwnBudget({ signal }, read)
        : read())
      return { data: new JsonText(stringifyExactly(changes)), meta: { cursor, more } }
    },
  }),
})

/** Who asks, with the rights of this moment: a feed lasts longer than those of its request. Throws as `authorise` does. */
async function readerNow(deps: Deps, request: Request, entity: string): Promise<Actor> {
  const actor = await currentActor(request, deps)
  if (!actor) throw new AppError('unauthenticated', 'The session has ended; sign in again')
  requireRight(actor, { entity, action: 'read' })
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
