import { CircleAlertIcon, InfoIcon, TriangleAlertIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'

const TONES = {
  info: { className: 'border-border bg-muted/50', icon: InfoIcon, ink: 'text-muted-foreground' },
  warning: {
    className: 'border-warning/30 bg-warning-soft',
    icon: CircleAlertIcon,
    ink: 'text-warning',
  },
  destructive: {
    className: 'border-destructive/30 bg-destructive-soft',
    icon: TriangleAlertIcon,
    ink: 'text-destructive',
  },
}

type Props = {
  tone?: keyof typeof TONES
  title?: ReactNode
  children?: ReactNode
  actions?: ReactNode
  role?: 'alert' | 'status'
}

/** A message to read before continuing. */
export function Notice({ tone = 'info', title, children, actions, role }: Props) {
  const { className, icon: Icon, ink } = TONES[tone]
  return (
    <div
      role={role}
      className={cn('flex items-start gap-2.5 rounded-lg border px-3 py-2.5', className)}
    >
      <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', ink)} />
      <div className="grid min-w-0 flex-1 gap-0.5">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className="text-[13px]">{children}</div>}
      </div>
      {actions}
    </div>
  )
}

type RefusalProps = { of: { message: string } | null | undefined; title?: string }

/** Why something was refused, if it was. */
export const Refusal = ({ of, title }: RefusalProps) =>
  of ? (
    <Notice tone="destructive" role="alert" title={title}>
      {of.message}
    </Notice>
  ) : null
