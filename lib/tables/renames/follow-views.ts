import { eq } from 'drizzle-orm'
import { savedViews } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { stringifyExactly } from '@/lib/values/exact-numbers'
import { isObject, type Json, parseJson } from '@/lib/values/json'
import type { Followed, Renamed } from './follow-renames'

/** Saved views: their filter, sort and columns. */
export async function followViews(tx: Db, { from, to, nameOf }: Renamed): Promise<Followed> {
  const found = await tx.select().from(savedViews).where(eq(savedViews.entity, from))
  let count = 0
  for (const { id, params } of found) {
    const followed = followParams(params, nameOf)
    if (followed === params && from === to) continue
    count++
    await tx.update(savedViews).set({ entity: to, params: followed }).where(eq(savedViews.id, id))
  }
  return { what: 'saved view', count }
}

type NameOf = Renamed['nameOf']

/** The address of the console's page, `sort=name:asc&filter=[…]&cols=a,b&by=c`, with the present names. */
function followParams(text: string, nameOf: NameOf): string {
  const params = new URLSearchParams(text)
  const filter = params.get('filter')
  const changed = new Map([
    ['sort', followList(params.get('sort'), nameOf)],
    ['cols', followList(params.get('cols'), nameOf)],
    ['by', followList(params.get('by'), nameOf)],
    ['filter', filter === null ? undefined : followFilter(filter, nameOf)],
  ])
  const isSame = [...changed].every(([name, value]) => (value ?? null) === params.get(name))
  if (isSame) return text
  for (const [name, value] of changed) if (value !== undefined) params.set(name, value)
  return params.toString()
}

/** `name`, `name.part` or `name:asc`: its first part is the field. */
function followPath(path: string, nameOf: NameOf): string {
  const [first = ''] = path.split(/[.:]/)
  return nameOf(first) + path.slice(first.length)
}

const followList = (list: string | null, nameOf: NameOf): string | undefined =>
  list
    ?.split(',')
    .map((path) => followPath(path, nameOf))
    .join(',')

function followFilter(text: string, nameOf: NameOf): string {
  try {
    return stringifyExactly(followConditions(parseJson(text, { exactly: true }), nameOf))
  } catch {
    return text // not a filter that the page would show
  }
}

function followConditions(json: Json, nameOf: NameOf): Json {
  if (Array.isArray(json)) return json.map((one) => followConditions(one, nameOf))
  if (!isObject(json)) return json
  const { field, filters } = json
  return {
    ...json,
    ...(typeof field === 'string' ? { field: followPath(field, nameOf) } : {}),
    ...(filters === undefined ? {} : { filters: followConditions(filters, nameOf) }),
  }
}
