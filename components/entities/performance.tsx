import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { GaugeIcon } from 'lucide-react'
import { useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { countOf, formatDuration } from '@/components/ui/number'
import { EmptyState, ErrorState, Skeleton } from '@/components/ui/state'
import { Status, type Tone } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import type { Advice, AdviceMeta, IndexSuggestion } from '@/lib/advice/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import { AddedIndexes, adviceOptions, createIndex, refreshAdvice } from './added-indexes'
import { indexText, shapeText } from './shape-text'

/** The slow searches of an entity, the indexes that would help, and those that were added. */
export function Performance({ entity }: { entity: string }) {
  const advice = useQuery(adviceOptions(entity))
  if (advice.isPending) return <Skeleton className="h-40" />
  if (advice.error)
    return (
      <Card title="Slow searches" flush>
        <ErrorState of={advice} />
      </Card>
    )
  const { data } = advice.data
  const { slowSearchMs, indexes } = advice.data.meta as AdviceMeta
  return (
    <>
      {indexes.length > 0 && (
        <Card flush title="Added indexes">
          <AddedIndexes entity={entity} indexes={indexes} />
        </Card>
      )}
      <Card
        flush
        title="Slow searches"
        description={`By their fields and operators, without values; from ${formatDuration(slowSearchMs)} on`}
      >
        {data.length === 0 ? (
          <EmptyState icon={GaugeIcon} title="No slow searches">
            Searches that take {formatDuration(slowSearchMs)} or longer are listed here, with the
            index that would help.
          </EmptyState>
        ) : (
          <ul aria-label="Slow searches" className="divide-y">
            {data.map((one) => (
              <SlowSearch key={one.id} entity={entity} advice={one} />
            ))}
          </ul>
        )}
      </Card>
    </>
  )
}

/** One shape of slow searches: what is searched, how long it takes, and what would help. */
function SlowSearch({ entity, advice }: { entity: string; advice: Advice }) {
  const { search, runs, meanMs, maxMs, lastAt, before, suggestions, notes } = advice
  return (
    <li className="grid gap-2 px-4 py-3 text-[13px]">
      <p className="font-medium break-words">{shapeText(search)}</p>
      <p className="tabular text-muted-foreground">
        {before && <Gained before={before.meanMs} after={runs > 0 ? meanMs : null} />}
        {runs > 0 && (
          <>
            {countOf(runs, 'run')}, {formatDuration(meanMs)} on average, at most{' '}
            {formatDuration(maxMs)};{' '}
          </>
        )}
        last <Time value={lastAt} relative />
      </p>
      {suggestions.map((suggestion) => (
        <SuggestedIndex
          key={JSON.stringify(suggestion.create)}
          entity={entity}
          suggestion={suggestion}
        />
      ))}
      {notes.map((note) => (
        <p key={note} className="text-muted-foreground">
          {note}.
        </p>
      ))}
    </li>
  )
}

/** Measured: the same searches before the index was ready and since. */
function Gained({ before, after }: { before: number; after: number | null }) {
  if (after === null)
    return <>{formatDuration(before)} on average before the index, no run since; </>
  const times = before / Math.max(after, 0.1)
  return (
    <strong className="font-medium text-foreground">
      {formatDuration(before)} on average before the index, {formatDuration(after)} since
      {times >= 1.1 ? `: ${times.toFixed(1)} times as fast` : ''};{' '}
    </strong>
  )
}

type Props = { entity: string; suggestion: IndexSuggestion }

/** An index that would help, and the button that creates it. */
function SuggestedIndex({ entity, suggestion }: Props) {
  const { create, why, verdict, gain } = suggestion
  const [asking, setAsking] = useState(false)
  const mayCreate = useCan('plugins:install')
  const { tone, label } = VERDICTS[verdict]
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-muted/50 px-3 py-2">
      <div className="grid min-w-48 flex-1 gap-0.5">
        <p>
          Index on <span className="font-mono text-xs">{indexText(create)}</span>
        </p>
        <p className="text-muted-foreground">
          {why}
          {gain && `, ${gainText(gain)}`}.
        </p>
      </div>
      {verdict === 'create' && mayCreate ? (
        <Button size="sm" onClick={() => setAsking(true)}>
          Create index
        </Button>
      ) : (
        <Status tone={tone}>{label}</Status>
      )}
      {asking && (
        <AskToCreate entity={entity} suggestion={suggestion} onClose={() => setAsking(false)} />
      )}
    </div>
  )
}

const VERDICTS: Record<IndexSuggestion['verdict'], { tone: Tone; label: string }> = {
  create: { tone: 'info', label: 'Would help' },
  exists: { tone: 'success', label: 'Exists' },
  building: { tone: 'progress', label: 'Building' },
  'too small': { tone: 'neutral', label: 'Table too small to matter' },
}

function gainText({ method, costNow, costWith }: NonNullable<IndexSuggestion['gain']>): string {
  const times = costNow / Math.max(costWith, 0.01)
  const by = method === 'estimate' ? 'estimated' : 'by a hypothetical plan'
  return times < 1.1
    ? `no gain ${by}`
    : `about ${times.toFixed(times < 10 ? 1 : 0)} times as fast, ${by}`
}

function AskToCreate({ entity, suggestion, onClose }: Props & { onClose: () => void }) {
  const { create, cost } = suggestion
  const client = useQueryClient()
  const creation = useMutation({
    mutationFn: () => createIndex(entity, create),
    onSuccess: async () => {
      await refreshAdvice(client, entity)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      tone="primary"
      onClose={onClose}
      title={`Create an index on ${indexText(create)}?`}
      description={
        <>
          It will take about {formatBytes(cost.bytes)}, and each record that is written adds about{' '}
          {countOf(cost.entriesPerRecord, 'entry', 'entries')} to it. It is built in the background;
          records can be read and written meanwhile, and it can be dropped again.
        </>
      }
      confirmLabel="Create index"
      attempt={creation}
      onConfirm={() => creation.mutate()}
    />
  )
}
