import { cn } from './cn'

/** A placeholder of the size of the content to come. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span
    aria-hidden
    data-skeleton
    className={cn('block h-4 rounded bg-muted motion-safe:animate-pulse', className)}
  />
)
