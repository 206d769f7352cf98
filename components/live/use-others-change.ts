import { useEffect, useState } from 'react'
import { AUDIT_FIELDS } from '@/components/entities/draft'
import { loadCurrent } from '@/components/entities/load-current'
import { patchRow } from '@/components/entities/patch-row'
import type { EntityRecord } from '@/components/entities/types'
import { useHandler } from '@/components/ui/use-handler'
import { ApiError } from '@/lib/http/client'
import { followOthers } from './follow-others'
import { differingFields, type LiveChange, type LiveValues } from './live-change'

/** What others did to a record since it was read. */
export type OthersChange = {
  /** Null where it is not known. */
  by: string | null
  isDeleted: boolean
  fields: string[]
  /** As it was read, and as it is. */
  before: LiveValues
  after: LiveValues
}

const valuesThatDiffer = (before: LiveValues, after: LiveValues) =>
  differingFields(before, after).filter((field) => !AUDIT_FIELDS.includes(field))

/** Follows what others do to a record that is shown; null: nothing, or it was dismissed. */
export function useOthersChange(entity: string, record: EntityRecord) {
  const id = record.persistenceId
  const [read, setRead] = useState<LiveValues>(record)
  const [found, setFound] = useState<OthersChange | null>(null)
  const take = (by: string | null, from: LiveValues, after: LiveValues | null) => {
    if (after) patchRow(entity, id, after)
    const before = { ...from, ...found?.before }
    const fields = after ? valuesThatDiffer(before, after) : []
    const isSame = after !== null && fields.length === 0
    setFound(isSame ? null : { by, fields, isDeleted: !after, before, after: after ?? before })
  }
  const onNow = useHandler((now: EntityRecord | null) => {
    if (!now || valuesThatDiffer(read, now).length > 0) take(null, read, now)
  })
  const onGap = useHandler(() => {
    loadCurrent(entity, id).then(
      ({ record: now }) => onNow(now),
      (error) => {
        if (error instanceof ApiError && error.status === 404) onNow(null)
      },
    )
  })
  const onChanges = useHandler((changes: LiveChange[]) => {
    if (changes.some(({ key }) => key === null)) onGap() // it may be one of many
    const own = changes.filter(({ key }) => key === id)
    const [first, last] = [own[0], own.at(-1)]
    if (!last) return
    const by = last.action === 'left' ? null : (last.actor?.name ?? null)
    take(by, first?.before ?? read, last.after)
  })
  useEffect(() => followOthers(entity, { onChanges, onGap }), [entity, onChanges, onGap])
  const dismiss = () => {
    if (found) setRead({ ...read, ...found.after })
    setFound(null)
  }
  return { found, dismiss }
}
