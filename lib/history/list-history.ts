import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { recordNotFound } from '@/lib/records/record-where'
import { requireRead } from '@/lib/registry/may-read'
import { findEntity } from '@/lib/registry/registry'
import { etagOf } from '@/lib/rows/select-records'
import { EARLIER, type HistoryMeta, type HistoryQuery, type RecordVersion } from './contract'
import { compareStates, stateOf } from './state'
import { countVersions, presentRow, selectVersions } from './store'

export type ListHistory = HistoryQuery & { entityName: string; id: string; actor: Actor }

export type History = {
  versions: RecordVersion[]
  total: number
  meta: HistoryMeta
  /** Of the present record; null when it is not stored. */
  etag: string | null
}

/**
 * A page of what happened to a record, newest first; the state before the oldest version is the last
 * one, unless that created the record. Values of fields that the entity no longer serves are left out.
 * Throws `forbidden` without the right to read, `not_found` when there is neither a record nor a version of it.
 */
export async function listHistory(deps: Deps, input: ListHistory): Promise<History> {
  const { entityName, id, actor, page, size } = input
  const { settings } = deps
  const entity = await findEntity(deps, entityName)
  requireRead(actor, entity, 'A history')
  const { stored, isWhole, present, found } = await readAll(deps, entity, input)
  if (stored === 0 && !present) throw recordNotFound(entity.name, id)
  const hasEarlier = stored > 0 && !isWhole
  // The version before the page's first one is newer: what the first one led to.
  const from = page * size
  const newer = newerOf(input)
  const versions = found.slice(newer).map((version, at) => {
    const next = found[at + newer - 1] ?? null
    return presentVersion(entity, version, next ? next.data : (present?.row ?? null), !next)
  })
  if (hasEarlier && versions.length < size && from + versions.length === stored)
    versions.push(earlier())
  return {
    versions,
    total: stored + (hasEarlier ? 1 : 0),
    meta: {
      kept: entity.definition.history ?? false,
      exists: present !== null,
      versions: settings.HISTORY_VERSIONS,
      days: settings.HISTORY_DAYS,
    },
    etag: present && etagOf(present.json),
  }
}

/** How many versions are read that are newer than those of the page. */
const newerOf = ({ page }: ListHistory) => (page > 0 ? 1 : 0)

/** In one snapshot, so that each change leads to what was found by the next. */
function readAll(deps: Deps, entity: Entity, input: ListHistory) {
  const { id, page, size } = input
  const newer = newerOf(input)
  const part = { offset: page * size - newer, limit: size + newer }
  const { db } = deps.primary ?? deps
  return db.transaction(
    async (tx) => {
      const present = await presentRow(tx, entity, id)
      const key = present?.id ?? id
      const { total: stored, isWhole } = await countVersions(tx, entity, key)
      const found = stored > 0 ? await selectVersions(tx, entity, key, part) : []
      return { stored, isWhole, present, found }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

type FoundVersion = Awaited<ReturnType<typeof selectVersions>>[number]

/** `following`: the row that the next version found, or the present one. */
function presentVersion(
  entity: Entity,
  { id, at, kind, data, after, origin }: FoundVersion,
  following: string | null,
  isNewest: boolean,
): RecordVersion {
  const result = kind === 'delete' ? null : (after ?? following)
  const [before, now] = [data, result].map((row) => row && stateOf(entity, row))
  const former = [...new Set([...(before || EMPTY).former, ...(now || EMPTY).former])]
  return {
    ...{ version: id, kind, at },
    ...originOf(origin),
    changes: compareStates(before || null, now || null),
    formerFields: former.sort(),
    restorable:
      kind === 'delete' || (result !== null && (!isNewest || isChanged(entity, result, following))),
  }
}

/** Only the last change in the console can be followed by others that are in no history. */
const isChanged = (entity: Entity, result: string, present: string | null): boolean =>
  result !== present &&
  compareStates(stateOf(entity, result), present === null ? null : stateOf(entity, present))
    .length > 0

const EMPTY = { former: [] as string[] }

type Origin = FoundVersion['origin'] & {
  install: (RecordVersion['install'] & { by?: string }) | null
}

/** An install records who began it in its own entry of the history. */
function originOf({
  by,
  action,
  install,
}: Origin): Pick<RecordVersion, 'by' | 'action' | 'install'> {
  if (!install) return { by, action, install: null }
  const { by: installer, ...shown } = install
  return { by: by ?? { type: null, name: installer ?? null }, action, install: shown }
}

const earlier = (): RecordVersion => ({
  version: EARLIER,
  kind: 'earlier',
  ...{ at: null, by: null, action: null, install: null },
  ...{ changes: [], formerFields: [], restorable: true },
})
