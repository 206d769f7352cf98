import {
  BanIcon,
  CheckIcon,
  ListFilterIcon,
  LockIcon,
  type LucideIcon,
  MinusIcon,
  TriangleAlertIcon,
} from 'lucide-react'
import type { Grant } from '@/components/policies/grant'
import { cn } from '@/components/ui/cn'
import { formatCount } from '@/components/ui/number'

type Look = { icon: LucideIcon; className: string; word: string }

const LOOKS = {
  all: { icon: CheckIcon, className: 'text-success', word: 'All' },
  some: { icon: ListFilterIcon, className: 'text-primary', word: 'Some rows' },
  none: { icon: MinusIcon, className: 'text-muted-foreground', word: 'No' },
  denied: { icon: BanIcon, className: 'text-destructive', word: 'No' },
  closed: { icon: LockIcon, className: 'text-muted-foreground', word: 'Closed' },
  invalid: { icon: TriangleAlertIcon, className: 'text-destructive', word: 'Invalid' },
} satisfies Record<string, Look>

function lookOf({ rows, closed, policies }: Grant): Look {
  if (closed) return LOOKS.closed
  if (policies.some(({ invalid }) => invalid !== null)) return LOOKS.invalid
  return rows === 'none' && policies.length > 0 ? LOOKS.denied : LOOKS[rows]
}

/** `9 of 12 fields`; empty where all are granted. */
const fieldsText = ({ fields, rows }: Grant, total: number): string =>
  fields === null || rows === 'none'
    ? ''
    : `${formatCount(fields.length)} of ${formatCount(total)} fields`

export const grantWords = (grant: Grant, total: number): string =>
  [lookOf(grant).word, fieldsText(grant, total)].filter(Boolean).join(', ')

/** What is granted: an icon, a word and, where they are not all, the fields. */
export function GrantMark({ grant, total }: { grant: Grant; total: number }) {
  const { icon: Icon, className, word } = lookOf(grant)
  const fields = fieldsText(grant, total)
  const isGranted = grant.rows !== 'none'
  return (
    <>
      <span className={cn('flex items-center gap-1.5', !isGranted && 'text-muted-foreground')}>
        <Icon aria-hidden className={cn('size-3.5 shrink-0', className)} />
        <span className="min-w-0 max-sm:text-xs">{word}</span>
      </span>
      {fields && <span className="text-xs text-muted-foreground max-sm:text-[11px]">{fields}</span>}
    </>
  )
}
