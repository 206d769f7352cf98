import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { judgeStates, SHOWN, type Shown } from '@/lib/search/judge-states'
import type { Rule } from '@/lib/search/rule'
import type { RecordVersion } from './contract'
import { compareStates, type State, stateOf } from './state'
import { countVersions, type PresentRow, selectVersions } from './store'

type FoundVersion = Awaited<ReturnType<typeof selectVersions>>[number]

/** A version with the state that it led to, as a row in JSON text; `present`: of the record as it is. */
type Reached = { version: FoundVersion; result: string | null }

/** The versions of one record, by the key that they have. */
export type OfRecord = { entity: Entity; key: string; present: PresentRow | null }

type Part = { offset: number; limit: number }

/** `hasEarlier`: the state before the oldest version is one more, and can be restored. */
export type FoundVersions = { versions: RecordVersion[]; total: number; hasEarlier: boolean }

/** A page of versions, newest first. */
export async function readVersions(tx: Db, record: OfRecord, part: Part): Promise<FoundVersions> {
  const { total, isWhole } = await countVersions(tx, record.entity, record.key)
  const reached = total > 0 ? await readPart(tx, record, part) : []
  const now = stateIn(record.entity, record.present?.row ?? null, SHOWN)
  const versions = reached.map(({ version, result }, at) =>
    shownVersion(version, {
      before: stateIn(record.entity, version.data, SHOWN),
      after: stateIn(record.entity, result, SHOWN),
      isNow: (after) => at + part.offset === 0 && isSame(after, now),
    }),
  )
  return { versions, total, hasEarlier: total > 0 && !isWhole }
}

const READ_AT_ONCE = 100

/**
 * The same of what `rule` lets a caller see: versions that led to a visible state, as it was then, and that show a change. A record
 * that was deleted has some only if its last state is visible.
 */
export async function readVisibleVersions(
  tx: Db,
  record: OfRecord,
  rule: Rule,
  { offset, limit }: Part,
): Promise<FoundVersions> {
  const { entity, key, present } = record
  const { total: stored, isWhole } = await countVersions(tx, entity, key)
  const [ofPresent = SHOWN] = await judgeStates(tx, entity, rule, present ? [present.row] : [])
  const now = stateIn(entity, present?.row ?? null, ofPresent)
  const versions: RecordVersion[] = []
  let [total, isEarlierVisible] = [0, false]
  for (let from = 0; from < stored; from += READ_AT_ONCE) {
    const reached = await readPart(tx, record, { offset: from, limit: READ_AT_ONCE })
    for (const { version, before, after } of await judged(tx, entity, rule, reached)) {
      isEarlierVisible = before !== null
      const isLast = version === reached[0]?.version && from === 0
      const own = version.kind === 'delete' ? before : after
      if (!own && isLast && !present) return NONE
      const isNow = (after: State) => total === 0 && isSame(after, now)
      const shown = own && shownVersion(version, { before, after, isNow })
      if (!shown || isEmpty(shown)) continue
      if (total >= offset && versions.length < limit) versions.push(shown)
      total += 1
    }
  }
  return { versions, total, hasEarlier: stored > 0 && !isWhole && isEarlierVisible }
}

/** Of a change of hidden fields alone. */
const isEmpty = ({ kind, changes, formerFields }: RecordVersion): boolean =>
  kind === 'update' && changes.length === 0 && formerFields.length === 0

const NONE: FoundVersions = { versions: [], total: 0, hasEarlier: false }

/** With the version before the part, whose row is what the part's first one led to. */
async function readPart(tx: Db, record: OfRecord, { offset, limit }: Part): Promise<Reached[]> {
  const newer = offset > 0 ? 1 : 0
  const part = { offset: offset - newer, limit: limit + newer }
  const found = await selectVersions(tx, record.entity, record.key, part)
  return found.slice(newer).map((version, at) => {
    const next = found[at + newer - 1] ?? null
    const following = next ? next.data : (record.present?.row ?? null)
    return { version, result: version.kind === 'delete' ? null : (version.after ?? following) }
  })
}

const stateIn = (entity: Entity, row: string | null, shown: Shown | undefined): State | null =>
  row !== null && shown?.isVisible ? stateOf(entity, row, shown) : null

/** With what is visible of the states before and after each version. */
async function judged(tx: Db, entity: Entity, rule: Rule, reached: readonly Reached[]) {
  const rows = reached.flatMap(({ version, result }) => [version.data, result])
  const texts = [...new Set(rows.filter((row) => row !== null))]
  const found = await judgeStates(tx, entity, rule, texts)
  const shownOf = new Map(texts.map((row, at) => [row, found[at]]))
  const visible = (row: string | null) => stateIn(entity, row, shownOf.get(row ?? ''))
  return reached.map(({ version, result }) => ({
    ...{ version, before: visible(version.data), after: visible(result) },
  }))
}

const isSame = (one: State | null, other: State | null) => compareStates(one, other).length === 0

type States = { before: State | null; after: State | null; isNow: (after: State) => boolean }

function shownVersion(
  { id, at, kind, origin }: FoundVersion,
  { before, after, isNow }: States,
): RecordVersion {
  const former = [...new Set([...(before?.former ?? []), ...(after?.former ?? [])])]
  return {
    ...{ version: id, kind, at },
    ...originOf(origin),
    changes: compareStates(before, after),
    formerFields: former.sort(),
    restorable: kind === 'delete' || (after !== null && !isNow(after)),
  }
}

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
