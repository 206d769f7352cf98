import { TriangleAlertIcon } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { Button } from './button'
import { cn } from './cn'

type EmptyProps = {
  icon?: ComponentType<{ 'aria-hidden'?: boolean; className?: string; strokeWidth?: number }>
  title: string
  /** What happens next, or how to get something here. */
  children?: ReactNode
  actions?: ReactNode
  className?: string
  /** The whole page says it. */
  isPage?: boolean
}

/** What a list shows in place of rows: nothing yet, no matches, or no access. */
export function EmptyState(props: EmptyProps) {
  const { icon: Icon, title, children, actions, className, isPage = false } = props
  const Title = isPage ? 'h1' : 'p'
  return (
    <div className={cn('grid justify-items-center gap-1 px-6 py-14 text-center', className)}>
      {Icon && <Icon aria-hidden className="mb-2 size-6 text-muted-foreground" strokeWidth={1.5} />}
      <Title className="font-medium">{title}</Title>
      {children && <div className="max-w-md text-muted-foreground">{children}</div>}
      {actions && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}

type Failed = { message: string; requestId?: string | null }

type ErrorProps = { title?: string; className?: string } & (
  | { error: Failed; onRetry?: () => void; of?: never }
  /** A query that failed, or did not. */
  | { of: { error: Failed | null; refetch: () => unknown }; error?: never; onRetry?: never }
)

/** A failed request: its message, a retry button, and the request id of the log line. */
export function ErrorState({
  title = 'This could not be loaded',
  className,
  ...props
}: ErrorProps) {
  const { error, onRetry } = props.of ? { error: props.of.error, onRetry: props.of.refetch } : props
  if (!error) return null
  return (
    <div
      role="alert"
      className={cn('grid justify-items-center gap-1 px-6 py-14 text-center', className)}
    >
      <TriangleAlertIcon aria-hidden className="mb-2 size-6 text-destructive" strokeWidth={1.5} />
      <p className="font-medium">{title}</p>
      <p className="max-w-md text-muted-foreground">{error.message}</p>
      {error.requestId && (
        <p className="font-mono text-xs text-muted-foreground">Request {error.requestId}</p>
      )}
      {onRetry && (
        <Button className="mt-3" onClick={() => onRetry()}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** A placeholder of the size of the content to come. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span
    aria-hidden
    data-skeleton
    className={cn('block h-4 rounded bg-muted motion-safe:animate-pulse', className)}
  />
)
