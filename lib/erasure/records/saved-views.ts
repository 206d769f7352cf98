import { asc, inArray } from 'drizzle-orm'
import { savedViews } from '@/lib/db/schema'
import { affectedRows, type Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import { parseJson } from '@/lib/values/json'
import type { ErasedPart, NamedView } from '../contract'
import { textsIn } from './condition-texts'

/**
 * Deletes the views `chosen` among those of all entities whose names or filters have one of `texts`, and returns the others. Throws
 * `conflict` for one that has none.
 */
export async function eraseViews(
  tx: Db,
  { texts, chosen }: { texts: readonly string[]; chosen: readonly string[] },
): Promise<{ part: ErasedPart; views: NamedView[] }> {
  const named = await viewsWith(tx, texts)
  const known = new Set(named.map(({ id }) => id))
  const unknown = chosen.find((id) => !known.has(id))
  if (unknown !== undefined)
    throw new AppError(
      'conflict',
      `The saved view ${unknown} has no value of these conditions now; nothing was erased. Look at "views" of a dry run`,
    )
  const isChosen = inArray(savedViews.id, [...chosen])
  const deleted = chosen.length && (await affectedRows(tx, tx.delete(savedViews).where(isChosen)))
  const views = named.filter(({ id }) => !chosen.includes(id))
  return { part: { table: 'engine.saved_views', deleted, changed: 0 }, views }
}

async function viewsWith(tx: Db, texts: readonly string[]): Promise<NamedView[]> {
  const { id, entity, name, params } = savedViews
  const small = texts.map((text) => text.toLowerCase())
  const all = await tx
    .select({ id, entity, name, params })
    .from(savedViews)
    .orderBy(asc(entity), asc(name), asc(id))
  return all
    .filter(({ name, params }) => {
      const own = [name, ...valuesOf(params)].map((text) => text.toLowerCase())
      return small.some((text) => own.some((one) => one.includes(text)))
    })
    .map(({ params: _, ...view }) => view)
}

/** What the parameters of a view hold: filters are JSON, or as addresses have them. */
const valuesOf = (params: string): string[] =>
  [...new URLSearchParams(params).values()].flatMap((text) => {
    try {
      return textsIn(parseJson(text, { exactly: true }))
    } catch {
      return [text]
    }
  })
