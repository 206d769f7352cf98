'use client'
import { useQuery } from '@tanstack/react-query'
import { HistoryIcon } from 'lucide-react'
import { useState } from 'react'
import type { ColumnDescription } from '@/components/entities/types'
import { useCan } from '@/components/shell/viewer'
import { Pager } from '@/components/ui/pager'
import { Skeleton } from '@/components/ui/skeleton'
import { EmptyState, ErrorState } from '@/components/ui/state'
import { HistoryEntry } from './history-entry'
import { historyOptions, PAGE_SIZE, type Version } from './history-queries'
import { RestoreVersion } from './restore-version'

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
  if (found.error) return <ErrorState error={found.error} onRetry={() => found.refetch()} />
  const { versions, total, meta } = found.data
  if (total === 0) return <Nothing isKept={meta.kept} />
  const mayRestore = !readOnly && (meta.exists ? mayUpdate : mayWrite)
  return (
    <div className="@container">
      {!meta.kept && <LastOnly />}
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

function Nothing({ isKept }: { isKept: boolean }) {
  return (
    <EmptyState icon={HistoryIcon} title="No history yet">
      {isKept ? (
        'Every change of this record from now on will be listed here.'
      ) : (
        <>
          Changes that people make here appear, the last one of each record. A plugin that says{' '}
          <code className="text-xs">"history": true</code> in the definition of the entity keeps all
          of them.
        </>
      )}
    </EmptyState>
  )
}

const LastOnly = () => (
  <p className="border-b pb-3 text-[13px] text-muted-foreground">
    Only the last change that a person made here is kept: the definition of the entity does not have{' '}
    <code className="text-xs">"history": true</code>.
  </p>
)
