import { useEffect, useState } from 'react'
import type { ExactJson } from '@/lib/values/exact-json'
import { type Draft, draftOf, readDraft } from '../draft'
import { type Current, loadCurrent } from '../load-current'
import type { ColumnDescription, EntityRecord } from '../types'
import { CellConflict } from './save-cell'

/** What was entered into a cell, and why it was not saved. */
export type Attempt = { texts: Draft; error: Error }

type Options = {
  entity: string
  columns: readonly ColumnDescription[]
  column: ColumnDescription
  /** As the table shows it. */
  row: EntityRecord
  /** Of the attempt before, which was refused. */
  attempt: Attempt | null
}

/** What is typed into a cell, over the current value of the field. */
export function useCellInput({ entity, columns, column, row, attempt }: Options) {
  const conflict = attempt?.error instanceof CellConflict ? attempt.error.now : null
  const [current] = useState(() => readCurrent(entity, row.persistenceId, conflict))
  const [loaded, setLoaded] = useState<EntityRecord | null>(conflict?.record ?? null)
  const [texts, setTexts] = useState<Draft>(attempt?.texts ?? {})
  const [error, setError] = useState<string | null>(null)
  useEffect(() => {
    current.then(
      ({ record }) => setLoaded(record),
      // Saving fails with it.
      () => {},
    )
  }, [current])
  // What is typed over was seen as the table showed it, what is not yet touched as it is now.
  const [seen, setSeen] = useState(conflict?.record ?? row)
  const isTouched = Object.keys(texts).length > 0
  if (loaded && !isTouched && seen !== loaded) setSeen(loaded)
  const before = draftOf({ ...row, ...seen }, columns)
  const all = { ...before, ...texts }
  return {
    current,
    seen,
    conflict,
    texts,
    all,
    text: all[column.name] ?? '',
    error,
    change: (changed: Draft) => {
      setError(null)
      setTexts((now) => ({ ...now, ...changed }))
    },
    /** The values to save; null when a text is none, which is then said. */
    read: (last: Draft = {}): Record<string, ExactJson> | null => {
      const typed = { ...texts, ...last }
      const fields = columns.filter(({ name }) => name in typed)
      const { values, errors } = readDraft({ ...before, ...typed }, before, fields)
      const [fault] = Object.values(errors)
      setError(fault ?? null)
      return fault === undefined ? values : null
    },
  }
}

function readCurrent(entity: string, id: string, known: Current | null): Promise<Current> {
  const current = known ? Promise.resolve(known) : loadCurrent(entity, id)
  current.catch(() => {})
  return current
}
