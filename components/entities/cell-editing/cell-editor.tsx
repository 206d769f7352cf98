import { useEffect, useRef, useState } from 'react'
import { fieldLabel } from '@/components/data-table/field-label'
import { toast } from '@/components/ui/toast'
import { useHandler } from '@/components/ui/use-handler'
import { messageOf } from '@/lib/errors'
import { choicesOf } from '../choice-control'
import { AUDIT_FIELDS, type Draft } from '../draft'
import { titleOf } from '../record-title'
import { isRelated } from '../related-columns'
import type { ColumnDescription, EntityRecord } from '../types'
import { CellPopup } from './cell-popup'
import { type Leave, nextCell } from './next-cell'
import { type CellChange, saveCell } from './save-cell'
import type { EditedCell } from './use-cell-editing'
import type { Attempt } from './use-cell-input'

type Props = {
  cell: EditedCell | null
  entity: string
  columns: readonly ColumnDescription[]
  rows: readonly EntityRecord[]
  mayUpdate: boolean
  onEdit: (td: HTMLElement | null) => void
}

/** Edits cells, one after the other; what is refused comes back with what was entered. */
export default function CellEditor({ cell, onEdit, ...props }: Props) {
  const [refused, setRefused] = useState<{ td: HTMLElement; attempt: Attempt } | null>(null)
  const open = useRef<EditedCell | null>(null)
  useEffect(() => {
    open.current = cell
  })
  const edit = useHandler(onEdit)
  const again = (td: HTMLElement, attempt: Attempt) => {
    setRefused({ td, attempt })
    edit(td)
  }
  const save = async (td: HTMLElement, change: CellChange, texts: Draft, what: string) => {
    try {
      await saveCell(change)
    } catch (error) {
      const attempt = { texts, error: error as Error }
      if (td.isConnected && !open.current) return again(td, attempt)
      toast.error(`${what} was not saved: ${messageOf(error)}`, {
        duration: Number.POSITIVE_INFINITY,
        description: Object.values(texts).join(', '),
        action: td.isConnected && { label: 'Correct', onClick: () => again(td, attempt) },
        closeButton: true,
      })
    }
  }
  if (!cell) return null
  const { td, nth } = cell
  return (
    <OneCell
      key={nth}
      {...props}
      td={td}
      attempt={refused?.td === td ? refused.attempt : null}
      onSave={(change, texts, what) => void save(td, change, texts, what)}
      onDone={(next) => {
        setRefused(null)
        onEdit(next)
      }}
    />
  )
}

type OneProps = Omit<Props, 'cell' | 'onEdit'> & {
  td: HTMLElement
  attempt: Attempt | null
  onSave: (change: CellChange, texts: Draft, what: string) => void
  /** The cell to edit next. */
  onDone: (next: HTMLElement | null) => void
}

function OneCell({ td, columns, rows, mayUpdate, attempt, onSave, onDone, entity }: OneProps) {
  // The record stays the same one when others take its place in the table.
  const [{ column, row }] = useState(() => cellAt(td, columns, rows))
  const why = column && row ? whyNotEditable(column, mayUpdate) : ''
  const done = useHandler(onDone)
  useEffect(() => {
    if (why === null) return
    if (why) toast.info(why, { id: 'cell' })
    done(null)
  }, [why, done])
  if (!column || !row || why !== null) return null
  const isEditable = (name: string) => {
    const other = columns.find((one) => one.name === name)
    return other !== undefined && whyNotEditable(other, mayUpdate) === null
  }
  const leave = (how: Leave, change: CellChange | null, texts: Draft) => {
    const next = how === 'next' || how === 'previous' ? nextCell(td, how, isEditable) : null
    if (how !== 'away' && !next) focusAgain(td, choicesOf(column) !== null)
    onDone(next)
    if (change) onSave(change, texts, `${fieldLabel(column)} of ${titleOf(row, columns)}`)
  }
  return <CellPopup {...{ td, entity, columns, column, row, attempt }} onLeave={leave} />
}

/** A list of choices that closes with the editor gives the focus back to what had it before, some time later. */
function focusAgain(td: HTMLElement, hadList: boolean): void {
  td.focus()
  if (hadList) setTimeout(() => td.focus(), CLOSED_MS)
}

const CLOSED_MS = 60

function cellAt(
  td: HTMLElement,
  columns: readonly ColumnDescription[],
  rows: readonly EntityRecord[],
) {
  const row = rows[(td.closest('tr') as HTMLTableRowElement).sectionRowIndex]
  return { row, column: columns.find(({ name }) => name === td.dataset.field) }
}

/** Why a field can't be edited in its cell; null when it can. */
export function whyNotEditable(column: ColumnDescription, mayUpdate: boolean): string | null {
  const { name, key, declared, rules, readOnlyFor, setFor } = column
  const label = fieldLabel(column)
  if (isRelated(column)) return `${label} belongs to other records: it is changed there`
  if (setFor?.includes('update')) return `${label} is set automatically by a policy`
  if (readOnlyFor?.includes('update')) return `You don’t have the right to change ${label}`
  if (!mayUpdate) return 'You don’t have the right to change these records'
  if (key) return `${label} is the key: it can’t be changed`
  if (rules.computed !== undefined) return `${label} is computed from other fields`
  if (AUDIT_FIELDS.includes(name)) return `${label} is set by the server`
  if (!declared) return `${label} is not declared: press e to edit it in the record’s JSON`
  return null
}
