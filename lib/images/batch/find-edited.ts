import 'server-only'
import { asc, inArray, type SQL } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { type ImageRow, images } from '@/lib/db/schema'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { matchRecords } from '@/lib/search/match-records'
import type { ConditionsInput } from '@/lib/search/read-input'
import { resolveWhere } from '@/lib/search/resolve-search'
import { whereSql } from '@/lib/search/to-sql'
import { findTarget } from '@/lib/tables/find-target'
import { MAX_EDITED } from '../edit-contract'

/** Images by their ids, or by conditions. */
export type Selection = { ids: readonly string[] } | ConditionsInput

/**
 * The images of a selection. Throws `not_found` when one of the ids is of no image, `invalid_input`
 * for invalid conditions and for more than `MAX_EDITED` images, and as `matchRecords` does.
 */
export async function findEdited(
  deps: Deps,
  actor: Actor,
  selection: Selection,
): Promise<ImageRow[]> {
  if ('ids' in selection) return findByIds(deps, selection.ids)
  const target = await findTarget(deps, 'EngineFiles', actor)
  const where = resolveWhere(target, selection)
  const found = await matchRecords(deps, { target, search: { where }, actor }, () =>
    select(deps, whereSql(where)),
  )
  if (found.length <= MAX_EDITED) return found
  throw new AppError(
    'invalid_input',
    `More than ${MAX_EDITED} images match; narrow the conditions, and change the others afterwards`,
  )
}

async function findByIds(deps: Deps, ids: readonly string[]): Promise<ImageRow[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const found = await select(deps, inArray(images.id, wanted))
  const known = new Set(found.map(({ id }) => id))
  const missing = wanted.filter((id) => !known.has(id))
  if (missing.length === 0) return found
  const named = missing.slice(0, 3).join(', ')
  const more = missing.length > 3 ? ` and ${missing.length - 3} others` : ''
  throw new AppError('not_found', `There is no image ${named}${more}; nothing was changed`)
}

const select = ({ db }: Deps, where: SQL) =>
  db
    .select()
    .from(images)
    .where(where)
    .orderBy(asc(images.id))
    .limit(MAX_EDITED + 1)
