import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import type { Condition } from '@/components/data-table/filter/condition'
import { useUnsaved } from '@/components/drafts/unsaved'
import { announceEdit } from '@/components/trash/announce-restoration'
import { refreshRecords } from '@/components/trash/trash-queries'
import { TypeToConfirm } from '@/components/ui/alert-dialog'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { Link } from '@/components/ui/link'
import { Notice } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { toast } from '@/components/ui/toast'
import { ApiError } from '@/lib/http/client'
import { exactJsonText } from '@/lib/values/exact-json'
import { ConditionList } from '../condition-list'
import type { ColumnDescription } from '../types'
import { useDryRun } from './dry-run'
import { editFaults } from './edit-faults'
import { EditFields } from './edit-fields'
import { EditPreview } from './edit-preview'
import { type BatchEdit, sendEdit } from './send-edit'
import { useEditInput } from './use-edit-input'

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
  const dryRun = useDryRun({
    queryKey: ['dry-edit', entity, query],
    input: set && exactJsonText(set),
    run: (signal) => sendEdit({ entity, query, set: set ?? {} }, { dryRun: true, signal }),
  })
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
      size="lg"
      stays={editing.isPending}
      onClose={close}
      title={`Edit ${found === null ? 'all' : countOf(found, 'record')} of ${entity}`}
      description="All are changed in one step, or none. It can be undone for 7 days."
      footer={
        <DialogButtons
          onCancel={close}
          cancelLabel={editing.isPending ? 'Stop' : 'Cancel'}
          form="bulk-edit"
          busy={editing.isPending}
          disabled={!isReady}
          label={`Edit ${found === null ? 'records' : countOf(found, 'record')}`}
        />
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

/** Why records were not changed, or that it is not known whether they were. */
function EditRefusal({ error }: { error: Error | null }) {
  if (!error) return null
  const isUnknown = error instanceof ApiError && error.status === 0
  return (
    <Notice tone="destructive" role="alert">
      {error.message}
      {isUnknown && (
        <>
          {' '}
          Whether the records were changed is shown in the{' '}
          <Link href="/trash" className="underline underline-offset-2">
            Recently changed
          </Link>
          .
        </>
      )}
    </Notice>
  )
}

type Options = Omit<BatchEdit, 'set'> & {
  onDone: () => void
  /** Nothing was changed, so the numbers that are shown may be old. */
  onRefused: () => void
}

const UNDO_DAYS = 7

/** Carries an edit out; `stop` ends it, which changes nothing unless it was complete by then. */
function useEditing({ entity, query, onDone, onRefused }: Options) {
  const request = useRef(new AbortController())
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ set, expected }: { set: BatchEdit['set']; expected: number }) => {
      request.current = new AbortController()
      const { signal } = request.current
      return sendEdit({ entity, query, set }, { expected, undoDays: UNDO_DAYS, signal })
    },
    onSuccess: ({ updated, batchId }) => {
      onDone()
      announceEdit(updated, entity, batchId)
    },
    onError: () => {
      if (!request.current.signal.aborted) return onRefused()
      onDone()
      toast.info(
        'The edit was stopped. If it was complete by then, it can be undone in Recently changed.',
      )
    },
    onSettled: () => void refreshRecords(),
  })
  return { start: mutate, stop: () => request.current.abort(), isPending, error }
}
