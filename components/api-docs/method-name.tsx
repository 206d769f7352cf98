import { cn } from '@/components/ui/cn'
import type { Method } from './document'

const INKS: Record<Method, string> = {
  get: 'text-primary',
  post: 'text-success',
  put: 'text-warning',
  patch: 'text-warning',
  delete: 'text-destructive',
}

/** The method in capitals and its colour. */
export const MethodName = ({ method, className }: { method: Method; className?: string }) => (
  <span className={cn('font-mono text-[11px] font-semibold uppercase', INKS[method], className)}>
    {method}
  </span>
)
