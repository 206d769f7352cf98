import { useState } from 'react'
import type { OtherServer, PlanRequest } from '@/lib/servers/contract'
import { PlanForm } from './plan-form'
import { PlanReview } from './plan-review'

type Props = {
  server: OtherServer
  direction: PlanRequest['direction']
  onClose: () => void
}

/** Chooses what is brought or sent, then shows the plan of it. */
export function PromoteDialog({ server, direction, onClose }: Props) {
  const [asked, setAsked] = useState<{ id: string; request: PlanRequest } | null>(null)
  if (!asked)
    return <PlanForm server={server} direction={direction} onClose={onClose} onPlanned={setAsked} />
  return (
    <PlanReview
      key={asked.id}
      server={server}
      id={asked.id}
      request={asked.request}
      onPlanned={setAsked}
      onClose={onClose}
    />
  )
}
