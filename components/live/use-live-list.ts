import { useEffect, useRef, useState } from 'react'
import type { Condition } from '@/components/data-table/filter/condition'
import { entityPath, refreshEntity } from '@/components/entities/entity-queries'
import { patchRow, refreshRelated } from '@/components/entities/patch-row'
import type { ColumnDescription, EntityRecord } from '@/components/entities/types'
import { useHandler } from '@/components/ui/use-handler'
import { api } from '@/lib/http/client'
import type { Search } from '@/lib/query/search'
import { flashCells } from './flash-cells'
import { followOthers } from './follow-others'
import { differingFields, type LiveChange, type LiveValues } from './live-change'
import { countNew, refreshTotals } from './live-counts'
import { type LiveList, UNCHANGED, withChanges } from './live-list'

export type LiveListProps = {
  entity: string
  columns: readonly ColumnDescription[]
  /** The request for what is shown, and its conditions. */
  search: Search
  query: readonly Condition[]
  rows: readonly EntityRecord[]
  isFetching: boolean
  onDeleted: (ids: ReadonlySet<string>) => void
}

/** Follows what others do to the records of a list. `begin`: the list is shown anew. */
export function useLiveList(props: LiveListProps) {
  const { entity, columns, search, query, rows, isFetching, onDeleted } = props
  const [list, setList] = useState<LiveList>(UNCHANGED)
  const [matching, setMatching] = useState(0)
  const [changed, setChanged] = useState(0)
  const later = useLater()
  const settle = async (added: ReadonlySet<string>) => {
    void refreshTotals(entity, search, query)
    if (query.length > 0) setMatching(await countNew({ entity, columns, query }, [...added]))
  }
  const show = (next: LiveList) => {
    setList(next)
    onDeleted(next.deleted)
    if (query.length === 0) setMatching(next.added.size)
    later(() => void settle(next.added))
  }
  const patch = (id: string, values: LiveValues, fields: readonly string[]) => {
    const row = rows.findIndex(({ persistenceId }) => persistenceId === id)
    patchRow(entity, id, values)
    refreshRelated(entity, fields)
    if (row >= 0) requestAnimationFrame(() => flashCells(row, fields))
  }
  const onChanges = useHandler((changes: LiveChange[]) => {
    const shown = new Set(rows.map(idOf))
    let inPlace = 0
    for (const { key, after, fields } of changes) {
      if (!after || key === null || !shown.has(key)) continue
      patch(key, after, fields)
      inPlace += 1
    }
    setChanged((count) => count + inPlace)
    show(withChanges(list, changes, shown))
  })
  const onFresh = useHandler((fresh: readonly EntityRecord[]) => {
    if (isFetching) return // what is shown is older than what comes
    for (const record of fresh) {
      const before = rows.find(({ persistenceId }) => persistenceId === record.persistenceId)
      const fields = before ? differingFields(before, record) : []
      if (fields.length > 0) patch(record.persistenceId, record, fields)
    }
    const isSame = String(fresh.map(idOf)) === String(rows.map(idOf))
    if (!isSame) show({ ...list, isBehind: true })
  })
  const onGap = useHandler(() => {
    const body = { method: 'POST' as const, body: search }
    api<EntityRecord>(entityPath(entity, '/search'), body).then(
      ({ data }) => onFresh(data),
      () => {}, // the list itself says what is wrong when it is read again
    )
  })
  useEffect(
    () => followOthers(entity, { onChanges, onGap, onRefused: () => void refreshEntity(entity) }),
    [entity, onChanges, onGap],
  )
  const begin = useHandler(() => {
    setList(UNCHANGED)
    setMatching(0)
    onDeleted(UNCHANGED.deleted)
  })
  return { list, matching, changed, begin }
}

const idOf = ({ persistenceId }: EntityRecord) => persistenceId

const SETTLED_MS = 800
const MAX_UNSETTLED_MS = 3_000

/** Does the last of many things a moment after it, and one of them from time to time. */
function useLater(): (work: () => void) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const since = useRef<number | null>(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (work) => {
    clearTimeout(timer.current)
    since.current ??= performance.now()
    const leftMs = since.current + MAX_UNSETTLED_MS - performance.now()
    const run = () => {
      since.current = null
      work()
    }
    timer.current = setTimeout(run, Math.max(0, Math.min(SETTLED_MS, leftMs)))
  }
}
