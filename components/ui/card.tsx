import type { ReactNode } from 'react'
import { cn } from './cn'

type Props = {
  title?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** No inner margin: for tables and lists. */
  flush?: boolean
  className?: string
}

export function Card({ title, description, actions, children, flush, className }: Props) {
  return (
    <section className={cn('min-w-0 rounded-lg border bg-card', className)}>
      {title && (
        <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2">
          <div className="min-w-16 flex-1">
            <h2 className="truncate text-sm font-medium">{title}</h2>
            {description && <p className="text-xs text-muted-foreground">{description}</p>}
          </div>
          {actions}
        </header>
      )}
      <div className={flush ? undefined : 'p-4'}>{children}</div>
    </section>
  )
}
