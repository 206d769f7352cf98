import { useQuery } from '@tanstack/react-query'
import { HistoryIcon, type LucideIcon, PencilIcon, PlusIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { AuditActor } from '@/components/audit/audit-actor'
import type { ColumnDescription } from '@/components/entities/types'
import { useCan } from '@/components/shell/viewer'
import { Button } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { Pager } from '@/components/ui/pager'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Status, type Tone } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import { ApiError } from '@/lib/http/client'
import { historyOptions, PAGE_SIZE, type Version } from './history-queries'
import { RecordTraces } from './record-traces'
import { RestoreVersion } from './restore-version'
import { VersionChanges } from './version-changes'
import { WithoutHistory } from './without-history'

type Props = {
  entity: string
  /** The `persistenceId`; the record may be deleted. */
  id: string
  columns: readonly ColumnDescription[]
  readOnly?: boolean
}

/** What happened to a record, newest first, and ways back. */
export default function RecordHistory({ entity, id, columns, readOnly = false }: Props) {
  const [page, setPage] = useState(0)
  const [chosen, setChosen] = useState<Version | null>(null)
  const found = useQuery(historyOptions(entity, id, page))
  const mayUpdate = useCan({ entity, action: 'update' })
  const mayWrite = useCan({ entity, action: 'write' })
  if (found.isPending) return <Skeleton className="h-32" />
  if (found.error instanceof ApiError && found.error.status === 404)
    return <RecordTraces entity={entity} id={id} />
  if (found.error) return <ErrorState of={found} />
  const { versions, total, meta } = found.data
  if (total === 0 && !meta.kept) return <WithoutHistory entity={entity} id={id} />
  if (total === 0)
    return (
      <EmptyState icon={HistoryIcon} title="No history yet">
        Every change of this record from now on will be listed here.
      </EmptyState>
    )
  const mayRestore = !readOnly && (meta.exists ? mayUpdate : mayWrite)
  return (
    <div className="@container">
      {!meta.kept && <WithoutHistory entity={entity} id={id} />}
      <ol aria-label="History" className="divide-y">
        {versions.map((version) => (
          <HistoryEntry
            key={version.version}
            version={version}
            columns={columns}
            mayRestore={mayRestore}
            onRestore={() => setChosen(version)}
          />
        ))}
      </ol>
      <Pager
        aria-label="Pages of the history"
        page={page}
        size={PAGE_SIZE}
        total={total}
        onPage={setPage}
        text="versions"
      />
      {chosen && (
        <RestoreVersion
          entity={entity}
          id={id}
          version={chosen}
          columns={columns}
          onClose={() => setChosen(null)}
        />
      )}
    </div>
  )
}

const KINDS: Record<Version['kind'], { label: string; tone: Tone; icon: LucideIcon }> = {
  insert: { label: 'Created', tone: 'success', icon: PlusIcon },
  update: { label: 'Changed', tone: 'info', icon: PencilIcon },
  delete: { label: 'Deleted', tone: 'destructive', icon: Trash2Icon },
  earlier: { label: 'Earlier state', tone: 'neutral', icon: HistoryIcon },
}

type HistoryEntryProps = {
  version: Version
  columns: readonly ColumnDescription[]
  mayRestore: boolean
  onRestore: () => void
}

/** What was done to a record at one time. */
function HistoryEntry({ version, columns, mayRestore, onRestore }: HistoryEntryProps) {
  const { kind, changes, formerFields, restorable } = version
  const { label, tone, icon } = KINDS[kind]
  return (
    <li className="grid gap-2 py-3">
      <div className="flex items-start gap-2 text-[13px]">
        <Status tone={tone} icon={icon} className="shrink-0">
          {label}
        </Status>
        <div className="min-w-0 flex-1">
          <VersionOrigin version={version} />
        </div>
        {restorable && mayRestore && (
          <Button size="sm" className="-my-1" onClick={onRestore}>
            Restore
            <span className="sr-only">{` ${nameOf(version)}`}</span>
          </Button>
        )}
      </div>
      {kind !== 'earlier' && (
        <VersionChanges changes={changes.filter(isOfInterest)} columns={columns} />
      )}
      {formerFields.length > 0 && (
        <p className="text-xs text-muted-foreground">
          Not shown, since the entity no longer has them: {formerFields.join(', ')}
        </p>
      )}
    </li>
  )
}

/** Of auditable entities; who changed it and when stands above the changes. */
const AUDITED = /^(Created|LastUpdated)(At|By)$/

const isOfInterest = ({ field }: Version['changes'][number]) => !AUDITED.test(field)

/** `this version`, where a button stands alone. */
const nameOf = ({ kind }: Version) =>
  kind === 'delete'
    ? 'the deleted record'
    : kind === 'earlier'
      ? 'the earlier state'
      : 'this version'

/** Who made a version, when, and how where that is not simply by the API or the console. */
function VersionOrigin({ version }: { version: Version }) {
  const { at, by, kind, action, install } = version
  if (kind === 'earlier')
    return <span className="text-muted-foreground">before the oldest version that is kept</span>
  const way = action ? WAYS[action] : undefined
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 leading-5 text-muted-foreground">
      <Time value={at} relative />
      <Author by={by} />
      {install ? <Install install={install} /> : way && <span>{way}</span>}
    </span>
  )
}

function Author({ by }: Pick<Version, 'by'>) {
  if (by?.type) return <AuditActor actorType={by.type} actorName={by.name} />
  if (by) return <span className="truncate">{by.name}</span>
  return (
    <span title="Nothing of the engine did it: a statement in the database itself">
      outside the engine
    </span>
  )
}

function Install({ install }: { install: NonNullable<Version['install']> }) {
  const { id, kind, pluginName, version } = install
  return (
    <Link href={`/plugins/history/${id}`} className="text-primary hover:underline">
      {kind === 'rollback' ? 'rollback of' : 'by'} {pluginName ?? 'a plugin'} {version}
    </Link>
  )
}

/** Of the actions of the audit log, where the kind of the version does not say it. */
const WAYS: Record<string, string> = {
  'records.import': 'by an import',
  'records.restore': 'from Recently changed',
}
