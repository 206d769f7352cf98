import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Progress } from '@/components/ui/progress'
import { ErrorState } from '@/components/ui/state'
import { Status, type Tone } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import { toast } from '@/components/ui/toast'
import type { Promotion } from '@/lib/servers/contract'
import { isBusy, promotionsOptions, undoPromotion, useServerMutation } from './server-queries'

/** What was brought and sent, with what came of it. */
export function PromotionsCard() {
  const promotions = useQuery(promotionsOptions)
  const [undone, setUndone] = useState<Promotion | null>(null)
  if (promotions.error) return <ErrorState of={promotions} />
  const shown = promotions.data?.filter(({ status }) => !PLANS.has(status)) ?? []
  if (shown.length === 0) return null
  return (
    <Card title="Promotions" flush>
      <ul className="divide-y">
        {shown.map((promotion) => (
          <PromotionItem
            key={promotion.id}
            promotion={promotion}
            onUndo={() => setUndone(promotion)}
          />
        ))}
      </ul>
      {undone && <UndoPromotion promotion={undone} onClose={() => setUndone(null)} />}
    </Card>
  )
}

const PLANS = new Set(['PLANNING', 'PLANNED', 'FAILED'])

const STATES: Record<string, { tone: Tone; word: string }> = {
  WAITING: { tone: 'progress', word: 'Waiting' },
  RUNNING: { tone: 'progress', word: 'Running' },
  DONE: { tone: 'success', word: 'Done' },
  STOPPED: { tone: 'destructive', word: 'Stopped' },
  UNDOING: { tone: 'progress', word: 'Being undone' },
  UNDONE: { tone: 'neutral', word: 'Undone' },
}

const titleOf = ({ direction, serverName }: Promotion) =>
  direction === 'pull' ? `From ${serverName}` : `To ${serverName}`

function PromotionItem({ promotion, onUndo }: { promotion: Promotion; onUndo: () => void }) {
  const { status, error, done, undone, createdAt, createdBy, doneSteps, totalSteps } = promotion
  const { tone, word } = STATES[status] ?? { tone: 'neutral', word: status }
  const canUndo = status === 'DONE' || status === 'STOPPED'
  const lines = [...done, ...undone]
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium break-words">{titleOf(promotion)}</span>
        <Status tone={tone}>{word}</Status>
        <span className="min-w-40 flex-1 text-[13px] text-muted-foreground">
          <Time value={createdAt} />, {createdBy}
        </span>
        {canUndo && (
          <Button size="sm" aria-label={`Undo: ${titleOf(promotion)}`} onClick={onUndo}>
            Undo
          </Button>
        )}
      </div>
      {isBusy(promotion) && (
        <Progress
          label={word}
          value={status === 'RUNNING' ? doneSteps : null}
          max={totalSteps || 1}
          text={totalSteps ? `${doneSteps} of ${totalSteps}` : undefined}
        />
      )}
      {error && (
        <p className="text-[13px] break-words whitespace-pre-line text-destructive">{error}</p>
      )}
      {lines.length > 0 && (
        <details className="text-[13px]">
          <summary className="cursor-pointer text-muted-foreground">What was done</summary>
          <ul className="mt-1 grid gap-0.5">
            {lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added
              <li key={at} className="break-words">
                {line}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

function UndoPromotion({ promotion, onClose }: { promotion: Promotion; onClose: () => void }) {
  const undoing = useServerMutation(undoPromotion)
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Undo the promotion ${titleOf(promotion).toLowerCase().split(' ')[0]} ${promotion.serverName}?`}
      description="What it made goes to the trash, and what it changed is as before. What people have changed since stays."
      confirmLabel="Undo promotion"
      attempt={undoing}
      onConfirm={() =>
        undoing.mutate(promotion, {
          onSuccess: () => {
            toast.success('The promotion is being undone')
            onClose()
          },
        })
      }
    />
  )
}
