import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshRecords } from '@/components/trash/trash-queries'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { formatCount } from '@/components/ui/number'
import { Pager } from '@/components/ui/pager'
import { useNavigate } from '@/components/ui/pending-page'
import { Skeleton } from '@/components/ui/state'
import { toast } from '@/components/ui/toast'
import { api } from '@/lib/http/client'
import { getQueryClient } from '@/lib/query/client'
import { ChooseForAll } from './conflicts/choose-for-all'
import { ConflictList } from './conflicts/conflict-list'
import { allOf, decisionsOf, type Resolution } from './conflicts/resolution'
import { ROLLBACK } from './conflicts/wording'
import type { FileLog, History, InstallPreview } from './searches'

type Props = {
  install: Pick<History, 'id' | 'kind' | 'pluginName' | 'version'>
  onClose: () => void
}

/** Reports what rolling an install back would do, and does that. */
export default function RollbackInstall({ install, onClose }: Props) {
  const { id, kind, pluginName } = install
  const name = pluginName ?? 'the install'
  const isUndo = kind === 'rollback'
  const navigate = useNavigate()
  const [resolution, setResolution] = useState(allOf('keep'))
  const report = useQuery({
    ...rollbackPlanOptions(id, resolution),
    placeholderData: keepPreviousData,
  })
  const plan = report.data
  const rollback = useMutation({
    mutationFn: () => rollBack(id, resolution, plan?.seal ?? ''),
    onSuccess: async (history) => {
      toast.success(isUndo ? `Rollback of ${name} undone` : `${name} rolled back`)
      onClose()
      await refreshRecords()
      await getQueryClient().invalidateQueries({ queryKey: ['plugin'] })
      await getQueryClient().invalidateQueries({ queryKey: ['plugin-index'] })
      if (history !== null) navigate(`/plugins/history/${history}`)
    },
    onError: () => void report.refetch(),
  })
  return (
    <ConfirmDialog
      onClose={onClose}
      size="lg"
      title={isUndo ? `Undo the rollback of ${name}?` : `Roll back ${name}?`}
      description="This is what it would do. Nothing has changed yet, and it can be undone."
      confirmLabel={isUndo ? 'Undo the rollback' : 'Roll back'}
      tone="primary"
      disabled={!plan || report.isFetching}
      attempt={rollback}
      error={report.error?.message}
      onConfirm={() => rollback.mutate()}
    >
      {plan ? (
        <>
          <RollbackReport plan={plan} />
          <RollbackConflicts plan={plan} resolution={resolution} onResolve={setResolution} />
        </>
      ) : (
        !report.error && <Skeleton className="h-24" />
      )}
    </ConfirmDialog>
  )
}

type Response = { data: { history: number | null; plan?: InstallPreview } }

async function send(id: number, resolution: Resolution, query: Record<string, string>) {
  const onConflict = resolution.otherwise ?? 'keep'
  const path = `/api/plugins/history/${id}/rollback?${new URLSearchParams({ onConflict, ...query })}`
  const decisions = decisionsOf(resolution)
  const body = decisions ? { body: { decisions } } : {}
  // Its `data` is an object, as that of an install.
  const { data } = (await api(path, { method: 'POST', ...body })) as unknown as Response
  return data
}

/** What rolling an install back would do now. */
const rollbackPlanOptions = (id: number, resolution: Resolution) =>
  queryOptions({
    queryKey: ['rollback-plan', id, resolution.otherwise, [...resolution.except]],
    queryFn: async () => {
      const { plan } = await send(id, resolution, { dryRun: 'true' })
      if (!plan) throw new Error('The server returned no plan')
      return plan
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

/** Rolls an install back as planned; returns the number of the rollback in the history. */
const rollBack = async (id: number, resolution: Resolution, seal: string) =>
  (await send(id, resolution, { seal })).history

/** What a rollback does to records and definitions. */
function RollbackReport({ plan }: { plan: InstallPreview }) {
  const notes = plan.files.flatMap(({ changes }) => changes)
  const entities = plan.files.filter(({ kind }) => kind === 'data')
  return (
    <dl className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 rounded-lg border px-3 py-2.5 text-[13px]">
      <dt className="text-muted-foreground">Version</dt>
      <dd className="tabular">
        {plan.installedVersion ?? 'Not installed'} → {plan.version ?? 'not installed'}
      </dd>
      {entities.length > 0 && (
        <>
          <dt className="text-muted-foreground">Records</dt>
          <dd>
            <ul>
              {entities.map((file) => (
                <li key={file.path} className="flex flex-wrap justify-between gap-x-3">
                  <span className="min-w-0 break-words">{file.path}</span>
                  <span className="tabular text-muted-foreground">{recordsText(file)}</span>
                </li>
              ))}
            </ul>
          </dd>
        </>
      )}
      {notes.length > 0 && (
        <>
          <dt className="text-muted-foreground">Definitions</dt>
          <dd>
            <ul>
              {notes.map((note) => (
                <li key={note} className="break-words">
                  {note}
                </li>
              ))}
            </ul>
          </dd>
        </>
      )}
    </dl>
  )
}

const recordsText = ({ records, removed }: FileLog): string =>
  [
    removed.deleted > 0 && `${formatCount(removed.deleted)} to Recently changed`,
    records.updated > 0 && `${formatCount(records.updated)} as before`,
    records.created > 0 && `${formatCount(records.created)} created again`,
  ]
    .filter(Boolean)
    .join(', ') || 'no change'

const SIZE = 10
const TEXT =
  'Changed since the install. Fields that did not change since are rolled back either way.'

type ResolveProps = { resolution: Resolution; onResolve: (resolution: Resolution) => void }

/** The conflicts of a rollback, with a choice for each. */
function RollbackConflicts({ plan, ...resolve }: ResolveProps & { plan: InstallPreview }) {
  const entities = plan.files.filter(({ conflictCount }) => conflictCount > 0)
  if (entities.length === 0) return null
  const groups = entities.map(({ target, conflictCount: total }) => ({
    entity: target ?? '',
    total,
    fallback: null,
  }))
  return (
    <section aria-label="Conflicts" className="grid gap-2.5 rounded-lg border bg-muted/40 p-3">
      <ChooseForAll groups={groups} text={TEXT} wording={ROLLBACK} {...resolve} />
      {entities.map((file) => (
        <EntityPages key={file.path} file={file} {...resolve} />
      ))}
    </section>
  )
}

function EntityPages({ file, ...resolve }: ResolveProps & { file: FileLog }) {
  const { path, target, conflicts, conflictCount } = file
  const [page, setPage] = useState(0)
  const first = page * SIZE
  return (
    <div className="grid gap-2">
      <ConflictList
        entity={target ?? ''}
        conflicts={conflicts.slice(first, first + SIZE)}
        wording={ROLLBACK}
        fallback={null}
        {...resolve}
      />
      <Pager
        aria-label={`Conflicts of ${path}`}
        {...{ page, size: SIZE, total: conflicts.length }}
        onPage={setPage}
        text="conflicts"
      />
      {conflictCount > conflicts.length && (
        <p className="text-xs text-muted-foreground">
          {formatCount(conflictCount - conflicts.length)} more are not listed. The choice for all
          conflicts applies to them.
        </p>
      )}
    </div>
  )
}
