'use client'
import { useCan, useViewer } from '@/components/shell/viewer'
import { holderOf } from '@/components/shell/viewer-of'
import { canForSome } from '@/lib/auth/rights'
import { Activity } from './activity'
import { Attention } from './attention'
import { Installs, RecordsByEntity } from './charts'
import { Figures } from './figures'
import { FirstSteps } from './first-steps/first-steps'
import { Health } from './health'

/** What needs attention first, then how much there is and what happened. */
export function DashboardView({ isNew }: { isNew: boolean }) {
  const mayReadSystem = useCan('system:read')
  const mayAdminister = useCan('users:manage') && mayReadSystem
  const mayRead = canForSome(holderOf(useViewer()), 'read')
  return (
    <>
      {isNew && mayAdminister && <FirstSteps />}
      {mayReadSystem && <Attention />}
      {mayRead && <Figures />}
      <div className="grid items-start gap-4 lg:grid-cols-[2fr_1fr]">
        <div className="grid min-w-0 gap-4">
          <RecordsByEntity />
          {mayReadSystem && <Installs />}
        </div>
        <div className="grid min-w-0 gap-4">
          <Health />
          {mayReadSystem && <Activity />}
        </div>
      </div>
    </>
  )
}
