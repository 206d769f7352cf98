import { asc, inArray, type SQL } from 'drizzle-orm'
import { recordAudit } from '@/lib/audit/record-audit'
import { type Actor, requireRight } from '@/lib/auth/rights'
import { type ImageRow, images } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { shortenedJson } from '@/lib/records/audit-details'
import { requireExpected } from '@/lib/records/preconditions'
import { findTarget } from '@/lib/search/find-target'
import { matchRecords } from '@/lib/search/match-records'
import type { ConditionsInput } from '@/lib/search/read-input'
import { resolveWhere } from '@/lib/search/resolve-search'
import { whereSql } from '@/lib/search/to-sql'
import type { Json, JsonObject } from '@/lib/values/json'
import {
  changeLabels,
  type LabelChange,
  type LabelledImage,
  sameLabels,
  sendLabels,
  writeLabels,
} from './batch/change-labels'
import { claimAll, endClaims, extendClaims, releaseAll } from './claims'
import { MAX_EDITED } from './edit-contract'
import type { Caller } from './save-image'
import { requireStorage } from './settle-object'

const WORDS = { noun: 'image', done: 'changed' } as const

export type EditImages = {
  selection: Selection
  change: LabelChange
  /** Count only. */
  dryRun: boolean
  /** Refuse unless exactly this many images are selected. */
  expected?: number
}

/** `pending`: changed images whose labels their storage provider does not have yet. */
export type EditedImages = { count: number; updated: number; unchanged: number; pending: number }

/**
 * Changes tags and context of many images: all records in one transaction or none. Providers get the
 * labels after that, from the sweep if they fail. Throws `forbidden` when an actor without the right
 * to read asks for what depends on stored values, `conflict` when the number is not the expected one
 * or an image changes at the same moment, and as `findEdited`, `changeLabels` and `requireStorage` do.
 */
export async function editImages(
  deps: Deps,
  caller: Caller,
  { selection, change, dryRun, expected }: EditImages,
): Promise<EditedImages> {
  if (!('ids' in selection) || dryRun || expected !== undefined)
    requireRight(caller.actor, 'images:read')
  const found = await findEdited(deps, caller.actor, selection)
  requireExpected(found.length, expected, WORDS)
  const changes = found
    .map((image) => ({ image, labels: changeLabels(image, change) }))
    .filter(({ image, labels }) => !sameLabels(image, labels))
  for (const { image } of changes) requireStorage(deps, image)
  const counts = {
    count: found.length,
    updated: changes.length,
    unchanged: found.length - changes.length,
    pending: 0,
  }
  if (dryRun || changes.length === 0) return counts
  const record = (tx: Db) => recordEdit(tx, caller, { selection, change, ...counts })
  return { ...counts, pending: await carryOut(deps, changes, record) }
}

async function carryOut(
  deps: Deps,
  changes: readonly LabelledImage[],
  record: (tx: Db) => Promise<void>,
): Promise<number> {
  const { db } = deps
  const objects = changes.map(({ image }) => image)
  const holder = await claimAll(db, objects)
  try {
    await db.transaction(async (tx) => {
      await extendClaims(tx, holder, objects.length)
      await writeLabels(tx, changes)
      await record(tx)
      // The record is all that has the labels of these.
      await endClaims(tx, holder, 'local')
    })
  } catch (error) {
    await releaseAll(db, holder).catch(() => {}) // the leases expire by themselves
    throw error
  }
  const elsewhere = changes.filter(({ image }) => image.provider !== 'local')
  return sendLabels(deps, holder, elsewhere)
}

type Edit = { selection: Selection; change: LabelChange; count: number; updated: number }

async function recordEdit(
  tx: Db,
  { actor, requestId }: Caller,
  { selection, change, count, updated }: Edit,
): Promise<void> {
  const selected: JsonObject =
    'ids' in selection
      ? { ids: [...selection.ids] }
      : { query: shortenedJson(selection.conditions) }
  const details = { ...selected, change: shortenedJson(change as Json), count, updated }
  await recordAudit(tx, actor, {
    ...{ action: 'images.update', objectType: 'image', details, requestId },
  })
}

/** Images by their ids, or by conditions. */
type Selection = { ids: readonly string[] } | ConditionsInput

/**
 * The images of a selection. Throws `not_found` when one of the ids is of no image, `invalid_input`
 * for invalid conditions and for more than `MAX_EDITED` images, and as `matchRecords` does.
 */
async function findEdited(deps: Deps, actor: Actor, selection: Selection): Promise<ImageRow[]> {
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
