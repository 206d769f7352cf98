import type { Actor } from '@/lib/auth/rights'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { recordNotFound } from '@/lib/records/record-where'
import { requireRead } from '@/lib/registry/may-read'
import { findEntity, listEntities } from '@/lib/registry/registry'
import type { SearchTarget } from '@/lib/registry/target'
import { etagOf } from '@/lib/rows/select-records'
import { restrictedTarget } from '@/lib/search/restricted-target'
import { type Rule, ruleOf } from '@/lib/search/rule'
import { EARLIER, type HistoryMeta, type HistoryQuery, type RecordVersion } from './contract'
import { readVersions, readVisibleVersions } from './read-versions'
import { presentRow } from './store'

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
 * one, unless that created the record. Left out are values of fields that the entity no longer serves, and what is hidden from
 * the caller: states, each judged by its own row, and fields. Throws `forbidden` without the right to read, `not_found`
 * when there is neither a record nor a version of it.
 */
export async function listHistory(deps: Deps, input: ListHistory): Promise<History> {
  const { entityName, id, actor, page, size } = input
  const { settings } = deps
  const entity = await findEntity(deps, entityName)
  requireRead(actor, entity, 'A history')
  const installed = await listEntities(deps)
  const reading = {
    entity,
    target: restrictedTarget(entity, actor, installed),
    rule: ruleOf(actor, entity, 'read', installed),
  }
  const { present, versions, total, hasEarlier } = await readAll(deps, reading, input)
  if (total === 0 && !present) throw recordNotFound(entity.name, id)
  if (hasEarlier && versions.length < size && page * size + versions.length === total)
    versions.push(earlier())
  return {
    versions,
    total: total + (hasEarlier ? 1 : 0),
    meta: {
      kept: entity.definition.history ?? false,
      exists: present !== null,
      versions: settings.HISTORY_VERSIONS,
      days: settings.HISTORY_DAYS,
    },
    etag: present && etagOf(present.json),
  }
}

type Reading = { entity: Entity; target: SearchTarget; rule: Rule | null }

/** In one snapshot, so that each change leads to what was found by the next. */
function readAll(deps: Deps, { entity, target, rule }: Reading, { id, page, size }: ListHistory) {
  const { db } = deps.primary ?? deps
  const part = { offset: page * size, limit: size }
  return db.transaction(
    async (tx) => {
      const present = await presentRow(tx, target, id)
      const record = { entity, present, key: present?.id ?? id }
      const found = rule
        ? await readVisibleVersions(tx, record, rule, part)
        : await readVersions(tx, record, part)
      return { present, ...found }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

const earlier = (): RecordVersion => ({
  version: EARLIER,
  kind: 'earlier',
  ...{ at: null, by: null, action: null, install: null },
  ...{ changes: [], formerFields: [], restorable: true },
})
