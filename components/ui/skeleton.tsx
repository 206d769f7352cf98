import { cn } from './cn'

/** Stands where content will be, at its size. */
export const Skeleton = ({ className }: { className?: string }) => (
  <span
    aria-hidden
    data-skeleton
    className={cn('block h-4 rounded bg-muted motion-safe:animate-pulse', className)}
  />
)
