import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { countOf } from '@/components/ui/number'
import { Progress } from '@/components/ui/progress'
import { Badge, Status } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import type { AddedIndexView, Advice, AdviceMeta, IndexSuggestion } from '@/lib/advice/contract'
import { api } from '@/lib/http/client'
import { formatBytes } from '@/lib/values/format-bytes'
import { adviceKey, entityPath } from './entity-queries'
import { indexText } from './shape-text'

type Props = { entity: string; indexes: readonly AddedIndexView[] }

/** The indexes that were added to an entity, with their state. */
export function AddedIndexes({ entity, indexes }: Props) {
  const mayDrop = useCan('plugins:install')
  const [dropping, setDropping] = useState<AddedIndexView | null>(null)
  return (
    <>
      <ul aria-label="Added indexes" className="divide-y">
        {indexes.map((index) => (
          <li key={index.name} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5">
            <div className="grid min-w-0 flex-[1_1_16rem] gap-1">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="min-w-0 font-mono text-xs break-words" title={index.name}>
                  {indexText(index)}
                </span>
                {index.unique && <Badge>unique</Badge>}
              </p>
              <Facts index={index} />
            </div>
            <State index={index} />
            {mayDrop && (
              <Button
                size="sm"
                variant="destructive-outline"
                aria-label={`Drop index on ${indexText(index)}`}
                onClick={() => setDropping(index)}
              >
                Drop index
              </Button>
            )}
          </li>
        ))}
      </ul>
      {dropping && <AskToDrop entity={entity} index={dropping} onClose={() => setDropping(null)} />}
    </>
  )
}

/** Its size, how often it was used, and its age. */
const Facts = ({ index: { bytes, scans, createdAt } }: { index: AddedIndexView }) => (
  <p className="tabular text-xs text-muted-foreground">
    {bytes !== null && `${formatBytes(bytes)} · `}
    {scans !== null && `${countOf(scans, 'use')} · `}
    Created <Time value={createdAt} relative />
  </p>
)

function State({ index: { state, progress, error, name } }: { index: AddedIndexView }) {
  if (state === 'ready') return <Status tone="success">Ready</Status>
  if (state === 'failed')
    return (
      <span className="grid min-w-0 flex-[1_1_12rem] justify-items-start gap-1">
        <Status tone="destructive">Failed</Status>
        <span className="text-[13px] break-words text-muted-foreground">{error}</span>
      </span>
    )
  if (progress === null) return <Status tone="progress">Building</Status>
  const percent = Math.round(progress * 100)
  return (
    <div className="min-w-40 flex-[0_1_14rem]">
      <Progress key={name} label="Building" value={percent} text={`${percent} %`} />
    </div>
  )
}

type AskProps = { entity: string; index: AddedIndexView; onClose: () => void }

function AskToDrop({ entity, index, onClose }: AskProps) {
  const client = useQueryClient()
  const removal = useMutation({
    mutationFn: () => dropIndex(entity, index.name),
    onSuccess: async () => {
      await refreshAdvice(client, entity)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Drop the index on ${indexText(index)}?`}
      description="No record is changed. Searches that use it become as slow as they were; it can be created again."
      confirmLabel="Drop index"
      attempt={removal}
      onConfirm={() => removal.mutate()}
    />
  )
}

/** While an index is built, its progress is shown. */
const WATCH_MS = 1_000

/** The slow searches of an entity, what would help them, and its added indexes. */
export const adviceOptions = (entity: string) =>
  queryOptions({
    queryKey: adviceKey(entity),
    queryFn: ({ signal }) => api<Advice>(entityPath(entity, '/advice'), { signal }),
    refetchInterval: ({ state }) =>
      indexesOf(state.data?.meta).some((index) => index.state === 'building') ? WATCH_MS : false,
  })

const indexesOf = (meta: Record<string, unknown> | undefined): AddedIndexView[] =>
  (meta as AdviceMeta | undefined)?.indexes ?? []

export const createIndex = (entity: string, body: IndexSuggestion['create']) =>
  api<AddedIndexView>(entityPath(entity, '/indexes'), { method: 'POST', body })

const dropIndex = (entity: string, name: string) =>
  api<AddedIndexView>(entityPath(entity, `/indexes/${encodeURIComponent(name)}`), {
    method: 'DELETE',
  })

export const refreshAdvice = (client: QueryClient, entity: string) =>
  client.invalidateQueries({ queryKey: adviceKey(entity) })
