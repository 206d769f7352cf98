'use client'
import { type FormEvent, useState } from 'react'
import type { Condition } from '@/components/data-table/filter/condition'
import { useUnsaved } from '@/components/drafts/unsaved'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { countOf } from '@/components/ui/number'
import { TypeToConfirm } from '@/components/ui/type-to-confirm'
import { ConditionList } from '../condition-list'
import type { ColumnDescription } from '../types'
import { editFaults } from './edit-faults'
import { EditFields } from './edit-fields'
import { EditPreview } from './edit-preview'
import { EditRefusal } from './edit-refusal'
import { useDryRun } from './use-dry-run'
import { useEditInput } from './use-edit-input'
import { useEditing } from './use-editing'

type Props = {
  entity: string
  columns: ColumnDescription[]
  /** Without conditions all records are edited, which has to be confirmed by the entity's name. */
  query: readonly Condition[]
  /** As far as it is known. */
  count: number | null
  /** The records were not chosen one by one: shows what they have in common. */
  isMatch: boolean
  onClose: () => void
}

/**
 * Changes a field of all records that match. What would happen is tried as soon as field and value are given; the number
 * of records is sent as `expected`, so nothing is changed when it is another one by then.
 */
export default function EditRecords({ entity, columns, query, count, isMatch, onClose }: Props) {
  const input = useEditInput(columns)
  const { set } = input
  const dryRun = useDryRun({ entity, query, set })
  const { leave, settle } = useUnsaved({
    what: `The edit of the records of ${entity} is not carried out yet.`,
    dirty: input.isDirty,
  })
  const done = () => {
    settle()
    onClose()
  }
  const editing = useEditing({ entity, query, onDone: done, onRefused: dryRun.again })
  const [typed, setTyped] = useState('')
  const isAll = query.length === 0
  const found = dryRun.data?.effected ?? count
  const isReady = (dryRun.data?.updated ?? 0) > 0 && (!isAll || typed === entity)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && set && dryRun.data) editing.start({ set, expected: dryRun.data.effected })
  }
  const close = () => (editing.isPending ? editing.stop() : leave(onClose))
  return (
    <Dialog
      open
      size="lg"
      stays={editing.isPending}
      onOpenChange={(open) => !open && close()}
      title={`Edit ${found === null ? 'all' : countOf(found, 'record')} of ${entity}`}
      description="All are changed in one step, or none. It can be undone for 7 days."
      footer={
        <>
          <Button onClick={close}>{editing.isPending ? 'Stop' : 'Cancel'}</Button>
          <Button
            type="submit"
            form="bulk-edit"
            variant="primary"
            busy={editing.isPending}
            disabled={!isReady}
          >
            Edit {found === null ? 'records' : countOf(found, 'record')}
          </Button>
        </>
      }
    >
      <form id="bulk-edit" noValidate className="grid gap-4" onSubmit={submit}>
        {isMatch && <ConditionList filter={query} columns={columns} of="edit" />}
        <EditFields
          input={input}
          columns={columns}
          fault={editFaults(dryRun.error)?.value ?? null}
        />
        <EditPreview columns={columns} dryRun={dryRun} />
        {isAll && <TypeToConfirm word={entity} value={typed} onChange={setTyped} />}
        <EditRefusal error={editing.error} />
      </form>
    </Dialog>
  )
}
