import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Notice } from '@/components/ui/notice'
import { Pager } from '@/components/ui/pager'
import { messageOf } from '@/lib/errors'
import { plainText } from '@/lib/values/exact-json'
import { ChooseForAll } from './conflicts/choose-for-all'
import { ConflictList } from './conflicts/conflict-list'
import { type Group, type Resolution, type Side, sideOf } from './conflicts/resolution'
import { UPGRADE } from './conflicts/wording'
import { installQueue, isPlanning, type QueueItem } from './install-queue'
import { PlanOutOfDate } from './planned-records'
import type { FileLog, InstallPreview } from './searches'
import { planConflicts } from './send-archive'

const SIZE = 10
const TEXT =
  'Changed both here and in the archive. Fields that only one side changed are merged either way.'

/** The conflicts of a plan, with a choice for each; the choices take effect with the next plan. */
export function PlanConflicts({ item, preview }: { item: QueueItem; preview: InstallPreview }) {
  const files = preview.files.filter(({ conflictCount }) => conflictCount > 0)
  if (files.length === 0) return null
  const onResolve = (resolution: Resolution) => installQueue.resolve(item.id, resolution)
  return (
    <section aria-label="Conflicts" className="grid gap-2.5 rounded-lg border bg-muted/40 p-3">
      <ChooseForAll
        groups={groupsOf(files, item.planned)}
        text={TEXT}
        wording={UPGRADE}
        resolution={item.resolution}
        onResolve={onResolve}
        readOnly={isPlanning(item)}
      />
      {files.map((file) => (
        <FilePages key={file.path} {...{ item, file, onResolve }} named={files.length > 1} />
      ))}
    </section>
  )
}

/** What the plugin itself says about conflicts of a file; null: they fail it. */
function fallbackOf({ status, target, conflicts }: FileLog, planned: Resolution): Side | null {
  if (status === 'failed') return null
  const undecided = conflicts.find(
    ({ key }) => !sideOf(planned, { entity: target ?? '', key: plainText(key) }),
  )
  return undecided?.decision ?? null
}

function groupsOf(files: readonly FileLog[], planned: Resolution): Group[] {
  const groups = new Map<string, Group>()
  for (const file of files) {
    const entity = file.target ?? ''
    const { total, fallback } = groups.get(entity) ?? {
      total: 0,
      fallback: fallbackOf(file, planned),
    }
    groups.set(entity, { entity, total: total + file.conflictCount, fallback })
  }
  return [...groups.values()]
}

type FileProps = {
  item: QueueItem
  file: FileLog
  named: boolean
  onResolve: (resolution: Resolution) => void
}

/** The plan has the first ones; pages beyond them are loaded. */
function FilePages({ item, file, named, onResolve }: FileProps) {
  const { path, target, conflicts, conflictCount: total } = file
  const [page, setPage] = useState(0)
  const first = page * SIZE
  const isPresent = Math.min(total, first + SIZE) <= conflicts.length
  const found = useQuery({
    queryKey: ['plan-conflicts', item.id, item.preview?.seal, path, page],
    queryFn: ({ signal }) => planConflicts(item, { path, page, size: SIZE }, signal),
    enabled: !isPresent,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const shown = isPresent ? conflicts.slice(first, first + SIZE) : (found.data?.conflicts ?? [])
  return (
    <div className="grid gap-2" aria-busy={found.isFetching}>
      {named && <p className="font-mono text-xs break-all text-muted-foreground">{path}</p>}
      {!isPresent && found.data && found.data.seal !== item.preview?.seal && (
        <PlanOutOfDate id={item.id} />
      )}
      {found.error && <Notice tone="warning">{messageOf(found.error)}</Notice>}
      <ConflictList
        entity={target ?? ''}
        conflicts={shown}
        wording={UPGRADE}
        resolution={item.resolution}
        fallback={fallbackOf(file, item.planned)}
        onResolve={onResolve}
        readOnly={isPlanning(item)}
      />
      <Pager
        aria-label={`Conflicts of ${path}`}
        {...{ page, size: SIZE, total }}
        onPage={setPage}
        text="conflicts"
      />
    </div>
  )
}
