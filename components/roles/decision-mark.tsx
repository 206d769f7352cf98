import { BanIcon, CheckIcon, LockIcon, type LucideIcon, MinusIcon, PlusIcon } from 'lucide-react'
import { cn } from '@/components/ui/cn'
import type { Decision } from '@/lib/policies/contract'

type Look = { icon: LucideIcon; className: string; word: string }

/** How the outcomes look; the words stand in the legend and are read to screen readers. */
export const LOOKS = {
  role: { icon: CheckIcon, className: 'text-success', word: 'granted by the role' },
  policy: { icon: PlusIcon, className: 'text-primary', word: 'added by a policy' },
  none: { icon: MinusIcon, className: 'text-muted-foreground', word: 'not granted' },
  denied: { icon: BanIcon, className: 'text-destructive', word: 'denied by a policy' },
  closed: { icon: LockIcon, className: 'text-muted-foreground', word: 'closed by the definition' },
} satisfies Record<string, Look>

export function outcomeOf({ allowed, closed, role, policies }: Decision): keyof typeof LOOKS {
  if (closed) return 'closed'
  if (allowed) return role ? 'role' : 'policy'
  return policies.length > 0 ? 'denied' : 'none'
}

/** The outcome for one action, as an icon. */
export function DecisionMark({ decision, className }: { decision: Decision; className?: string }) {
  const { icon: Icon, className: ink } = LOOKS[outcomeOf(decision)]
  return <Icon aria-hidden className={cn('size-3.5 shrink-0', ink, className)} />
}

/** What the icons mean. */
export const Legend = () => (
  <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted-foreground">
    <li>In each cell: read, create, change, delete</li>
    {Object.values(LOOKS).map(({ icon: Icon, className, word }) => (
      <li key={word} className="flex items-center gap-1">
        <Icon aria-hidden className={cn('size-3.5', className)} />
        {word}
      </li>
    ))}
  </ul>
)
