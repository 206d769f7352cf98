'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { countOf } from '@/components/ui/number'
import { Status, type Tone } from '@/components/ui/status'
import type { IndexSuggestion } from '@/lib/advice/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import { createIndex, refreshAdvice } from './advice-queries'
import { indexText } from './shape-text'

type Props = { entity: string; suggestion: IndexSuggestion }

/** An index that would help, and the button that creates it. */
export function SuggestedIndex({ entity, suggestion }: Props) {
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
      open
      tone="primary"
      onOpenChange={(open) => !open && onClose()}
      title={`Create an index on ${indexText(create)}?`}
      description={
        <>
          It will take about {formatBytes(cost.bytes)}, and each record that is written adds about{' '}
          {countOf(cost.entriesPerRecord, 'entry', 'entries')} to it. It is built in the background;
          records can be read and written meanwhile, and it can be dropped again.
        </>
      }
      confirmLabel="Create index"
      busy={creation.isPending}
      error={creation.error?.message}
      onConfirm={() => creation.mutate()}
    />
  )
}
