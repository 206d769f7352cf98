'use client'
import { Status, type Tone } from '@/components/ui/status'
import type { ServerCheck } from '@/lib/checks/contract'
import { AskedCard } from './asked-card'

const STATES: Record<ServerCheck['status'], { tone: Tone; word: string }> = {
  ok: { tone: 'success', word: 'OK' },
  warning: { tone: 'warning', word: 'Warning' },
  fault: { tone: 'destructive', word: 'Fault' },
}

/** What the server finds of itself. */
export const ChecksCard = () => (
  <AskedCard<ServerCheck>
    title="Checks"
    description="Looks at settings, database, disk, storage, clock, proxies and backups."
    path="/api/server/checks"
    actions={['Check now', 'Check again']}
  >
    {(checks) => inOrder(checks).map((check) => <CheckRow key={check.name} {...check} />)}
  </AskedCard>
)

const ORDER: ServerCheck['status'][] = ['fault', 'warning', 'ok']

/** What is to be done comes first. */
const inOrder = (checks: readonly ServerCheck[]): ServerCheck[] =>
  ORDER.flatMap((status) => checks.filter((check) => check.status === status))

const CheckRow = ({ title, status, finding, action }: ServerCheck) => (
  <div className="grid gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[11rem_1fr_auto]">
    <dt>{title}</dt>
    <dd className="grid min-w-0 gap-0.5">
      <span className="break-words">{finding}</span>
      {action && <span className="text-[13px] break-words text-muted-foreground">{action}</span>}
    </dd>
    <dd>
      <Status tone={STATES[status].tone}>{STATES[status].word}</Status>
    </dd>
  </div>
)
