import {
  CircleAlertIcon,
  CircleCheckIcon,
  CircleIcon,
  CircleXIcon,
  LoaderCircleIcon,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'

export type Tone = 'neutral' | 'success' | 'warning' | 'destructive' | 'info' | 'progress'

const TONES: Record<Tone, { className: string; icon: LucideIcon }> = {
  neutral: { className: 'bg-muted text-muted-foreground', icon: CircleIcon },
  success: { className: 'bg-success-soft text-success', icon: CircleCheckIcon },
  warning: { className: 'bg-warning-soft text-warning', icon: CircleAlertIcon },
  destructive: { className: 'bg-destructive-soft text-destructive', icon: CircleXIcon },
  info: { className: 'bg-primary-soft text-primary', icon: CircleIcon },
  progress: { className: 'bg-primary-soft text-primary', icon: LoaderCircleIcon },
}

type Props = { tone: Tone; children: ReactNode; icon?: LucideIcon; className?: string }

/** A state, shown by colour, icon and word together. */
export function Status({ tone, children, icon, className }: Props) {
  const Icon = icon ?? TONES[tone].icon
  return (
    <span
      className={cn(
        'inline-flex h-5 items-center gap-1 rounded-full px-1.5 text-xs font-medium whitespace-nowrap',
        TONES[tone].className,
        className,
      )}
    >
      <Icon
        aria-hidden
        className={cn('size-3 shrink-0', tone === 'progress' && 'motion-safe:animate-spin')}
      />
      {children}
    </span>
  )
}

/** A neutral label: a role, a type, a tag. */
export function Badge({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <span
      className={cn(
        'inline-flex h-5 max-w-full items-center gap-1 rounded border bg-card px-1.5 text-xs whitespace-nowrap text-muted-foreground',
        className,
      )}
    >
      {children}
    </span>
  )
}
