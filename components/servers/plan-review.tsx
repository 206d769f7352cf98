import { useQuery } from '@tanstack/react-query'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { Notice, Refusal } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { Progress } from '@/components/ui/progress'
import { RadioCards } from '@/components/ui/radio-cards'
import { ErrorState } from '@/components/ui/state'
import { toast } from '@/components/ui/toast'
import type { OtherServer, PlanRequest, PromotionWithPlan } from '@/lib/servers/contract'
import { PlanParts } from './plan-parts'
import {
  isBusy,
  planPromotion,
  promotionOptions,
  startPromotion,
  useServerMutation,
} from './server-queries'

type Asked = { id: string; request: PlanRequest }
type Props = Asked & {
  server: OtherServer
  /** It is planned again, otherwise decided. */
  onPlanned: (asked: Asked) => void
  onClose: () => void
}

/** One plan over everything, its conflicts decided, and the way to carry it out. */
export function PlanReview({ server, id, request, onPlanned, onClose }: Props) {
  const promotion = useQuery(promotionOptions(id))
  const starting = useServerMutation(startPromotion)
  const { data } = promotion
  const isReady = data?.status === 'PLANNED' && (data.totalSteps ?? 0) > 0
  const isUndecided = (data?.plan?.conflictCount ?? 0) > 0 && request.onConflict === 'fail'
  // Kept here, since another plan takes the place of the one that is shown.
  const deciding = useServerMutation(planPromotion)
  const decide = (onConflict: PlanRequest['onConflict']) => {
    const next = { ...request, onConflict }
    const sent = { id: server.id, ...next }
    deciding.mutate(sent, { onSuccess: (planned) => onPlanned({ id: planned.id, request: next }) })
  }
  const start = (planned: PromotionWithPlan) =>
    starting.mutate(planned, {
      onSuccess: () => {
        toast.success('The promotion has begun')
        onClose()
      },
    })
  return (
    <Dialog
      onClose={onClose}
      size="xl"
      title={request.direction === 'pull' ? `Bring from ${server.name}` : `Send to ${server.name}`}
      description="Applied only while the plan holds, each plugin whole or not at all."
      isText
      footer={
        <DialogButtons
          onCancel={onClose}
          label="Apply the plan"
          busy={starting.isPending}
          disabled={!isReady || isUndecided}
          onClick={() => data && start(data)}
        />
      }
    >
      <div className="grid gap-4">
        {promotion.error && !deciding.isPending ? (
          <ErrorState of={promotion} />
        ) : !data || isBusy(data) || deciding.isPending ? (
          <Progress label="Comparing both servers" value={null} />
        ) : (
          <Planned promotion={data} request={request} onDecide={decide} />
        )}
        <Refusal of={deciding.error ?? starting.error} />
      </div>
    </Dialog>
  )
}

type PlannedProps = {
  promotion: PromotionWithPlan
  request: PlanRequest
  /** By another plan. */
  onDecide: (onConflict: PlanRequest['onConflict']) => void
}

function Planned({ promotion, request, onDecide }: PlannedProps) {
  const { plan, error, totalSteps } = promotion
  if (!plan)
    return (
      <Notice tone="destructive" role="alert" title="The servers could not be compared">
        <span className="whitespace-pre-line break-words">{error}</span>
      </Notice>
    )
  return (
    <>
      {totalSteps === 0 && (
        <Notice role="status" title="Nothing to do">
          The target has what the source has.
        </Notice>
      )}
      {(plan.conflictCount > 0 || request.onConflict !== 'fail') && (
        <Decision promotion={promotion} request={request} onDecide={onDecide} />
      )}
      <PlanParts plan={plan} />
    </>
  )
}

const DECISIONS = [
  { value: 'fail', label: 'Not decided', hint: 'The plan can not be applied.' },
  { value: 'keep', label: 'Keep', hint: 'The target stays as it was changed there.' },
  { value: 'take', label: 'Take', hint: 'The source wins.' },
] as const

function Decision({ promotion: { plan }, request, onDecide }: PlannedProps) {
  return (
    <section className="grid gap-2" aria-label="Conflicts">
      <p className="font-medium">
        {countOf(plan?.conflictCount ?? 0, 'record')} changed on both servers
      </p>
      <RadioCards
        aria-label="Conflicts"
        value={request.onConflict}
        onValueChange={onDecide}
        choices={DECISIONS}
      />
    </section>
  )
}
