import { useMutation, useQuery } from '@tanstack/react-query'
import { refreshEntity } from '@/components/entities/entity-queries'
import { announceChange } from '@/components/entities/save-record'
import type { ColumnDescription, EntityRecord } from '@/components/entities/types'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { ErrorState, Skeleton } from '@/components/ui/state'
import { formatInstant } from '@/components/ui/time-text'
import { toast } from '@/components/ui/toast'
import { ApiError } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import type { ExactJson } from '@/lib/values/exact-json'
import { type Restoration, restorationOptions, restore, type Version } from './history-queries'
import { VersionChanges } from './version-changes'

type Props = {
  entity: string
  id: string
  version: Version
  columns: readonly ColumnDescription[]
  onClose: () => void
}

/**
 * Asks before a version is restored, with what that changes now. When the record has changed since the question, nothing is
 * done, and the question is asked again with the new state.
 */
export function RestoreVersion({ entity, id, version, columns, onClose }: Props) {
  const plan = useQuery(restorationOptions(entity, id, version.version))
  const restoration = useMutation({
    mutationFn: () => restore(entity, id, version.version, { etag: plan.data?.etag }),
    onSuccess: async (done) => {
      onClose()
      announce(entity, done)
      await getQueryClient().invalidateQueries({ queryKey: ['record-history', entity, id] })
      await refreshEntity(entity)
    },
    onError: () => void plan.refetch(),
  })
  const isRemoved = plan.data?.created ?? false
  return (
    <ConfirmDialog
      onClose={onClose}
      size="lg"
      tone="primary"
      title={isRemoved ? 'Bring this record back?' : 'Restore this version?'}
      description={descriptionOf(version, isRemoved)}
      confirmLabel={isRemoved ? 'Bring back' : 'Restore'}
      onConfirm={() => restoration.mutate()}
      attempt={{ isPending: restoration.isPending, error: null }}
      disabled={!plan.data || (plan.data.changes.length === 0 && !isRemoved)}
      error={restoration.error && faultOf(restoration.error)}
    >
      {plan.isPending && <Skeleton className="h-20" />}
      <ErrorState of={plan} />
      {plan.data && <Difference plan={plan.data} columns={columns} />}
    </ConfirmDialog>
  )
}

type DifferenceProps = { plan: Restoration; columns: Props['columns'] }

function Difference({ plan: { changes, leftOut }, columns }: DifferenceProps) {
  return (
    <section aria-label="What changes" className="@container">
      {changes.length === 0 ? (
        <p>The record has these values already.</p>
      ) : (
        <VersionChanges changes={changes} columns={columns} />
      )}
      {leftOut.length > 0 && (
        <p className="mt-2 text-[13px] text-muted-foreground">
          Not restored, since the entity no longer has them: {leftOut.join(', ')}
        </p>
      )}
    </section>
  )
}

function descriptionOf({ kind, at }: Version, isRemoved: boolean): string {
  const time = at ? ` of ${formatInstant(new Date(at))}` : ''
  if (isRemoved) return `It is created again with the values of the version${time}.`
  if (kind === 'earlier') return 'It gets the values that it had before the oldest version.'
  return kind === 'delete'
    ? `It gets the values that it had before the deletion${time}.`
    : `It gets the values of the version${time}. The present ones stay in its history.`
}

/** The console does not ask for what the server noticed by itself to be read again. */
const faultOf = (error: Error): string => {
  if (error instanceof ApiError && error.status === 412)
    return 'The record has changed meanwhile. Compare again what would change, then restore it.'
  const faults =
    error instanceof ApiError
      ? error.validations.map(({ field, error: fault }) => `${field}: ${fault}`)
      : []
  return [error.message, ...faults].join('. ')
}

type RestoredRecord = Awaited<ReturnType<typeof restore>>

function announce(entity: string, { record, created, changes, etag }: RestoredRecord): void {
  if (!record || created) {
    toast.success('The record is back')
    return
  }
  const before = Object.fromEntries(changes.map(({ field, before = null }) => [field, before]))
  const values = Object.fromEntries(changes.map(({ field, after = null }) => [field, after]))
  const state = { ...before, persistenceId: record.persistenceId } as EntityRecord
  announceChange(
    entity,
    state,
    values as Record<string, ExactJson>,
    { record: record as EntityRecord, etag },
    'The version is restored',
  )
}
